// The page: reads the form, asks the backend, and shows what it says.

import { byId, chips, element, later } from "./dom.js";
import { Gone, NeedsKey } from "./errors.js";
import { EXAMPLES } from "./examples.js";
import { GuardPanel } from "./guard.js";
import { readInput } from "./input.js";
import { Rankings } from "./ranking.js";
import { showReading } from "./reading.js";
import { Comparison } from "./scores.js";
import { CodeBlock, rankingCode } from "./snippets.js";

const AGAIN = 3000;
const STRICT = 0.44;
const BASES = { "litotes-mini": "MiniLM", "litotes-base": "MPNet" };
const KEPT_VECTORS = 500;

const inBrowser = document.documentElement.dataset.backend === "browser";
const { Backend } = await import(inBrowser ? "./browser_backend.js" : "./server_backend.js");
const backend = new Backend();
const rankings = new Rankings();
const code = new CodeBlock(byId("code"), "The same in");
const vectors = new Map();
const state = { example: null, dial: null, comparison: null, shape: null, base: "", shown: "", call: 0, retry: null };

new GuardPanel(backend, report);
const press = chips(byId("examples"), EXAMPLES, choose);

function choose(example) {
  byId("query").value = example.query;
  byId("documents").value = example.documents.map((one) => one.text).join("\n");
  state.example = example;
  press(example);
  update();
}

/** Encode what is new and show the rankings. */
async function update() {
  const call = ++state.call;
  try {
    const input = readInput(byId("query").value.trim(), byId("documents").value, state.example);
    state.shape ??= await opened();
    const texts = input.documents.map((one) => one.text);
    const [parts] = await Promise.all([backend.split(input.query), encode([input.query, ...texts])]);
    const exclude = byId("exclude").checked;
    const cut = exclude ? parts.excluded : [];
    const kept = exclude ? parts.kept : input.query;
    await encode([input.query, kept, ...cut, ...texts]);
    if (call !== state.call) return;
    const vector = (text) => vectors.get(text);
    state.comparison = new Comparison({
      whole: vector(input.query),
      kept: vector(kept),
      excluded: cut.map(vector),
      documents: texts.map(vector),
      shape: state.shape,
    });
    Object.assign(state, { input, texts });
    if (state.shown !== JSON.stringify(input.documents)) rankings.load(input.documents);
    state.shown = JSON.stringify(input.documents);
    showReading(input.query, parts, { exclude, hasParser: backend.hasParser });
    settle();
    render();
  } catch (error) {
    if (call === state.call) report(error, update);
  }
}

async function opened() {
  announce(backend.loading ?? "Loading the model …");
  const shape = await backend.open(announce);
  state.base = BASES[shape.model] ?? "The base";
  byId("base-name").textContent = state.base;
  byId("litotes-name").textContent = shape.model;
  byId("where").textContent = backend.where ?? `${shape.model} at ${backend.origin}`;
  return shape;
}

/** Show the dial at a value, with marks under it. */
function showDial(used, isDefault, byDefault) {
  const number = (w) => String(Number(w.toFixed(3)));
  const ticks = [[0, "base"], [byDefault, "default"], [STRICT, state.base === "MiniLM" ? "strict" : ""], [1, "negation only"]];
  byId("ticks").replaceChildren(...ticks.map(([w, name]) => {
    const tick = element("span", "", element("b", "", number(w)), element("i", "", ` ${name}`));
    tick.style.left = `${w * 100}%`;
    return tick;
  }));
  const range = byId("dial");
  range.value = used;
  range.style.setProperty("--filled", String(used));
  range.setAttribute("aria-valuetext", `${number(used)}${isDefault ? ", the default" : ""}`);
  byId("dial-value").textContent = number(used);
  byId("litotes-dial").textContent = `dial ${number(used)}`;
  byId("dial-reset").disabled = isDefault;
}

/** Encode the texts that were not encoded yet. */
async function encode(texts) {
  const unknown = [...new Set(texts)].filter((text) => !vectors.has(text));
  if (!unknown.length) return;
  if (vectors.size > KEPT_VECTORS) vectors.clear();
  const missing = [...new Set(texts)].filter((text) => !vectors.has(text));
  const found = await backend.embed(missing);
  missing.forEach((text, place) => vectors.set(text, found[place]));
}

/** Show the scores at the dial, which needs no new encoding. */
function render() {
  const { comparison, input, dial, texts } = state;
  if (!comparison) return;
  const used = dial ?? comparison.usedByDefault;
  showDial(used, dial === null, comparison.usedByDefault);
  byId("dial-help").textContent = dial === null && comparison.excludes
    ? "Half of the usual default: the excluded words are already taken out."
    : "At 0 only the base counts, at 1 only the part that encodes negation.";
  const { before, after } = rankings.show(comparison.base, comparison.scores(dial));
  const exclude = byId("exclude").checked;
  code.load(rankingCode({ model: state.shape.model, ...input, documents: texts, dial, exclude, origin: backend.origin }));
  const [first, other] = [texts[after[0]], texts[before[0]]];
  announceLater(first === other
    ? `Both put “${first}” first.`
    : `${state.shape.model} puts “${first}” first. ${state.base} alone puts “${other}” first.`);
}

/** Say something on the page; `quietly` to screen readers alone. */
function announce(text, quietly = false) {
  byId("status").textContent = text;
  byId("status").classList.toggle("hidden", quietly);
}
const announceLater = later(400, (text) => announce(text, true));

/** Show an error. A server that is gone is asked again until it is back. */
function report(error, again) {
  state.retry = again;
  announceLater("");
  announce("");
  byId("key-form").hidden = !(error instanceof NeedsKey);
  byId("alert").hidden = error instanceof NeedsKey;
  byId("alert").querySelector("p").textContent = error.message;
  document.body.classList.toggle("failed", true);
  if (error instanceof NeedsKey) byId("key").focus();
  if (error instanceof Gone) setTimeout(watch, AGAIN);
}

function settle() {
  byId("alert").hidden = byId("key-form").hidden = true;
  document.body.classList.remove("failed");
}

async function watch() {
  if (byId("alert").hidden) return;
  if (await backend.isBack()) retry();
  else setTimeout(watch, AGAIN);
}

function retry() {
  settle();
  if (state.retry !== update) update();
  state.retry?.();
}

const typed = later(300, update);
for (const id of ["query", "documents"]) {
  byId(id).addEventListener("input", () => {
    press(null);
    typed();
  });
}
byId("search").addEventListener("submit", (event) => {
  event.preventDefault();
  update();
});
byId("exclude").addEventListener("change", update);
byId("dial").addEventListener("input", () => {
  state.dial = Number(byId("dial").value);
  render();
});
byId("dial-reset").addEventListener("click", () => {
  state.dial = null;
  render();
  byId("dial").focus();
});
byId("alert").querySelector("button").addEventListener("click", retry);
byId("key-form").addEventListener("submit", (event) => {
  event.preventDefault();
  backend.useKey(byId("key").value);
  retry();
});
byId("privacy").textContent = backend.privacy;
choose(EXAMPLES[0]);
