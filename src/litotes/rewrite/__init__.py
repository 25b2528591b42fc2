"""Rewrite a text: negate, affirm, hedge or paraphrase it. Each result is a rewrite or the reason why there is none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from litotes.parse import Parser
from litotes.rewrite.draft import Options
from litotes.rewrite.engine import RewriteInput, Task, apply_task, prepare, rewrite_texts
from litotes.rewrite.kinds import KINDS, all_tasks, task
from litotes.rewrite.natural import by_naturalness
from litotes.rewrite.verify import clauses_of, structure_failure
from litotes.types import Rewrite

__all__ = [
    "KINDS",
    "Options",
    "RewriteInput",
    "Task",
    "affirm",
    "affirm_all",
    "all_tasks",
    "apply_task",
    "clauses_of",
    "hedge",
    "hedge_all",
    "negate",
    "negate_all",
    "paraphrase",
    "paraphrase_all",
    "prepare",
    "rewrite_texts",
    "rewrites",
    "rewrites_all",
    "structure_failure",
    "task",
]


def negate(
    text: str,
    kind: str = "natural",
    *,
    cue: str = "",
    sentence: int | str = "first",
    contractions: bool = True,
    verify: bool = False,
    parser: Parser | str = "",
) -> Rewrite:
    """Negate a text: verbal, absolute, affixal, lexical, exceptor, contradiction, contrary or subcontrary.

    The default kind, "natural", chooses the most natural of these that denies the text; the result has its name.
    A clause that is already negative is affirmed instead. `cue` chooses the exceptor. `sentence` is "first", "each" or
    the number of a sentence, from 0. `verify` parses the rewrite again and refuses one of unexpected structure.
    `parser` is the name of a spaCy pipeline, or a `litotes.parse.Parser`.
    """
    return next(
        negate_all([text], kind, cue=cue, sentence=sentence, contractions=contractions, verify=verify, parser=parser)
    )


def negate_all(
    texts: Iterable[str],
    kind: str = "natural",
    *,
    cue: str = "",
    sentence: int | str = "first",
    contractions: bool = True,
    verify: bool = False,
    parser: Parser | str = "",
) -> Iterator[Rewrite]:
    """Negate many texts: one result per text, in order, as a stream. The options are those of `negate`."""
    chosen = task("negate", kind, Options(contractions=contractions, cue=cue))
    return _one_task(texts, chosen, sentence=sentence, verify=verify, parser=parser)


def affirm(text: str, *, sentence: int | str = "first", verify: bool = False, parser: Parser | str = "") -> Rewrite:
    """Remove the negation of a text: that of the main clause, or else the first one."""
    return next(affirm_all([text], sentence=sentence, verify=verify, parser=parser))


def affirm_all(
    texts: Iterable[str], *, sentence: int | str = "first", verify: bool = False, parser: Parser | str = ""
) -> Iterator[Rewrite]:
    """Affirm many texts: one result per text, in order, as a stream."""
    return _one_task(texts, task("affirm", "affirm"), sentence=sentence, verify=verify, parser=parser)


def hedge(
    text: str,
    kind: str = "word",
    *,
    cue: str = "",
    seed: int = 0,
    sentence: int | str = "first",
    verify: bool = False,
    parser: Parser | str = "",
) -> Rewrite:
    """Lower the certainty of a claim with a word or a phrase: the given cue, or one drawn by seed and sentence."""
    return next(hedge_all([text], kind, cue=cue, seed=seed, sentence=sentence, verify=verify, parser=parser))


def hedge_all(
    texts: Iterable[str],
    kind: str = "word",
    *,
    cue: str = "",
    seed: int = 0,
    sentence: int | str = "first",
    verify: bool = False,
    parser: Parser | str = "",
) -> Iterator[Rewrite]:
    """Hedge many texts: one result per text, in order, as a stream."""
    chosen = task("hedge", kind, Options(cue=cue, seed=seed))
    return _one_task(texts, chosen, sentence=sentence, verify=verify, parser=parser)


def paraphrase(
    text: str,
    kind: str = "any",
    *,
    sentence: int | str = "first",
    contractions: bool = True,
    verify: bool = False,
    parser: Parser | str = "",
) -> Rewrite:
    """Say the same in another form: equivalent, voice, fronting, cleft, synonym, contraction, or any of them."""
    return next(
        paraphrase_all([text], kind, sentence=sentence, contractions=contractions, verify=verify, parser=parser)
    )


def paraphrase_all(
    texts: Iterable[str],
    kind: str = "any",
    *,
    sentence: int | str = "first",
    contractions: bool = True,
    verify: bool = False,
    parser: Parser | str = "",
) -> Iterator[Rewrite]:
    """Paraphrase many texts: one result per text, in order, as a stream."""
    chosen = task("paraphrase", kind, Options(contractions=contractions))
    return _one_task(texts, chosen, sentence=sentence, verify=verify, parser=parser)


def rewrites(
    text: str,
    *,
    seed: int = 0,
    sentence: int | str = "first",
    contractions: bool = True,
    verify: bool = False,
    parser: Parser | str = "",
) -> list[Rewrite]:
    """Return every kind of negation, hedge and paraphrase of a text, each as a rewrite or a reason.

    Negations come first, then hedges, then paraphrases, each from the most natural construction to the least. Kinds
    without a rewrite come last.
    """
    return next(
        rewrites_all([text], seed=seed, sentence=sentence, contractions=contractions, verify=verify, parser=parser)
    )


def rewrites_all(
    texts: Iterable[str],
    *,
    seed: int = 0,
    sentence: int | str = "first",
    contractions: bool = True,
    verify: bool = False,
    parser: Parser | str = "",
) -> Iterator[list[Rewrite]]:
    """Rewrite many texts in every way: one list per text, in order, as a stream."""
    tasks = all_tasks(Options(contractions=contractions, seed=seed))
    for results in rewrite_texts(texts, tasks, sentence=sentence, verify=verify, parser=parser):
        yield by_naturalness(results)


def _one_task(
    texts: Iterable[str], chosen: Task, *, sentence: int | str, verify: bool, parser: Parser | str
) -> Iterator[Rewrite]:
    for (result,) in rewrite_texts(texts, [chosen], sentence=sentence, verify=verify, parser=parser):
        yield result
