"""Put a clause into a frame: "It is possible that …", "Believe it or not, …".

An aside has a negation cue but denies nothing. In training data it keeps an encoder from counting cues.
"""

from __future__ import annotations

from functools import lru_cache

from litotes.detection import Clause, NoClause
from litotes.lexicon import table, word_set
from litotes.lexicon.morphology import lemma
from litotes.parse import Sentence
from litotes.rewrite.draft import Decline, Draft, Options, stable_draw
from litotes.rewrite.letters import capitalised, in_title_case, keeps_capital, opens_sentence


def framed(clause: Clause, template: str, draft: Draft) -> Draft | Decline:
    """Put the clause into a template such as "It is possible that {clause}"."""
    reason = unframeable(clause)
    if reason:
        return Decline(reason)
    sentence, first = clause.sentence, clause.sentence.tokens[0]
    if template.rsplit(maxsplit=2)[-2] in {"whether", "if", "like"} and first.tag in {"IN", "WRB", "RB", "VBD", "MD"}:
        return Decline("the sentence opens in a way that cannot follow this hedge")
    opening = template.split("{clause}", maxsplit=1)[0].rstrip()
    if not capitalised(first) and opening[:2] not in {"I ", "I'"}:
        opening = opening[0].lower() + opening[1:]
    draft.pieces.append((first.start, first.start, opening + " "))
    if capitalised(first) and not keeps_capital(sentence, first):
        draft.pieces.append((first.start, first.start + 1, first.text[0].lower()))
    return draft


def unframeable(clause: Clause) -> str:
    """Return why the clause does not fit into any template, or ""."""
    sentence = clause.sentence
    first = next((t for t in sentence.tokens if t.text[0].isalnum()), sentence.tokens[0])
    if clause.subject is None:
        return "the clause has no subject, so it cannot follow “that”"
    if not opens_sentence(sentence, first) or first.i > 0:
        return "the sentence opens with a quotation"
    if sentence.tokens[0].tag in {"UH", "CC"} or clause.mood == "inverted":
        return "the sentence opens in a way that cannot follow “that”"
    if any(t.tag in {"``", "''"} for t in sentence.tokens) and clause.verb.i != sentence.root.i:
        return "the sentence contains a quotation"
    if in_title_case(sentence):
        return "a title cannot follow “that”"
    blocked = _cannot_be_embedded(sentence) or not opens_clause(clause)
    return "the sentence opens in a way that cannot follow this hedge" if blocked else ""


TIMES = word_set("time_nouns") | {"minute", "moment", "time", "way"}
ADJUNCTS = frozenset({"prep", "advcl", "advmod", "npadvmod", "agent", "pcomp", "mark", "aux", "csubj", "csubjpass"})


def opens_clause(clause: Clause) -> bool:
    """Return whether what precedes the subject belongs to the clause: no vocative, no heading, no fragment."""
    sentence = clause.sentence
    if clause.subject is None or any(t.lower == ":" for t in sentence.tokens[: clause.verb.i]):
        return False
    at = sentence.tokens[0]
    if at.tag in {"JJ", "VBN"} and at.dep == "advcl" and not sentence.children(at, "prep", "agent", "xcomp"):
        # "Fair enough, I'll go."
        return False
    if sentence.left(clause.subject).i == 0:
        return True
    while at.head not in {clause.verb.i, at.i}:
        at = sentence.tokens[at.head]
    timely = at.dep != "npadvmod" or lemma(at.lower, "N") in TIMES
    return at.i == clause.verb.i or (at.head == clause.verb.i and at.dep in ADJUNCTS and timely)


def _cannot_be_embedded(sentence: Sentence) -> bool:
    """Match openings that do not fit into a frame: "Excuse me, …", "Actually, …"."""
    first, second = sentence.tokens[0], sentence.after(sentence.tokens[0])
    if first.tag in {"VB", "VBP"} or first.lower in {"so", "for", "actually", "well", "plus", "then", "please"}:
        return True
    if (second is not None and second.lower == ",") or first.lower in {"too", "not", "no"}:
        return True
    return second is not None and second.lower == ":"


def opening(sentence: Sentence, clause: Clause | NoClause, options: Options) -> Draft | Decline:
    # The drug works. → It is a myth that the drug works.   The words of the opening are the option `cue`.
    if isinstance(clause, NoClause):
        return Decline(clause.reason)
    if clause.mood != "declarative" or clause.question_tag or sentence.tokens[-1].lower == "?":
        return Decline("only a statement can follow “that”")
    return framed(clause, options.cue, Draft(sentence, "opening", "", "pair"))


def aside(sentence: Sentence, clause: Clause | NoClause, options: Options) -> Draft | Decline:
    # The drug works. → Believe it or not, the drug works.
    if isinstance(clause, NoClause):
        return Decline(clause.reason)
    if clause.mood != "declarative" or clause.question_tag or sentence.tokens[-1].lower == "?":
        return Decline("only a statement takes an aside")
    speaker = clause.subject is not None and clause.subject.lower in {"i", "we"}
    contrasted = any(token.lower == "but" for token in sentence.tokens)
    rows = _asides(options.cue, speaker=speaker, contrasted=contrasted)
    cue, frame = rows[stable_draw(sentence, options.seed) // 2 % len(rows)]
    return framed(clause, frame, Draft(sentence, "aside", cue, "pair"))


@lru_cache(maxsize=256)
def _asides(cue: str, *, speaker: bool, contrasted: bool) -> tuple[tuple[str, str], ...]:
    """Return the asides with this cue, or all if none has it; not "I never doubted that I …" or "… but … but …"."""
    rows = [(row["cue"], row["frame"]) for row in table("asides")]
    if speaker:
        rows = [(cue, frame) for cue, frame in rows if not frame.startswith(("I ", "As I "))]
    if contrasted:
        rows = [(cue, frame) for cue, frame in rows if "but {" not in frame]
    return tuple(row for row in rows if row[0] == cue) or tuple(rows)
