"""The words of a query, and what the linear splitter sees of each."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from litotes.types import Span

_WORD = re.compile(r"[^\W_]+(?:['’.&/\-:@][^\W_]+)*|[^\w\s]")
_ASKING = frozenset({"what", "which", "who", "whom", "whose", "when", "where", "why", "how", "whats", "whos"})
CONNECTIVES = frozenset({"and", "or", "nor", ",", ";", "/", "&", "(", ")", "+", "|", "the", "a", "an", "any"})
"""What stands between the items of a list, and before them."""
KEYWORDS = 9
"""The most words of a query that is not a sentence."""
FAR = 4
"""Distances from this one on count as the same."""


@dataclass(frozen=True, slots=True)
class QueryWord:
    """A word or mark of a query: where it is, and how it is compared: in lower case, without apostrophes."""

    span: Span
    form: str


def words_of(text: str) -> list[QueryWord]:
    """Return the words and marks of a query."""
    return [QueryWord(match.span(), _form(match.group())) for match in _WORD.finditer(text)]


def forms_of(text: str) -> set[str]:
    """Return the distinct forms of the words and marks of a query."""
    return set(map(_form, _WORD.findall(text)))


def _form(word: str) -> str:
    return word.lower().replace("’", "").replace("'", "") or "'"


def features(text: str, words: list[QueryWord], cue_words: Collection[str]) -> list[list[str]]:
    """Return what is known about each word: itself, its neighbours, its form, and the cue words before it.

    `cue_words` are the words that often express an exclusion.
    """
    forms = [word.form for word in words]
    style = _style(text, forms)
    framed = ["<", "<", *forms, ">", ">"]
    first_cue = next((form for form in forms if form in cue_words), "")
    last, distance = "", FAR
    found = []
    for number, word in enumerate(words):
        before2, before, form, after, after2 = framed[number : number + 5]
        glued = bool(number) and word.span[0] == words[number - 1].span[1]
        found.append(
            [
                f"word {form}",
                f"ending {form[-3:]}",
                f"before {before}",
                f"after {after}",
                f"two before {before2} {before}",
                f"two after {after} {after2}",
                f"before and word {before} {form}",
                f"word and after {form} {after}",
                f"two before and word {before2} {before} {form}",
                f"word and two after {form} {after} {after2}",
                f"around {before} {form} {after}",
                f"ending and before {form[-2:]} {before}",
                f"style {style}",
                f"style and word {style} {form}",
                f"shape {_shape(text[word.span[0] : word.span[1]])}",
                f"glued {glued} {before}",
                f"place {min(number, 3)}",
                f"from the end {min(len(words) - 1 - number, 3)}",
                f"last cue {last}",
                f"last cue and distance {last} {distance}",
                f"last cue and style {last} {style}",
                f"last cue and word {last} {form}",
                f"last cue and ending {last} {form[-2:]}",
                f"first cue and style {first_cue} {style}",
                "any",
            ]
        )
        distance = 1 if form in cue_words else min(distance + 1, FAR)
        last = form if form in cue_words else last
    return found


def _style(text: str, forms: list[str]) -> str:
    if "?" in text or (forms and forms[0] in _ASKING):
        return "question"
    return "keywords" if len(forms) <= KEYWORDS else "sentence"


def _shape(word: str) -> str:
    if not word[0].isalnum():
        return "mark"
    return ("capital" if word[0].isupper() else "small") + (" with digits" if any(map(str.isdigit, word)) else "")
