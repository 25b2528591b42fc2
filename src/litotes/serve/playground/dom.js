// Making elements.

/** Return an element with a class and children: elements, or texts. */
export function element(name, className = "", ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

export const byId = (id) => document.getElementById(id);

/** Fill a fieldset with one button per choice; `choose` is called with the one that is pressed. */
export function chips(fieldset, choices, choose) {
  const buttons = choices.map((choice) => {
    const button = element("button", "chip", choice.name);
    button.type = "button";
    button.addEventListener("click", () => choose(choice));
    return button;
  });
  fieldset.append(...buttons);
  return (chosen) =>
    buttons.forEach((button, place) => button.setAttribute("aria-pressed", String(choices[place] === chosen)));
}

/** Return a function that calls another one once it was not called for a while. */
export function later(milliseconds, call) {
  let timer;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...args), milliseconds);
  };
}
