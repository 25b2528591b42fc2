"""Every kind of rewrite by name, and the task that runs it."""

from __future__ import annotations

from litotes.detection import Clause, NoClause
from litotes.detection.reliability import UNRELIABLE
from litotes.errors import InputError
from litotes.parse import Sentence
from litotes.rewrite.absolute import absolute
from litotes.rewrite.affirmative import affirm, affirm_clause
from litotes.rewrite.affixal import affixal
from litotes.rewrite.draft import Decline, Draft, Options
from litotes.rewrite.engine import Rules, Task
from litotes.rewrite.exceptor import exceptor, exceptor_cues
from litotes.rewrite.fragments import clinical_denial, fragment
from litotes.rewrite.frames import aside, opening
from litotes.rewrite.hedging import hedge, hedge_cues
from litotes.rewrite.lexical import lexical
from litotes.rewrite.natural import natural
from litotes.rewrite.paraphrasing import PARAPHRASES
from litotes.rewrite.quantified import contradiction, contrary, subcontrary
from litotes.rewrite.set_phrases import apply_set_phrase, find_set_phrase
from litotes.rewrite.verbal import verbal


def _or_affirm(rules: Rules) -> Rules:
    """Affirm a clause that is already negative instead of negating it twice. Set phrases go by their table."""

    def either(sentence: Sentence, clause: Clause | NoClause, options: Options) -> Draft | Decline:
        if isinstance(clause, Clause) and clause.negative:
            return _set_phrase(sentence, clause, "affirm", options, rules) or affirm_clause(clause, options)
        phrase = _set_phrase(sentence, clause, "negate", options, rules)
        denial = clinical_denial(clause) if isinstance(clause, Clause) else None
        return phrase or denial or rules(sentence, clause, options)

    return either


def _if_positive(rules: Rules) -> Rules:
    """Decline to exchange a word under a negation: that would deny twice, or not at all."""

    def only(sentence: Sentence, clause: Clause | NoClause, options: Options) -> Draft | Decline:
        if isinstance(clause, Clause) and clause.negative:
            return Decline("the clause is already negative; affirm it, or negate it with the kind verbal or absolute")
        if isinstance(clause, NoClause) and clause.reason in UNRELIABLE:
            return Decline(clause.reason)
        match = find_set_phrase(sentence, clause, "negate")
        if match is not None and match.row.action != "complement":
            return Decline(f"“{match.row.phrase.strip('^ ')}” is a set phrase")
        return rules(sentence, clause, options)

    return only


def _unless_set_phrase(rules: Rules) -> Rules:
    """Decline to change the quantifier of a set phrase: "None of us regret to inform you …"."""

    def only(sentence: Sentence, clause: Clause | NoClause, options: Options) -> Draft | Decline:
        match = find_set_phrase(sentence, clause, "negate") if isinstance(clause, Clause) else None
        if match is not None and sentence.tokens[match.first].lower != "no":
            return Decline(f"“{match.row.phrase.strip('^ ')}” is a set phrase")
        return rules(sentence, clause, options)

    return only


def _set_phrase(
    sentence: Sentence, clause: Clause | NoClause, operation: str, options: Options, rules: Rules
) -> Draft | Decline | None:
    def negate(inner: Clause, inner_options: Options) -> Draft | Decline:
        return affirm_clause(inner, inner_options) if inner.negative else rules(sentence, inner, inner_options)

    return apply_set_phrase(sentence, clause, operation, options, negate)


def _verbal(sentence: Sentence, clause: Clause | NoClause, options: Options) -> Draft | Decline:
    """Negate the verb; of a fragment, affirm what is negated or negate its predicate."""
    if isinstance(clause, Clause):
        return verbal(clause, options)
    if clause.reason in UNRELIABLE:
        return Decline(clause.reason)
    negated = affirm(sentence, clause, options)
    if isinstance(negated, Draft) and negated.rule in AFFIRMED_FRAGMENTS:
        return negated
    return fragment(sentence, clause)


AFFIRMED_FRAGMENTS = frozenset({"not", "no", "with-no", "fragment-no", "fragment-not", "no-word"})


def _affirm(sentence: Sentence, clause: Clause | NoClause, options: Options) -> Draft | Decline:
    phrase = _set_phrase(sentence, clause, "affirm", options, affirm)
    denial = clinical_denial(clause) if isinstance(clause, Clause) else None
    return phrase or denial or affirm(sentence, clause, options)


def _any_paraphrase(sentence: Sentence, clause: Clause | NoClause, options: Options) -> Draft | Decline:
    """Return the first paraphrase that works: another cue before another order before another word."""
    for rules in PARAPHRASES.values():
        answer = rules(sentence, clause, options)
        if isinstance(answer, Draft):
            return answer
    return Decline("no paraphrase rule fits")


NEGATIONS: dict[str, Rules] = {
    "verbal": _or_affirm(_verbal),
    "absolute": _or_affirm(absolute),
    "affixal": _if_positive(affixal),
    "lexical": _if_positive(lexical),
    "exceptor": _unless_set_phrase(exceptor),
    "contradiction": _unless_set_phrase(contradiction),
    "contrary": _unless_set_phrase(contrary),
    "subcontrary": _unless_set_phrase(subcontrary),
}
CHOOSING = frozenset({"natural", "any"})
"""The kinds that choose among the others of their operation."""
KINDS: dict[str, dict[str, Rules]] = {
    "negate": {"natural": natural(NEGATIONS), **NEGATIONS},
    "affirm": {"affirm": _affirm},
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
        if kind not in CHOOSING
    ]
