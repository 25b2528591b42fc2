"""Affixal negation: replace a word by its opposite with a prefix or suffix."""

from __future__ import annotations

from litotes.detection import Clause, NoClause
from litotes.lexicon import WordPair, affix_pairs, other_word
from litotes.lexicon.morphology import lemma
from litotes.lexicon.word_pairs import forbids_exchange, same_case
from litotes.parse import Sentence, Token
from litotes.rewrite.draft import Decline, Draft, Options
from litotes.rewrite.targets import targets

# prepositions after which a participle is a passive with its complement, not an adjective
BOUND = frozenset({"as", "by", "for", "with", "to", "from", "into", "of", "in"})


def affixal(sentence: Sentence, clause: Clause | NoClause, options: Options) -> Draft | Decline:
    # The judge was fair. → The judge was unfair.   She agreed. → She disagreed.
    for token in targets(sentence, clause):
        tag = lexicon_tag(token)
        pair = next((p for p in affix_pairs().get((token.lower, tag), ()) if p.exchange), None)
        if pair is None or not exchangeable(sentence, token, pair, "affixes"):
            continue
        if token.tag in {"NN", "NNS"} and token.dep != "attr":
            # "Residents were told …": "nonresidents" denies nothing of them
            continue
        if _is_bound(sentence, token):
            continue
        draft = Draft(sentence, "affixal", pair.mark, "pair")
        return draft.replace(token, same_case(other_word(pair, tag), token.text))
    return Decline("no word here has a negating affix form")


def _is_bound(sentence: Sentence, token: Token) -> bool:
    """Match "would like", "connects to", "made aware" and "otherwise forgettable"."""
    if any(t.lower in {"would", "'d"} for t in sentence.children(token, "aux")) and token.lower == "like":
        return True
    if token.tag[:1] == "V" and any(t.lower in {"to", "into"} for t in sentence.children(token, "prep")):
        return True
    if lemma(sentence.tokens[token.head].lower, "V") == "make":
        return True
    return any(t.lower in {"otherwise", "supposedly", "allegedly"} for t in sentence.children(token, "advmod"))


def lexicon_tag(token: Token) -> str:
    """Return the tag under which the lexicon lists the word: participles beside a noun or after "be" are adjectives."""
    if token.tag in {"VBN", "VBD", "VBG"} and (token.dep in {"amod", "acomp", "oprd"}):
        return "JJ"
    if token.tag == "VBN" and (token.lower, "JJ") in affix_pairs() and (token.lower, "VBN") not in affix_pairs():
        return "JJ"
    return token.tag


SET_PHRASES = frozenset(
    {("as", "possible"), ("in", "common"), ("middle", "eastern"), ("as", "well")}
    | {("fast", "asleep"), ("sound", "asleep"), ("wide", "awake")}
    | {(make, "sure") for make in ("make", "makes", "made", "making")}
)


def exchangeable(sentence: Sentence, token: Token, pair: WordPair, name: str) -> bool:
    """Return whether the opposite, from the table `name`, fits into the same frame."""
    if _grammatical(sentence, token, pair):
        return False
    if pair.word in {"old", "great"} and token.tag != "JJ":
        # "an older man" is not "a newer man"
        return False
    if token.lower == "well" and lemma(sentence.tokens[token.head].lower, "V") in {"be", "get", "feel", "look", "do"}:
        return False
    subject = sentence.child(sentence.tokens[token.head], "nsubj")
    if pair.word in {"safe", "busy"} and subject is not None and subject.tag == "PRP" and subject.lower != "it":
        # "you are safe" is not "you are dangerous"
        return False
    if token.dep == "amod" and sentence.child(token, "npadvmod", "compound") is not None:
        # "a rain soaked window"
        return False
    measured = any(t.tag in {"CD", "-RRB-"} for t in sentence.tokens[max(token.i - 2, 0) : token.i])
    degree = token.tag in {"JJ", "RB"} and token.dep != "amod" and not token.lower.endswith("ly")
    if degree and (measured or sentence.child(token, "npadvmod") is not None):
        # "two metres high"
        return False
    if token.tag == "VBN" and token.dep == "ROOT" and sentence.child(token, "aux", "auxpass") is None:
        return False
    following = sentence.after(token)
    if not pair.exchange or forbids_exchange(
        name, pair.word, following.lower if following else "", attributive=token.dep == "amod"
    ):
        return False
    if _named(sentence, token) or sentence.quoted(token):
        return False
    if token.tag == "VBN" and any(p.lower in BOUND for p in sentence.children(token, "prep")):
        return False
    if token.tag[:1] == "V" and any(t.lower == "from" for t in sentence.tokens[token.i + 1 : sentence.right(token).i]):
        return False
    if pair.pos == "verb" and token.tag[:1] == "V":
        return sentence.child(token, "xcomp", "ccomp", "acomp", "oprd") is None and sentence.child(token, "prt") is None
    if token.tag == "VBN" and token.dep not in {"amod", "acomp"}:
        # "is known as", "was used by": a passive with its agent or complement is not an adjective
        bound = any(p.lower in BOUND for p in sentence.children(token, "prep"))
        return not bound and sentence.child(token, "agent", "dobj", "xcomp", "oprd", "ccomp") is None
    previous = sentence.before(token)
    if previous is not None and (previous.lower, token.lower) in SET_PHRASES:
        return False
    if token.tag[:1] == "N" and (token.dep == "compound" or sentence.child(token, "compound") is not None):
        return False
    if token.i > 1 and sentence.tokens[token.i - 2].lower == "next":
        # "next to impossible"
        return False
    if any(a.lower == "well" for a in sentence.children(token, "advmod")):
        return False
    return not _hyphenated(sentence, token)


def _grammatical(sentence: Sentence, token: Token, pair: WordPair) -> bool:
    """Match "including" as a preposition, and a participle joined to others: "fed, washed and walked"."""
    if token.lower in {"including", "excluding"} and token.dep in {"prep", "acl", "advcl"}:
        return True
    joined = token.i > 0 and sentence.child(token, "conj") is not None
    return token.tag == "VBN" and joined and pair.pos == "adj"


def _named(sentence: Sentence, token: Token) -> bool:
    """Match a capital inside the sentence ("the New Yorker", "Free Willy"), except on the verb of a headline."""
    following = sentence.after(token)
    title = following is not None and following.tag == "NNP" and following.dep != "nsubj"
    return token.text[:1].isupper() and (token.i > 0 or title) and token.tag[:1] in "JN"


def _hyphenated(sentence: Sentence, token: Token) -> bool:
    text = sentence.text
    return text[token.end : token.end + 1] == "-" or text[token.start - 1 : token.start] == "-"
