// The two rankings side by side, and the lines between them.

import { byId, element } from "./dom.js";
import { ranked } from "./scores.js";

const MOVE = 260;
const SVG = "http://www.w3.org/2000/svg";
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const KINDS = new Map([[true, "wanted"], [false, "unwanted"]]);
const BADGES = { wanted: "asked for", unwanted: "ruled out" };

/** Shows documents in the order of the base and in that of litotes. */
export class Rankings {
  #lists = { base: [], litotes: [] };
  #until = 0;

  constructor() {
    new ResizeObserver(() => this.#draw()).observe(byId("results"));
  }

  /** Show other documents: `documents` have a `text`, and perhaps `answers`. */
  load(documents) {
    for (const side of Object.keys(this.#lists)) {
      this.#lists[side] = documents.map((document) => row(document));
      byId(side).replaceChildren(...this.#lists[side].map((one) => one.node));
    }
  }

  /** Show scores, one per document and side. Return the indices of the documents, best first, of both sides. */
  show(base, litotes) {
    const before = ranked(base);
    const after = ranked(litotes);
    this.#place("base", base, before);
    this.#place("litotes", litotes, after);
    after.forEach((document, place) => moved(this.#lists.litotes[document], before.indexOf(document) - place));
    this.#follow();
    return { before, after };
  }

  #place(side, scores, order) {
    const rows = this.#lists[side];
    const tops = rows.map(({ node }) => node.getBoundingClientRect().top);
    const nodes = order.map((document) => rows[document].node);
    const list = byId(side);
    if (nodes.some((node, place) => list.children[place] !== node)) list.replaceChildren(...nodes);
    order.forEach((document, place) => fill(rows[document], scores[document], place + 1));
    if (calm.matches) return;
    rows.forEach(({ node }, place) => {
      const shift = tops[place] - node.getBoundingClientRect().top;
      if (shift) node.animate([{ transform: `translateY(${shift}px)` }, {}], { duration: MOVE, easing: "ease-out" });
    });
  }

  /** Draw the lines until the rows have reached their places. */
  #follow() {
    const running = this.#until > performance.now();
    this.#until = performance.now() + (calm.matches ? 0 : MOVE + 40);
    const step = () => {
      this.#draw();
      if (performance.now() < this.#until) requestAnimationFrame(step);
    };
    if (!running) step();
  }

  #draw() {
    const links = byId("links");
    const frame = links.getBoundingClientRect();
    if (!frame.width) return;
    const middle = ({ node }) => {
      const box = node.getBoundingClientRect();
      return (box.top + box.bottom) / 2 - frame.top;
    };
    links.replaceChildren(
      ...this.#lists.base.map((left, place) => {
        const [from, to, half] = [middle(left), middle(this.#lists.litotes[place]), frame.width / 2];
        const path = document.createElementNS(SVG, "path");
        path.setAttribute("d", `M0 ${from} C${half} ${from} ${half} ${to} ${frame.width} ${to}`);
        path.setAttribute("class", left.kind);
        return path;
      }),
    );
  }
}

function row({ text, answers }) {
  const kind = KINDS.get(answers) ?? "";
  const parts = {
    rank: element("b"),
    move: element("span", "move"),
    bar: element("span", "bar"),
    score: element("span", "score"),
  };
  const badge = kind ? [element("span", `badge ${kind}`, BADGES[kind])] : [];
  const track = element("div", "track", parts.bar);
  track.setAttribute("aria-hidden", "true");
  const body = element("div", "body", element("p", "text", text), ...badge);
  const node = element("li", kind, element("div", "rank", parts.rank, parts.move), body, element("div", "measure", track, parts.score));
  return { node, kind, ...parts };
}

function fill({ rank, bar, score }, value, place) {
  rank.textContent = String(place);
  bar.style.width = `${Math.max(0, Math.min(1, value)) * 100}%`;
  score.textContent = value.toFixed(2).replace("-", "−");
}

function moved({ move }, places) {
  move.textContent = places ? `${places > 0 ? "▲" : "▼"}${Math.abs(places)}` : "";
  move.className = `move ${places > 0 ? "up" : "down"}`;
  move.setAttribute("aria-label", places ? `${Math.abs(places)} ${places > 0 ? "up" : "down"}` : "");
  move.setAttribute("role", "img");
  move.hidden = !places;
}
