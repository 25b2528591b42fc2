"""Every kind of rewrite by name, and the task that runs it."""

from __future__ import annotations

from litotes.detection import Clause, NoClause
from litotes.errors import InputError
from litotes.parse import Sentence
from litotes.rewrite.absolute import absolute
from litotes.rewrite.affirmative import affirm, affirm_clause
from litotes.rewrite.affixal import affixal
from litotes.rewrite.draft import Decline, Draft, Options
from litotes.rewrite.engine import Rules, Task
from litotes.rewrite.exceptor import exceptor, exceptor_cues
from litotes.rewrite.frames import aside, opening
from litotes.rewrite.hedging import hedge, hedge_cues
from litotes.rewrite.lexical import lexical
from litotes.rewrite.paraphrasing import PARAPHRASES
from litotes.rewrite.quantified import contradiction, contrary, subcontrary
from litotes.rewrite.verbal import verbal


def _or_affirm(rules: Rules) -> Rules:
    """Affirm a clause that is already negative instead of negating it twice."""

    def either(sentence: Sentence, clause: Clause | NoClause, options: Options) -> Draft | Decline:
        if isinstance(clause, Clause) and clause.negative:
            return affirm_clause(clause, options)
        return rules(sentence, clause, options)

    return either


def _if_positive(rules: Rules) -> Rules:
    """Decline to exchange a word under a negation: that would deny twice, or not at all."""

    def only(sentence: Sentence, clause: Clause | NoClause, options: Options) -> Draft | Decline:
        if isinstance(clause, Clause) and clause.negative:
            return Decline("the clause is already negative; affirm it, or negate it with the kind verbal or absolute")
        return rules(sentence, clause, options)

    return only


def _any_paraphrase(sentence: Sentence, clause: Clause | NoClause, options: Options) -> Draft | Decline:
    """Return the first paraphrase that works: another cue before another order before another word."""
    for rules in PARAPHRASES.values():
        answer = rules(sentence, clause, options)
        if isinstance(answer, Draft):
            return answer
    return Decline("no paraphrase rule fits")


KINDS: dict[str, dict[str, Rules]] = {
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
    """Return the task that performs `operation` in the way called `kind`."""
    kinds = KINDS.get(operation)
    if kinds is None:
        raise InputError(f"there is no operation {operation!r}; expected one of {', '.join(KINDS)}")
    if kind not in kinds:
        raise InputError(f"{operation} has no kind {kind!r}; expected one of {', '.join(kinds)}")
    options = options or Options()
    if options.cue:
        _check_cue(operation, kind, options.cue)
    return Task(operation, kind, kinds[kind], options)


def _check_cue(operation: str, kind: str, cue: str) -> None:
    """Raise InputError for a cue that is unknown or of another kind."""
    if operation == "hedge":
        entry = hedge_cues().get(cue)
        if entry is None:
            raise InputError(f"{cue!r} is not a hedge cue; see litotes/lexicon/hedges.tsv for all {len(hedge_cues())}")
        if entry.size != kind:
            raise InputError(f"{cue!r} is a {entry.size}; ask for kind={entry.size!r}")
    elif kind not in {"exceptor", "aside", "opening"}:
        raise InputError(f"the kind {kind!r} takes no cue; only hedges and exceptors do")
    elif kind == "exceptor" and cue not in exceptor_cues():
        raise InputError(f"{cue!r} is not an exceptor; expected one of {', '.join(exceptor_cues())}")


def all_tasks(options: Options | None = None) -> list[Task]:
    """Return one task for each kind of negation, hedge and paraphrase."""
    return [
        task(operation, kind, options)
        for operation in ("negate", "hedge", "paraphrase")
        for kind in KINDS[operation]
        if kind != "any"
    ]
