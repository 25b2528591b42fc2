"""Choose the verb of the main clause: the root of the parse, or a correction where the parser is known to be wrong."""

from __future__ import annotations

from litotes.detection.mended_clauses import CONDITIONAL
from litotes.detection.operators import WH, operators
from litotes.lexicon import word_set
from litotes.lexicon.morphology import inflect, known, lemma
from litotes.parse import Sentence, Token


def question_tag(sentence: Sentence) -> tuple[Token, ...]:
    """Return the tokens of a question tag: ", isn't she?". A phrase may follow: ", isn't she, as usual?"."""
    tokens = sentence.tokens
    end = len(tokens) - 1
    while end >= 0 and tokens[end].lower in {"?", '"', "'", "”", "!", "."}:
        end -= 1
    tag = _tag_until(tokens, end)
    comma = next((t for t in reversed(tokens[: end + 1]) if t.lower == ","), None)
    if tag or comma is None or any(t.tag in FINITE for t in tokens[comma.i :]):
        return tag
    return _tag_until(tokens, comma.i - 1)


def _tag_until(tokens: tuple[Token, ...], end: int) -> tuple[Token, ...]:
    """Return the tokens of the question tag whose last word is at `end`."""
    for length in (4, 3):
        part = tokens[end - length + 1 : end + 1] if end - length + 1 > 1 else ()
        if not part or part[0].lower != "," or (part[-1].tag != "PRP" and part[-1].lower != "there"):
            continue
        negated = length == 4
        if part[1].lower in operators() and (not negated or part[2].lower in {"n't", "not"}):
            return tuple(part)
    return ()


def main_verb(sentence: Sentence, tag: tuple[Token, ...]) -> Token | None:
    root = sentence.root
    if root in tag:
        inside = {t.i for t in tag}
        candidates = [c for c in sentence.children(root) if c.i not in inside and c.tag[:1] in "VM"]
        if not candidates:
            return None
        root = candidates[0]
    verb = _verbal(sentence, root)
    if verb is None:
        return None
    first = _first_of_two(sentence, verb)
    if _is_misspelled_its(sentence, first) or _only_subordinate(sentence, first):
        return None
    return _past_subordinate(sentence, _past_reduced_relative(sentence, first))


def _verbal(sentence: Sentence, root: Token) -> Token | None:
    """Return the root if it is a verb or must be one, or else the finite verb that the parser attached to a noun."""
    if root.tag[:1] in "VM":
        return root
    finite = sentence.child(root, "aux", "auxpass")
    if finite is not None and finite.tag in FINITE:
        return root if known(root.lower, "V") or finite.lower in operators() else None
    subject = sentence.child(root, "nsubj", "nsubjpass")
    if subject is not None and subject.i < root.i and known(root.lower, "V") and root.tag in {"NN", "NNS", "JJ"}:
        return root
    if root.tag in {"UH", "RB", ",", ".", "LS"}:
        return next((c for c in sentence.children(root) if c.tag in FINITE or c.tag == "VB"), None)
    if root.tag in {"NN", "NNS"} and _noun_or_verb(sentence, root):
        return root
    if root.lower == "like" and root.i > 0 and sentence.tokens[0].tag == "PRP":
        return root
    return _first_misattached(sentence, root)


def _is_misattached(sentence: Sentence, root: Token, verb: Token) -> bool:
    """Match a finite verb mistaken for a modifier: "[Emperor penguins] breed …", "Study: [coffee] lowers …"."""
    if verb.i < root.i or (verb.i == root.i + 1 and sentence.tokens[root.i].tag == "NNP" and verb.tag == "VBN"):
        return False
    if sentence.tokens[root.i + 1].lower == ":" and verb.tag in FINITE:
        return True
    own = sentence.child(verb, *SUBJECT, "mark", "aux", "auxpass", "agent") is not None
    relative = any(t.tag in WH or t.lower == "that" for t in sentence.tokens[root.i + 1 : verb.i])
    if own or relative or verb.dep not in {"relcl", "acl", "ccomp"}:
        return False
    if verb.tag in {"VBN", "VBD"}:
        # "Every student handed in the essay": a past participle takes no object
        past = inflect(lemma(verb.lower, "V"), "VBD") == verb.lower
        caption = any(t.tag == "VBG" for t in sentence.tokens[root.i : verb.i])
        joined = [v for v in sentence.children(verb, "conj") if v.tag in {"VBD", "VBN"}]
        transitive = any(sentence.child(v, "dobj") is not None for v in (verb, *joined))
        return past and not caption and (verb.tag == "VBD" or transitive)
    return verb.tag in {"VBZ", "VBP"} and not any(t.tag == "VBG" for t in sentence.tokens[root.i : verb.i])


def _noun_or_verb(sentence: Sentence, root: Token) -> bool:
    """Match a verb mistaken for the head of a noun phrase: "A pirate boards the ship", "The telephone rang"."""
    noun, following = sentence.child(root, "compound", "nmod"), sentence.after(root)
    if noun is None or not known(root.lower, "V"):
        return False
    if not known(root.lower, "N"):
        return True
    if root.tag != "NNS" or inflect(lemma(root.lower, "V"), "VBZ") != root.lower or following is None:
        return False
    article = sentence.child(root, "det")
    singular = article is not None and article.lower in {"a", "an", "this", "that", "every", "each"}
    return singular or following.tag in {"DT", "PRP$", "PRP"}


def _first_misattached(sentence: Sentence, root: Token) -> Token | None:
    """Return the first misattached verb under the root noun, under its conjuncts, or under its relative clause."""
    if root.i + 1 >= len(sentence.tokens):
        return None
    for noun in (root, *sentence.children(root, "conj")):
        verb = next(
            (
                c
                for c in sentence.children(noun)
                if noun.i + 1 < len(sentence.tokens) and _is_misattached(sentence, noun, c)
            ),
            None,
        )
        if verb is not None:
            return verb
    relative = sentence.child(root, "relcl")
    if relative is not None:
        # "Everything [she said] was true."
        for child in sentence.children(relative, "ccomp"):
            own = sentence.child(child, *SUBJECT, "mark")
            if child.i > relative.i and child.tag in FINITE and (own is None or own.tag in WH):
                return child
    return next((t for t in sentence.tokens[root.i + 1 :] if _is_mistaken_plural(sentence, t)), None)


def _is_mistaken_plural(sentence: Sentence, token: Token) -> bool:
    """Match a verb mistaken for a plural because a noun phrase follows: "A woman in white crosses the road"."""
    previous, following = sentence.before(token), sentence.after(token)
    if previous is None or previous.tag in {"CD", "DT", "PRP$"}:
        return False
    if token.tag != "NNS" or following is None or following.tag not in {"DT", "PRP$"} or not known(token.lower, "V"):
        return False
    return inflect(lemma(token.lower, "V"), "VBZ") == token.lower and following.lower not in {"all", "both", "each"}


def _first_of_two(sentence: Sentence, verb: Token) -> Token:
    """Return the verb of the first of two clauses: "“I agree,” said Tom", "It slows, it stops"."""
    for _ in range(3):
        earlier = next(
            (c for c in sentence.children(verb, "ccomp", "advcl") if c.i < verb.i and c.tag[:1] in "VM"), None
        )
        if (
            earlier is None
            or sentence.child(earlier, "mark") is not None
            or (earlier.tag in {"VBG", "VBN"} and not sentence.child(earlier, "aux", "auxpass", "nsubj"))
        ):
            return verb
        first = sentence.left(earlier)
        relative = sentence.child(earlier, *SUBJECT)
        if relative is not None and relative.tag in WH:
            return verb
        opening = [t for t in sentence.tokens[: earlier.i] if t.lower in SUBORDINATORS and t.tag in {"IN", "WRB"}]
        if any(t.head in {earlier.i, verb.i} for t in opening):
            return verb
        bracketed = (first.i > 0 and sentence.tokens[first.i - 1].tag == "-LRB-") or first.tag == "-LRB-"
        if bracketed or not known(earlier.lower, "V"):
            return verb
        quoted = any(t.tag == "''" for t in sentence.tokens[earlier.i + 1 : verb.i])
        if quoted and sentence.quoted(earlier) and lemma(verb.lower, "V") == "be":
            # "“We Lost the Key” is a song": a title
            return verb
        subjectless = (
            sentence.child(earlier, *SUBJECT) is None and not (earlier.i == 0 and earlier.tag in FINITE) and not quoted
        )
        if subjectless or first.tag in {"IN", *WH} or (first.lower in CONDITIONAL and earlier.dep == "advcl"):
            return verb
        between = sentence.tokens[earlier.i + 1 : verb.i]
        if _is_misspelled_its(sentence, verb):
            return earlier
        if not any(t.lower in {",", ";", "-", "—", "–", "...", ":"} or t.tag in {"''", "``", "-LRB-"} for t in between):
            return verb
        verb = earlier
    return verb


def _is_misspelled_its(sentence: Sentence, verb: Token) -> bool:
    """Match "it's" written for "its": "The kitten lies on it's side"."""
    if verb.lower != "'s" or verb.i < 2 or sentence.tokens[verb.i - 1].lower != "it":
        return False
    return sentence.tokens[verb.i - 2].tag in {"IN", "VBG", "VBN", "TO", "RP"}


def _past_reduced_relative(sentence: Sentence, verb: Token) -> Token:
    """Skip a reduced relative clause: "contained" in "Samples collected upstream contained nitrate"."""
    if verb.tag != "VBD" or sentence.child(verb, "dobj", "aux", "auxpass", "acomp", "attr") is not None:
        return verb
    set_off = verb.i > 0 and sentence.tokens[verb.i - 1].lower == ","
    for later in sentence.children(verb, "conj", "ccomp", "advcl", "dep"):
        if (
            later.i < verb.i
            or later.tag not in {"VBD", "VBZ", "VBP"}
            or sentence.child(later, *SUBJECT, "mark") is not None
        ):
            continue
        joined = sentence.child(verb, "cc") is not None
        direct = not any(t.lower in {",", ";", ":"} for t in sentence.tokens[verb.i : later.i])
        finite = later.tag != "VBD" or sentence.child(later, "dobj", "acomp", "attr", "aux") is not None
        if finite and (set_off or (direct and not joined)):
            return later
    return verb


def _opening(sentence: Sentence) -> Token:
    """Return the first word after an exclamation: "Well- [when] you pay …"."""
    first = sentence.tokens[0]
    if first.tag != "UH":
        return first
    return next((t for t in sentence.tokens[1:] if t.text[0].isalnum()), first)


def _only_subordinate(sentence: Sentence, verb: Token) -> bool:
    """Match a sentence whose main clause the parser lost: "If there are any objections you need to tell me"."""
    opening = _opening(sentence)
    if opening.lower not in SUBORDINATORS or opening.head != verb.i or opening.dep not in {"advmod", "mark"}:
        return False
    joined = sentence.children(verb, "ccomp", "conj", "advcl", "parataxis")
    mended = any(later.i > verb.i and sentence.child(later, *SUBJECT) is not None for later in joined)
    return not mended and any(t.tag in FINITE and t.i > verb.i for t in sentence.tokens)


def _past_subordinate(sentence: Sentence, verb: Token) -> Token:
    """Skip an opening subordinate clause taken for the main one: "saw" in "When the squad arrived they saw it"."""
    opening = _opening(sentence)
    if opening.lower not in SUBORDINATORS or opening.head != verb.i or opening.dep not in {"advmod", "mark"}:
        return verb
    for later in sentence.children(verb, "ccomp", "conj", "advcl", "parataxis"):
        if later.i > verb.i and later.tag[:1] in "VM" and sentence.child(later, *SUBJECT) is not None:
            return later
    return verb


SUBORDINATORS = word_set("subordinators")


FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})


SUBJECT = ("nsubj", "nsubjpass", "expl", "csubj", "csubjpass")
