// Code that does the same as the page, to copy.

import { element } from "./dom.js";

/** Return a text as a literal of Python, which reads all that JSON writes but for half surrogate pairs. */
const literal = (text) => JSON.stringify(text);
/** Return a text as one word of a shell. */
const word = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const curl = (origin, path, body) =>
  `# start the server first: litotes serve\ncurl ${origin}${path} -H 'Content-Type: application/json' \\\n` +
  `  -d ${word(JSON.stringify(body))}`;

/** Return the code for a ranking. `dial` is null for the default. */
export function rankingCode({ model, query, documents, dial, exclude, origin }) {
  const options = [...(dial === null ? [] : [`dial=${dial}`]), ...(exclude ? [] : ["exclude=False"])];
  const body = { query, documents, ...(dial === null ? {} : { dial }), ...(exclude ? {} : { exclude: false }) };
  return {
    Python: [
      "import litotes",
      "",
      `model = litotes.load(${literal(model)})`,
      `query = ${literal(query)}`,
      "documents = [",
      ...documents.map((text) => `    ${literal(text)},`),
      "]",
      `scores = model.encode_query(${["query", ...options].join(", ")}) @ model.encode_document(documents).T`,
      "for score, document in sorted(zip(scores, documents), reverse=True):",
      '    print(f"{score:.2f}  {document}")',
    ].join("\n"),
    Shell: `# what the query excludes and negates\nlitotes detect --explain --splitter litotes-splitter ${word(query)}`,
    curl: curl(origin, "/similarity", body),
  };
}

/** Return the code for a verdict on two questions. */
export function guardCode({ one, other, origin }) {
  return {
    Python: [
      "import litotes",
      "",
      'guard = litotes.Guard("mini")',
      `print(guard.judge(${literal(one)}, ${literal(other)}))`,
    ].join("\n"),
    Shell: `litotes guard --text ${word(one)} ${word(other)} --tier mini --explain`,
    curl: curl(origin, "/guard", { new: one, cached: other }),
  };
}

/** Shows one of several pieces of code, with a button that copies it. */
export class CodeBlock {
  #code = {};

  constructor(place, title) {
    const names = ["Python", "Shell", "curl"];
    this.shown = element("pre", "", element("code"));
    this.shown.tabIndex = 0;
    this.copy = element("button", "quiet", "Copy");
    this.copy.type = "button";
    this.copy.addEventListener("click", () => this.#copy());
    this.said = element("span", "hint");
    this.said.setAttribute("role", "status");
    const choice = element("fieldset", "tabs", element("legend", "", title));
    for (const name of names) {
      const radio = element("input");
      Object.assign(radio, { type: "radio", name: place.id, value: name, checked: name === names[0] });
      radio.addEventListener("change", () => this.#show());
      choice.append(element("label", "", radio, element("span", "", name)));
    }
    this.choice = choice;
    place.append(element("div", "code-head", choice, this.said, this.copy), this.shown);
  }

  load(code) {
    this.#code = code;
    this.#show();
  }

  #show() {
    const chosen = this.choice.querySelector(":checked").value;
    this.shown.firstChild.textContent = this.#code[chosen] ?? "";
    this.shown.setAttribute("aria-label", `${chosen} code`);
    this.said.textContent = "";
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.shown.textContent);
      this.said.textContent = "Copied.";
    } catch {
      getSelection().selectAllChildren(this.shown);
      this.said.textContent = "The browser refused. The code is selected: press Ctrl+C.";
    }
  }
}
