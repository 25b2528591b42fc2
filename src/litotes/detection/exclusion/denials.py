"""Requests with "not": "but don't mention Y", "not by Y", "jaguar the animal, not the car"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from litotes.detection.exclusion.request_words import (
    BE,
    MARKS,
    RELATIVE,
    WEIGHING,
    WH,
    Trigger,
    has_verb,
    name_like,
    nominal,
    noun_at_the_end,
    past_fillers,
    past_told,
    says_more,
    set_off,
    tells,
)
from litotes.detection.exclusion.statements import stated
from litotes.lexicon import word_set
from litotes.lexicon.morphology import known
from litotes.parse import Sentence, Token


def denied(sentence: Sentence, negator: Token) -> Iterator[Trigger]:
    """Example: but don't mention Y; not by Y; , not Y; that aren't Ys."""
    following = sentence.after(negator)
    if following is None:
        return
    at = following.i
    words = [token.lower for token in sentence.tokens[at : at + 4]]
    titled = negator.text != "not" and negator.i > 0 and sentence.tokens[negator.i - 1].text[:1].isupper()
    if titled and following.text[:1].isupper():
        # I Don't Want to Miss a Thing
        return
    if words[0] == "bother" or sentence.tokens[negator.i - 1].lower == "need":
        yield from _needless(sentence, negator, words)
    elif _unwished(sentence, negator, words[0]):
        after = past_wish(sentence, at + 1)
        yield Trigger(_opening(sentence, negator.i), after, "not", "what is not wanted is excluded")
    elif (
        _need_to(sentence, negator, words)
        and words[2:3]
        and words[2] in word_set("exclusion_verbs") - {"use", "go", "come"}
    ):
        # you don't need to mention Y
        yield Trigger(_opening(sentence, negator.i), past_told(sentence, at + 3), "not", "“not” is said of mentioning")
    elif words[:2] == ["to", "include"] and set_off(sentence, negator.i):
        yield Trigger(negator.i, past_told(sentence, at + 2), "not", "“not” is said of including what follows")
    elif words[:2] == ["to", "mention"] and says_more(sentence, at + 2):
        # but not to mention anything about Y
        yield Trigger(negator.i, past_told(sentence, at + 2), "not", "“not” is said of mentioning what follows")
    elif (
        words[0] in word_set("exclusion_verbs")
        and _spoken(words, joined=negator.i > 3 and sentence.tokens[negator.i - 2].lower in {"and", "but", ","})
        and (_told_not(sentence, negator) or _of_documents(sentence, negator))
    ):
        after = past_told(sentence, at + 1)
        yield Trigger(_opening(sentence, negator.i), after, "not", "“not” is said of mentioning what follows")
    elif _whose(sentence, negator, words):
        step = 2 if words[0] in word_set("made_by") else 1
        step += 2 * (words[step - 1] == "by" and words[step : step + 2] in (["way", "of"], ["means", "of"]))
        after = past_fillers(sentence, at + step)
        yield Trigger(
            _opening(sentence, negator.i),
            after,
            f"not {words[0] if step == 3 else words[step - 1]}",
            "“not” sets apart whose it is",
        )
    elif _set_against(sentence, negator, following):
        yield Trigger(_opening(sentence, negator.i), past_fillers(sentence, at), "not", "“not” excludes one thing")


def _need_to(sentence: Sentence, negator: Token, words: Sequence[str]) -> bool:
    """Example: you don't need to, you don't have to; not: I don't have to mention it."""
    you = any(token.lower == "you" for token in sentence.tokens[max(0, negator.i - 2) : negator.i])
    return words[:2] == ["need", "to"] or (you and words[:2] == ["have", "to"])


def _needless(sentence: Sentence, negator: Token, words: Sequence[str]) -> Iterator[Trigger]:
    """Example: you needn't explain Y; don't bother explaining Y; not: I don't bother with breakfast."""
    at, first = negator.i + 1, _opening(sentence, negator.i)
    if words[0] == "bother":
        if {"i", "we"} & {t.lower for t in sentence.tokens[first : negator.i]} or not _told_not(sentence, negator):
            return
        at += 1 + (words[1:2] == ["to"])
    elif [token.lower for token in sentence.tokens[max(0, negator.i - 2) : negator.i - 1]] == ["you"]:
        first = negator.i - 2
    else:
        return
    if at + 1 >= len(sentence.tokens):
        return
    word = sentence.tokens[at].lower
    if words[0] == "bother" and word in {"with", "about"}:
        after = past_fillers(sentence, at + 1)
    elif word in (word_set("exclusion_verbs") | word_set("telling_gerunds")) - {"use", "come"}:
        after = past_told(sentence, at + 1)
    else:
        return
    if after < len(sentence.tokens) and sentence.tokens[after].tag not in {"PRP", "RB"}:
        yield Trigger(first, after, "not", "what need not be told is excluded")


def _spoken(words: Sequence[str], *, joined: bool) -> bool:
    """Example: go into Y, come from Y, how do I …, and don't say Y; not: do not go gentle, never say never."""
    if words[0] == "say":
        return joined or words[1:2] in (["the"], ["a"], ["it"], ["my"])
    return words[0] not in {"come", "go"} or words[1:2] in (["into"], ["from"])


def _whose(sentence: Sentence, negator: Token, words: Sequence[str]) -> bool:
    """Example: not by Y, not from Y, not about Y, that was not directed by Y; not: he is not from Y."""
    if words[0] in word_set("made_by"):
        named = len(words) > 1 and words[1] == "by"
        if words[0] in word_set("run_by"):
            # trackers not offered by Vanguard; not: files not owned by root
            named = named and any(t.tag in {"NNP", "NNPS"} for t in sentence.tokens[negator.i + 3 : negator.i + 5])
        return named and (not _predicated(sentence, negator) or _opened(sentence, negator) in RELATIVE)
    nearby = words[0] in word_set("not_by") and len(words) > 1
    rest = sentence.tokens[negator.i + 2 :]
    # not from X but from Y
    nearby = nearby and not any(a.lower == "but" and b.lower == words[0] for a, b in pairwise(rest))
    if words[0] == "connected":
        # crimes not connected with Y; not: villages not connected by rail, islands not connected to the mainland
        nearby = nearby and words[1] in {"with", "to"} and _capital(sentence, negator.i + 3)
    return nearby and (not _predicated(sentence, negator) or _opened(sentence, negator) in RELATIVE)


def _capital(sentence: Sentence, at: int) -> bool:
    return any(token.text[:1].isupper() for token in sentence.tokens[at : at + 2])


def _opened(sentence: Sentence, negator: Token) -> str:
    """Return the word that opens the clause before a negator: "that" in "that [was not]"."""
    before = sentence.tokens[max(0, negator.i - 2) : negator.i]
    return before[0].lower if len(before) == 2 else ""


def past_wish(sentence: Sentence, at: int) -> int:
    """Example: [to read about] Y, [in] Y, [for] Y."""
    while at < len(sentence.tokens) and sentence.tokens[at].lower in word_set("wish_words"):
        at += 1
    return past_fillers(sentence, at)


def _unwished(sentence: Sentence, negator: Token, word: str) -> bool:
    """Example: I don't want Y, I'm not interested in Y, I'd rather not hear about Y."""
    if negator.i > 0 and sentence.tokens[negator.i - 1].lower == "rather":
        return word in {"hear", "see", "read", "know"}
    if word not in word_set("wishes") or _told_to_others(sentence, negator):
        return False
    return _speaker(sentence, negator) and not _of_oneself(sentence, negator)


def _told_to_others(sentence: Sentence, negator: Token) -> bool:
    """Example: how do i tell my landlord i don't want to renew; i don't want to leave without a plan."""
    tokens = sentence.tokens
    said = any(t.lower in {"tell", "say", "explain", "admit"} for t in tokens[1 : negator.i])
    acts = [t.lower for t in tokens[negator.i + 1 : negator.i + 3]] == ["want", "to"]
    doing = acts and sentence.start == 0 and negator.i < 4 and len(tokens) > negator.i + 3
    if doing and tokens[negator.i + 3].lower not in word_set("wish_words"):
        # I don't want to knead it by hand, so what …
        return True
    return (tokens[0].lower == "how" and said) or (acts and any(t.lower == "without" for t in tokens[negator.i :]))


def _of_oneself(sentence: Sentence, negator: Token) -> bool:
    """Example: I don't want a smart meter, can I refuse: what is not wanted is the topic."""
    tokens = sentence.tokens
    asked = any(one.tag == "MD" and other.lower in {"i", "we"} for one, other in pairwise(tokens))
    # I do not want my ex to see my kids
    made = any(one.tag[:1] == "N" and other.tag == "TO" for one, other in pairwise(tokens[negator.i :]))
    return sentence.start == 0 and negator.i < 4 and (asked or made)


def _speaker(sentence: Sentence, negator: Token) -> bool:
    """Example: I don't want Y; not interested in Y."""
    before = [token.lower for token in sentence.tokens[max(0, negator.i - 3) : negator.i]]
    if before[-2:-1] == [","] and before[-1] == "do":
        # …, don't want to hear about Y
        return True
    return "i" in before or not before or before[-1] in {",", "but", "and", "'m", ";"}


def _opening(sentence: Sentence, at: int) -> int:
    """Go back over "do", "please", "I" and "that" to where the request begins."""
    while at > 0 and sentence.tokens[at - 1].lower in word_set("request_openers"):
        at -= 1
    return at


def _told_not(sentence: Sentence, negator: Token) -> bool:
    """Example: do not mention Y, without a subject; not including Y, not mentioning Y."""
    following = sentence.after(negator)
    if following is not None and following.tag == "VBG":
        return not _predicated(sentence, negator)
    first = _opening(sentence, negator.i)
    before = sentence.tokens[first - 1] if first else None
    words = [token.lower for token in sentence.tokens[first : negator.i]]
    if "who" in words or (words[-1:] in (["can"], ["ca"]) and len(words) == 1):
        # and who cannot show a passport
        return False
    if before is None or before.lower in {",", "but", "and", ";", ".", "?", "-", "—"}:
        return True
    # a recipe for chili dont mention beans
    return sentence.tokens[first].lower in {"do", "please", "don"} and before.tag[:1] == "N" and not _asked(sentence)


def _asked(sentence: Sentence) -> bool:
    return sentence.tokens[0].lower in WH | WEIGHING


def _of_documents(sentence: Sentence, negator: Token) -> bool:
    """Example: that do not mention Y, which don't cover Y: of a kind of text, not of what it speaks of."""
    following = sentence.after(negator)
    relative = any(t.lower in {"that", "which"} for t in sentence.tokens[max(0, negator.i - 3) : negator.i])
    if not relative or following is None:
        return False
    further = sentence.after(following)
    comes = following.lower in {"come", "go"} and further is not None and further.lower in {"from", "into"}
    return comes or following.lower in word_set("of_documents")


def _predicated(sentence: Sentence, negator: Token) -> bool:
    """Example: is not by, was not from: said of a subject."""
    before = sentence.before(negator)
    return before is not None and (before.tag == "MD" or before.lower in BE or before.lower in {"do", "does", "did"})


def _set_against(sentence: Sentence, negator: Token, following: Token) -> bool:
    """Example: jaguar the animal, not the car; podcasts but not Serial; songs that aren't shanties."""
    before = sentence.before(negator)
    if negator.lower not in {"not", "n't", "nt"} or following.lower in word_set("not_adding"):
        return False
    if before is not None and before.lower == "but" and stated(sentence, before.i):
        # I have a rash on my neck but not my arms
        return False
    further = sentence.after(following)
    if further is not None and further.lower in {"other", "others", "right", "same", "correct", "proper"}:
        # on one side but not the other; not the right charger
        return False
    if before is None:
        # … how long do they last? not the disease
        return sentence.start > 0 and nominal(following) and not has_verb(sentence)
    if before.lower in BE and _opened(sentence, negator) in RELATIVE:
        return _one_it_is_not(sentence, following)
    named = nominal(following) or following.lower == "about" or noun_at_the_end(sentence, following)
    if following.tag in {"JJ", "JJR"} and not named:
        head = sentence.tokens[following.head]
        named = following.dep == "amod" and head.i > following.i
    if before.lower in {"just", "only", "specifically", "definitely", "preferably", "ideally"} and before.i > 1:
        # anything on heat, just not the desert; a podcast, just not serial again
        only = before.lower == "just" and (following.tag[:2] == "NN" or _named_again(sentence, following))
        named = named or only
        before = sentence.tokens[before.i - 1]
        if only and before.tag[:1] == "N" and sentence.tokens[0].lower not in WEIGHING:
            return True
    if before.lower == "but":
        return _but_not(sentence, before, following, named=named)
    if before.lower in MARKS | {"and"}:
        # water sports - not surfing
        kinds = before.lower in MARKS and sentence.tokens[before.i - 1].tag == "NNS" and not has_verb(sentence)
        named = named or (kinds and following.tag == "VBG" and following.i + 1 == len(sentence.tokens))
        # the difference between vegan and not vegan
        weighed = sentence.tokens[0].lower in WEIGHING or any(t.lower == "between" for t in sentence.tokens)
        return named and not (before.lower == "and" and weighed)
    keywords = following.tag in {"NN", "NNP"} and not has_verb(sentence)
    if not (before.tag[:1] == "N" or before.text[:1].isupper()) or sentence.tokens[0].lower in WEIGHING - {"how"}:
        return False
    # everest not the tallest mountain
    one = following.tag in {"DT", "PRP$"} and (further is None or further.tag not in {"JJS", "RBS"})
    return one or keywords or (named and _wished(sentence))


def _one_it_is_not(sentence: Sentence, following: Token) -> bool:
    """Example: songs that aren't [shanties], herbs that aren't [basil]; not: pans that aren't oven safe."""
    further = sentence.after(following)
    if _compound_quality(sentence, following):
        return False
    plural = following.lower.endswith("s") and not following.lower.endswith(("ous", "ss"))
    plural = plural and following.i + 2 >= len(sentence.tokens)
    last = further is None or further.tag == "."
    alone = following.tag == "NN" and (last or _or_another(sentence, following))
    listed = following.dep == "compound" and following.tag[:1] == "N"
    # apps that aren't dating apps
    listed = listed or (following.tag == "VBG" and further is not None and further.tag == "NNS")
    unknown = following.tag == "JJ" and nominal(following)
    one = following.tag == "DT" and further is not None and further.text[1:] != further.text[1:].lower()
    return following.tag in {"NNS", "NNP"} or name_like(following) or plural or alone or listed or unknown or one


def _compound_quality(sentence: Sentence, noun: Token) -> bool:
    """Example: grants that aren't [means tested], pans that aren't [oven safe]."""
    last = sentence.after(noun)
    closed = last is not None and (last.i + 1 == len(sentence.tokens) or sentence.tokens[last.i + 1].tag in ".,")
    if last is None or not closed or name_like(noun):
        return False
    return last.tag in {"VBN", "VBD", "JJ"} or (last.tag == "VBG" and noun.tag[:1] == "N")


def _or_another(sentence: Sentence, token: Token) -> bool:
    """Example: fish that arent salmon [or tuna]."""
    following = sentence.tokens[token.i + 1 : token.i + 3]
    return len(following) == 2 and following[0].lower in {"or", "nor", "and"} and following[1].tag[:1] == "N"


def _named_again(sentence: Sentence, token: Token) -> bool:
    """Example: just not [serial again]: a title may begin with any word, but an adjective alone is a wish."""
    rest = sentence.tokens[token.i :]
    again = rest[-1].lower == "again" and len(rest) > 1
    return again or (token.tag in {"VB", "VBP"} and len(rest) < 5)


def _wished(sentence: Sentence) -> bool:
    """Example: i want to know about sharks not great whites."""
    return tells(sentence) and sentence.tokens[0].lower in {"i", "we", *word_set("telling")}


def _but_not(sentence: Sentence, but: Token, following: Token, *, named: bool) -> bool:
    """Example: podcasts but not Serial; how do I improve it but not the plot; not: why do I sneeze but not cough."""
    if but.i == 0 or (sentence.tokens[0].lower in WEIGHING - {"how", "when"} and not tells(sentence)):
        return False
    before = sentence.tokens[but.i - 1]
    further = sentence.after(following)
    last = (further is None or further.lower in {")", "?", ".", "!"}) and following.tag not in {"RB", "JJR"}
    last = last and (following.tag != "JJ" or tells(sentence) or not known(following.lower, "J"))
    if before.tag[:1] in "N,:(" or before.lower in MARKS | {")", "anywhere", "anything", "anyone"}:
        return named or last or following.tag == "NNP"
    return named and sentence.tokens[0].lower in WH | {"i", "we"}
