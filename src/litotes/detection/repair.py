"""What repairs of a parse share: the changed tokens, and the words that several repairs ask for."""

from __future__ import annotations

from litotes.lexicon.morphology import inflect, known, lemma
from litotes.parse import Sentence, Token

SUBJECT = ("nsubj", "nsubjpass", "expl", "csubj", "csubjpass")
AUXILIARY = frozenset({"aux", "auxpass"})
BE = frozenset({"is", "are", "was", "were", "am"})
FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})


class Repair:
    """The tokens of a sentence while tags and arcs are changed."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self.tokens = list(sentence.tokens)

    def set(self, token: Token, *, tag: str = "", dep: str = "", head: int = -1) -> None:
        now = self.tokens[token.i]
        self.tokens[token.i] = now._replace(
            tag=tag or now.tag, dep=dep or now.dep, head=head if head >= 0 else now.head
        )

    def root(self, token: Token, old: str) -> None:
        """Make a token the root. The old root depends on it as `old`, and gives it its closing punctuation."""
        before = self.sentence.root
        for child in self.sentence.children(before, "punct"):
            if child.i > token.i:
                self.set(child, head=token.i)
        self.set(before, dep=old, head=token.i)
        self.set(token, dep="ROOT", head=token.i)

    def result(self) -> Sentence:
        return Sentence(self.sentence.text, tuple(self.tokens))


def third_person(token: Token) -> bool:
    """Return whether a plural noun has the form of a verb: bans, warrants, cuts."""
    return known(token.lower, "V") and inflect(lemma(token.lower, "V"), "VBZ") == token.lower
