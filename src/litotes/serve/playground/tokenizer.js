// The WordPiece tokenizer of BERT, uncased, read from a tokenizer.json of the library `tokenizers`.

const CONTROL = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/u;
const SPACE = /\s/u;
const PUNCTUATION = /[\p{P}!-\/:-@[-\x60{-~]/u;
const NONSPACING = /\p{Mn}/u;
const IDEOGRAPHS = [
  [0x4e00, 0x9fff], [0x3400, 0x4dbf], [0x20000, 0x2a6df], [0x2a700, 0x2b73f], [0x2b740, 0x2b81f], [0x2b920, 0x2ceaf],
  [0xf900, 0xfaff], [0x2f800, 0x2fa1f],
];
const LONGEST_WORD = 100;

const standsAlone = (letter) =>
  PUNCTUATION.test(letter) || IDEOGRAPHS.some(([first, last]) =>
    letter.codePointAt(0) >= first && letter.codePointAt(0) <= last);

/** Turns texts into tokens. A token has the `id`, and `start` and `end` in the text, in UTF-16 units. */
export class Tokenizer {
  constructor({ model, added_tokens: added }) {
    this.vocabulary = new Map(Object.entries(model.vocab));
    this.unknown = this.vocabulary.get(model.unk_token);
    this.prefix = model.continuing_subword_prefix;
    this.special = new Map(added.map((one) => [one.content, one.id]));
    this.marks = new RegExp(added.map((one) => one.content.replace(/[[\]]/g, "\\$&")).join("|"), "g");
  }

  /** Return the tokens of a text, without special tokens around it. */
  tokens(text) {
    const found = [];
    let at = 0;
    for (const match of text.matchAll(this.marks)) {
      found.push(...this.#plain(text, at, match.index));
      at = match.index + match[0].length;
      found.push({ id: this.special.get(match[0]), start: match.index, end: at });
    }
    return [...found, ...this.#plain(text, at, text.length)];
  }

  /** Return the ids of a text for a model, cut to `longest` with the special tokens. */
  ids(text, longest) {
    const inner = this.tokens(text).slice(0, longest - 2).map((token) => token.id);
    return [this.special.get("[CLS]"), ...inner, this.special.get("[SEP]")];
  }

  *#plain(text, from, to) {
    for (const word of words(text, from, to)) yield* this.#pieces(word);
  }

  /** Cut a word into the longest pieces that the vocabulary has. */
  #pieces(word) {
    const [first, last] = [word[0].start, word.at(-1).end];
    const unknown = [{ id: this.unknown, start: first, end: last }];
    if (word.length > LONGEST_WORD) return unknown;
    const found = [];
    for (let at = 0; at < word.length; ) {
      let end = word.length;
      let id;
      for (; end > at; end--) {
        const piece = word.slice(at, end).map((one) => one.letter).join("");
        id = this.vocabulary.get(at ? this.prefix + piece : piece);
        if (id !== undefined) break;
      }
      if (id === undefined) return unknown;
      found.push({ id, start: word[at].start, end: word[end - 1].end });
      at = end;
    }
    return found;
  }
}

/** Yield the words of a part of a text as lists of letters, in lower case and without accents. */
function* words(text, from, to) {
  let word = [];
  let at = from;
  for (const original of text.slice(from, to)) {
    const [start, end] = [at, (at += original.length)];
    const space = SPACE.test(original) && original !== "\uFEFF";
    if (!space && CONTROL.test(original)) continue;
    const plain = space ? "" : Array.from(original.normalize("NFD")).filter((letter) => !NONSPACING.test(letter));
    for (const letter of Array.from(plain).flatMap((one) => Array.from(one.toLowerCase()))) {
      if (standsAlone(letter)) {
        if (word.length) yield word;
        yield [{ letter, start, end }];
        word = [];
      } else {
        word.push({ letter, start, end });
      }
    }
    if (space && word.length) {
      yield word;
      word = [];
    }
  }
  if (word.length) yield word;
}
