// The scores of documents at any dial, from vectors that were computed once. It is the arithmetic of
// src/litotes/models/tower/scaling.py and src/litotes/query/exclusion.py.

export const BETA = 0.15;
export const EXCLUSION_DIAL_SHARE = 0.5;

const dot = (one, other) => one.reduce((sum, value, place) => sum + value * other[place], 0);

function unit(values) {
  const length = Math.sqrt(dot(values, values));
  return length > 0 ? values.map((value) => value / length) : values;
}

/** Return the unit vectors f and g of a vector that has both, each times a number that depends on the dial. */
function blocks(vector, width) {
  const split = vector.length - width;
  return { f: unit(Float64Array.from(vector.subarray(0, split))), g: unit(Float64Array.from(vector.subarray(split))) };
}

/** Return kept − β · mean(excluded). */
function without(kept, excluded) {
  if (!excluded.length) return kept;
  return kept.map((value, place) =>
    value - (BETA * excluded.reduce((sum, one) => sum + one[place], 0)) / excluded.length);
}

/** The cosines of a query and its documents in both blocks. */
export class Comparison {
  /**
   * `whole`, `kept`, `excluded` and `documents` are vectors of the model: of the query, of its parts and of the texts
   * to rank. `shape` has the model's default dial and the width of its second block.
   */
  constructor({ whole, kept, excluded, documents, shape }) {
    const read = (vector) => blocks(vector, shape.width);
    this.defaultDial = shape.defaultDial;
    this.excludes = excluded.length > 0;
    const [query, rest, cut, rows] = [read(whole), read(kept), excluded.map(read), documents.map(read)];
    this.base = rows.map((row) => dot(query.f, row.f));
    const f = without(rest.f, cut.map((one) => one.f));
    const g = without(rest.g, cut.map((one) => one.g));
    this.f = rows.map((row) => dot(f, row.f));
    this.g = rows.map((row) => dot(g, row.g));
    this.lengths = [dot(f, f), dot(g, g)];
  }

  /** Return the dial that counts if none is set: half the default for a query that excludes something. */
  get usedByDefault() {
    return this.excludes ? EXCLUSION_DIAL_SHARE * this.defaultDial : this.defaultDial;
  }

  /** Return the score of each document at a dial, or at the default dial if it is null. */
  scores(dial) {
    const w = dial ?? this.usedByDefault;
    const [a, b] = [(1 - w) ** 2 / (1 - this.defaultDial), w ** 2 / this.defaultDial];
    // A query that excludes something keeps the length that it has without the exclusion: 1 at the default dial.
    const length = Math.sqrt(dial === null ? 1 : a + b);
    const own = Math.sqrt(a * this.lengths[0] + b * this.lengths[1]);
    const factor = this.excludes && own > 0 ? length / own : 1;
    return this.f.map((cosine, place) => factor * ((1 - w) * cosine + w * this.g[place]));
  }
}

/** Return the indices of scores, best first; of equal ones the first comes first. */
export function ranked(scores) {
  return scores.map((_, place) => place).sort((one, other) => scores[other] - scores[one] || one - other);
}
