// The panel of the guard: whether two questions deserve the same answer.

import { byId, chips, element } from "./dom.js";
import { PAIRS } from "./examples.js";
import { checkLength } from "./input.js";
import { CodeBlock, guardCode } from "./snippets.js";

const MEANINGS = {
  opposite: "They ask for opposite things.",
  direction: "The direction differs.",
  number: "A number or a date differs.",
  name: "A name differs.",
  scope: "They are about a different set of things.",
  modality: "What is certain, allowed or required differs.",
  topic: "They are about different things.",
};

export class GuardPanel {
  #calls = 0;

  /** `report` shows an error on the page. */
  constructor(backend, report) {
    this.backend = backend;
    this.report = report;
    this.code = new CodeBlock(byId("guard-code"), "The same in");
    this.press = chips(byId("guard-examples"), PAIRS, (pair) => this.fill(pair) || this.judge());
    for (const id of ["new", "cached"]) byId(id).addEventListener("input", () => this.#typed());
    byId("guard-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.judge();
    });
    this.fill(PAIRS[0]);
  }

  fill(pair) {
    [byId("new").value, byId("cached").value] = pair.texts;
    this.#typed();
    this.press(pair);
  }

  #typed() {
    this.#calls++;
    this.press(null);
    byId("verdict").replaceChildren();
    this.#showCode();
  }

  #showCode() {
    const [one, other] = [byId("new").value, byId("cached").value];
    this.code.load(guardCode({ one, other, origin: this.backend.origin }));
  }

  async judge() {
    const call = ++this.#calls;
    const [one, other] = [byId("new").value.trim(), byId("cached").value.trim()];
    const place = byId("verdict");
    if (!one || !other) {
      place.replaceChildren(element("p", "hint", "Type both questions."));
      return;
    }
    try {
      for (const text of [one, other]) checkLength("A question", text);
      place.replaceChildren(element("p", "hint", this.backend.guardLoading?.() ?? "The guard is reading …"));
      const verdict = await this.backend.guard(one, other);
      if (call === this.#calls) place.replaceChildren(...this.#lines(verdict));
    } catch (error) {
      if (call !== this.#calls) return;
      place.replaceChildren(element("p", "hint", "The guard could not judge these."));
      this.report(error, () => this.judge());
    }
  }

  #lines({ same, score, reason, words, error }) {
    const why = same ? "The stored answer also answers the new question." : error || MEANINGS[reason] || reason;
    const named = (words ?? []).some(Boolean) ? words.map((text) => (text ? `“${text}”` : "–")).join(" / ") : "";
    const title = element("p", same ? "outcome same" : "outcome other", same ? "✓ Same answer" : "✗ Not the same answer");
    const facts = element("p", "facts", why);
    if (named) facts.append(" ", element("strong", "", named));
    const lines = [title, facts, element("p", "hint", `reason: ${reason}, score ${score.toFixed(2)}`)];
    if (this.backend.guardNote) lines.push(element("p", "hint", this.backend.guardNote));
    return lines;
  }
}
