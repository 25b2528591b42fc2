// The models of a running `litotes serve`.

import { ApiError, Gone, NeedsKey } from "./errors.js";

const TIME_LIMIT = 60_000;
const LOADING = "The server is still loading its models.";

export class Backend {
  privacy = "Texts go to the server that this page comes from, and nowhere else.";
  hasParser = true;
  #key = "";

  constructor(origin = location.origin) {
    this.origin = origin;
  }

  useKey(key) {
    this.#key = key;
  }

  /** Return the name of the model, its default dial and the width of the block that the dial weights. */
  async open() {
    const { data } = await this.#ask("/v1/models");
    const model = data.find((one) => one.default_dial);
    if (!model && !(await this.isBack())) throw new Gone(LOADING);
    if (!model) throw new ApiError("This server has no model with a dial. Start it with: litotes serve");
    this.model = model.id;
    return { model: model.id, defaultDial: model.default_dial, width: model.dimensions - model.base_dimensions };
  }

  /** Return one vector per text, encoded as documents. */
  async embed(texts) {
    const body = { model: this.model, input: texts, input_type: "document", encoding_format: "base64" };
    const { data } = await this.#ask("/v1/embeddings", body);
    return data.map((one) => floats(one.embedding));
  }

  /** Return the parts of a query, with what is negated in it. */
  async split(query) {
    const found = await this.#ask("/exclude", { query, detect: true });
    const inText = units(query);
    return {
      kept: found.kept,
      excluded: found.excluded,
      spans: found.excluded_spans.map(inText),
      cues: found.cue_spans.map(inText),
      negations: (found.negations ?? []).map(({ cue_spans: cues, scope }) => ({
        cues: cues.map(inText),
        scope: scope.map(inText),
      })),
    };
  }

  /** Return whether two questions deserve the same answer, and why. */
  guard(one, other) {
    return this.#ask("/guard", { new: one, cached: other });
  }

  async isBack() {
    try {
      return (await fetch(`${this.origin}/health`, { cache: "no-store" })).ok;
    } catch {
      return false;
    }
  }

  async #ask(path, body) {
    const headers = { ...(body && { "Content-Type": "application/json" }) };
    if (this.#key) headers.Authorization = `Bearer ${this.#key}`;
    const options = { method: body ? "POST" : "GET", headers, signal: AbortSignal.timeout(TIME_LIMIT) };
    let answer;
    try {
      answer = await fetch(this.origin + path, { ...options, ...(body && { body: JSON.stringify(body) }) });
    } catch (error) {
      throw error.name === "TimeoutError" ? new ApiError("The server did not answer within a minute.") : new Gone();
    }
    const found = await answer.json().catch(() => ({}));
    if (answer.status === 401) throw new NeedsKey();
    const said = found.error?.message ?? `status ${answer.status}`;
    if (answer.status === 503) throw new Gone(`The server says: ${said}.`);
    if (!answer.ok) throw new ApiError(`The server says: ${said}`);
    return found;
  }
}

/** Return the numbers of a vector in base64: little-endian float32, as in OpenAI's API. */
function floats(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Float32Array(bytes.buffer);
}

/** Return a function from spans in code points, as Python counts, to spans in the units of JavaScript. */
function units(text) {
  const starts = [0];
  for (const letter of text) starts.push(starts.at(-1) + letter.length);
  return (span) => span.map((place) => starts[place]);
}
