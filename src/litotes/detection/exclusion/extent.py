"""Find where the excluded words end, and which words are cut together with them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from litotes.detection.exclusion.request_words import (
    ASKED,
    BE,
    FINITE,
    POLITE,
    RELATIVE,
    WEIGHING,
    WH,
    Trigger,
    name_like,
    nominal,
    tells,
)
from litotes.lexicon import word_set
from litotes.lexicon.morphology import known
from litotes.parse import Sentence, Token

JOINING = frozenset({"and", "or", "nor", "&"})
HELPING = frozenset({"do", "does", "did", "can", "could", "will", "would", "has", "have"})
# the tags under which a verb may hide behind the thing that is left out
HIDING = frozenset({"NN", "NNS", "JJ", "VBP", "VBZ", "VB", "VBN"})
_THESE_YEARS = re.compile(r"20(?:2[3-9]|3\d)$")
STOPS = frozenset({".", "?", "!", ";", ":", "(", ")", "—", "–"})


def begin(sentence: Sentence, first: int) -> int:
    """Move the start back over the comma and the conjunction."""
    joins = {",", "and", "but", "please", ";", "-", "--", "—", "–", "or", *word_set("exclusion_leads")}
    while first > 0 and sentence.tokens[first - 1].lower in joins:
        first -= 1
    before = [token.lower for token in sentence.tokens[max(0, first - 2) : first]]
    if len(before) == 2 and before[0] == "," and before[1] in word_set("indefinite") | {"everything"}:
        # …, anything except Y
        return first - 2
    kinds = len(before) == 2 and sentence.tokens[first - 2].tag[:1] == "N" and sentence.tokens[0].lower not in ASKED
    if kinds and before[1] in word_set("indefinite"):
        # tom hanks films anything except Y
        return first - 1
    return first


def with_marks(sentence: Sentence, first: int, end: int) -> tuple[int, int]:
    """Example: What, [besides garlic,] goes into it; (the band [, not the book])."""
    tokens = sentence.tokens
    following = tokens[end].lower if end < len(tokens) else ""
    if [token.lower for token in tokens[end : end + 2]] == [",", "please"]:
        return first, end + 2
    if following == "," and (first == 0 or tokens[first].lower == ","):
        # run in production, excluding Kafka[, preferably cheap]
        added = first > 0 and end + 1 < len(tokens) and tokens[end + 1].tag == "RB"
        return first, end if added else end + 1
    if following in {".", ":", "-", "—", "–"} and first == 0 and end + 1 < len(tokens):
        return first, end + 1
    if following == ")" and first > 0 and tokens[first - 1].lower == "(":
        return first - 1, end + 1
    if following == "of" and tokens[end - 1].lower == "out":
        # leave Y out [of it], out [of the answer]
        told = end + 2 < len(tokens) and tokens[end + 1].lower in {"the", "your"}
        return first, end + 2 + told
    if following in {"too", "either", "again"} | POLITE:
        comma = first == 0 and end + 1 < len(tokens) and tokens[end + 1].lower == ","
        return first, end + 1 + comma
    return first, end


def end_of(sentence: Sentence, one: Trigger, until: int | None) -> int:
    """Return one past the last excluded token."""
    limit = until if until is not None else len(sentence.tokens)
    fronted = one.first == 0 or all(t.tag in {"RB", "UH", ","} for t in sentence.tokens[: one.first])
    gate = _gate(sentence, one.after, limit) if fronted else None
    if gate is not None:
        return gate
    end = one.after
    while end < limit and not _stops(sentence, one, end, limit, fronted):
        end = _past_enclosed(sentence, end, limit)
    if end < limit and sentence.tokens[end].tag in FINITE:
        end = _before_verb(sentence, end, one.after)
    elif not fronted and _verbless(sentence, one, end):
        end = _hidden_verb(sentence, one.after, end)
    while end > one.after and sentence.tokens[end - 1].lower in {",", "and", "but", "or", *STOPS} - {")"}:
        end -= 1
    return end


def _gate(sentence: Sentence, first: int, limit: int) -> int | None:
    """Example: The comma after which the question begins: Apart from Y, who is a singer, [what …]."""
    tokens = sentence.tokens
    commas = [
        t.i for t in tokens[first + 1 : limit - 1] if t.lower in {",", ";"} and _question_after(tokens, first, t.i)
    ]
    sure = [
        at
        for at in commas
        if tokens[at + 1].lower not in RELATIVE or all(t.tag not in FINITE for t in tokens[at + 2 : at + 3])
    ]
    if not commas:
        return None
    gate = (sure or commas)[0]
    if any(_asks_at_once(tokens, t) for t in tokens[first + 1 : gate]):
        return None
    return gate - 1 if tokens[gate - 1].lower in POLITE else gate


def _question_after(tokens: Sequence[Token], first: int, mark: int) -> bool:
    """Example: [, but] how …, [; so] which …"""
    joined = mark + 2 < len(tokens) and tokens[mark + 1].lower in {"but", "so", "just"}
    # Apart from Y I haven't seen any, so where …
    joined = joined and not any(t.tag in FINITE for t in tokens[first:mark])
    return _opens_question(tokens, mark + 1) or (joined and tokens[mark + 2].lower in WH)


def _asks_at_once(tokens: Sequence[Token], token: Token) -> bool:
    """Example: besides Bali [where should] I go, and when: the question begins without a comma."""
    following = tokens[token.i + 1]
    helped = following.tag == "MD" or following.lower in HELPING
    return tokens[token.i - 1].lower != "," and (token.lower == "what" or (token.lower in WH and helped))


def _opens_question(tokens: Sequence[Token], at: int) -> bool:
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    asks = tokens[at].lower in ASKED or (
        tokens[at].lower in WEIGHING | {"will", "has", "have"} and following is not None
    )
    preposed = tokens[at].tag == "IN" and following is not None and following.lower in {"what", "which", "whom"}
    return asks or preposed or tokens[at].lower in word_set("telling") | {"please"}


def _past_enclosed(sentence: Sentence, at: int, limit: int) -> int:
    """Return one past this token, or past the whole quotation or bracket that it opens."""
    opening = sentence.tokens[at].text
    closing = {'"': '"', "“": "”", "(": ")", "``": "''"}.get(opening)
    ends = (t.i + 1 for t in sentence.tokens[at + 1 : limit] if t.text == closing)
    return next(ends, at + 1) if closing else at + 1


def _stops(sentence: Sentence, one: Trigger, at: int, limit: int, fronted: bool) -> bool:
    """Return whether the excluded words end before this token."""
    tokens, token = sentence.tokens, sentence.tokens[at]
    if token.text == "(" and at > one.after and (one.first == 0 or tokens[one.first - 1].lower != "("):
        # Carmen (the opera)
        return not (tokens[at - 1].text[:1].isupper() and any(t.text == ")" for t in tokens[at:limit]))
    if token.lower in STOPS or token.lower in POLITE or (token.text in {"-", "--"} and _apart(sentence, token)):
        return True
    if token.lower == ",":
        another = tokens[at + 1 : at + 2]
        if another and another[0].lower in word_set("prepositions") and tokens[one.after].tag != "IN" and not fronted:
            # other than Y, [in English or French]
            return True
        return not (_list_goes_on(tokens, at, limit) or (not fronted and _apposed(sentence, at, limit)))
    if at == one.after:
        return False
    if fronted and (token.lower in WH or (token.tag == "PRP" and token.lower in {"i", "we", "you"})):
        return True
    if not fronted and (_another_clause(tokens, one.after, at) or _time_of_the_rest(sentence, one, at)):
        return True
    clause = not fronted and _clause(sentence, one.after, at)
    titled = token.text[:1].isupper() and tokens[at - 1].text[:1].isupper()
    if token.lower in {"what", "why", "how"} and not titled and not clause:
        return tokens[at - 1].tag != "IN"
    if titled and token.lower in RELATIVE:
        return False
    if token.lower in RELATIVE | {"where", "whose"}:
        taken_up = tokens[at - 1].lower in word_set("taken_up_by_that") or tokens[one.after - 1].lower == "any"
        return not taken_up and not clause and tokens[at - 1].lower != ","
    following = tokens[at + 1].tag if at + 1 < limit else ""
    if token.tag == "VB" and tokens[0].lower in WEIGHING and tokens[at - 1].tag[:1] == "N":
        return not clause and not tells(sentence)
    if token.tag in FINITE and not titled and not clause:
        # yoga poses: the last word is no verb
        related = any(t.lower in RELATIVE for t in tokens[one.after : at]) or _attributive(tokens, at)
        return following not in {"", ".", ","} and not related and not _noun_after_all(sentence, one, token)
    if token.tag == "TO" and following == "VB":
        # Born to Run
        return not clause and not tokens[at + 1].text[:1].isupper()
    if token.tag == "IN" and _of_the_rest(sentence, one, at):
        return True
    if not fronted and not clause and (_said_of_the_rest(tokens, at, limit) or _year_of_the_rest(tokens, at, limit)):
        return True
    if token.lower in {"too", "either", "again"} and at + 1 >= limit - 1:
        return True
    begins = following in {"VB", "MD", "PRP", "WRB", "WP"} and not nominal(tokens[at + 1])
    # the exception of religion [and with attention to Bohemia]; not: other than from Bonn and from Kiel
    if following == "IN" and at + 2 < limit and not titled:
        begins = all(t.lower != tokens[at + 1].lower for t in tokens[one.after - 1 : at])
    return token.tag == "CC" and begins


def _attributive(tokens: Sequence[Token], at: int) -> bool:
    """Example: wheat and [cultivated] rice, were …: a participle of the list, taken for a verb."""
    listed = tokens[at].tag == "VBD" and tokens[at - 1].lower in JOINING
    return listed and [t.tag[:1] for t in tokens[at + 1 : at + 3]] in (["N", ","], ["N", "."], ["N"])


def _clause(sentence: Sentence, first: int, at: int) -> bool:
    """Example: [how it affects your sleep], [things you kept quiet about]: a clause of its own, with its verb."""
    inside = sentence.tokens[first:at]
    subject = any(t.tag == "PRP" and t.lower in {"i", "you", "we", "they", "he", "she", "it"} for t in inside[1:])
    return subject or (bool(inside) and inside[0].lower in WH)


def _another_clause(tokens: Sequence[Token], first: int, at: int) -> bool:
    """Example: aloe vera [i have kids], fish [my wife hates it]; not: the film we saw."""
    titled = tokens[at].text[:1].isupper() and tokens[at].text != "I"
    if titled or tokens[at - 1].tag[:1] not in "NVJR":
        return False
    owned = tokens[at].tag == "PRP$" and at + 2 < len(tokens) and tokens[at + 1].tag[:1] == "N"
    verb = at + 2 if owned else at + 1
    if not owned and tokens[at].lower not in {"i", "we", "it", "im", "they"}:
        return False
    if verb + 1 >= len(tokens) or tokens[verb].tag not in FINITE:
        return False
    after = tokens[verb + 1]
    if after.tag in {"DT", "PRP$", "CD", "NN", "NNS", "NNP"} and tokens[verb].tag != "MD":
        return after.lower not in word_set("time_nouns")
    # what a "the" opens may hang on its clause; "those i have read" too
    opened = tokens[first].tag in {"DT", "WP"} or tokens[first].lower in word_set("taken_up_by_that")
    return not opened and after.tag in {"JJ", "RB", "TO", "VBG", "VBN"}


def _time_of_the_rest(sentence: Sentence, one: Trigger, at: int) -> bool:
    """Example: Which drugs are given besides aspirin [after a stroke]; what helps besides tea [when …]."""
    tokens, token = sentence.tokens, sentence.tokens[at]
    before = tokens[: one.first]
    asked = tokens[0].lower in WH and any(t.tag in {*FINITE, "VB"} for t in before)
    if not asked or tokens[at - 1].tag[:1] not in "NV" or at + 1 >= len(tokens) or at - one.after > 3:
        return False
    following = tokens[at + 1]
    if token.text[:1].isupper() or following.text[:1].isupper():
        return False
    event = tokens[one.after].lower == "the" and tokens[at - 1].lower.endswith(("ing", "ion", "ment"))
    if token.lower in {"during", "after", "before", "when", "while", "if", "because", "until", "whenever"}:
        return not event
    bare = tokens[one.after].tag != "DT"
    small = following.lower in {"a", "an", "my", "our", "your"} or following.tag == "CD"
    if token.lower == "for":
        return following.tag == "VBG" or (bare and small)
    near = {t.lower for t in tokens[at + 1 : at + 5]}
    if token.lower == "with" and (small or following.tag == "JJ"):
        return bare or not near.isdisjoint(word_set("who_acts"))
    timed = (
        following.lower == "the"
        and at + 2 < len(tokens)
        and tokens[at + 2].lower in {"last", "first", "next", "latest"}
    )
    return token.lower in {"in", "on", "at", "near"} and ((bare and small) or timed)


def _of_the_rest(sentence: Sentence, one: Trigger, at: int) -> bool:
    """Example: an island aside from Skye [for our honeymoon]; anywhere apart from Hawaii [with green beaches]."""
    tokens = sentence.tokens
    if one.cue.startswith(("different", "other …", "distinct", "outside")):
        return tokens[at].lower != "of"
    if at + 1 >= len(tokens) or any(token.text[:1].isupper() for token in tokens[at + 1 : at + 3]):
        # Gone with the Wind, Trinity College in Dublin
        return False
    if tokens[at].lower in {"under", "over", "below", "above", "between"} and tokens[at + 1].tag in {"CD", "$", "#"}:
        # a gin that isn't Roku [under 50 dollars]
        return True
    if tokens[at].lower == "for" and one.first > 0 and _for_whom(tokens[at + 1 : at + 5]):
        return True
    # sea battles except actium [with maps]
    named = name_like(tokens[at - 1]) or (at - 1 == one.after and not known(tokens[at - 1].lower, "N"))
    if one.first > 0 and tokens[at].lower in {"with", "in", "on", "near"} and _typed(tokens) and at - one.after < 3:
        # smart watches other than apple watch [with ecg]; not: gone [with the wind]
        return tokens[at + 1].lower != "the" and tokens[one.after].lower != "the"
    return named and one.first > 0 and tokens[at].lower in word_set("of_the_rest")


def _for_whom(following: Sequence[Token]) -> bool:
    """Example: beginners, my brother, a pub quiz."""
    opened = following[0].tag in {"DT", "PRP$"} and following[0].lower != "the"
    whom = word_set("for_whom") | word_set("who_acts")
    return not whom.isdisjoint(t.lower for t in following[: 4 if opened else 1])


def _typed(tokens: Sequence[Token]) -> bool:
    """Return whether the words were typed into a search box: no capital, no punctuation, no finite verb."""
    return (
        all(token.text.islower() or token.tag == "CD" for token in tokens) and tokens[0].lower not in ASKED | WEIGHING
    )


def _said_of_the_rest(tokens: Sequence[Token], at: int, limit: int) -> bool:
    """Example: castles other than Windsor [still inhabited]; cheeses besides cashew cheese [sold in Aldi]."""
    before, following = tokens[at - 1], tokens[at + 1] if at + 1 < limit else None
    if (before.tag[:1] != "N" and not name_like(before)) or before.lower in word_set("taken_up_by_that"):
        return False
    if tokens[at].text[:1].isupper():
        return False
    if tokens[at].lower in {"still", "currently", "now"}:
        return following is not None and following.tag in {"JJ", "VBN", "VBD", "VBG", "IN"}
    closed = following is None or following.tag in {"IN", "TO", "RB", ".", ","}
    return closed and tokens[at].lower in word_set("said_of_the_rest")


def _year_of_the_rest(tokens: Sequence[Token], at: int, limit: int) -> bool:
    """Example: holidays other than Labor Day [2026]; not: the cup or games of a year."""
    last = at + 1 == limit or tokens[at + 1].lower in STOPS
    return bool(last and _THESE_YEARS.match(tokens[at].lower)) and tokens[at - 1].lower not in word_set("yearly")


def _noun_after_all(sentence: Sentence, one: Trigger, token: Token) -> bool:
    """Example: blossom [end] rot: the question has its verb already, and nothing asks for a second."""
    before = sentence.tokens[: one.first]
    asked_within = any(t.lower in WH and t.i > 0 for t in before)
    has_its_verb = any(t.tag == "VB" if before[0].lower in HELPING else t.tag in FINITE for t in before)
    return has_its_verb and not asked_within and token.tag == "VBP" and known(token.lower, "N")


def _apposed(sentence: Sentence, comma: int, limit: int) -> bool:
    """Example: Y, [a university in the north]; Bath, [Somerset]: words on the thing up to the end of the query."""
    tokens = sentence.tokens
    if limit < len(tokens) or comma + 1 >= limit or not tokens[comma - 1].text[:1].isupper():
        return False
    following = tokens[comma + 1]
    rest = tokens[comma + 1 : limit]
    return following.tag in {"DT", "NNP", "NNPS"} and not any(t.tag in FINITE or t.lower in ASKED for t in rest)


def _apart(sentence: Sentence, token: Token) -> bool:
    """Match a dash with a space before it."""
    return token.start > 0 and sentence.text[token.start - 1].isspace()


def _verbless(sentence: Sentence, one: Trigger, limit: int) -> bool:
    """Example: Which rivers other than the Danube flow …: a question whose verb must be among the words left out."""
    outside = [t for t in sentence.tokens if not one.first <= t.i < limit]
    opens = sentence.tokens[0].lower
    if opens in HELPING or (opens in BE and sentence.tokens[1].lower in word_set("indefinite")):
        # Did anyone apart from Y shoot at Z; was anyone other than Y caught
        return not any(t.tag[:1] == "V" for t in outside[1:])
    outside = [t for t in outside if t.i != one.first - 1 or not known(t.lower, "N")]
    # "Which rivers" may itself be read as a verb and its subject
    least = 0 if opens in {"what", "who"} else 1
    return opens in WH and not any(t.tag in {*FINITE, "VB"} and t.i > least for t in outside)


def _hidden_verb(sentence: Sentence, first: int, limit: int) -> int:
    """Return the first word after a noun or name that the dictionary lists as a verb."""
    for before, token in pairwise(sentence.tokens[first:limit]):
        named = before.tag[:1] == "N" or before.text[:1].isupper()
        if named and token.text.islower() and token.tag in HIDING and known(token.lower, "V"):
            return token.i
    return limit


def _before_verb(sentence: Sentence, verb: int, first: int) -> int:
    """Example: the Danube [also flows]: an adverb goes with its verb."""
    while verb - 1 > first and sentence.tokens[verb - 1].tag == "RB":
        verb -= 1
    return verb


def _list_goes_on(tokens: Sequence[Token], comma: int, limit: int) -> bool:
    """Example: A, B and C: nouns up to the next comma or joint, and a joint to come."""
    following = tokens[comma + 1 : limit]
    if not following or following[0].lower in ASKED or following[0].tag in {"VB", *FINITE, "PRP", "WRB", "WP", "WDT"}:
        return False
    if following[0].lower in JOINING:
        return len(following) > 1 and (following[1].tag not in {"VB", "PRP", *FINITE} or nominal(following[1]))
    joint = next((at for at, token in enumerate(following) if token.lower in JOINING), None)
    if joint is None:
        return False
    between = following[:joint]
    return not any((t.tag in {*FINITE, "VB"} and not nominal(t)) or t.lower in ASKED for t in between)
