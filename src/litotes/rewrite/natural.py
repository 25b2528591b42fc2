"""Choose the most natural negation that denies a text, and order rewrites by how natural their construction is."""

from __future__ import annotations

from collections.abc import Sequence

from litotes.detection import Clause, NoClause
from litotes.parse import Sentence
from litotes.rewrite.check import checked_edits
from litotes.rewrite.draft import Decline, Draft, Options
from litotes.rewrite.engine import Rules
from litotes.rewrite.subjects import subject_of
from litotes.types import Rewrite

INDEFINITE = frozenset({"a", "an", "some", "several", "someone", "somebody", "something"})
REPLACED = frozenset({"sometimes", "occasionally", "still"})
"""Adverbs that "never" and "no longer" replace better than "not" follows them."""
FALLBACKS = ("verbal", "absolute", "contradiction", "contrary", "lexical", "affixal", "exceptor")

PREFERENCE: tuple[tuple[str, str], ...] = (
    ("verbal", ""),
    ("absolute", "existential pronoun-subject both-subject either-subject joined-subject"),
    ("absolute", "quantified-subject bare-plural caption"),
    ("contradiction", ""),
    ("contrary", ""),
    ("subcontrary", ""),
    ("affixal", ""),
    ("lexical", ""),
    ("absolute", ""),
    ("exceptor", ""),
    ("word", "hedge-adverb hedge-modal hedge-initial"),
    ("phrase", "hedge-adverb hedge-modal hedge-initial"),
    ("word", "hedge-degree hedge-raising"),
    ("word", ""),
    ("phrase", ""),
    ("equivalent", ""),
    ("contraction", ""),
    ("synonym", ""),
    ("voice", ""),
    ("fronting", ""),
    ("cleft", ""),
)
"""Kinds with the rules of their constructions, from the most natural to the least; no rules means all others."""


def natural(kinds: dict[str, Rules]) -> Rules:
    """Return the rules of the kind "natural", which tries the other kinds of negation in order."""

    def rules(sentence: Sentence, clause: Clause | NoClause, options: Options) -> Draft | Decline:
        first = "absolute" if isinstance(clause, Clause) and _prefers_absolute(clause) else "verbal"
        reason: Decline | None = None
        for kind in (first, *FALLBACKS):
            answer = kinds[kind](sentence, clause, options)
            if isinstance(answer, Draft):
                answer.kind = kind
                checked = checked_edits(answer, clause, kind, options)
                if not isinstance(checked, str):
                    return answer
                answer = Decline(checked)
            reason = reason or answer
        return reason or Decline("no kind of negation fits")

    return rules


def _prefers_absolute(clause: Clause) -> bool:
    """Match clauses that "not" would not deny, or not as naturally as "no" or "never"."""
    if clause.negative or clause.mood != "declarative" or clause.existential:
        return False
    if any(a.lower in REPLACED for a in clause.sentence.children(clause.verb, "advmod")):
        # He sometimes smokes. → He never smokes.   She still works. → She no longer works.
        return True
    subject = subject_of(clause)
    if subject is None or subject.first.i > clause.finite.i:
        return False
    # "A man isn't walking" leaves room for another man who is; "A whale isn't a mammal" does not
    event = clause.tense == "VBD" or (clause.verb.tag == "VBG" and clause.operator == "be")
    some = subject.first.lower.startswith("some") or subject.quantifier == "several"
    return some or (event and (subject.quantifier in INDEFINITE or subject.counted))


def by_naturalness(results: Sequence[Rewrite]) -> list[Rewrite]:
    """Order rewrites by their construction. What has no rewrite comes last."""
    return sorted(results, key=_rank)


def _rank(result: Rewrite) -> int:
    if not result:
        return len(PREFERENCE) + 1
    matching = (
        place
        for place, (kind, rules) in enumerate(PREFERENCE)
        if kind == result.kind and (not rules or result.rule in rules.split())
    )
    return next(matching, len(PREFERENCE))
