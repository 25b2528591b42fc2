"""Compose the meaning of a query as a typed λ-term, from a small lexicon, by application and β-reduction.

What organisms besides cyanobacteria perform photosynthesis?
    organism:             λx:e. Organism(x)
    cyanobacteria:        λx:e. Cyanobacteria(x)
    perform_photosynthesis: λx:e. PerformPhotosynthesis(x)
    besides:              λP:e→t. λQ:e→t. λx:e. Q(x) ∧ ¬P(x)
    formula:              λx:e. Organism(x) ∧ PerformPhotosynthesis(x) ∧ ¬Cyanobacteria(x)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from litotes.detection.classification.quantifiers import EXISTENTIAL, UNIVERSAL, QuantifierForm, quantifier_form
from litotes.detection.detector import find_negations
from litotes.lexicon.morphology import lemma
from litotes.logic import Term, infer, parse, quantifiers, reduce, show, show_type
from litotes.logic.terms import apply
from litotes.parse import Document, Sentence, Token
from litotes.types import Negation

NOT = "λP:e→t. λx:e. ¬P(x)"
BESIDES = "λP:e→t. λQ:e→t. λx:e. Q(x) ∧ ¬P(x)"
AND = "λP:e→t. λQ:e→t. λx:e. P(x) ∧ Q(x)"
DETERMINERS = {
    "∀": "λP:e→t. λQ:e→t. ∀y. P(y) → Q(y)",
    "∃": "λP:e→t. λQ:e→t. ∃y. P(y) ∧ Q(y)",
    "∃¬": "λP:e→t. λQ:e→t. ∃y. P(y) ∧ ¬Q(y)",
    "¬∃": "λP:e→t. λQ:e→t. ¬(∃y. P(y) ∧ Q(y))",
}
WHERE = "λP:e→t. λs:t. λx:e. P(x) ∧ s"
FIELDS = {"sentential": "Sentential", "exceptor": "Exclusionary", "affixal": "Affixal", "implicit": "Implicit"}
LONGEST = 6
SMALL = frozenset({"be", "is", "are", "was", "were", "am", "been", "being", "at", "least", "there"})


@dataclass(frozen=True, slots=True)
class Analysis:
    """The lexicon, inventory, negation analysis and formula of a query."""

    text: str
    lexicon: tuple[tuple[str, str], ...]
    predicates: tuple[str, ...]
    quantifiers: tuple[str, ...]
    negations: tuple[tuple[str, tuple[str, ...]], ...]
    formula: str
    type: str

    def lines(self) -> list[str]:
        """Return the analysis as lines of text for people."""
        lines = [f"query      {self.text}"]
        lines += [f"lexicon    {word}: {term}" for word, term in self.lexicon]
        lines.append(
            f"inventory  predicates [{', '.join(self.predicates)}], quantifiers [{', '.join(self.quantifiers)}]"
        )
        lines.append("analysis   " + ", ".join(f"{name} [{', '.join(cues)}]" for name, cues in self.negations))
        lines.append(f"formula    {self.formula} : {self.type}")
        return lines


def analyse(document: Document) -> Analysis | None:
    """Analyse the first sentence of a query. None if it has no words, or more negations than the patterns cover."""
    if not document.sentences or not any(t.text.isalnum() for t in document.sentences[0].tokens):
        return None
    sentence = document.sentences[0]
    negations = find_negations(sentence, weak=False)
    quantified = quantifier_form(sentence)
    lexicon: dict[str, str] = {}
    excepting = any(n.kind == "exceptor" for n in negations)
    if len(negations) > 1 + (quantified is not None):
        # the patterns cover one negation; a second one would be missing from the formula
        return None
    if quantified is not None and not excepting and _quantifier_token(sentence) is not None:
        term = _quantified(sentence, quantified, negations, lexicon)
    else:
        term = _described(sentence, negations, lexicon)
    typed = infer(reduce(term))
    formula = show(typed.term)
    cues = {kind: tuple(_cue(n) for n in negations if n.kind == kind) for kind in FIELDS}
    return Analysis(
        document.text,
        tuple(lexicon.items()),
        tuple(sorted(typed.constants, key=lambda name: formula.index(f"{name}("))),
        tuple(q.form for q in quantifiers(typed.term)) or ("∃",),
        tuple((FIELDS[kind], words) for kind, words in cues.items()),
        formula,
        show_type(typed.type),
    )


def _cue(negation: Negation) -> str:
    return f"{negation.cue}- {negation.event}" if negation.kind == "affixal" else negation.cue


def _described(sentence: Sentence, negations: Sequence[Negation], lexicon: dict[str, str]) -> Term:
    """Compose λx. Noun(x) ∧ Predicate(x), with ¬ before the predicate that is denied."""
    cue_tokens = _inside(sentence, (span for n in negations for span in n.cue_spans))
    denied = next((n for n in negations), None)
    noun = _noun(sentence, cue_tokens)
    taken = set(cue_tokens) | {t.i for t in noun}
    head = _predicate(lexicon, _name(noun) or "Thing")
    excepted: set[int] = set()
    if denied is not None and denied.kind == "exceptor":
        excepted = set(_inside(sentence, denied.scope))
        taken |= excepted
    rest = [t for t in sentence.tokens if t.i not in taken and _content(t)]
    # an affix denies its own word only
    own = set(_inside(sentence, [denied.event_span])) if denied is not None and denied.event_span else set()
    if denied is not None and denied.kind == "affixal":
        stem = _predicate(lexicon, _camel([denied.event]))
        body = [stem, *_optional(lexicon, [t for t in rest if t.i not in own | set(cue_tokens)])]
    else:
        body = _optional(lexicon, rest)
    if denied is None:
        return _all_of([head, *body])
    operator = lexicon.setdefault(denied.cue.lower(), BESIDES if denied.kind == "exceptor" else NOT)
    if denied.kind == "exceptor":
        words = [sentence.tokens[i] for i in sorted(excepted) if _content(sentence.tokens[i])]
        member = _predicate(lexicon, _name(words) or "It")
        return apply(parse(operator), member, _all_of([head, *body]))
    if not body:
        return apply(parse(operator), head)
    return _all_of([head, apply(parse(operator), body[0]), *body[1:]])


def _quantified(
    sentence: Sentence, quantified: QuantifierForm, negations: Sequence[Negation], lexicon: dict[str, str]
) -> Term:
    """Compose λx. Noun(x) ∧ ∀y. Other(y) → Predicate(y)."""
    token = _quantifier_token(sentence)
    assert token is not None
    cue_tokens = set(_inside(sentence, (span for n in negations if n.kind == "sentential" for span in n.cue_spans)))
    restricted = _restrictor(sentence, token)
    noun = [t for t in _noun(sentence, cue_tokens | {token.i}) if t.i not in {r.i for r in restricted}]
    taken = cue_tokens | {token.i} | {t.i for t in (*restricted, *noun)}
    rest = [t for t in sentence.tokens if t.i not in taken and _content(t)]
    determiner = lexicon.setdefault(quantified.words.lower(), DETERMINERS[quantified.sign])
    over = _predicate(lexicon, _name(restricted) or "Thing")
    claim = _predicate(lexicon, _name(rest[:LONGEST]) or "Hold")
    statement = apply(parse(determiner), over, claim)
    if not noun or noun[0].i > token.i:
        return statement
    where = lexicon.setdefault("where", WHERE)
    return apply(parse(where), _predicate(lexicon, _name(noun)), statement)


def _quantifier_token(sentence: Sentence) -> Token | None:
    words = UNIVERSAL | EXISTENTIAL | {"no", "none", "nobody", "nothing", "neither"}
    return next((t for t in sentence.tokens if t.lower in words), None)


def _restrictor(sentence: Sentence, quantifier: Token) -> list[Token]:
    """Return the words of the noun that is quantified over: "every [nurse]", "none of the [nuns]"."""
    head = sentence.tokens[quantifier.head] if quantifier.dep in {"det", "predet", "amod", "nummod", "advmod"} else None
    if head is None:
        of = sentence.child(quantifier, "prep")
        head = sentence.child(of, "pobj") if of is not None else None
    if head is None or head.tag[:1] != "N":
        return []
    return [t for t in (*sentence.children(head, "compound", "amod"), head) if _content(t) and t.i != quantifier.i]


def _noun(sentence: Sentence, cue_tokens: Iterable[int]) -> list[Token]:
    """Return the first noun of the query, with its compound parts: what is asked for."""
    skip = set(cue_tokens)
    for token in sentence.tokens:
        if token.tag[:1] == "N" and token.i not in skip and token.dep != "compound":
            return [t for t in (*sentence.children(token, "compound"), token) if t.i not in skip]
    return []


def _optional(lexicon: dict[str, str], rest: Sequence[Token]) -> list[Term]:
    return [_predicate(lexicon, _name(rest[:LONGEST]))] if rest else []


def _predicate(lexicon: dict[str, str], name: str) -> Term:
    """Return the predicate of that name, as written in the lexicon."""
    words = "".join(f"_{c.lower()}" if c.isupper() else c for c in name).strip("_")
    return parse(lexicon.setdefault(words, f"λx:e. {name}(x)"))


def _all_of(parts: Sequence[Term]) -> Term:
    conjunction = parts[0]
    for part in parts[1:]:
        conjunction = apply(parse(AND), conjunction, part)
    return conjunction


def _name(tokens: Iterable[Token]) -> str:
    letters = {"N": "N", "V": "V", "J": "J"}
    return _camel(lemma(t.lower, letters[t.tag[:1]]) if t.tag[:1] in letters else t.lower for t in tokens)


def _camel(words: Iterable[str]) -> str:
    clean = ("".join(c for c in word if c.isalnum() and c not in "λ∀∃¬") for word in words)
    name = "".join(word[:1].upper() + word[1:] for word in clean if word)
    return name if not name or name[0].isalpha() else f"N{name}"


def _content(token: Token) -> bool:
    grammatical = token.dep in {"aux", "auxpass", "neg", "det", "mark", "cc", "expl", "punct", "case"}
    wordlike = any(c.isalnum() for c in token.lower)
    return wordlike and not grammatical and token.tag[:1] not in "WDIPMT." and token.lower not in SMALL


def _inside(sentence: Sentence, spans: Iterable[tuple[int, int]]) -> list[int]:
    ranges = list(spans)
    return [t.i for t in sentence.tokens if any(start < t.end and end > t.start for start, end in ranges)]
