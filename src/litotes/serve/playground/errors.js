// What can go wrong, in words for the page.

/** A request that was understood and refused, or another error with a text for people. */
export class ApiError extends Error {}

/** The server does not answer, or cannot yet. */
export class Gone extends Error {
  constructor(what = "The server does not answer. Is “litotes serve” still running?") {
    super(`${what} The page tries again every three seconds.`);
  }
}

/** The server needs an API key. */
export class NeedsKey extends Error {
  constructor() {
    super("The server needs an API key.");
  }
}
