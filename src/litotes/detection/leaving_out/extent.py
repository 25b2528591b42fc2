"""How far what is left out reaches, and what goes with it when it is cut."""

from __future__ import annotations

from collections.abc import Sequence

from litotes.detection.leaving_out.words import ASKED, FINITE, POLITE, RELATIVE, WEIGHING, WH, Trigger
from litotes.lexicon.morphology import known
from litotes.parse import Sentence, Token

JOINING = frozenset({"and", "or", "nor", "&"})
STOPS = frozenset({".", "?", "!", ";", ":", "(", ")", "—", "–"})


def begin(sentence: Sentence, first: int) -> int:
    """With the comma and the word that joins it to the rest."""
    while first > 0 and sentence.tokens[first - 1].lower in {",", "and", "but", "please", ";", "-", "or"}:
        first -= 1
    return first


def with_marks(sentence: Sentence, first: int, end: int) -> tuple[int, int]:
    """What, [besides garlic,] goes into it; (the band [, not the book])"""
    tokens = sentence.tokens
    following = tokens[end].lower if end < len(tokens) else ""
    if following == "," and (first == 0 or tokens[first].lower == ","):
        return first, end + 1
    if following == ")" and first > 0 and tokens[first - 1].lower == "(":
        return first - 1, end + 1
    if following == "out" and [token.lower for token in tokens[end + 1 : end + 3]] in (["of", "it"], ["of", "this"]):
        return first, end + 3
    if following in {"too", "either", "please", "out"}:
        return first, end + 1
    return first, end


def end_of(sentence: Sentence, one: Trigger, until: int | None) -> int:
    """One past the last token of what is left out."""
    limit = until if until is not None else len(sentence.tokens)
    fronted = one.first == 0 or all(t.tag in {"RB", "UH", ","} for t in sentence.tokens[: one.first])
    end = next((at for at in range(one.after, limit) if _stops(sentence, one, at, limit, fronted)), limit)
    if end < limit and sentence.tokens[end].tag in FINITE:
        end = _before_verb(sentence, end, one.after)
    elif not fronted and _verbless(sentence, one, end):
        end = _hidden_verb(sentence, one.after, end)
    while end > one.after and sentence.tokens[end - 1].lower in {",", "and", "but", "or", *STOPS}:
        end -= 1
    return end


def _stops(sentence: Sentence, one: Trigger, at: int, limit: int, fronted: bool) -> bool:
    """Whether what is left out ends before this token."""
    tokens, token = sentence.tokens, sentence.tokens[at]
    if token.lower in STOPS or token.lower in POLITE or (token.text in {"-", "--"} and _apart(sentence, token)):
        return True
    if token.lower == ",":
        return not _list_goes_on(tokens, at, limit)
    if at == one.after:
        return False
    if one.cue.endswith(" out") and " " in one.cue and token.lower == "out":
        return True
    if fronted and (token.lower in WH or (token.tag == "PRP" and token.lower in {"i", "we", "you"})):
        return True
    if token.lower in RELATIVE | {"where", "whose"}:
        return tokens[at - 1].lower not in {"those", "ones", "any", "anything", "one", "things", "anyone"}
    following = tokens[at + 1].tag if at + 1 < limit else ""
    if token.tag == "VB" and tokens[0].lower in WEIGHING and tokens[at - 1].tag[:1] == "N":
        return True
    titled = token.text[:1].isupper() and tokens[at - 1].text[:1].isupper()
    if token.tag in FINITE and not titled:
        # yoga poses: the last word is no verb
        return following not in {"", ".", ","} and not any(t.lower in RELATIVE for t in tokens[one.after : at])
    if token.tag == "TO" and following == "VB":
        return True
    if token.lower in {"too", "either"} and at + 1 >= limit - 1:
        return True
    return token.tag == "CC" and following in {"VB", "MD", "PRP", "WRB", "WP"}


def _apart(sentence: Sentence, token: Token) -> bool:
    """A dash with a space before it."""
    return token.start > 0 and sentence.text[token.start - 1].isspace()


def _verbless(sentence: Sentence, one: Trigger, limit: int) -> bool:
    """Which rivers other than the Danube flow …: a question whose verb must be among the words left out"""
    outside = [t for t in sentence.tokens if not one.first <= t.i < limit]
    opens = sentence.tokens[0].lower in WH
    # "Which rivers" may itself be read as a verb and its subject
    return opens and not any(t.tag in {*FINITE, "VB"} and t.i > 1 for t in outside)


def _hidden_verb(sentence: Sentence, first: int, limit: int) -> int:
    """The first word after a noun that a dictionary knows as a verb."""
    for at in range(first + 1, limit):
        before, token = sentence.tokens[at - 1], sentence.tokens[at]
        if before.tag[:1] == "N" and known(token.lower, "V") and token.tag in {"NN", "NNS", "VBP", "VBZ", "VB", "JJ"}:
            nouns = [t for t in sentence.tokens[first:at] if t.tag[:1] == "N"]
            if nouns and token.text.islower():
                return at
    return limit


def _before_verb(sentence: Sentence, verb: int, first: int) -> int:
    """the Danube [also flows]: an adverb goes with its verb"""
    while verb - 1 > first and sentence.tokens[verb - 1].tag == "RB":
        verb -= 1
    return verb


def _list_goes_on(tokens: Sequence[Token], comma: int, limit: int) -> bool:
    """A, B and C: nouns up to the next comma or joint, and a joint to come"""
    following = tokens[comma + 1 : limit]
    if not following or following[0].lower in ASKED or following[0].tag in {"VB", *FINITE, "PRP", "WRB", "WP", "WDT"}:
        return False
    if following[0].lower in JOINING:
        return len(following) > 1 and following[1].tag not in {"VB", "PRP", *FINITE}
    joint = next((at for at, token in enumerate(following) if token.lower in JOINING), None)
    if joint is None:
        return False
    between = following[:joint]
    return not any(t.tag in FINITE or t.lower in ASKED or t.tag == "VB" for t in between)
