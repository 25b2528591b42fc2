"""From texts to rewrites: choose the sentence, run the kind's rules, check, and answer with a result or a reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

from rapidfuzz.distance import Levenshtein

from litotes.detection import Clause, Fragment, cues, foreign, main_clause
from litotes.errors import InputError
from litotes.parse import MAX_CHARACTERS, Document, Parser, Sentence, parser
from litotes.rewrite.check import failure
from litotes.rewrite.draft import Decline, Draft, Options, lot
from litotes.rewrite.verify import clauses_of, structure_failure
from litotes.types import Edit, Rewrite, apply_edits

Rules = Callable[[Sentence, Clause | Fragment, Options], Draft | Decline]
BATCH = 256


@dataclass(frozen=True, slots=True)
class Task:
    """One way of rewriting: its names, its rules, its options."""

    operation: str
    kind: str
    rules: Rules
    options: Options


def pipe(
    texts: Iterable[str],
    tasks: Sequence[Task],
    *,
    sentence: int | str = "first",
    verify: bool = False,
    reader: Parser | None = None,
) -> Iterator[list[Rewrite]]:
    """Every task on every text, streaming: one list a text, in order; `verify` parses each rewrite again."""
    reader = reader or parser()
    documents = reader.pipe(texts, batch=BATCH)
    if not verify:
        for document in documents:
            yield run(document, tasks, sentence=sentence)
        return
    while batch := list(islice(documents, BATCH)):
        yield from _verified(batch, [run(d, tasks, sentence=sentence) for d in batch], reader)


def run(document: Document, tasks: Sequence[Task], *, sentence: int | str = "first") -> list[Rewrite]:
    """Every task on one parsed document."""
    views = view(document, sentence=sentence)
    return [apply(views, task) for task in tasks]


@dataclass(frozen=True, slots=True)
class View:
    """A document as the rules see it: the chosen sentences with their clauses, or why there is nothing to see."""

    text: str
    sentences: tuple[tuple[Sentence, Clause | Fragment, str], ...] = ()
    """the sentence, its main clause, and why it is not English or "" """
    reason: str = ""


def view(document: Document, *, sentence: int | str = "first") -> View:
    """Read a document once, for any number of tasks."""
    chosen = _chosen(document, sentence)
    trouble = _unreadable(document) or (chosen if isinstance(chosen, str) else "")
    if trouble or isinstance(chosen, str):
        return View(document.text, reason=trouble)
    return View(document.text, tuple((s, main_clause(s), foreign(s)) for s in chosen))


def _unreadable(document: Document) -> str:
    if len(document.text) > MAX_CHARACTERS:
        return (
            f"the text has {len(document.text):,} characters and the limit is {MAX_CHARACTERS:,}; "
            "rewrite it sentence by sentence"
        )
    return "" if document.sentences else "the text is empty"


def _chosen(document: Document, sentence: int | str) -> list[Sentence] | str:
    if sentence == "each":
        return list(document.sentences)
    if sentence == "first":
        worded = [s for s in document.sentences if any(c.isalpha() for c in s.text[s.start : s.end])]
        return worded[:1] or list(document.sentences[:1])
    if not isinstance(sentence, int) or sentence < 0:
        raise InputError(f"sentence is {sentence!r}; expected “first”, “each” or a number from 0")
    if sentence >= len(document.sentences):
        return f"there is no sentence {sentence}: the text has {len(document.sentences)}"
    return [document.sentences[sentence]]


def apply(views: View, task: Task) -> Rewrite:
    """One task on a document that was read."""
    text = views.text
    if views.reason:
        return Rewrite(text, task.kind, reason=views.reason)
    edits: list[Edit] = []
    drafts: list[Draft] = []
    reason = ""
    for sentence, clause, not_english in views.sentences:
        answer = not_english or _checked(sentence, clause, task)
        if isinstance(answer, str):
            reason = reason or answer
        else:
            drafts.append(answer[0])
            edits += answer[1]
    if not drafts:
        return Rewrite(text, task.kind, reason=reason)
    rewritten = apply_edits(text, tuple(edits))
    distance = Levenshtein.distance(text, rewritten)
    return Rewrite(text, task.kind, rewritten, drafts[0].cue, tuple(edits), distance, drafts[0].rule)


def _checked(sentence: Sentence, clause: Clause | Fragment, task: Task) -> tuple[Draft, tuple[Edit, ...]] | str:
    options = task.options
    if options.vary:
        options = _varied(options, contractions=lot(sentence, options.seed) % 2 == 0)
    draft = task.rules(sentence, clause, options)
    if isinstance(draft, Decline):
        return draft.reason
    edits = draft.edits()
    if edits is None:
        return "two parts of the rewrite collide"
    before = clause.cues if isinstance(clause, Clause) else cues(sentence)
    return failure(draft, edits, before) or (draft, edits)


@lru_cache(maxsize=256)
def _varied(options: Options, *, contractions: bool) -> Options:
    return replace(options, contractions=contractions)


def _verified(documents: list[Document], results: list[list[Rewrite]], reader: Parser) -> list[list[Rewrite]]:
    """The results with those refused whose parse is not the expected one."""
    texts = (r.rewrite for row in results for r in row if r.rewrite is not None)
    parsed = reader.pipe(texts, batch=BATCH)
    verified: list[list[Rewrite]] = []
    for document, row in zip(documents, results, strict=True):
        checked: list[Rewrite] = []
        views = clauses_of(document)
        for result in row:
            trouble = structure_failure(views, result, next(parsed)) if result else ""
            checked.append(Rewrite(result.text, result.kind, reason=trouble) if trouble else result)
        verified.append(checked)
    return verified
