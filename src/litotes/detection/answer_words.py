"""The words "Yes," and "No," before a clause, which says by itself what the answer is."""

from __future__ import annotations

import re

from litotes.lexicon import word_set

_WORDS = "yes|yeah|yep|no|nope|nah"
_ANSWER = re.compile(rf"(?:{_WORDS})(?:\s*[,;:–—]\s*|\s+-\s+)", re.IGNORECASE)
"""A hyphen counts only between spaces: "no-one" is no answer."""
_HELPING = "am|is|are|was|were|do|does|did|have|has|had|can|could|may|might|must|should|shall|will|would|ought"
_CLAUSE = re.compile(rf"([^.?!,;:]+?)\s+(?:cannot|can't|won't|shan't|(?:{_HELPING})(?:n't)?)\b", re.IGNORECASE)
"""A subject and a helping verb. Other clauses are not recognised: the answer word stays."""
_CONTRACTED = re.compile(r"(?:i|you|he|she|it|we|they|that|there)'(?:m|s|re|ve|ll|d)\b", re.IGNORECASE)
_NOT_IN_SUBJECT = frozenset(
    {"and", "but", "or", "so", "not", "only", "even", "except", "provided", "providing", "assuming"}
    | {"who", "whom", "whose", "which", "that", "what", "how", "why", "where"}
)
"""After these words, or words such as "if", the clause is not the answer: "No, unless you are a member."."""


def without_answer_words(one: str, other: str) -> tuple[str, str]:
    """Remove "Yes," and "No," before a clause: "No, dogs are not allowed." says that dogs are not allowed.

    If one of the texts is nothing but such a word, both stay as they are, since then the words have to be compared.
    """
    if any(re.fullmatch(_WORDS, text.strip(" .!"), re.IGNORECASE) for text in (one, other)):
        return one, other
    return _clause_of(one), _clause_of(other)


def _clause_of(text: str) -> str:
    found = _ANSWER.match(text.lstrip())
    if not found:
        return text
    rest = text.lstrip()[found.end() :].replace("’", "'")
    return rest if _CONTRACTED.match(rest) or _is_main_clause(rest) else text


def _is_main_clause(text: str) -> bool:
    found = _CLAUSE.match(text)
    subject = set(found[1].casefold().split()) if found else set()
    return bool(subject) and not subject & (_NOT_IN_SUBJECT | word_set("subordinators"))
