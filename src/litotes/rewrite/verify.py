"""Verify a rewrite by parsing it: its structure must be the expected one."""

from __future__ import annotations

from collections.abc import Sequence

from litotes.detection import Clause, NoClause, main_clause, mended
from litotes.lexicon.morphology import lemma
from litotes.parse import Document, Sentence
from litotes.types import Rewrite

DO_SUPPORT = frozenset({"do", "does", "did"})
# kinds after which the main clause has the opposite polarity, the same polarity, or either
TURNING = frozenset({"verbal", "absolute"})
KEEPING = frozenset({"affixal", "lexical", "word", "voice", "fronting", "contraction", "synonym", "cleft"})
# rules that put the old clause under a new main verb
FRAMING = frozenset({"hedge-frame", "cleft"})


def clauses_of(document: Document) -> list[tuple[Sentence, Clause | NoClause]]:
    """Return each sentence with its main clause, which rewrites of the document are compared with."""
    return [(mended(sentence), main_clause(sentence)) for sentence in document.sentences]


def structure_failure(source: Sequence[tuple[Sentence, Clause | NoClause]], rewrite: Rewrite, result: Document) -> str:
    """Return why the parsed rewrite does not have the structure that its kind should have, or ""."""
    if len(result.sentences) != len(source):
        return "the rewrite has another number of sentences"
    for (old, clause), new in zip(source, result.sentences, strict=True):
        if old.text[old.start : old.end] == new.text[new.start : new.end]:
            continue
        reason = _sentence_failure(clause, new, rewrite)
        if reason:
            return reason
    return ""


def _sentence_failure(before: Clause | NoClause, new: Sentence, rewrite: Rewrite) -> str:
    if isinstance(before, NoClause) or rewrite.rule == "aside":
        # the words of an aside come from the table, and the clause after them is unchanged
        return ""
    after = main_clause(new)
    if isinstance(after, NoClause):
        return f"the rewrite does not parse as a clause: {after.reason}"
    return _polarity_failure(before, after, rewrite) or _form_failure(after) or _verb_failure(before, after, rewrite)


def _polarity_failure(before: Clause, after: Clause, rewrite: Rewrite) -> str:
    if rewrite.kind in TURNING and before.negative == after.negative:
        return "the polarity of the main clause does not change in the parsed rewrite"
    if rewrite.kind in KEEPING and rewrite.rule not in FRAMING and before.negative != after.negative:
        return "the polarity of the main clause changes in the parsed rewrite"
    return ""


def _form_failure(clause: Clause) -> str:
    """Reject "did not goes": after "do", the verb has its base form."""
    supported = clause.finite.lower in DO_SUPPORT and clause.finite.i != clause.verb.i
    if supported and lemma(clause.verb.lower, clause.verb.tag) != clause.verb.lower and clause.verb.tag[:1] == "V":
        return f"“{clause.finite.text} … {clause.verb.text}” is not a verb form"
    return ""


def _verb_failure(before: Clause, after: Clause, rewrite: Rewrite) -> str:
    """Require that the main verb is the old one, or one that the edits inserted."""
    old, new = lemma(before.verb.lower, "V"), lemma(after.verb.lower, "V")
    brought = {lemma(word, "V") for edit in rewrite.edits for word in edit.new.lower().split()}
    if old == new or new in brought or rewrite.rule in FRAMING:
        return ""
    return f"the main verb would be “{after.verb.text}”, not “{before.verb.text}”"
