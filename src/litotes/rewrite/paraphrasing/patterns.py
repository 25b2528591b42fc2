"""Equivalents that are plain phrases on both sides: "without a job" = "unemployed", "hardly any" = "almost no"."""

from __future__ import annotations

from functools import lru_cache

from litotes.lexicon import table
from litotes.lexicon.word_pairs import same_case
from litotes.parse import Sentence, Token
from litotes.rewrite.draft import Draft

KINDS = frozenset({"predicate", "adverb", "quantifier", "preposition", "pronoun"})
# words whose equivalent depends on their position; they have rules of their own
POSITIONAL = frozenset(
    {"never", "no", "nobody", "nothing", "few", "little", "nowhere", "rarely", "seldom", "none", "accidentally"}
)


@lru_cache(maxsize=1)
def _phrases() -> dict[str, list[tuple[tuple[str, ...], str, str]]]:
    by_first: dict[str, list[tuple[tuple[str, ...], str, str]]] = {}
    for row in table("equivalents"):
        words = tuple(row["negative_phrase"].split())
        plain = not {"…", "V", "V-ing", "be"} & set(words) and not {"…", "V", "be"} & set(row["equivalent"].split())
        if row["kind"] in KINDS and plain and row["negative_phrase"] not in POSITIONAL and words[0] != "not":
            by_first.setdefault(words[0], []).append((words, row["equivalent"], row["kind"]))
            back = tuple(row["equivalent"].split())
            if back[0] == "almost":
                by_first.setdefault(back[0], []).append((back, row["negative_phrase"], row["kind"]))
    for entries in by_first.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    return by_first


def contiguous_phrase(sentence: Sentence) -> Draft | None:
    # She drank tea without sugar. → She drank tea with no sugar.
    for token in sentence.tokens:
        following = sentence.after(token)
        if token.lower == "without" and following is not None and following.lower in {"a", "an"}:
            draft = Draft(sentence, "phrase", "without", "pair")
            return draft.replace(token, same_case("with no", token.text), until=following)
        for words, other, kind in _phrases().get(token.lower, ()):
            part = sentence.tokens[token.i : token.i + len(words)]
            if tuple(t.lower for t in part) == words and _fits(sentence, part[0], part[-1], kind, other):
                draft = Draft(sentence, "phrase", " ".join(words), "pair")
                return draft.replace(part[0], same_case(other, part[0].text), until=part[-1])
    return None


def _fits(sentence: Sentence, first: Token, last: Token, kind: str, other: str) -> bool:
    following = sentence.after(last)
    if kind == "predicate":
        head = sentence.tokens[first.head]
        return head.lower in {"is", "are", "was", "were", "be", "been", "am", "'s", "'re"} and (
            following is None or following.tag in {".", ",", "CC", "IN"}
        )
    if first.lower == "without" and len(other.split()) == 2 and last.i == first.i:
        return following is not None and following.tag in {"NN", "NNS", "JJ"} and first.dep == "prep"
    return other != "lacking"
