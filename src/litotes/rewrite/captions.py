"""Verbless captions, denied by an existential: A dog on a red sofa. → There is no dog on a red sofa."""

from __future__ import annotations

from litotes.parse import Sentence, Token
from litotes.rewrite.draft import Decline, Draft, Options
from litotes.rewrite.letters import capitalised, lowered


def _hidden_verb(sentence: Sentence) -> bool:
    """A finite verb outside relative and adverbial clauses: the parser missed the main clause."""
    return any(
        t.tag in {"VBZ", "VBD", "VBP", "MD"} and t.dep not in {"relcl", "advcl", "ccomp", "aux", "auxpass", "conj"}
        for t in sentence.tokens
    )


def caption(sentence: Sentence, options: Options) -> Draft | Decline:
    # A dog on a red sofa. → There is no dog on a red sofa.
    root = sentence.root
    if _hidden_verb(sentence):
        return Decline("the main clause could not be read")
    if root.tag not in {"NN", "NNS", "NNP"} and not (root.tag == "VBG" and sentence.child(root, "nsubj") is not None):
        return Decline("neither a clause nor a noun phrase to deny")
    noun = root if root.tag[:1] == "N" else sentence.child(root, "nsubj")
    following = sentence.after(noun) if noun is not None else None
    if noun is None or (following is not None and following.lower == ":"):
        return Decline("neither a clause nor a noun phrase to deny")
    first = sentence.left(noun)
    if first.i != 0 or (noun.tag == "NNP" and first.i == noun.i):
        return Decline("neither a clause nor a plain noun phrase to deny")
    if (
        (first.tag == "JJ" and first.lower == "several")
        or first.tag == "CD"
        or first.lower in {"a", "an", "some", "many", "two"}
    ):
        end = first
        following = sentence.after(first)
        if first.lower == "a" and following is not None and following.lower in {"few", "couple", "group", "bunch"}:
            after = sentence.after(following)
            if following.lower in {"few"} or (
                after is not None and after.lower == "of" and following.lower == "couple"
            ):
                end = after if following.lower == "couple" and after is not None else following
    elif first.lower in {"another", "any", "no", "what", "the", "this", "that", "these", "those"} or first.tag in {
        "PRP$",
        "PRP",
        "WP",
        "WRB",
        "IN",
        "RB",
        "UH",
    }:
        return Decline("a definite noun phrase is not denied by “no”")
    elif noun.tag in {"NNS", "NN"}:
        end = None
    else:
        return Decline("neither a clause nor a plain noun phrase to deny")
    plural = noun.tag in {"NNS", "NNPS"} or noun.lower == "people"
    if end is not None and end.lower == "of":
        plural = True
    there = f"{'There' if capitalised(first) else 'there'} {'are' if plural else 'is'} no"
    draft = Draft(sentence, "caption", "no")
    if end is None:
        draft.pieces.append((first.start, first.end, f"{there} {lowered(sentence, first)}"))
    else:
        draft.replace(first, there, until=end)
    return _join_caption(draft, sentence, noun)


def _join_caption(draft: Draft, sentence: Sentence, noun: Token) -> Draft | Decline:
    """no dog and a cat → no dog or cat"""
    conjunction, other = sentence.child(noun, "cc"), sentence.child(noun, "conj")
    if conjunction is None or other is None or conjunction.lower != "and" or other.tag[:1] != "N":
        return draft
    if (other.tag == "NNS") != (noun.tag == "NNS") and conjunction.i == noun.i + 1:
        return Decline("the two nouns differ in number, so one “no” cannot hold both")
    draft.replace(conjunction, "or")
    determiner = sentence.left(other)
    if (
        conjunction.i == noun.i + 1
        and determiner.lower in {"a", "an", "some"}
        and determiner.i > conjunction.i
        and determiner.i < other.i
    ):
        draft.delete(determiner)
    return draft
