"""Every way of rewriting by name, and the task that runs it."""

from __future__ import annotations

from litotes.detection import Clause, Fragment
from litotes.errors import InputError
from litotes.parse import Sentence
from litotes.rewrite.absolute import absolute
from litotes.rewrite.affirmative import affirm, affirm_clause
from litotes.rewrite.affixal import affixal
from litotes.rewrite.draft import Decline, Draft, Options
from litotes.rewrite.engine import Rules, Task
from litotes.rewrite.exceptor import exceptor, exceptor_cues
from litotes.rewrite.frames import aside, opening
from litotes.rewrite.hedging import hedge, hedges
from litotes.rewrite.lexical import lexical
from litotes.rewrite.paraphrasing import PARAPHRASES
from litotes.rewrite.quantified import contradiction, contrary, subcontrary
from litotes.rewrite.verbal import verbal


def _or_affirm(rules: Rules) -> Rules:
    """An already negative clause is affirmed, never negated twice."""

    def either(sentence: Sentence, clause: Clause | Fragment, options: Options) -> Draft | Decline:
        if isinstance(clause, Clause) and clause.negative:
            return affirm_clause(clause, options)
        return rules(sentence, clause, options)

    return either


def _if_positive(rules: Rules) -> Rules:
    """A word is not turned under a negation: that would deny twice, or not at all."""

    def only(sentence: Sentence, clause: Clause | Fragment, options: Options) -> Draft | Decline:
        if isinstance(clause, Clause) and clause.negative:
            return Decline("the clause is already negative; affirm it, or negate it with the kind verbal or absolute")
        return rules(sentence, clause, options)

    return only


def _any_paraphrase(sentence: Sentence, clause: Clause | Fragment, options: Options) -> Draft | Decline:
    """The first way that works: a change of cue before a change of order before a change of word."""
    for rules in PARAPHRASES.values():
        answer = rules(sentence, clause, options)
        if isinstance(answer, Draft):
            return answer
    return Decline("no paraphrase rule fits")


RULES: dict[str, dict[str, Rules]] = {
    "negate": {
        "verbal": _or_affirm(lambda sentence, clause, options: verbal(clause, options)),
        "absolute": _or_affirm(absolute),
        "affixal": _if_positive(affixal),
        "lexical": _if_positive(lexical),
        "exceptor": exceptor,
        "contradiction": contradiction,
        "contrary": contrary,
        "subcontrary": subcontrary,
    },
    "affirm": {"affirm": affirm},
    "hedge": {"word": hedge("word"), "phrase": hedge("phrase")},
    "paraphrase": {"any": _any_paraphrase, **PARAPHRASES},
    "frame": {"aside": aside, "opening": opening},
}


def task(operation: str, kind: str, options: Options | None = None) -> Task:
    """The task that does `operation` in the way called `kind`."""
    kinds = RULES.get(operation)
    if kinds is None:
        raise InputError(f"there is no operation {operation!r}; expected one of {', '.join(RULES)}")
    if kind not in kinds:
        raise InputError(f"{operation} has no kind {kind!r}; expected one of {', '.join(kinds)}")
    options = options or Options()
    if options.cue:
        _refuse_cue(operation, kind, options.cue)
    return Task(operation, kind, kinds[kind], options)


def _refuse_cue(operation: str, kind: str, cue: str) -> None:
    """A cue that is not one, or not of this kind, is the caller's mistake."""
    if operation == "hedge":
        found = hedges().get(cue)
        if found is None:
            raise InputError(f"{cue!r} is not a hedge cue; see litotes/lexicon/hedges.tsv for all {len(hedges())}")
        if found.size != kind:
            raise InputError(f"{cue!r} is a {found.size}; ask for kind={found.size!r}")
    elif kind not in {"exceptor", "aside", "opening"}:
        raise InputError(f"the kind {kind!r} takes no cue; only hedges and exceptors do")
    elif kind == "exceptor" and cue not in exceptor_cues():
        raise InputError(f"{cue!r} is not an exceptor; expected one of {', '.join(exceptor_cues())}")


def all_tasks(options: Options | None = None) -> list[Task]:
    """One task for each kind of negation, hedge and paraphrase."""
    return [
        task(operation, kind, options)
        for operation in ("negate", "hedge", "paraphrase")
        for kind in RULES[operation]
        if kind != "any"
    ]
