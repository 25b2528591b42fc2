// What a query excludes: the words that a model tagged, the operators of search engines, and the parts that result.
// It does what litotes.models.splitter.marks, litotes.detection.exclusion.parts and .words do in Python.

import { operators } from "./operators.js";

export const LONGEST = 2000;
const [KEPT, CUE, ITEM, INSIDE] = [0, 1, 2, 3];
const TAGGED_WORD = /[\p{L}\p{N}_]+(?:['’.\-/:@][\p{L}\p{N}_]+)*|[^\p{L}\p{N}_\s]/gu;
const WORD = /[\p{L}\p{N}]+(?:['’.&/\-:@][\p{L}\p{N}]+)*|[^\p{L}\p{N}_\s]/gu;
const CONNECTIVES = new Set(["and", "or", "nor", ",", ";", "/", "&", "(", ")", "+", "|", "the", "a", "an", "any"]);
// An item of these alone names nothing: the query was misread.
const FUNCTION_WORDS = new Set("a an the that this these those it its one ones of to in on and or".split(" "));
const QUOTES = /^[ "'“”‘’]+|[ "'“”‘’]+$/g;
// what may remain of a list or a sentence when its items are cut
const TIDY = [
  [/\s+/g, " "],
  [/\(\s*(?:OR\b|AND\b|[,|\s])*\)/g, " "],
  [/(?:\b(?:AND|OR)\s+)+(?=(?:AND|OR)\b|$)/g, ""],
  [/\s+([,.;:?!)])/g, "$1"],
  [/([?!])\s*\./g, "$1"],
  [/([,;:.])(?:\s*[,;:.])+/g, "$1"],
  [/,(?=[?!.])/g, ""],
  [/^[\s,;:.\-–—]+|[\s,;:\-–—]+$/g, ""],
  [/^(?:and|but|then)\s+|\s+(?:and|but|or)$/gi, ""],
  [/[,;:]\s*(?:please|pls|thanks)?\s*$/gi, ""],
  [/\s+/g, " "],
];

const forms = (text) =>
  Array.from(text.matchAll(WORD), (match) => match[0].toLowerCase().replace(/['’]/g, "") || "'");

/** Return whether a query has a word that often excludes something. Other queries need no model. */
export function hasCueWord(query, cueWords) {
  return forms(query).some((form) => cueWords.has(form) || cueWords.has(form.split("-")[0]));
}

/** Return the marks on a query from its tokens and the probabilities of their tags, one row of four per token. */
export function marksOf(text, tokens, tags) {
  const marks = { cues: [], items: [] };
  let [previous, at] = [KEPT, 0];
  for (const match of text.matchAll(TAGGED_WORD)) {
    const [start, end] = [match.index, match.index + match[0].length];
    while (at < tokens.length && tokens[at].end <= start) at++;
    let until = at;
    while (until < tokens.length && tokens[until].start < end) until++;
    if (until === at) break; // the end of a query that is too long to be read whole
    const tag = tagOf(tags.slice(at, until));
    if (tag === CUE) append(marks.cues, start, end, previous === CUE);
    else if (tag !== KEPT) append(marks.items, start, end, tag === INSIDE && (previous === ITEM || previous === INSIDE));
    previous = tag;
  }
  return marks;
}

/** Return the tag of a word: all pieces count equally, but the first decides whether a new item begins. */
function tagOf(pieces) {
  const [kept, cue, first, inside] = [KEPT, CUE, ITEM, INSIDE].map((tag) =>
    pieces.reduce((sum, row) => sum + row[tag], 0) / pieces.length);
  if (kept >= Math.max(cue, first + inside)) return KEPT;
  if (cue >= first + inside) return CUE;
  return pieces[0][ITEM] >= pieces[0][INSIDE] ? ITEM : INSIDE;
}

function append(spans, start, end, goesOn) {
  if (goesOn) spans.at(-1)[1] = end;
  else spans.push([start, end]);
}

/** Return a query in parts from the marks of the model and its own operators. */
export function parted(text, marks) {
  const { cues, items } = together(operators(text), marks);
  const spans = items.filter(([start, end]) => /[\p{L}\p{N}]/u.test(text.slice(start, end)));
  const kept = keptText(text, [...cues, ...spans].sort(byPlace));
  const namesNothing = (span) => text.slice(...span).trim().split(/\s+/).every((word) => FUNCTION_WORDS.has(word));
  if (!spans.length || !/[\p{L}\p{N}_]/u.test(kept) || spans.some(namesNothing)) {
    return { kept: text, excluded: [], spans: [], cues: [] };
  }
  const excluding = cues.filter((span) => forms(text.slice(...span)).some((form) => !CONNECTIVES.has(form)));
  const excluded = spans.map((span) => text.slice(...span).replace(QUOTES, ""));
  return { kept, excluded, spans, cues: excluding };
}

const byPlace = (one, other) => one[0] - other[0] || one[1] - other[1];

/** Return the marks of both; where they overlap, those of the first count. */
function together(one, other) {
  const taken = [...one.cues, ...one.items];
  const free = (span) => !taken.some(([start, end]) => start < span[1] && span[0] < end);
  const both = (name) => [...one[name], ...other[name].filter(free)].sort(byPlace);
  return { cues: both("cues"), items: both("items") };
}

/** Return what is not cut, tidied; a capital moves to the front. */
function keptText(text, cut) {
  const pieces = [];
  let at = 0;
  for (const [start, end] of cut) {
    pieces.push(text.slice(at, start));
    at = Math.max(at, end);
  }
  pieces.push(text.slice(at));
  let kept = pieces.join(" ").replace(/["“]\s*["”]/g, " ");
  for (const [pattern, by] of TIDY) kept = kept.replace(pattern, by);
  kept = kept.trim();
  const moves = /^[\p{Lu}\p{Lt}]/u.test(text) && /^\p{Ll}/u.test(kept);
  return moves ? kept[0].toUpperCase() + kept.slice(1) : kept;
}
