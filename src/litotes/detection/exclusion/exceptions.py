"""Exceptors that exclude something from a query: "other than Y", "apart from Y", "all the Xs bar Y"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from litotes.detection.exclusion.request_words import (
    ASKED,
    FINITE,
    MARKS,
    OF_SOMEONE,
    PRONOUNS,
    WEIGHING,
    WH,
    Trigger,
    nominal,
    past_fillers,
    tells,
)
from litotes.detection.exclusion.statements import plural_at_the_end, stated
from litotes.detection.parsed_cues import exceptor_entries, find_exceptors
from litotes.lexicon import word_set
from litotes.lexicon.morphology import known
from litotes.parse import Sentence, Token

AUXILIARY = frozenset({"do", "does", "did", "is", "are", "was", "were", "has", "have", "had", "much", "many", "long"})


def excepting(sentence: Sentence) -> Iterator[Trigger]:
    """Example: other than Y, apart from Y, rather than Y."""
    for tokens, name, sort in _exceptors(sentence):
        first, last = sentence.tokens[tokens[0]], sentence.tokens[tokens[-1]]
        before, following = sentence.before(first), sentence.after(last)
        if following is None or following.tag in {",", ".", ":", "CC"} or _closes(sentence, following):
            continue
        if following.lower in {"vs", "versus", "after", "when", "if", "before"} or _of_words(sentence, first):
            continue
        if before is not None and before.lower in {"none", "between", "everywhere", "nowhere"}:
            continue
        if stated(sentence, first.i) or _said_besides(sentence, first, following):
            continue
        if before is not None and _of_someone(sentence, before, following):
            continue
        if sort == "joins" and (following.tag == "VB" or not _requests_or_names(sentence, first, last)):
            continue
        if sort == "quantified" and not (following.tag in {"NNP", "NNPS"} or following.lower == "the"):
            continue
        if _of_a_task(sentence, first) or not _asks(sentence, first, last) or _another_use(sentence, first, following):
            continue
        yield Trigger(first.i, past_fillers(sentence, following.i), name, f"“{name}” excludes what follows")


def _said_besides(sentence: Sentence, first: Token, following: Token) -> bool:
    """Example: besides being tasty, is garlic good; barring order, how to get: nothing is asked of a kind."""
    rest = {token.lower for token in sentence.tokens[following.i :]}
    being = following.lower == "being" and rest.isdisjoint(WH | word_set("others") | word_set("telling"))
    return first.i == 0 and (being or (first.lower == "barring" and rest.isdisjoint({",", ";"})))


def _of_someone(sentence: Sentence, before: Token, following: Token) -> bool:
    """Example: my cat drinks from anywhere except her bowl; he sleeps anywhere but in bed: a habit is told."""
    if before.lower not in word_set("indefinite") | {"everything", "everywhere"}:
        return False
    told = any(token.lower in {"he", "she"} for token in sentence.tokens[: before.i])
    return told or following.lower in OF_SOMEONE


def _another_use(sentence: Sentence, cue: Token, following: Token) -> bool:
    """Example: try … except else; a price exclusive of VAT; a hotel besides the lake, for beside."""
    tokens = sentence.tokens
    near = {token.lower for token in tokens[following.i : following.i + 3]}
    if cue.lower == "except":
        keywords = any(token.lower in word_set("of_code") for token in tokens)
        return keywords or following.lower == "else" or any(word.endswith(("error", "exception")) for word in near)
    if cue.lower == "exclusive":
        # exclusive of VAT; not: exclusive of taxes and baggage
        joined = next((t.i + 1 for t in tokens[following.i : -1] if t.lower in {"and", "or", ","}), None)
        more = joined is not None and tokens[joined].lower not in word_set("charges")
        return not near.isdisjoint(word_set("charges")) and not more
    before = tokens[: cue.i]
    bare = 0 < len(before) < 4 and all(token.tag[:1] in "NJD" for token in before)
    return cue.lower == "besides" and bare and not near.isdisjoint(word_set("landmarks"))


def _asks(sentence: Sentence, first: Token, last: Token) -> bool:
    """Example: Apart from Y, what …; not: aside from work, I sleep badly; keep it apart from Y; everyone except me."""
    tokens = sentence.tokens
    if last.i + 1 < len(tokens) and tokens[last.i + 1].tag == "PRP":
        return False
    parts = first.lower in {"apart", "aside"} and tokens[first.i - 1].lower not in MARKS
    if parts and any(_parts(tokens, t) for t in tokens[: first.i]):
        return False
    if first.i > 0:
        return not _of_a_rule(tokens, first)
    rest = tokens[last.i + 1 :]
    if sentence.text[sentence.end :].strip():
        # Besides aspirin. what helps with a migraine??
        return True
    asked = any(t.lower in ASKED | WEIGHING | word_set("telling") - {"like"} or t.text == "?" for t in rest)
    return asked or any(
        t.lower == "," and rest[-1].i > t.i and tokens[t.i + 1].tag in {"VB", "NN", "NNS", "JJ"} for t in rest
    )


def _parts(tokens: Sequence[Token], verb: Token) -> bool:
    """Example: keep X apart from Y; what sets X apart from Y; tell X apart from Y, and not: tell me …"""
    told = verb.lower in word_set("told_apart") and verb.tag[:1] == "V"
    if verb.lower == "tell" and tokens[verb.i + 1].lower in {"me", "us"}:
        return False
    return told or verb.lower in word_set("kept_apart")


def _of_a_rule(tokens: Sequence[Token], first: Token) -> bool:
    """Example: everyone apart from my dad likes it; dogs allowed except guide dogs; can I park anywhere except on …"""
    before = tokens[first.i - 1].lower
    everyone = first.i == 1 and before in PRONOUNS
    why = tokens[0].lower == "why" and not word_set("all_of_them").isdisjoint(t.lower for t in tokens[: first.i])
    may_i = tokens[0].lower in {"can", "may"} and tokens[1].lower == "i" and before in word_set("indefinite")
    return everyone or why or may_i or before in word_set("of_a_rule")


def _exceptors(sentence: Sentence) -> Iterator[tuple[tuple[int, ...], str, str]]:
    """Return the exceptors that the parser accepts, and those whose position decides whatever the parser says."""
    found = [(match.tokens, match.entry.name, match.entry.note) for match in find_exceptors(sentence, set())]
    taken = {tokens[0] for tokens, _, _ in found}
    for token in sentence.tokens:
        for entry in exceptor_entries().get(token.lower, ()) if token.i not in taken else ():
            places = tuple(range(token.i, token.i + 1 + len(entry.rest)))
            words = tuple(other.lower for other in sentence.tokens[token.i + 1 : places[-1] + 1])
            if words == entry.rest and _placed(sentence, token, places[-1], entry.note):
                found.append((places, entry.name, entry.note))
                break
    for one in found:
        before = sentence.tokens[one[0][0] - 1] if one[0][0] else None
        opens = before is None and one[1] in {"save for", "outside of", "beyond"}
        set_apart = before is not None and before.lower == "," and one[1] in {"save", "bar"}
        # nobody but you, all but one: said of a pronoun, these leave out no topic
        plain = before is None or (before.tag[:1] != "N" and before.tag != "CD") or before.lower in PRONOUNS
        # which languages outside of the Y family: a kind of thing may be taken for a verb
        kind = before is not None and before.i == 1 and one[1] == "outside of" and known(before.lower, "N")
        if one[2] == "quantified" and plain and not opens and not set_apart and not kind:
            continue
        yield one


def _placed(sentence: Sentence, first: Token, last: int, guard: str) -> bool:
    """Example: Apart from Y, what …; …, besides farming; …, save Lake Y; all the symphonies bar the Ninth."""
    tokens = sentence.tokens
    if first.i == 0:
        return any(token.lower in ASKED for token in tokens[last:])
    rest = tokens[last + 1 :]
    before = tokens[first.i - 1]
    if first.lower in {"save", "bar"} and before.lower == ",":
        # which treaties, save Y, ended the war
        rest = rest[: next((at for at, token in enumerate(rest) if token.lower == ","), len(rest))]
    if before.lower in {"anywhere", "somewhere", "someone", "anyone", "something"} and guard == "preposition":
        return bool(rest) and first.lower in {"apart", "aside", "besides", "excluding"}
    if first.lower == "outside" and rest:
        return _beyond(sentence, before, rest)
    if not rest or any(token.tag in FINITE for token in rest) or tokens[0].lower in WEIGHING:
        return False
    if guard == "quantified":
        named = rest[0].tag in {"NNP", "NNPS"} or rest[0].lower == "the"
        every = any(token.lower in {"all", "every", "each", "any"} for token in tokens[: first.i])
        marked = first.lower in {"save", "bar"} and before.lower == "," and first.i > 1
        return named and (marked or (first.lower in {"bar", "save"} and every and before.tag[:1] == "N"))
    # what can I grow apart from Y: what is grown is asked for, and nothing grows apart
    grown = tokens[0].lower in {"what", "which"} and before.tag == "VB"
    return guard == "preposition" and (before.lower in MARKS or grown) and rest[0].tag not in {",", ".", ":"}


def _beyond(sentence: Sentence, before: Token, rest: Sequence[Token]) -> bool:
    """Example: islands outside of the Cyclades; what happened outside of France; not: the outside of the knee."""
    named = rest[1:] if rest[0].lower == "the" else rest
    if not named or not (named[0].tag in {"NNP", "NNPS"} or named[0].text[:1].isupper()):
        return False
    opening = sentence.tokens[0].lower
    if opening in WEIGHING and not tells(sentence):
        return False
    kinds = before.tag in {"NNS", "NNPS"} or (before.i == 1 and opening in {"which", "what"})
    return kinds or (tells(sentence) and before.tag[:1] in "NC")


def _requests_or_names(sentence: Sentence, cue: Token, last: Token) -> bool:
    """Example: Show me X instead of Y; X rather than Y: no question of which is better, and nothing that happened."""
    first, second, following = sentence.tokens[0], sentence.tokens[1], sentence.tokens[last.i + 1]
    if first.lower in {"are", "is"} and second.lower == "there":
        # are there any games about trade rather than war
        return True
    if first.lower in {"can", "could", "would", "will"} and second.lower == "you":
        return any(token.lower in word_set("telling") for token in sentence.tokens[2:5])
    if first.lower == "how":
        # how volcanoes form on Earth rather than Mars: a topic, not "how to", "how do"
        named = second.tag not in {"TO", "MD", "VB", "RB", "JJ"} and second.lower not in AUXILIARY
        return named and nominal(sentence.tokens[last.i + 1])
    at_once = (cue.i == 2 or sentence.tokens[cue.i - 1].tag == "NNS") and cue.i < 4 and following.tag in {"NNP", "NNPS"}
    if (
        first.lower in {"what", "which"}
        and (at_once or _of_a_kind(sentence))
        and (nominal(following) or following.tag == "VBG")
    ):
        return True
    if first.lower == "what":
        return cue.lower in {"instead", "rather"} and _wants_another(sentence, cue, last)
    if first.lower in WEIGHING | ASKED:
        return False
    if first.tag in {"VBD", "VBN"} or not word_set("weighed").isdisjoint(t.lower for t in sentence.tokens):
        return False
    if cue.i == 0:
        return any(t.lower == "," for t in sentence.tokens)
    asks = first.lower in {"i", "we", "please"} or first.lower in word_set("telling")
    if cue.lower == "instead" and not asks and _swapped(sentence, last):
        return False
    if first.tag in {"VB", "VBP"} and (cue.lower == "instead" or sentence.tokens[last.i + 1].tag == "IN"):
        return asks
    return (
        asks
        or first.tag in {"VB", "VBP"}
        or first.tag == "VBG"
        or not any(token.tag in FINITE for token in sentence.tokens[: cue.i])
    )


def _of_a_kind(sentence: Sentence) -> bool:
    """Example: what sports can I do …, which careers are there …; not: what eats X."""
    words = sentence.tokens[1:6]
    return any(
        one.tag == "NNS" and (two.tag == "MD" or two.lower in {"are", "do", "did"}) and three.tag in {"PRP", "EX", "RB"}
        for one, two, three in zip(words, words[1:], words[2:], strict=False)
    )


def _swapped(sentence: Sentence, last: Token) -> bool:
    """Example: honey instead of sugar in tea, green tea instead of coffee for weight loss: one does for the other."""
    rest = sentence.tokens[last.i + 2 :]
    into = next((token.i for token in rest if token.lower in {"in", "for"}), None)
    return into is not None and not any(token.tag in {"NNP", "NNPS"} for token in sentence.tokens[into:])


def _wants_another(sentence: Sentence, cue: Token, last: Token) -> bool:
    """Example: what to do with kitchen waste instead of a worm bin; not: what to use instead of eggs in pancakes."""
    before = {token.lower for token in sentence.tokens[: cue.i]}
    asked = not before.isdisjoint({"to", "could", "can", "should", "else"})
    swapped = not before.isdisjoint({"use", "substitute", "put", "add"})
    aimed = any(t.tag == "TO" for t in sentence.tokens[last.i + 1 :])
    following = sentence.tokens[last.i + 1]
    named = nominal(following) or (cue.lower == "rather" and following.tag == "VBG")
    return asked and named and (not swapped or aimed)


def _of_words(sentence: Sentence, cue: Token) -> bool:
    """Example: what does "excluding VAT" mean: the words are asked about."""
    asked = {token.lower for token in sentence.tokens}
    return not asked.isdisjoint(word_set("spoken_of")) or any(
        token.i > cue.i and token.lower in {"mean", "means"} for token in sentence.tokens
    )


def _of_a_task(sentence: Sentence, cue: Token) -> bool:
    """Example: delete all rows except the header; open every day except Monday: the exception is what is wanted."""
    before = [token.lower for token in sentence.tokens[: cue.i]]
    every = not word_set("all_of_them").isdisjoint(before[-6:])
    if not every or before[0] in ASKED:
        return every and not word_set("task_words").isdisjoint(before)
    wished = before[0] in {"i", "we"} or before[0] in word_set("telling")
    return not word_set("task_words").isdisjoint(before) or (not wished and _states(sentence.tokens[: cue.i]))


def _states(before: Sequence[Token]) -> bool:
    """Example: all teeth hurt [except …], nothing works [except …]: a fact is told, nothing is asked for."""
    if any(token.tag in {"VBZ", "VBP", "VBD"} and not plural_at_the_end(before, token) for token in before):
        return len(before) > 2 or before[-1].tag != "VBZ"
    last = before[-1].lower
    if len(before) == 2 and before[0].lower in word_set("all_of_them") and last.endswith("s"):
        return known(last, "V")
    return len(before) > 2 and before[-2].tag == "NNS" and not last.endswith("s") and known(last, "V")


def _closes(sentence: Sentence, token: Token) -> bool:
    """Example: other than that, … ; besides the point."""
    following = sentence.after(token)
    if token.lower == "the":
        return following is not None and following.lower == "point"
    return token.lower in {"that", "usual"} or (token.lower == "this" and (following is None or following.tag in ",."))
