// How a query is read: what it excludes, and with a parser also what is negated.

import { byId, element } from "./dom.js";

const LAYERS = [
  ["excluded", "excluded"],
  ["cue", "excludes or negates"],
  ["scope", "is negated"],
];

/** Show a query with its marks. `exclude` is false if the query is read as it is. */
export function showReading(query, parts, { exclude, hasParser }) {
  const marks = {
    excluded: exclude ? parts.spans : [],
    cue: [...(exclude ? parts.cues : []), ...parts.negations.flatMap((one) => one.cues)],
    scope: parts.negations.flatMap((one) => one.scope),
  };
  byId("reading").replaceChildren(element("span", "hint", "Read as: "), ...pieces(query, marks));
  const shown = LAYERS.filter(([layer]) => marks[layer].length);
  const items = shown.map(([layer, meaning]) => element("li", "", element("span", layer, meaning)));
  const excludes = parts.spans.length > 0;
  const note = !exclude && excludes ? "The query is encoded as it is." : excludes ? `Searched for: “${parts.kept}”` : "";
  if (note) items.unshift(element("li", "kept", note));
  if (!hasParser) items.push(element("li", "hint", "Cues and scopes of negations need the server, which has a parser."));
  byId("legend").replaceChildren(...items);
  byId("legend").hidden = !items.length;
}

/** Return nodes for a text. `marks` has spans by layer. */
export function pieces(text, marks) {
  const inside = (layer, place) => marks[layer].some(([start, end]) => start <= place && place < end);
  const found = [];
  let place = 0;
  for (const letter of text) {
    const layers = LAYERS.map(([layer]) => layer).filter((layer) => inside(layer, place)).join(" ");
    if (found.at(-1)?.layers === layers) found.at(-1).piece += letter;
    else found.push({ layers, piece: letter });
    place += letter.length;
  }
  return found.map(({ layers, piece }) => (layers ? element("mark", layers, piece) : piece));
}
