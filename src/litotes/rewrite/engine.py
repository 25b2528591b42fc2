"""Turn texts into rewrites: choose the sentence, run the rules of the kind, check the draft, return it or a reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

from rapidfuzz.distance import Levenshtein

from litotes.detection import Clause, NoClause, main_clause, mended, non_english_reason
from litotes.errors import InputError
from litotes.parse import MAX_CHARACTERS, Document, Parser, Sentence, load_parser
from litotes.rewrite.check import checked_edits
from litotes.rewrite.draft import Decline, Draft, Options, stable_draw
from litotes.rewrite.verify import clauses_of, structure_failure
from litotes.types import Edit, Rewrite, apply_edits

Rules = Callable[[Sentence, Clause | NoClause, Options], Draft | Decline]
BATCH = 256


@dataclass(frozen=True, slots=True)
class Task:
    """A way of rewriting: its operation and kind, its rules and its options."""

    operation: str
    kind: str
    rules: Rules
    options: Options


def rewrite_texts(
    texts: Iterable[str],
    tasks: Sequence[Task],
    *,
    sentence: int | str = "first",
    verify: bool = False,
    parser: Parser | str = "",
) -> Iterator[list[Rewrite]]:
    """Run every task on every text: one list per text, in order, as a stream. `verify` parses each rewrite again."""
    loaded = load_parser(parser)
    documents = loaded.pipe(texts, batch=BATCH)
    if not verify:
        for document in documents:
            yield rewrite_document(document, tasks, sentence=sentence)
        return
    while batch := list(islice(documents, BATCH)):
        yield from _verified(batch, [rewrite_document(d, tasks, sentence=sentence) for d in batch], loaded)


def rewrite_document(document: Document, tasks: Sequence[Task], *, sentence: int | str = "first") -> list[Rewrite]:
    """Run every task on a parsed document."""
    prepared = prepare(document, sentence=sentence)
    return [apply_task(prepared, task) for task in tasks]


@dataclass(frozen=True, slots=True)
class RewriteInput:
    """A document as the rules see it: the chosen sentences with their clauses, or the reason why there are none."""

    text: str
    sentences: tuple[tuple[Sentence, Clause | NoClause, str], ...] = ()
    """each sentence, its main clause, and why it is not English, or "" """
    reason: str = ""


def prepare(document: Document, *, sentence: int | str = "first") -> RewriteInput:
    """Find the clauses of a document once, for any number of tasks."""
    chosen = _chosen(document, sentence)
    reason = _unreadable(document) or (chosen if isinstance(chosen, str) else "")
    if reason or isinstance(chosen, str):
        return RewriteInput(document.text, reason=reason)
    return RewriteInput(document.text, tuple((mended(s), main_clause(s), non_english_reason(s)) for s in chosen))


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


def apply_task(prepared: RewriteInput, task: Task) -> Rewrite:
    """Run one task on a prepared document."""
    text = prepared.text
    if prepared.reason:
        return Rewrite(text, task.kind, reason=prepared.reason)
    edits: list[Edit] = []
    drafts: list[Draft] = []
    reason = ""
    for sentence, clause, not_english in prepared.sentences:
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
    kind = drafts[0].kind or task.kind
    return Rewrite(text, kind, rewritten, drafts[0].cue, tuple(edits), distance, drafts[0].rule)


def _checked(sentence: Sentence, clause: Clause | NoClause, task: Task) -> tuple[Draft, tuple[Edit, ...]] | str:
    options = task.options
    if options.vary:
        options = _varied(options, contractions=stable_draw(sentence, options.seed) % 2 == 0)
    draft = task.rules(sentence, clause, options)
    if isinstance(draft, Decline):
        return draft.reason
    edits = checked_edits(draft, clause, draft.kind or task.kind, options)
    return edits if isinstance(edits, str) else (draft, edits)


@lru_cache(maxsize=256)
def _varied(options: Options, *, contractions: bool) -> Options:
    return replace(options, contractions=contractions)


def _verified(documents: list[Document], results: list[list[Rewrite]], parser: Parser) -> list[list[Rewrite]]:
    """Parse each rewrite and turn those of unexpected structure into reasons."""
    texts = (r.rewrite for row in results for r in row if r.rewrite is not None)
    parsed = parser.pipe(texts, batch=BATCH)
    verified: list[list[Rewrite]] = []
    for document, row in zip(documents, results, strict=True):
        checked: list[Rewrite] = []
        clauses = clauses_of(document)
        for result in row:
            reason = structure_failure(clauses, result, next(parsed)) if result else ""
            checked.append(Rewrite(result.text, result.kind, reason=reason) if reason else result)
        verified.append(checked)
    return verified
