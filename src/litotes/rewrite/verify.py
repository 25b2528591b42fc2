"""The second look: parse the rewrite and ask that its structure is the expected one."""

from __future__ import annotations

from litotes.detect import Clause, Fragment, main_clause
from litotes.lexicon.morphology import lemma
from litotes.parse import Document, Sentence, Token
from litotes.types import Rewrite

DO = frozenset({"do", "does", "did"})
TURNS_CLAUSE = frozenset({"verbal", "absolute", "affirm"})
KEEPS_CLAUSE = frozenset({"affixal", "lexical", "exceptor", "word", "voice", "fronting", "contraction", "synonym"})
BARE = frozenset({"VB", "VBP", "NN", "NNP", "JJ", "RB", "VBN", "VBD"})


def structure_failure(source: Document, rewrite: Rewrite, result: Document) -> str:
    """Why the parsed rewrite does not look as its kind should, or ""."""
    if len(result.sentences) != len(source.sentences):
        return "the rewrite parses as another number of sentences"
    for old, new in zip(source.sentences, result.sentences, strict=True):
        if old.text[old.start : old.end] == new.text[new.start : new.end]:
            continue
        trouble = _sentence_failure(old, new, rewrite)
        if trouble:
            return trouble
    return ""


def _sentence_failure(old: Sentence, new: Sentence, rewrite: Rewrite) -> str:
    before, after = main_clause(old), main_clause(new)
    if isinstance(before, Fragment):
        return ""
    if isinstance(after, Fragment):
        return f"the rewrite does not parse as a clause: {after.reason}"
    if rewrite.kind in TURNS_CLAUSE and rewrite.rule != "affix" and before.negative == after.negative:
        return "the parser does not see the main clause's polarity turn"
    kept = rewrite.kind in KEEPS_CLAUSE and rewrite.rule != "hedge-frame" and not before.negative
    if kept and after.negative:
        return "the parser sees the main clause's polarity turn"
    return _form_failure(after) or _verb_failure(before, after, rewrite)


def _form_failure(clause: Clause) -> str:
    """did not goes: after do, the verb is bare."""
    if clause.finite.lower in DO and clause.finite.i != clause.verb.i and clause.verb.tag in {"VBZ", "VBG"}:
        return f"“{clause.finite.text} … {clause.verb.text}” is not a verb form"
    return ""


def _verb_failure(before: Clause, after: Clause, rewrite: Rewrite) -> str:
    """The main verb is the old one, or one the edits brought."""
    old, new = _lemma(before.verb), _lemma(after.verb)
    if old == new or rewrite.rule in {"hedge-frame", "cleft"}:
        return ""
    edited = " ".join(edit.new for edit in rewrite.edits).lower().split()
    if after.verb.lower in edited or new in edited or before.finite.lower == after.finite.lower or old in edited:
        return ""
    return f"the main verb would be “{after.verb.text}”, not “{before.verb.text}”"


def _lemma(token: Token) -> str:
    return lemma(token.lower, "V")
