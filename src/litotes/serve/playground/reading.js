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
    cue: [...(exclude ? parts.cues : []), ...parts.negations.flatMap((one) => one.cue_spans)],
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

/** Return nodes for a text. `marks` has spans by layer. Spans count code points, as Python does. */
export function pieces(text, marks) {
  const points = Array.from(text);
  const inside = (layer, place) => marks[layer].some(([start, end]) => start <= place && place < end);
  const found = [];
  for (const [place, point] of points.entries()) {
    const layers = LAYERS.map(([layer]) => layer).filter((layer) => inside(layer, place)).join(" ");
    if (found.length && found.at(-1).layers === layers) found.at(-1).text += point;
    else found.push({ layers, text: point });
  }
  return found.map(({ layers, text: piece }) => (layers ? element("mark", layers, piece) : piece));
}
