"""Exchange one word for a synonym of its dominant sense."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from litotes.detection import Clause, Fragment
from litotes.lexicon import table
from litotes.lexicon.morphology import inflect
from litotes.lexicon.words import TAGS, bars, same_case
from litotes.parse import Sentence, Token
from litotes.rewrite.draft import Decline, Draft, Options

STEM = 5
"""letters by which a word is taken for one of another's family"""


@lru_cache(maxsize=1)
def _synonyms() -> dict[tuple[str, str], tuple[str, str]]:
    """(form, tag) → the lemma, and the synonym in that form."""
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for row in table("synonyms"):
        pairs = [(row["word"], row["synonym"])]
        if row["direction"] == "both":
            pairs.append((row["synonym"], row["word"]))
        for word, other in pairs:
            for tag in TAGS.get(row["pos"], ()):
                if " " not in word and tag not in {"JJR", "JJS", "RBR", "RBS"}:
                    found.setdefault((inflect(word, tag), tag), (word, _form(other, tag)))
    return found


def _form(words: str, tag: str) -> str:
    """A phrase inflects its verb, or the last word of a noun."""
    if " " in words and tag == "NNS":
        head, last = words.rsplit(" ", 1)
        return f"{head} {inflect(last, tag)}"
    return inflect(words, tag)


def synonym(sentence: Sentence, clause: Clause | Fragment, options: Options) -> Draft | Decline:
    # The doctor bought a sofa. → The physician bought a sofa.
    for token, other in synonyms(sentence):
        return Draft(sentence, "synonym", token.text, "none").replace(token, other)
    return Decline("no word here has a synonym in the table")


def synonyms(sentence: Sentence) -> Iterator[tuple[Token, str]]:
    """Every word that can be exchanged where it stands, with what says the same there."""
    for token in sentence.tokens:
        found = _synonyms().get((token.lower, token.tag))
        if found is None or not _free(sentence, token):
            continue
        word, other = found
        following = sentence.after(token)
        barred = bars("synonyms", word, following.lower if following else "", attributive=token.dep == "amod")
        if not (barred or _echoes(sentence, token, other)):
            yield token, same_case(other, token.text)


def _echoes(sentence: Sentence, token: Token, other: str) -> bool:
    """Whether the word stands there twice, so that another one would be another thing; or its synonym does already."""
    beside = [one.lower for one in sentence.tokens if one.i != token.i]
    words = [token.lower, *other.lower().split()]
    stems = tuple(word[:STEM] for word in words if len(word) >= STEM)
    return any(word in words or word.startswith(stems) for word in beside)


def _free(sentence: Sentence, token: Token) -> bool:
    """Not part of a name, a compound, a hyphenated word or a phrasal verb, nor of what somebody said."""
    text = sentence.text
    joined = text[token.end : token.end + 1] == "-" or text[token.start - 1 : token.start] == "-"
    name = token.text[:1].isupper() and token.i > 0
    phrasal = token.tag[:1] == "V" and (
        sentence.child(token, "prt", "xcomp", "ccomp", "oprd", "dative", "neg") is not None
    )
    prepositional = (
        token.tag[:1] == "V" and sentence.child(token, "dobj") is None and sentence.child(token, "prep") is not None
    )
    compound = token.dep == "compound" or sentence.child(token, "compound") is not None
    auxiliary = token.dep in {"aux", "auxpass"}
    previous = sentence.before(token)
    degree = token.tag == "JJ" and previous is not None and previous.lower in {"most", "more"}
    return not (degree or joined or name or phrasal or prepositional or compound or auxiliary or sentence.quoted(token))
