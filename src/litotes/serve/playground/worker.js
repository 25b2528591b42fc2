// The models in the browser: onnxruntime-web in a worker. A message is {call, name, args}; the answer has the same call.

import * as ort from "./vendor/ort.wasm.bundle.min.mjs";
import { LONGEST, hasCueWord, marksOf, parted } from "./splitter.js";
import { Tokenizer } from "./tokenizer.js";

const MODELS = { encoder: "litotes-mini", splitter: "litotes-splitter", guard: "litotes-guard-mini" };
const STEP = 3e6;
const here = new URL(".", import.meta.url);
const loaded = new Map();

ort.env.wasm.wasmPaths = { wasm: new URL("vendor/ort-wasm-simd-threaded.wasm", here).href };
ort.env.wasm.numThreads = 1; // more would need headers that static hosts do not send

const calls = {
  async open() {
    const { card } = await model("encoder");
    return { model: card.model, defaultDial: card.default_dial, width: card.tower_columns };
  },

  /** Return one vector per text. Eight bits are scaled per batch, so each text is a batch of its own. */
  async embed(texts) {
    const { card, session, tokenizer } = await model("encoder");
    const found = [];
    for (const text of texts) {
      const { sentence_embedding: vector } = await session.run(inputs(tokenizer.ids(text, card.max_tokens)));
      found.push(vector.data);
    }
    return found;
  },

  async split(query) {
    const nothing = { cues: [], items: [] };
    if (Array.from(query).length > LONGEST) return { kept: query, excluded: [], spans: [], cues: [] };
    const cueWords = await cueWordsOnce();
    return parted(query, hasCueWord(query, cueWords) ? await tagged(query) : nothing);
  },

  async guard(one, other) {
    const { card, session, tokenizer } = await model("guard");
    const { guard: { threshold }, heads: { verdict: labels } } = card.settings;
    const [first, second] = [one, other].sort(byLength).map((text) => tokenizer.tokens(text).map((token) => token.id));
    const room = card.max_tokens - 3;
    if (first.length + second.length > room) {
      throw new Error(`The questions have ${first.length + second.length} tokens; the guard reads at most ${room}.`);
    }
    const [start, end] = ["[CLS]", "[SEP]"].map((name) => tokenizer.special.get(name));
    const sides = [...Array(first.length + 2).fill(0), ...Array(second.length).fill(1), 0];
    const { verdict } = await session.run(inputs([start, ...first, end, ...second, end], sides));
    const probabilities = softmax(verdict.data);
    const chances = Object.fromEntries(labels.map((label, place) => [label, probabilities[place]]));
    const { same: score, ...others } = chances;
    const reason = score >= threshold ? "same" : Object.keys(others).reduce((a, b) => (others[b] > others[a] ? b : a));
    return { same: score >= threshold, score, reason, words: ["", ""] };
  },
};

const byLength = (one, other) => Array.from(one).length - Array.from(other).length || (one < other ? -1 : 1);

/** Return the marks of the splitter; none if the query probably excludes nothing. */
async function tagged(query) {
  const { card, session, tokenizer } = await model("splitter");
  const tokens = tokenizer.tokens(query).slice(0, card.max_tokens - 2);
  const { tags, excludes } = await session.run(inputs(tokenizer.ids(query, card.max_tokens)));
  const { threshold, short } = card.settings;
  const needed = query.trim().split(/\s+/).length <= short.words ? Math.min(threshold, short.threshold) : threshold;
  if (1 / (1 + Math.exp(-excludes.data[0])) < needed) return { cues: [], items: [] };
  const rows = tokens.map((_, place) => softmax(tags.data.slice(4 * place + 4, 4 * place + 8)));
  return marksOf(query, tokens, rows);
}

function softmax(values) {
  const highest = Math.max(...values);
  const powers = Array.from(values, (value) => Math.exp(value - highest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

function inputs(ids, sides) {
  const tensor = (values) => new ort.Tensor("int64", BigInt64Array.from(values, BigInt), [1, ids.length]);
  const found = { input_ids: tensor(ids), attention_mask: tensor(ids.map(() => 1)) };
  return sides ? { ...found, token_type_ids: tensor(sides) } : found;
}

/** Load a model once; one that failed is tried again. */
function model(role) {
  if (!loaded.has(role)) {
    const loading = load(MODELS[role]);
    loading.catch(() => loaded.delete(role));
    loaded.set(role, loading);
  }
  return loaded.get(role);
}

async function load(name) {
  const folder = new URL(`models/${name}/`, here);
  const card = await (await fetched(new URL("litotes-onnx.json", folder))).json();
  const [graph, tokenizer] = await Promise.all([
    fetched(new URL(card.graph, folder)).then((answer) => withProgress(answer, name)),
    fetched(new URL("tokenizer.json", folder)).then((answer) => answer.json()),
  ]);
  const session = await ort.InferenceSession.create(graph, { executionProviders: ["wasm"], logSeverityLevel: 3 });
  return { card, session, tokenizer: new Tokenizer(tokenizer) };
}

let cueWords;
async function cueWordsOnce() {
  cueWords ??= new Set(await (await fetched(new URL("models/cue-words.json", here))).json());
  return cueWords;
}

async function fetched(address) {
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok) throw new Error(`${address.pathname} could not be loaded${answer ? ` (${answer.status})` : ""}.`);
  return answer;
}

/** Read an answer, and say after every few megabytes how much of it has arrived. */
async function withProgress(answer, name) {
  const size = Number(answer.headers.get("Content-Length"));
  const reader = answer.body.getReader();
  const chunks = [];
  let [read, said] = [0, 0];
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
    read += next.value.length;
    if (read - said > STEP) postMessage({ progress: { name, read: (said = read), size } });
  }
  const whole = new Uint8Array(read);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

addEventListener("message", async ({ data: { call, name, args } }) => {
  try {
    postMessage({ call, value: await calls[name](...args) });
  } catch (error) {
    postMessage({ call, error: error.message });
  }
});
