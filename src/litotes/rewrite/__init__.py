"""A sentence goes in; its negations, affirmation, hedges and paraphrases come out, or the reason why not."""

from __future__ import annotations

from litotes.parse import parser as load_parser
from litotes.rewrite.draft import Options
from litotes.rewrite.engine import Task, View, apply, pipe, view
from litotes.rewrite.kinds import RULES, all_tasks, task
from litotes.rewrite.verify import clauses_of, structure_failure
from litotes.types import Rewrite

__all__ = [
    "RULES",
    "Options",
    "Task",
    "View",
    "affirm",
    "all_tasks",
    "apply",
    "clauses_of",
    "hedge",
    "negate",
    "paraphrase",
    "pipe",
    "rewrites",
    "structure_failure",
    "task",
    "view",
]


def negate(
    text: str,
    kind: str = "verbal",
    *,
    cue: str = "",
    sentence: int | str = "first",
    contractions: bool = True,
    verify: bool = False,
    parser: str = "",
) -> Rewrite:
    """Negate a text: verbal, absolute, affixal, lexical, exceptor, contradiction, contrary or subcontrary.

    A clause that is already negative is affirmed instead. `cue` chooses the exceptor.
    """
    options = Options(contractions=contractions, cue=cue)
    return _single(text, task("negate", kind, options), sentence=sentence, verify=verify, parser=parser)


def affirm(text: str, *, sentence: int | str = "first", verify: bool = False, parser: str = "") -> Rewrite:
    """Take the negation out of a text: the main clause's first, else the first one anywhere."""
    return _single(text, task("affirm", "affirm"), sentence=sentence, verify=verify, parser=parser)


def hedge(
    text: str,
    kind: str = "word",
    *,
    cue: str = "",
    seed: int = 0,
    sentence: int | str = "first",
    verify: bool = False,
    parser: str = "",
) -> Rewrite:
    """Lower a claim's certainty with a word or a phrase: the given cue, or one drawn by seed and sentence."""
    options = Options(cue=cue, seed=seed)
    return _single(text, task("hedge", kind, options), sentence=sentence, verify=verify, parser=parser)


def paraphrase(
    text: str,
    kind: str = "any",
    *,
    sentence: int | str = "first",
    contractions: bool = True,
    verify: bool = False,
    parser: str = "",
) -> Rewrite:
    """Say the same in another form: equivalent, voice, fronting, cleft, synonym, contraction, or any of them."""
    options = Options(contractions=contractions)
    return _single(text, task("paraphrase", kind, options), sentence=sentence, verify=verify, parser=parser)


def rewrites(
    text: str,
    *,
    seed: int = 0,
    sentence: int | str = "first",
    contractions: bool = True,
    verify: bool = False,
    parser: str = "",
) -> list[Rewrite]:
    """Every kind of negation, hedge and paraphrase of a text, each as a result or a reason."""
    tasks = all_tasks(Options(contractions=contractions, seed=seed))
    return next(pipe([text], tasks, sentence=sentence, verify=verify, reader=load_parser(parser)))


def _single(text: str, one: Task, *, sentence: int | str, verify: bool, parser: str) -> Rewrite:
    return next(pipe([text], [one], sentence=sentence, verify=verify, reader=load_parser(parser)))[0]
