"""The words "Yes," and "No," before a clause, which says by itself what the answer is."""

from __future__ import annotations

import re

_ANSWER = re.compile(r"(?:yes|yeah|yep|no|nope|nah)\s*[,;:–—-]\s*", re.IGNORECASE)
_HELPING = "am|is|are|was|were|do|does|did|have|has|had|can|could|may|might|must|should|shall|will|would|ought"
_CLAUSE = re.compile(rf"[^.?!,;:]*\w\s+(?:cannot|can't|won't|shan't|(?:{_HELPING})(?:n't)?)\b", re.IGNORECASE)
"""A subject and a helping verb. Other clauses are not recognised: without a verb, the answer word decides."""
_CONTRACTED = re.compile(r"(?:i|you|he|she|it|we|they|that|there)'(?:m|s|re|ve|ll|d)\b", re.IGNORECASE)
_ANSWERS = frozenset({"yes", "yeah", "yep", "no", "nope", "nah"})


def without_answer_words(one: str, other: str) -> tuple[str, str]:
    """Remove "Yes," and "No," before a clause: "No, dogs are not allowed." says that dogs are not allowed.

    If one of the texts is nothing but such a word, both stay as they are, since then the words have to be compared.
    """
    if any(text.strip(" .!").casefold() in _ANSWERS for text in (one, other)):
        return one, other
    return _clause_of(one), _clause_of(other)


def _clause_of(text: str) -> str:
    found = _ANSWER.match(text.lstrip())
    if not found:
        return text
    rest = text.lstrip()[found.end() :].replace("’", "'")
    return rest if _CLAUSE.match(rest) or _CONTRACTED.match(rest) else text
