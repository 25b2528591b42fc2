"""Recognise clauses that the parser is likely to have misread, so that rules decline instead of guessing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from litotes.detection.operators import operators
from litotes.lexicon import table, word_set
from litotes.lexicon.morphology import inflect, known, lemma
from litotes.parse import Sentence, Token

FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})
DETERMINING = frozenset({"DT", "PRP", "PRP$", "POS", "EX", "WP"})
REPORTING = frozenset({"find", "show", "say", "suggest", "reveal", "report", "warn", "claim"})
SUBORDINATORS = word_set("subordinators")
NOTE_WORDS = word_set("note_words")
TIMELY = frozenset({"already", "also", "finally", "just", "now", "once", "only", "recently", "still", "then"})
ASKING = frozenset({"why", "how", "what", "who", "where", "which"})
BREAKS = frozenset({",", ";", ":"})

NOTE = "the text reads like a note, where a participle and a past tense look the same"
NO_SUBJECT = "the verb has no subject, and what it belongs to is unclear"
SEPARATED = "a comma separates the verb from its subject"
RESULT = "“so …” belongs to a noun, and the clause after it is its result"
REPORTED = "the report at the end has no clause of its own"
TWO_SUBJECTS = "two nouns compete for the subject"
TWO_VERBS = "two verbs in a row compete for the main verb"
NOUN = "the verb is a noun by its form"
PASSIVE = "the verb needs an object and has none, so it is likely to be a participle"
INNER = "the only verb that was found belongs to a subordinate clause or stands in brackets"
ADJECTIVE = "the first word is an adjective rather than a command"
SUBORDINATE = "the main clause was not found after the question word"
UNRELIABLE = frozenset(
    {
        TWO_SUBJECTS,
        TWO_VERBS,
        NOUN,
        ADJECTIVE,
        SUBORDINATE,
        NOTE,
        NO_SUBJECT,
        SEPARATED,
        RESULT,
        REPORTED,
        PASSIVE,
        INNER,
    }
)


def doubt(sentence: Sentence, verb: Token, finite: Token, subject: Token | None, tense: str) -> str:
    """Return why a clause is not reliable enough to be rewritten, or ""."""
    if _follows_so(sentence, finite, subject):
        return RESULT
    following = sentence.after(verb)
    if following is not None and following.tag == "POS":
        # "Why don't [penguins] ' feet freeze?"
        return NOUN
    if _after_another_verb(sentence, finite):
        return TWO_VERBS
    if subject is None:
        if _lacks_subject(sentence, verb, finite, tense):
            return NO_SUBJECT
        return ADJECTIVE if _praises(sentence, verb, finite) else ""
    if _two_subjects(sentence, verb, finite):
        return TWO_SUBJECTS
    if subject.i < finite.i and _separated(sentence, subject, finite):
        return SEPARATED
    if _only_a_question_clause(sentence, verb):
        return SUBORDINATE
    if finite.i != verb.i:
        return ""
    if _reports_at_the_end(sentence, verb, subject):
        return REPORTED
    if _is_no_past(verb, tense) or _is_object(sentence, verb, subject, tense):
        return NOUN
    if tense == "VBD" and _lacks_object(sentence, verb, subject):
        return PASSIVE
    return NOTE if tense in {"VBD", "VBZ"} and _is_note(sentence, verb, subject, tense) else ""


def _two_subjects(sentence: Sentence, verb: Token, finite: Token) -> bool:
    """Match "A queue so long we left", but not the end of a list: "a girl with a scarf, a bag and a hat"."""
    subjects = [t for t in sentence.children(verb, "nsubj", "nsubjpass") if t.i < finite.i and t.tag != "DT"]
    if len(subjects) < 2:
        return False
    before = sentence.before(sentence.left(subjects[-1]))
    return before is None or before.lower not in {"and", "or"}


def is_inner(sentence: Sentence, verb: Token, finite: Token) -> bool:
    """Match "Oil slides as supply fears [ease]", "If it [rains], take a coat" and a verb in brackets."""
    tokens = sentence.tokens
    brackets = sum((t.tag == "-LRB-") - (t.tag == "-RRB-") for t in tokens[: verb.i])
    if brackets > 0 and tokens[0].tag != "-LRB-":
        return True
    mark = sentence.child(verb, "mark")
    if mark is not None and mark.lower in SUBORDINATORS and mark.i < finite.i:
        return True
    comma = next((t for t in tokens if t.lower == ","), None)
    if comma is None or finite.i > comma.i or tokens[-1].lower == "?":
        return False
    if _is_time(tokens):
        return True
    if tokens[0].lower not in SUBORDINATORS:
        return False
    # "When used on skin it can hurt, …" opens with a clause that has no finite verb
    reduced = any(t.tag[:1] == "V" for t in tokens[1 : finite.i] if t.i != verb.i)
    return not reduced and any(t.tag in FINITE or t.tag == "VB" for t in tokens[comma.i :])


def _is_time(tokens: Sequence[Token]) -> bool:
    """Match "Each time I try" and "Last time I saw you" at the start of a sentence."""
    return len(tokens) > 2 and tokens[0].lower in {"each", "every", "last", "next"} and tokens[1].lower == "time"


@lru_cache(maxsize=1)
def _transitive() -> frozenset[str]:
    return frozenset(table("transitive").column("verb"))


def lacks_object(sentence: Sentence, verb: Token) -> bool:
    """Return whether a past form that may be a participle is of a verb that needs an object, and has none."""
    base = lemma(verb.lower, "V")
    if base not in _transitive() or inflect(base, "VBN") != verb.lower:
        return False
    return sentence.child(verb, "dobj", "ccomp", "xcomp", "attr", "oprd", "dative", "prt") is None


def _lacks_object(sentence: Sentence, verb: Token, subject: Token) -> bool:
    """Match "Teen sailor rescued after nine days": a headline or a note, in which "was" is left out."""
    plain = not any(t.tag in DETERMINING for t in sentence.tokens[: verb.i])
    return plain and subject.tag[:2] == "NN" and subject.i < verb.i and lacks_object(sentence, verb)


def _is_object(sentence: Sentence, verb: Token, subject: Token, tense: str) -> bool:
    """Match "A module sorting [files]": the object of a participle, both of which were read as something else."""
    gerund = inflect(lemma(subject.lower, "V"), "VBG") == subject.lower and not known(subject.lower, "N")
    participle = gerund and subject.i == verb.i - 1
    owner = sentence.child(subject, "compound")
    last = not any(child.i > verb.i and child.tag[0].isalpha() for child in sentence.children(verb))
    return tense == "VBZ" and participle and owner is not None and last and known(verb.lower, "N")


def _is_no_past(verb: Token, tense: str) -> bool:
    """Match "a kitchen [oven] fitted into a cupboard": a noun that is no past tense of any verb."""
    if tense != "VBD" or verb.lower.endswith("ed") or not known(verb.lower, "N"):
        return False
    return inflect(lemma(verb.lower, "V"), "VBD") != verb.lower


def _after_another_verb(sentence: Sentence, finite: Token) -> bool:
    """Match "remembers dial up sounds" and "recognises faces": the second is no verb, or not of this clause."""
    if finite.i == 0 or finite.tag not in {"VBZ", "VBP", "NNS", "NN"}:
        return False
    previous = sentence.tokens[finite.i - 1]
    if previous.tag == "NNS" and finite.tag == "VBZ" and not known(previous.lower, "N"):
        return known(previous.lower, "V")
    if previous.tag != "VBZ" or previous.dep in {"relcl", "csubj", "csubjpass", "pcomp", "acl"}:
        return False
    return previous.lower not in operators() and not any(
        t.tag in {"WP", "WDT", "WRB", "WP$"} and t.dep != "ROOT" and t.head == previous.i
        for t in sentence.tokens[1 : previous.i]
    )


def _praises(sentence: Sentence, verb: Token, finite: Token) -> bool:
    """Match "Perfect for small kitchens!": without an object, "for" makes the first word an adjective."""
    following = sentence.after(verb)
    if verb.i != 0 or finite.i != 0 or following is None or sentence.child(verb, "dobj") is not None:
        return False
    return following.lower == "for" and known(verb.lower, "A")


def _only_a_question_clause(sentence: Sentence, verb: Token) -> bool:
    """Match "Why he keeps that van's a mystery.": a statement is more than a question word and its clause."""
    first = sentence.tokens[0]
    ends = sentence.tokens[-1].lower == "."
    return ends and first.tag in {"WRB", "WP", "WDT"} and first.head == verb.i and first.lower in ASKING


def _lacks_subject(sentence: Sentence, verb: Token, finite: Token, tense: str) -> bool:
    """Match "just moved house and …" and "…, fixed it for me": verbs of posts whose subject was left out."""
    if finite.i != verb.i or tense not in {"VBD", "VBZ"} or finite.i == 0:
        return False
    previous = sentence.tokens[finite.i - 1]
    return previous.lower == "," or (previous.i == 0 and previous.lower in TIMELY)


def _follows_so(sentence: Sentence, finite: Token, subject: Token | None) -> bool:
    """Match "Walls so thin you can hear the neighbours": the clause is the result of "so thin"."""
    if subject is None or subject.i > finite.i:
        return False
    start = sentence.left(subject).i
    for token in sentence.tokens[1 : max(start - 1, 1)]:
        previous, following = sentence.tokens[token.i - 1], sentence.tokens[token.i + 1]
        if token.lower == "so" and previous.tag in {"NN", "NNS"} and following.tag in {"JJ", "VBN", "RB", "JJR"}:
            return not any(t.lower in BREAKS for t in sentence.tokens[token.i : start])
    return False


def _separated(sentence: Sentence, subject: Token, finite: Token) -> bool:
    """Match "headache since noon, vomited twice": one comma, right before the verb, after a phrase without a clause."""
    command = sentence.tokens[0].lower in SUBORDINATORS and finite.lower == lemma(finite.lower, "V")
    if sentence.tokens[finite.i - 1].lower != "," or command:
        return False
    between = sentence.tokens[subject.i : finite.i]
    if sum(t.lower == "," for t in between) != 1 or subject.dep in {"csubj", "csubjpass"}:
        return False
    return not any(t.tag in FINITE for t in between)


def _reports_at_the_end(sentence: Sentence, verb: Token, subject: Token) -> bool:
    """Match "Rents Rising Faster Than Pay, Study Finds": what is found is no clause that the parser saw."""
    following = sentence.after(verb)
    last = following is None or (following.tag == "." and following.i == len(sentence.tokens) - 1)
    comma = next((t for t in reversed(sentence.tokens[: verb.i]) if t.lower == ","), None)
    if comma is None or any(t.tag in FINITE for t in sentence.tokens[: comma.i]):
        return False
    return last and comma.i > 2 and lemma(verb.lower, "V") in REPORTING


def _is_note(sentence: Sentence, verb: Token, subject: Token, tense: str) -> bool:
    """Match "Drain removed at 0900, pt resting" and "Abdomen soft, bowel sounds normal": a telegraphic style."""
    if verb.lower in operators() or subject.tag[:2] != "NN":
        return False
    if any(t.tag in DETERMINING for t in sentence.tokens[: verb.i]):
        return False
    before, after = _parts(sentence, verb)
    if tense == "VBZ":
        adjective = sentence.child(verb, "acomp", "oprd", "advmod", "amod")
        return adjective is not None and any(map(_without_verb, before))
    if inflect(lemma(verb.lower, "V"), "VBN") != verb.lower:
        return False
    if sentence.child(verb, "dobj", "acomp", "attr", "xcomp", "ccomp") is not None:
        return False
    noted = any(t.lower in NOTE_WORDS for t in sentence.tokens)
    return noted or any(map(_without_verb, before)) or any(map(_without_verb, after))


def _parts(sentence: Sentence, verb: Token) -> tuple[list[list[Token]], list[list[Token]]]:
    """Return the parts of a sentence before and after that of its verb, as commas and semicolons divide it."""
    parts: list[list[Token]] = [[]]
    for token in sentence.tokens:
        if token.lower in BREAKS:
            parts.append([])
        else:
            parts[-1].append(token)
    place = next(i for i, part in enumerate(parts) if verb in part)
    return parts[:place], parts[place + 1 :]


def _without_verb(part: list[Token]) -> bool:
    """Match "family informed" and "staples dry": a noun and its predicate without a finite verb or an article."""
    words = [t for t in part if t.tag != "."]
    if len(words) < 2 or any(t.tag in FINITE or t.tag in DETERMINING for t in words):
        return False
    if words[0].tag == "VBN":
        # "Discharged home with spouse"
        return True
    return words[0].tag[:1] in "NJ" and any(t.tag in {"VBN", "JJ", "VBG"} for t in words[1:])
