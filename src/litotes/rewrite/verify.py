"""The second look: parse the rewrite and ask that its structure is the expected one."""

from __future__ import annotations

from collections.abc import Sequence

from litotes.detection import Clause, Fragment, main_clause
from litotes.lexicon.morphology import lemma
from litotes.parse import Document, Sentence
from litotes.types import Rewrite

DO_SUPPORT = frozenset({"do", "does", "did"})
# Kinds after which the main clause has the other polarity, the same polarity, or either.
TURNING = frozenset({"verbal", "absolute"})
KEEPING = frozenset({"affixal", "lexical", "word", "voice", "fronting", "contraction", "synonym", "cleft"})
# Rules that put the old clause under a new main verb.
FRAMING = frozenset({"hedge-frame", "cleft"})


def clauses_of(document: Document) -> list[tuple[Sentence, Clause | Fragment]]:
    """Each sentence with its main clause: what rewrites of the document are held against."""
    return [(sentence, main_clause(sentence)) for sentence in document.sentences]


def structure_failure(source: Sequence[tuple[Sentence, Clause | Fragment]], rewrite: Rewrite, result: Document) -> str:
    """Why the parsed rewrite does not look as its kind should, or ""."""
    if len(result.sentences) != len(source):
        return "the rewrite parses as another number of sentences"
    for (old, clause), new in zip(source, result.sentences, strict=True):
        if old.text[old.start : old.end] == new.text[new.start : new.end]:
            continue
        trouble = _sentence_failure(clause, new, rewrite)
        if trouble:
            return trouble
    return ""


def _sentence_failure(before: Clause | Fragment, new: Sentence, rewrite: Rewrite) -> str:
    if isinstance(before, Fragment) or rewrite.rule == "aside":
        # an aside's own words are the table's; the clause they open is untouched
        return ""
    after = main_clause(new)
    if isinstance(after, Fragment):
        return f"the rewrite does not parse as a clause: {after.reason}"
    return _polarity_failure(before, after, rewrite) or _form_failure(after) or _verb_failure(before, after, rewrite)


def _polarity_failure(before: Clause, after: Clause, rewrite: Rewrite) -> str:
    if rewrite.kind in TURNING and before.negative == after.negative:
        return "the parser does not see the main clause's polarity turn"
    if rewrite.kind in KEEPING and rewrite.rule not in FRAMING and before.negative != after.negative:
        return "the parser sees the main clause's polarity turn"
    return ""


def _form_failure(clause: Clause) -> str:
    """did not goes: after do, the verb is bare."""
    supported = clause.finite.lower in DO_SUPPORT and clause.finite.i != clause.verb.i
    if supported and lemma(clause.verb.lower, clause.verb.tag) != clause.verb.lower and clause.verb.tag[:1] == "V":
        return f"“{clause.finite.text} … {clause.verb.text}” is not a verb form"
    return ""


def _verb_failure(before: Clause, after: Clause, rewrite: Rewrite) -> str:
    """The main verb is the old one, or one the edits brought."""
    old, new = lemma(before.verb.lower, "V"), lemma(after.verb.lower, "V")
    brought = {lemma(word, "V") for edit in rewrite.edits for word in edit.new.lower().split()}
    if old == new or new in brought or rewrite.rule in FRAMING:
        return ""
    return f"the main verb would be “{after.verb.text}”, not “{before.verb.text}”"
