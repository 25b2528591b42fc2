"""Limit a scope: where it stops before and after its cue, and which words inside it are left out."""

from __future__ import annotations

from litotes.lexicon import word_set
from litotes.parse import Sentence, Token

PAUSES = frozenset({",", ":", ".", "``", "''", "-LRB-", "-RRB-", "HYPH"})
QUOTES = frozenset({'"', "“", "”"})
COMPLEMENTS = frozenset({"how", "that", "to", "what", "whether", "why"})
AFTERTHOUGHTS = word_set("afterthoughts")


def whole(sentence: Sentence, head: Token) -> list[int]:
    """Return everything that `head` dominates."""
    tokens = [head.i]
    for child in sentence.children(head):
        tokens += whole(sentence, child)
    return tokens


def limited(sentence: Sentence, tokens: set[int] | list[int], cue: Token) -> frozenset[int]:
    """Cut a scope at its limits, leave out conjuncts with their own negation, and remove punctuation from its ends."""
    low, high = _opening(sentence, cue), _closing(sentence, cue)
    inside = set(tokens) - _own_negation(sentence, cue)
    kept = sorted(i for i in inside if low <= i < high and i != cue.i)
    while kept and sentence.tokens[kept[-1]].tag in PAUSES:
        kept.pop()
    while kept and sentence.tokens[kept[0]].tag in PAUSES:
        kept.pop(0)
    return frozenset(kept)


def _opening(sentence: Sentence, cue: Token) -> int:
    """Return the first place that a scope can have: after a dash, a semicolon or an opening quotation mark."""
    quoted = sentence.quoted(cue)
    marks = [t.i + 1 for t in sentence.tokens[: cue.i] if _breaks(t) or (quoted and t.text in QUOTES)]
    return max(marks, default=0)


def _closing(sentence: Sentence, cue: Token) -> int:
    """Return the place where a scope ends at the latest."""
    quoted = sentence.quoted(cue)
    for token in sentence.tokens[cue.i + 1 :]:
        if (
            _breaks(token)
            # "I saw nothing," [said Ann]
            or (quoted and token.text in QUOTES)
            # "not a doctor [but a nurse]"
            or (token.lower == "but" and token.tag == "CC")
            # "He did not answer, [nor could I]"
            or (token.lower == "nor" and cue.lower != "neither")
            # "no rain, [no wind]"
            or (token.lower == "no" and cue.lower == "no" and sentence.tokens[token.i - 1].lower == ",")
            or (token.lower == "," and (_afterthought(sentence, token) or _address(sentence, token)))
        ):
            return token.i
    return len(sentence.tokens)


def _breaks(token: Token) -> bool:
    return token.tag == ":" and token.lower not in {"...", "-"}


def _afterthought(sentence: Sentence, comma: Token) -> bool:
    """Match ", for it was late", ", since …" and ", sir"; not ", for example"."""
    first, second, third, *_ = (*(t.lower for t in sentence.tokens[comma.i + 1 : comma.i + 4]), "", "", "")
    goes_on = second in {"example", "instance"} or (second == "," and third in COMPLEMENTS)
    return first in AFTERTHOUGHTS and not goes_on


def _address(sentence: Sentence, comma: Token) -> bool:
    """Match a name that is addressed, up to the next mark: "I did not call you, [Anna]"; ", my dear"."""
    words = sentence.tokens[comma.i + 1 :]
    if [t.lower for t in words[:2]] in (["my", "dear"], ["my", "good"]):
        return True
    length = next((n for n, t in enumerate(words) if t.tag not in {"NNP", "NNPS"}), len(words))
    before, after = sentence.before(comma), words[length : length + 1]
    ends = not after or after[0].tag in {".", "''"} or after[0].lower == '"'
    return 0 < length <= 3 and ends and before is not None and before.tag not in {"NNP", "NNPS"}


def _own_negation(sentence: Sentence, cue: Token) -> set[int]:
    """Return conjuncts with a negation of their own: "no sound [and no movement]"."""
    tokens: set[int] = set()
    for token in sentence.tokens:
        own = next((t for t in sentence.children(token, "det", "neg") if t.lower in {"no", "not"}), None)
        if token.dep == "conj" and token.tag[:1] == "N" and own is not None and own.i > cue.i:
            before = sentence.before(own)
            tokens |= set(whole(sentence, token)) | ({before.i} if before is not None else set())
    return tokens
