"""Split a phrase into the things that it names. A title, or a place with its country, stays whole."""

from __future__ import annotations

import re

from litotes.lexicon import word_set

_QUOTED = re.compile(r'"[^"]*"|“[^”]*”|\([^)]*\)')
_JOINT = re.compile(
    r"\s*(?:,|;)\s*(?:and\b|or\b|nor\b)?\s*|\s+(?:(?:and|or)\s+not|and|or|nor|&|as well as|not|no)\s+", re.IGNORECASE
)
_AGAIN = re.compile(r"^(?:not |nor |anything |about |of |by |from |on |in |for |any |either )+")
_INITIALS = re.compile(r"\b(?:\w\.){2,}$")
# the well-known cases of Y, the usual suspects like Y, the likes of Y
_CASES = re.compile(
    r"^(?:the|those|such)\s+(?:likes\s+of|(?:very\s+|most\s+)?"
    r"(?:(?:well|best)[- ]known|famous|obvious|usual|familiar|classic|textbook|common|notorious|celebrated|popular"
    r"|typical|standard|(?:often|oft|much)[- ](?:cited|quoted|discussed))\s+"
    r"(?:cases?|examples?|instances?|suspects|choices?|candidates?|names?|answers?)\s+(?:of|like|such\s+as))\s+",
    re.IGNORECASE,
)
_APPOSED = re.compile(r"^(?:an?|the|who|which|whose|where|that)\b", re.IGNORECASE)


def things(text: str) -> list[str]:
    """Return each thing, without conjunctions and words such as "the case of"."""
    text = _without_apposition(_CASES.sub("", text))
    parts = [_AGAIN.sub("", _trimmed(part)) for part in _split(text)]
    return [part.strip() for part in parts if any(map(str.isalnum, part))]


def _split(text: str) -> list[str]:
    shut = [match.span() for match in _QUOTED.finditer(text)]
    parts, at = [], 0
    for match in _JOINT.finditer(text):
        if any(start < match.end() and match.start() < end for start, end in shut) or _one_name(text, match):
            continue
        parts.append(text[at : match.start()])
        at = match.end()
    return [*parts, text[at:]]


def _one_name(text: str, joint: re.Match[str]) -> bool:
    """Example: Bath, Somerset; Simon & Garfunkel: two names, and nothing else that joins."""
    before, after = text[: joint.start()], text[joint.end() :]
    if " between " in before.lower() and joint[0].strip() == "and":
        return True
    alone = len(_JOINT.findall(text)) == 1 and before[-1:].isalnum()
    if joint[0].strip() in {"and", "&"} and _said_as_one(before.lower().split(), after.lower().split(), alone=alone):
        return True
    if not alone or not before.split()[-1][:1].isupper() or not after[:1].isupper():
        return False
    return joint[0].strip() == "," or (joint[0].strip() == "&" and len(text.split()) == 3)


def _said_as_one(before: list[str], after: list[str], *, alone: bool) -> bool:
    """Example: fish and chips; the brown paper and iron trick; not: the knives and forks."""
    if not before or not after:
        return False
    pair = f"{before[-1]}_{after[0]}" in word_set("said_together")
    return pair or (alone and before[0] == "the" and len(after) == 2 and after[1] in word_set("one_with_its_parts"))


def _without_apposition(text: str) -> str:
    """Example: Y, a university in the north → Y; a list that has its "and" is none."""
    shut = [match.span() for match in _QUOTED.finditer(text)]
    for comma in re.finditer(r",\s*", text):
        if any(start < comma.start() < end for start, end in shut):
            continue
        rest = text[comma.end() :]
        listed = re.search(r"^[^,]*(?:,[^,]*)*,?\s+(?:and|or|nor|&)\s", rest)
        if _APPOSED.match(rest) and not listed:
            return text[: comma.start()]
        return text
    return text


def _trimmed(part: str) -> str:
    """Remove punctuation from both ends, and quotation marks that enclose the whole."""
    part = part.strip(" ,;?!") if _INITIALS.search(part.strip(" ,;?!")) else part.strip(" ,;.?!")
    for opening, closing in (('"', '"'), ("“", "”")):
        if part.startswith(opening) and part.endswith(closing) and part.count(opening) + part.count(closing) in {2, 4}:
            return part.strip(opening + closing).strip(" ,;.?!")
        if part.count(opening) % 2 and opening == closing:
            return part.strip(opening).strip(" ,;.?!")
    return part
