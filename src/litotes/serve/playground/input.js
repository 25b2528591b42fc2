// What the page accepts as input.

import { ApiError } from "./errors.js";

export const MOST_DOCUMENTS = 30;
export const LONGEST = 2000;

export function checkLength(what, text) {
  const length = Array.from(text).length;
  if (length > LONGEST) {
    throw new ApiError(`${what} has ${length.toLocaleString("en")} characters. The page takes at most 2,000; shorten it.`);
  }
}

/** Return the query and the documents of the form. Documents keep the labels of the example that they come from. */
export function readInput(query, lines, example) {
  const known = new Map((example?.documents ?? []).map((one) => [one.text, one]));
  const texts = [...new Set(lines.split("\n").map((line) => line.trim()).filter(Boolean))];
  const labelled = query === example?.query;
  const documents = texts.map((text) => (labelled && known.get(text)) || { text });
  if (!query) throw new ApiError("Type a query.");
  if (!texts.length) throw new ApiError("Type at least one document, one per line.");
  if (texts.length > MOST_DOCUMENTS) {
    throw new ApiError(`There are ${texts.length} documents. The page takes at most ${MOST_DOCUMENTS}; remove some.`);
  }
  checkLength("The query", query);
  texts.forEach((text, place) => checkLength(`Document ${place + 1}`, text));
  return { query, documents };
}
