"""Requests with a "not": but don't mention Y; not by Y; jaguar the animal, not the car."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from litotes.detection.leaving_out.words import BE, RELATIVE, WEIGHING, WH, Trigger, has_verb, past_fillers
from litotes.lexicon import word_set
from litotes.parse import Sentence, Token


def denied(sentence: Sentence, negator: Token) -> Iterator[Trigger]:
    """but don't mention Y; not by Y; , not Y; that aren't Ys"""
    following = sentence.after(negator)
    if following is None:
        return
    at = following.i
    words = [token.lower for token in sentence.tokens[at : at + 4]]
    if following.text[:1].isupper() and negator.i > 0 and sentence.tokens[negator.i - 1].text[:1].isupper():
        # I Don't Want to Miss a Thing
        return
    if words[0] in {"want", "interested", "looking", "need", "care"} and _speaker(sentence, negator):
        after = _past_wish(sentence, at + 1)
        yield Trigger(_opening(sentence, negator.i), after, "not", "what is not wanted is left out")
    elif words[0] in word_set("exclusion_verbs") and (_told_not(sentence, negator) or _of_documents(sentence, negator)):
        after = past_fillers(sentence, at + 1)
        yield Trigger(_opening(sentence, negator.i), after, "not", "“not” is said of mentioning what follows")
    elif _whose(sentence, negator, words):
        step = 2 if words[0] in word_set("made_by") else 1
        after = past_fillers(sentence, at + step)
        yield Trigger(_opening(sentence, negator.i), after, f"not {words[step - 1]}", "“not” sets apart whose it is")
    elif _set_against(sentence, negator, following):
        yield Trigger(_opening(sentence, negator.i), past_fillers(sentence, at), "not", "“not” sets one apart")


def _whose(sentence: Sentence, negator: Token, words: Sequence[str]) -> bool:
    """not by Y, not from Y, not about Y, not written by Y, that was not directed by Y; not: he is not from Y"""
    if words[0] in word_set("made_by"):
        named = len(words) > 1 and words[1] == "by"
        return named and (not _predicated(sentence, negator) or _opened(sentence, negator) in RELATIVE)
    nearby = words[0] in word_set("not_by") and len(words) > 1
    return nearby and (not _predicated(sentence, negator) or _opened(sentence, negator) in RELATIVE)


def _opened(sentence: Sentence, negator: Token) -> str:
    """The word with which the words before a negator open: that [was not]"""
    before = sentence.tokens[max(0, negator.i - 2) : negator.i]
    return before[0].lower if len(before) == 2 else ""


def _past_wish(sentence: Sentence, at: int) -> int:
    """[to read about] Y, [in] Y, [for] Y"""
    while at < len(sentence.tokens) and sentence.tokens[at].lower in word_set("wish_words"):
        at += 1
    return past_fillers(sentence, at)


def _speaker(sentence: Sentence, negator: Token) -> bool:
    """I don't want Y; not interested in Y"""
    before = [token.lower for token in sentence.tokens[max(0, negator.i - 3) : negator.i]]
    return "i" in before or not before or before[-1] in {",", "but", "and", "'m", ";"}


def _opening(sentence: Sentence, at: int) -> int:
    """Back over do, please, I, that: where the request begins."""
    while at > 0 and sentence.tokens[at - 1].lower in word_set("request_openers"):
        at -= 1
    return at


def _told_not(sentence: Sentence, negator: Token) -> bool:
    """do not mention Y, without a subject; not including Y, not mentioning Y"""
    following = sentence.after(negator)
    if following is not None and following.tag == "VBG":
        return not _predicated(sentence, negator)
    first = _opening(sentence, negator.i)
    before = sentence.tokens[first - 1] if first else None
    if before is None or before.lower in {",", "but", "and", ";", ".", "?", "-", "—"}:
        return True
    # a recipe for chili dont mention beans
    return sentence.tokens[first].lower in {"do", "please", "don"} and before.tag[:1] == "N" and not _asked(sentence)


def _asked(sentence: Sentence) -> bool:
    return sentence.tokens[0].lower in WH | WEIGHING


def _of_documents(sentence: Sentence, negator: Token) -> bool:
    """that do not mention Y, which don't cover Y: of a kind of text, not of what it speaks of"""
    following = sentence.after(negator)
    relative = any(t.lower in {"that", "which"} for t in sentence.tokens[max(0, negator.i - 3) : negator.i])
    if not relative or following is None:
        return False
    further = sentence.after(following)
    comes = following.lower in {"come", "go"} and further is not None and further.lower in {"from", "into"}
    return comes or following.lower in word_set("of_documents")


def _predicated(sentence: Sentence, negator: Token) -> bool:
    """is not by, was not from: said of a subject"""
    before = sentence.before(negator)
    return before is not None and (before.tag == "MD" or before.lower in BE or before.lower in {"do", "does", "did"})


def _set_against(sentence: Sentence, negator: Token, following: Token) -> bool:
    """jaguar the animal, not the car; podcasts but not Serial; songs that aren't shanties"""
    before = sentence.before(negator)
    if negator.lower not in {"not", "n't", "nt"} or following.lower in word_set("not_adding"):
        return False
    if before is None:
        # … how long do they last? not the disease
        return sentence.start > 0 and following.tag in {"DT", "PRP$", "NN", "NNS", "NNP"} and not has_verb(sentence)
    if before.lower in BE and _opened(sentence, negator) in RELATIVE:
        plural = following.lower.endswith("s") and not following.lower.endswith(("ous", "ss"))
        plural = plural and following.i + 2 >= len(sentence.tokens)
        alone = following.tag == "NN" and following.i + 1 == len(sentence.tokens)
        listed = following.dep == "compound" and following.tag[:1] == "N"
        return following.tag in {"NNS", "NNP"} or plural or alone or listed
    nominal = following.tag in {"DT", "NN", "NNS", "NNP", "NNPS", "PRP$", "CD"} or following.lower in {"about", "on"}
    if following.tag == "JJ":
        head = sentence.tokens[following.head]
        nominal = following.dep == "amod" and head.i > following.i
    if before.lower == "but":
        named = before.i > 0 and sentence.tokens[before.i - 1].tag[:1] in "N,:"
        last = following.i + 1 == len(sentence.tokens) and following.tag not in {"RB", "JJR"}
        return named and (nominal or last or following.tag == "NNP")
    if before.lower in {",", "and", "(", "?", "."}:
        return nominal and not (before.lower == "and" and sentence.tokens[0].lower in WEIGHING)
    keywords = following.tag in {"NN", "NNP"} and not has_verb(sentence)
    return before.tag[:1] == "N" and (following.tag in {"DT", "PRP$"} or keywords)
