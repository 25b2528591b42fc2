"""Negate captions without a verb by an existential: A dog on a red sofa. → There is no dog on a red sofa."""

from __future__ import annotations

from litotes.lexicon.morphology import inflect, known, lemma
from litotes.parse import Sentence, Token
from litotes.rewrite.draft import Decline, Draft, Options
from litotes.rewrite.letters import capitalised, in_title_case, lowered

FINITE = frozenset({"VBZ", "VBD", "VBP", "MD"})
SUBORDINATE = frozenset({"relcl", "advcl", "ccomp", "aux", "auxpass", "conj"})
INDEFINITE = frozenset({"a", "an", "some", "many", "several"})
DEFINITE = frozenset({"another", "any", "no", "what", "the", "this", "that", "these", "those"})
DEFINITE_TAGS = frozenset({"PRP$", "PRP", "WP", "WRB", "IN", "RB", "UH"})
PRONOUNS = {"someone": "no one", "somebody": "nobody", "something": "nothing"}
UNREADABLE = "the main clause could not be read"
NOTHING_TO_DENY = "there is neither a clause nor a plain noun phrase to deny"


def caption(sentence: Sentence, options: Options) -> Draft | Decline:
    # A dog on a red sofa. → There is no dog on a red sofa.
    noun = _head(sentence)
    if isinstance(noun, Decline):
        return noun
    first = sentence.left(noun)
    if first.i != 0 or (noun.tag == "NNP" and first.i == noun.i):
        return Decline(NOTHING_TO_DENY)
    owner = sentence.child(noun, "poss")
    waving = sentence.child(noun, "compound")
    if waving is not None and waving.tag == "NNS" and waving.i == 0:
        # "Fans cheer as …", with the verb read as a noun
        return Decline(UNREADABLE)
    if first.lower in DEFINITE or first.tag in DEFINITE_TAGS or (owner is not None and owner.i == 0):
        return Decline("a definite noun phrase is not denied by “no”")
    end = _determiner_end(sentence, first)
    if in_title_case(sentence):
        return Decline("a title is not denied by “no”")
    if end is None and noun.tag == "NN" and first.tag in {"JJ", "JJR", "JJS"}:
        # "Great little lamp for the price"
        return Decline("a remark without an article is not denied by “no”")
    if end is None and noun.tag not in {"NN", "NNS"}:
        return Decline(NOTHING_TO_DENY)
    plural = noun.tag in {"NNS", "NNPS"} or noun.lower == "people" or (end is not None and end.lower == "of")
    if first.lower in PRONOUNS:
        return Draft(sentence, "caption", "no").replace(first, f"{_there(first)} is {PRONOUNS[first.lower]}")
    there = f"{_there(first)} {'are' if plural else 'is'} no"
    draft = Draft(sentence, "caption", "no")
    if end is None:
        draft.replace(first, f"{there} {lowered(sentence, first)}")
    else:
        draft.replace(first, there, until=end)
    return _join(draft, sentence, noun)


def _there(first: Token) -> str:
    return "There" if capitalised(first) else "there"


def _head(sentence: Sentence) -> Token | Decline:
    """Return the noun that the caption is about."""
    hidden = any(t.tag in FINITE and t.dep not in SUBORDINATE for t in sentence.tokens)
    root = sentence.root
    noun = root if root.tag in {"NN", "NNS", "NNP"} else sentence.child(root, "nsubj") if root.tag == "VBG" else None
    if sentence.tokens[0].text[0].isdigit() and not sentence.tokens[0].text.isalpha():
        following = sentence.after(sentence.tokens[0])
        if following is not None and following.tag in {":", "HYPH"}:
            return Decline(NOTHING_TO_DENY)
    if hidden or noun is None:
        return Decline(UNREADABLE if hidden else NOTHING_TO_DENY)
    following, first = sentence.after(noun), sentence.left(noun)
    previous = sentence.before(noun)
    if first.tag == "VBN" and first.i == 0 and noun.tag == "NN":
        # "Discharged home", "Tolerated procedure": a note without its verb
        return Decline(UNREADABLE)
    bare = first.tag in {"VBG", "VBN", "NN"} and sentence.tokens[0].tag != "DT"
    if bare and (first.tag == "VBG" or (noun.tag == "NN" and any(t.lower == "," for t in sentence.tokens))):
        # "Tolerating fluids", "Pt stable, discharged home": a note, not a picture
        return Decline(UNREADABLE)
    if previous is not None and previous.i == 0 and previous.tag in {"NN", "NNP"} and _third_person(noun):
        # "Mayor rejects plan": a headline
        return Decline(UNREADABLE)
    if following is not None and (following.lower == ":" or following.tag in {"DT", "PDT", "PRP"}):
        return Decline(UNREADABLE)
    if following is not None and following.tag == "JJ" and following.i != noun.i and noun.tag == "NNS":
        # "Lungs clear to auscultation", "Pupils equal": a note without its verb
        return Decline(UNREADABLE)
    if first.lower == "some" and following is not None and following.lower == "that":
        # "Some claim that …"
        return Decline(UNREADABLE)
    if first.lower in {"most", "few"}:
        # "Most users like it", with "like" read as a preposition
        return Decline(UNREADABLE)
    if first.tag == "CC" or (first.lower in {"a", "an"} and noun.tag == "NNS" and first.head == noun.i):
        return Decline(UNREADABLE)
    return noun


def _third_person(noun: Token) -> bool:
    return noun.tag == "NNS" and inflect(lemma(noun.lower, "V"), "VBZ") == noun.lower and known(noun.lower, "V")


def _determiner_end(sentence: Sentence, first: Token) -> Token | None:
    """Return the last token of the determiner that "no" replaces ("a", "two", "a couple of"), if there is one."""
    if first.lower not in INDEFINITE and first.tag != "CD":
        return None
    following = sentence.after(first)
    if first.lower == "a" and following is not None and following.lower == "few":
        return following
    after = sentence.after(following) if following is not None else None
    words = [t.lower for t in (following, after) if t is not None]
    if first.lower == "a" and words == ["couple", "of"]:
        return after
    return first


def _join(draft: Draft, sentence: Sentence, noun: Token) -> Draft | Decline:
    """Join two nouns under one "no": "no dog and a cat" → "no dog or cat"."""
    conjunction, other = sentence.child(noun, "cc"), sentence.child(noun, "conj")
    if conjunction is None or other is None or conjunction.lower != "and" or other.tag[:1] != "N":
        return draft
    adjacent = conjunction.i == noun.i + 1
    if adjacent and (other.tag == "NNS") != (noun.tag == "NNS"):
        return Decline("the two nouns differ in number, so one “no” does not fit both")
    draft.replace(conjunction, "or")
    determiner = sentence.left(other)
    if adjacent and determiner.lower in {"a", "an", "some"} and conjunction.i < determiner.i < other.i:
        draft.delete(determiner)
    return draft
