"""Replace one word by a synonym of its dominant sense."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from litotes.detection import Clause, NoClause
from litotes.lexicon import table
from litotes.lexicon.morphology import inflect
from litotes.lexicon.word_pairs import TAGS, forbids_exchange, same_case
from litotes.parse import Sentence, Token
from litotes.rewrite.draft import Decline, Draft, Options

STEM = 5
"""number of initial letters by which two words count as related"""


@lru_cache(maxsize=1)
def _synonyms() -> dict[tuple[str, str], tuple[str, str]]:
    """Return the lemma and the inflected synonym of each (form, tag)."""
    synonyms: dict[tuple[str, str], tuple[str, str]] = {}
    for row in table("synonyms"):
        pairs = [(row["word"], row["synonym"])]
        if row["direction"] == "both":
            pairs.append((row["synonym"], row["word"]))
        for word, other in pairs:
            for tag in TAGS.get(row["pos"], ()):
                if " " not in word and tag not in {"JJR", "JJS", "RBR", "RBS"}:
                    synonyms.setdefault((inflect(word, tag), tag), (word, _form(other, tag)))
    return synonyms


def _form(words: str, tag: str) -> str:
    """Inflect the verb of a phrase, or the last word of a noun."""
    if "-" in words and tag == "NNS":
        head, last = words.rsplit("-", 1)
        return f"{head}-{inflect(last, tag)}"
    if " " in words and tag == "NNS":
        head, last = words.rsplit(" ", 1)
        return f"{head} {inflect(last, tag)}"
    return inflect(words, tag)


def synonym(sentence: Sentence, clause: Clause | NoClause, options: Options) -> Draft | Decline:
    # The doctor bought a sofa. → The physician bought a sofa.
    for token, other in synonyms(sentence):
        return Draft(sentence, "synonym", token.text, "none").replace(token, other)
    return Decline("no word here has a synonym in the table")


def synonyms(sentence: Sentence) -> Iterator[tuple[Token, str]]:
    """Yield every word that has a synonym in its context, with the synonym."""
    for token in sentence.tokens:
        entry = _synonyms().get((token.lower, token.tag))
        if entry is None or not _free(sentence, token):
            continue
        word, other = entry
        following = sentence.after(token)
        barred = forbids_exchange(
            "synonyms", word, following.lower if following else "", attributive=token.dep == "amod"
        )
        if not (barred or _repeats(sentence, token, other)):
            yield token, same_case(other, token.text)


def _repeats(sentence: Sentence, token: Token, other: str) -> bool:
    """Return whether the word occurs twice, so that a synonym would mislead, or the synonym is there already."""
    beside = [one.lower for one in sentence.tokens if one.i != token.i]
    words = [token.lower, *other.lower().split()]
    stems = tuple(word[:STEM] for word in words if len(word) >= STEM)
    return any(word in words or word.startswith(stems) for word in beside)


def _free(sentence: Sentence, token: Token) -> bool:
    """Return whether the word is not part of a name, compound, hyphenated word, phrasal verb or quotation."""
    text = sentence.text
    beside = sentence.tokens[token.i + 1 : token.i + 2] + sentence.tokens[max(token.i - 1, 0) : token.i]
    spaced = any(t.tag == "HYPH" or t.lower == "-" for t in beside)
    joined = spaced or text[token.end : token.end + 1] == "-" or text[token.start - 1 : token.start] == "-"
    name = token.text[:1].isupper() and token.i > 0
    phrasal = token.tag[:1] == "V" and (
        sentence.child(token, "prt", "xcomp", "ccomp", "oprd", "dative", "neg") is not None
    )
    prepositional = (
        token.tag[:1] == "V" and sentence.child(token, "dobj") is None and sentence.child(token, "prep") is not None
    )
    compound = token.dep == "compound" or sentence.child(token, "compound") is not None
    auxiliary = token.dep in {"aux", "auxpass"} or (token.tag == "VBD" and token.dep == "amod")
    previous = sentence.before(token)
    degree = token.tag == "JJ" and previous is not None and previous.lower in {"most", "more"}
    return not (degree or joined or name or phrasal or prepositional or compound or auxiliary or sentence.quoted(token))
