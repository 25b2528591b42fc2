// The models in the browser itself: no text leaves the page.

import { ApiError } from "./errors.js";

const EXAMPLE_SERVER = "http://127.0.0.1:8000";

export class Backend {
  hasParser = false;
  where = "litotes-mini in this browser";
  origin = EXAMPLE_SERVER;
  privacy = "The models run in this browser. What you type is not sent anywhere.";
  guardNote =
    "Here only the guard's small model judges. The word rules of the guard, which notice another year or unit, and the " +
    "words that differ need the server.";
  #calls = new Map();
  #number = 0;
  #worker = null;
  #progress = () => {};

  /** Load the encoder. `progress` is called with a text as long as a model is being loaded. */
  open(progress) {
    this.#progress = progress;
    return this.#ask("open");
  }

  embed(texts) {
    return this.#ask("embed", texts);
  }

  async split(query) {
    return { ...(await this.#ask("split", query)), negations: [] };
  }

  guard(one, other) {
    return this.#ask("guard", one, other);
  }

  #ask(name, ...args) {
    this.#worker ??= this.#start();
    const call = this.#number++;
    return new Promise((resolve, reject) => {
      this.#calls.set(call, { resolve, reject });
      this.#worker.postMessage({ call, name, args });
    });
  }

  /** Start a worker from a blob: it keeps the page's content security policy, which one from a file would not. */
  #start() {
    const script = `import ${JSON.stringify(new URL("worker.js", import.meta.url).href)};`;
    const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    const worker = new Worker(address, { type: "module" });
    worker.addEventListener("message", ({ data }) => this.#answered(data));
    worker.addEventListener("error", () => this.#failed());
    return worker;
  }

  #answered({ call, value, error, progress }) {
    if (progress) {
      this.#progress(`Loading ${progress.name}: ${megabytes(progress.read)} of ${megabytes(progress.size)} …`);
      return;
    }
    const { resolve, reject } = this.#calls.get(call);
    this.#calls.delete(call);
    if (error) reject(new ApiError(error));
    else resolve(value);
  }

  #failed() {
    this.#worker.terminate();
    this.#worker = null;
    const error = new ApiError("The models could not be started in this browser. Reload the page to try again.");
    for (const { reject } of this.#calls.values()) reject(error);
    this.#calls.clear();
  }
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
