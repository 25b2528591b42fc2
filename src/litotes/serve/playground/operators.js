// Search operators: -word, -"two words", NOT word, NOT (a OR b), a AND NOT b. As litotes.detection.exclusion.syntax.

const MINUS =
  /(?<!\S)-(?!webkit-|moz-)(?=(?=[\p{L}\p{N}_]*[aeiouy])[\p{L}\p{Nl}\p{No}]{3}|\p{Nd}{4}(?![\p{L}\p{N}_])|[\p{L}\p{N}_]+:|"[^"])/giu;
const NOT = /(?<=\s)(?:(?:AND|BUT)\s+)?NOT\s+(?=[\p{L}\p{N}_"(])/gu;
// NOT before these is SQL or part of a message; after the others it is stressed: "how NOT to", "is NOT coming".
const NO_OPERAND = /^(?:NULL|EXISTS|IN|LIKE|BETWEEN|FOUND|FOR|TO|A|THE|ALLOWED|to|a|the)(?![\p{L}\p{N}_])/u;
const STRESSED =
  /(?<![\p{L}\p{N}_])(?:how|if|or|vs|am|is|are|was|were|be|do|does|did|has|have|had|can|could|will|would|should|must|may)\s+$/iu;
const ADDRESS = /^(?:site|inurl):(?=.)/i;
const TERM = /"(?<quoted>[^"]+)"|(?<word>[^\s"()]+(?:"[^"]*")?)/y;
const JOINT = /\s*(?:\bOR\b|\bAND\b|,|\|)\s*/g;

/** Return the operators of a query as marks: the operator is the cue, each operand an item. */
export function operators(text) {
  const marks = { cues: [], items: [] };
  if (text === text.toUpperCase() && text !== text.toLowerCase()) return marks;
  const matches = [...text.matchAll(MINUS), ...text.matchAll(NOT)].sort((one, other) => one.index - other.index);
  let at = 0;
  for (const match of matches) {
    const end = match.index + match[0].length;
    if (match.index < at || NO_OPERAND.test(text.slice(end)) || STRESSED.test(text.slice(0, match.index))) continue;
    const [found, next] = operands(text, end);
    at = next;
    if (!found.length) continue;
    marks.cues.push([match.index, text.slice(0, found[0][0]).replace(/[ ("]+$/, "").length]);
    marks.items.push(...found);
  }
  return marks;
}

/** Return the operands from a place on, and where they end: one term, or the alternatives in brackets. */
function operands(text, start) {
  if (text[start] === "(") {
    const end = text.indexOf(")", start);
    return end > 0 ? [alternatives(text, start + 1, end), end + 1] : [[], start + 1];
  }
  TERM.lastIndex = start;
  const term = TERM.exec(text);
  if (!term) return [[], start + 1];
  const end = start + term[0].length;
  if (term.groups.quoted) return [[[start + 1, end - 1]], end];
  const { word } = term.groups;
  const span = [start + (ADDRESS.exec(word)?.[0].length ?? 0), start + word.replace(/[.,;:?!]+$/, "").length];
  return [span[0] < span[1] ? [span] : [], end];
}

function alternatives(text, start, end) {
  const found = [];
  const joints = [...text.slice(start, end).matchAll(JOINT)].map((one) => [start + one.index, one[0].length]);
  for (const [stop, length] of [...joints, [end, 0]]) {
    const inner = text.slice(start, stop);
    const left = inner.length - inner.replace(/^[ "]+/, "").length;
    if (inner.replace(/[ "]/g, "")) found.push([start + left, start + inner.replace(/[ "]+$/, "").length]);
    start = stop + length;
  }
  return found;
}
