"""Mend the parse where the parser is known to be wrong, once, before any rule asks: clitics, subject clauses, verbs."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from litotes.detection.operators import WH
from litotes.lexicon import word_set
from litotes.lexicon.morphology import inflect, known, lemma
from litotes.parse import Sentence, Token

FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})
SUBJECT = ("nsubj", "nsubjpass", "expl", "csubj", "csubjpass")
AUXILIARY = frozenset({"aux", "auxpass"})
CONDITIONAL = frozenset({"should", "had", "were"})
SUBORDINATORS = word_set("subordinators")
POLITE = frozenset({"please", "then", "simply", "just", "always"})


@lru_cache(maxsize=1024)
def mended(sentence: Sentence) -> Sentence:
    """Return the sentence with its known errors mended, or the sentence itself if there are none."""
    for repair in REPAIRS:
        sentence = repair(sentence)
    return sentence


class _Repair:
    """The tokens of a sentence while tags and arcs are changed."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self.tokens = list(sentence.tokens)

    def set(self, token: Token, *, tag: str = "", dep: str = "", head: int = -1) -> None:
        now = self.tokens[token.i]
        self.tokens[token.i] = now._replace(
            tag=tag or now.tag, dep=dep or now.dep, head=head if head >= 0 else now.head
        )

    def root(self, token: Token, old: str) -> None:
        """Make a token the root. The old root depends on it as `old`, and gives it its closing punctuation."""
        before = self.sentence.root
        for child in self.sentence.children(before, "punct"):
            if child.i > token.i:
                self.set(child, head=token.i)
        self.set(before, dep=old, head=token.i)
        self.set(token, dep="ROOT", head=token.i)

    def result(self) -> Sentence:
        return Sentence(self.sentence.text, tuple(self.tokens))


def _clitics(sentence: Sentence) -> Sentence:
    # The baby's awake.   Anna's lost her keys.   The kettle's broken.
    repair = None
    for token in sentence.tokens:
        if token.tag != "POS" or token.lower != "'s" or token.i == 0:
            continue
        if token.dep == "case" and sentence.child(token, "acomp", "attr", "prep", "advmod") is not None:
            # "The cat's asleep on the sofa."
            owner = sentence.tokens[token.head]
            repair = repair or _Repair(sentence)
            repair.set(token, tag="VBZ")
            if owner.head == owner.i:
                repair.root(token, "nsubj")
            continue
        if token.dep != "case":
            # the parser made it a verb, the tagger a possessive ending
            repair = repair or _Repair(sentence)
            repair.set(token, tag="VBZ")
            continue
        owner = sentence.tokens[token.head]
        verb = sentence.tokens[owner.head]
        adverbs = sentence.tokens[token.i + 1 : verb.i]
        clause = owner.dep in {"nsubj", "nsubjpass"} and verb.i > token.i and all(t.tag == "RB" for t in adverbs)
        if clause and verb.tag in {"VBN", "VBD", "VBG"} and sentence.child(verb, "aux", "auxpass") is None:
            repair = repair or _Repair(sentence)
            repair.set(token, tag="VBZ", dep="aux", head=verb.i)
            repair.set(verb, tag="VBG" if verb.tag == "VBG" else "VBN")
    return repair.result() if repair else sentence


def _let_us(sentence: Sentence) -> Sentence:
    # Let's [order] pizza.
    root = sentence.root
    if len(sentence.tokens) < 4 or root.tag[:1] == "V" or root.i < 3:
        return sentence
    let, us, verb = sentence.tokens[:3]
    if (let.lower, us.lower) != ("let", "'s") or verb.tag != "NN" or not known(verb.lower, "V"):
        return sentence
    repair = _Repair(sentence)
    repair.root(let, "dobj")
    repair.set(let, tag="VB")
    repair.set(us, dep="nsubj", head=verb.i)
    repair.set(verb, tag="VB", dep="ccomp", head=let.i)
    repair.set(root, head=verb.i)
    return repair.result()


def _auxiliaries(sentence: Sentence) -> Sentence:
    # I'll be excited.   I've not been told.   You ought not to go.
    repair = None
    for token in sentence.tokens:
        head = sentence.tokens[token.head]
        if token.dep in {"aux", "neg"} and head.dep in AUXILIARY and head.head != head.i and head.tag[:1] in "VM":
            repair = repair or _Repair(sentence)
            repair.set(token, head=head.head)
        elif _lacks_verb_tag(token, head):
            # "a lamp that doesn't flicker"
            repair = repair or _Repair(sentence)
            repair.set(head, tag="VB")
        elif token.dep == "neg" and token.lower == "not" and 0 < token.i < len(sentence.tokens) - 1:
            previous, following = sentence.tokens[token.i - 1], sentence.tokens[token.i + 1]
            if previous.tag == "MD" and following.lower == "to" and head.i > token.i:
                repair = repair or _Repair(sentence)
                repair.set(token, head=previous.i)
    return repair.result() if repair else sentence


def _lacks_verb_tag(token: Token, head: Token) -> bool:
    supports = token.dep == "aux" and token.lower in {"do", "does", "did"}
    return supports and head.tag[:1] in "NJ" and known(head.lower, "V")


def _split_groups(sentence: Sentence) -> Sentence:
    # Seldom [has] a play [divided] the critics.   [Is] the lift [working]?   Rarely [do] these plants [flower].
    root = sentence.root
    asks = root.i == 0 and sentence.tokens[-1].lower == "?"
    fronted = root.i == 1 and sentence.tokens[0].tag == "RB"
    if not asks and not fronted:
        return sentence
    if root.lower in {"has", "have", "had"}:
        verb = next((t for t in sentence.children(root, "ccomp") if t.tag in {"VBN", "VBD"}), None)
        subject = sentence.child(verb, *SUBJECT) if verb is not None else None
        if verb is None or subject is None or sentence.left(subject).i != root.i + 1:
            return sentence
        return _joined_group(sentence, root, verb, subject, "VBN")
    subject = sentence.child(root, *SUBJECT)
    if root.lower in BE and asks and subject is not None:
        verb = sentence.child(subject, "acl")
        bare = sentence.child(root, "acomp", "attr", "advmod", "prep", "oprd") is None
        if verb is not None and verb.tag == "VBG" and bare and verb.i == subject.i + 1:
            return _joined_group(sentence, root, verb, subject, "VBG")
    if root.lower in {"do", "does", "did"} and subject is None:
        verb = sentence.child(root, "dobj")
        if verb is not None and verb.tag == "NN" and known(verb.lower, "V") and verb.i > root.i + 1:
            return _joined_group(sentence, root, verb, sentence.tokens[verb.i - 1], "VB")
    return sentence


BE = frozenset({"is", "are", "was", "were", "am"})


def _joined_group(sentence: Sentence, auxiliary: Token, verb: Token, subject: Token, tag: str) -> Sentence:
    """Make an auxiliary and a verb that the parser set apart one group."""
    repair = _Repair(sentence)
    repair.root(verb, "aux")
    repair.set(verb, tag=tag)
    for child in sentence.children(auxiliary):
        if child.i != verb.i:
            repair.set(child, head=verb.i)
    for child in sentence.children(verb):
        if child.i < subject.i and child.dep in {"det", "amod", "compound"}:
            repair.set(child, head=subject.i)
    repair.set(subject, dep="nsubj", head=verb.i)
    return repair.result()


def _clinical_verbs(sentence: Sentence) -> Sentence:
    # Denies nausea.
    first, root = sentence.tokens[0], sentence.root
    if first.tag != "VBZ" or first.dep != "compound" or first.head != root.i or root.i != 1:
        return sentence
    repair = _Repair(sentence)
    repair.root(first, "dobj")
    return repair.result()


def _plural_verbs(sentence: Sentence) -> Sentence:
    # The city bans and taxes scooters.   The seller warrants that …   Council rejects plan.   This alloy rusts.
    repair = None
    root = sentence.root
    for token in sentence.tokens:
        joined = token.dep == "conj" and token.tag == "NNS" and sentence.tokens[token.head].tag == "VBZ"
        previous = sentence.before(token)
        if joined and previous is not None and previous.tag == "CC" and _third_person(token):
            # … represents and warrants that …
            repair = repair or _Repair(sentence)
            repair.set(token, tag="VBZ")
    if repair is None and root.tag == "NNS" and _third_person(root) and _reads_as_verb(sentence, root):
        return _verb_for_noun(sentence, root)
    headline = next((t for t in sentence.tokens if _is_headline_verb(sentence, t)), None) if repair is None else None
    if headline is not None:
        return _headline(sentence, headline)
    return repair.result() if repair else sentence


def _swapped_verbs(sentence: Sentence) -> Sentence:
    # He wears lenses, [recognises] faces and …: the verb was read as a noun, and its object as the verb
    for noun in sentence.tokens[1:-1]:
        verb = sentence.tokens[noun.i + 1]
        if noun.tag != "NNS" or verb.tag != "VBZ" or noun.head != verb.i or noun.dep not in SUBJECT:
            continue
        if known(noun.lower, "N") or not _third_person(noun) or not known(verb.lower, "N"):
            continue
        repair = _Repair(sentence)
        repair.set(noun, tag="VBZ", dep=verb.dep, head=noun.i if verb.head == verb.i else verb.head)
        repair.set(verb, tag="NNS", dep="dobj", head=noun.i)
        for child in sentence.children(verb):
            if child.i != noun.i:
                repair.set(child, head=noun.i)
        return repair.result()
    return sentence


def _third_person(token: Token) -> bool:
    """Return whether a plural noun has the form of a verb: bans, warrants, cuts."""
    return known(token.lower, "V") and inflect(lemma(token.lower, "V"), "VBZ") == token.lower


def _reads_as_verb(sentence: Sentence, root: Token) -> bool:
    following = sentence.after(root)
    if following is None or any(t.tag in FINITE and t.dep == "aux" for t in sentence.children(root)):
        return False
    third = sentence.after(following)
    if root.i == 0:
        # Works as described.
        return following.lower == "as" and third is not None and third.tag in {"VBN", "VBD"}
    subject = sentence.before(root)
    if subject is None or subject.tag not in {"NN", "NNP", "JJ"} or subject.head != root.i:
        return False
    if any(t.tag == "VBZ" for t in _joined(sentence, root)):
        return True
    determiner = sentence.child(root, "det") or sentence.child(subject, "det")
    singular = determiner is not None and determiner.lower in {"a", "an", "this", "that", "every", "each"}
    if singular and following.tag in {".", "IN", "RB"}:
        return True
    clause = any(t.tag in FINITE for t in sentence.tokens[following.i :])
    return following.lower == "that" and clause and third is not None and third.tag[:1] in "DPN"


def _joined(sentence: Sentence, token: Token) -> list[Token]:
    """Return everything coordinated with a token, also along a chain."""
    found: list[Token] = []
    queue = sentence.children(token, "conj")
    while queue:
        found.append(queue.pop(0))
        queue += sentence.children(found[-1], "conj")
    return found


def _verb_for_noun(sentence: Sentence, root: Token) -> Sentence:
    repair = _Repair(sentence)
    repair.set(root, tag="VBZ")
    for other in _joined(sentence, root):
        if other.tag == "NNS" and _third_person(other):
            repair.set(other, tag="VBZ", head=root.i)
        elif other.tag == "VBZ":
            repair.set(other, head=root.i)
    subject = sentence.before(root)
    if subject is not None:
        repair.set(subject, tag="NN" if subject.tag == "JJ" else "", dep="nsubj", head=root.i)
        for child in sentence.children(root):
            if child.i < subject.i and child.dep in {"det", "amod", "compound", "poss", "nummod"}:
                repair.set(child, head=subject.i)
    following = sentence.after(root)
    if following is not None and following.lower == "that":
        verb = next((t for t in sentence.children(root, "relcl", "acl") if t.i > following.i), None)
        if verb is not None:
            repair.set(verb, dep="ccomp")
            repair.set(following, tag="IN", dep="mark", head=verb.i)
    return repair.result()


def _is_headline_verb(sentence: Sentence, token: Token) -> bool:
    """Match "Council [rejects] plan for bridge": nobody puts a plural before a noun, nor a noun before that."""
    root = sentence.root
    if token.tag != "NNS" or token.dep != "compound" or token.head != root.i or token.i != 1 or root.tag != "NN":
        return False
    first = sentence.tokens[0]
    between = sentence.tokens[2 : root.i]
    plain = first.tag in {"NN", "NNP"} and all(t.tag in {"JJ", "NN", "VBN"} for t in between)
    return plain and _third_person(token)


def _headline(sentence: Sentence, verb: Token) -> Sentence:
    repair = _Repair(sentence)
    repair.root(verb, "dobj")
    repair.set(verb, tag="VBZ")
    repair.set(sentence.tokens[0], dep="nsubj", head=verb.i)
    return repair.result()


def _subject_clauses(sentence: Sentence) -> Sentence:
    # What she wrote [surprised] us.   That the clause is unfair [matters].   How they know [puzzled] us.
    first, root = sentence.tokens[0], sentence.root
    opens = first.tag in WH or (first.lower in {"that", "whether"} and first.dep == "mark")
    if not opens or root.tag[:1] not in "VM" or first.head != root.i or sentence.tokens[-1].lower == "?":
        return sentence
    subject = sentence.child(root, *SUBJECT)
    own = subject is not None and (first.i < subject.i < root.i or (subject.i == 0 and first.tag == "WP"))
    if not own or any(t.lower in {",", ";", ":"} for t in sentence.tokens[: root.i]):
        return sentence
    for verb in sentence.tokens[root.i + 1 :]:
        if verb.lower in {",", ";", ":", "!"}:
            return sentence
        if _is_main_verb(sentence, first, root, verb):
            repair = _Repair(sentence)
            repair.root(verb, "csubj")
            if verb.tag == "NNS":
                repair.set(verb, tag="VBZ")
            for child in sentence.children(verb, *SUBJECT):
                # "How bees find their way [home] puzzled us"
                repair.set(child, dep="dobj", head=root.i)
            for child in sentence.children(verb, "amod"):
                repair.set(child, dep="acomp", head=root.i)
            return repair.result()
    return sentence


def _is_main_verb(sentence: Sentence, first: Token, root: Token, verb: Token) -> bool:
    """Match the verb that has the whole clause before it as its subject."""
    previous = sentence.tokens[verb.i - 1]
    if verb.tag == "NNS":
        return first.dep == "mark" and _third_person(verb) and previous.tag in {"JJ", "VBN"} and previous.head == verb.i
    if verb.tag not in {"VBD", "VBZ", "VBP"} or verb.dep not in {"ccomp", "conj", "advcl", "dep", "attr", "dobj"}:
        return False
    if previous.tag in {"TO", "CC", "PRP", *WH} or previous.lower == "that":
        return False
    mine = sentence.child(verb, *SUBJECT)
    adverbs = sentence.tokens[mine.i + 1 : verb.i] if mine is not None else ()
    return (
        all(t.tag == "RB" for t in adverbs)
        and (mine is None or mine.i < verb.i)
        and sentence.child(verb, "mark", "aux", "auxpass") is None
    )


def _inverted_conditions(sentence: Sentence) -> Sentence:
    # Should the alarm sound, [leave] the building.   Should the buyer object, the seller [may] cancel.
    first, root = sentence.tokens[0], sentence.root
    if first.lower not in CONDITIONAL or first.dep not in AUXILIARY or sentence.tokens[-1].lower == "?":
        return sentence
    comma = next((t for t in sentence.tokens if t.lower == ","), None)
    if comma is None:
        return sentence
    repair = _Repair(sentence)
    if root.i > comma.i and sentence.child(root, *SUBJECT) is not None:
        # the parser gave the auxiliary to the main clause
        repair.set(first, dep="mark")
        return repair.result()
    joined = sentence.children(root, "conj", "ccomp", "dep")
    later = next((t for t in joined if t.i > comma.i and t.tag[:1] in "VM"), None)
    if root.i > comma.i or later is None:
        return sentence
    repair.root(later, "advcl")
    repair.set(first, dep="mark")
    if later.tag == "VBP" and sentence.child(later, *SUBJECT) is None:
        repair.set(later, tag="VB")
    return repair.result()


def _commands_after_a_clause(sentence: Sentence) -> Sentence:
    # If the light flashes red, [replace] the battery.   Once they are soft, [add] the garlic.
    tokens, root = sentence.tokens, sentence.root
    comma = next((t for t in tokens if t.lower == ","), None)
    if tokens[0].lower not in SUBORDINATORS or comma is None or tokens[-1].lower == "?":
        return sentence
    command = next((t for t in tokens[comma.i + 1 :] if t.lower not in POLITE), None)
    if command is None or command.tag not in {"VB", "VBP", "VBD"} or command.lower != lemma(command.lower, "V"):
        return sentence
    subject = sentence.child(command, *SUBJECT)
    if (subject is not None and subject.i > comma.i) or sentence.child(command, "aux", "auxpass") is not None:
        return sentence
    opening = [t for t in sentence.children(root) if t.i < comma.i and t.dep in {"mark", "advmod", *SUBJECT}]
    if command.i == root.i and len(opening) > 1:
        # the parser gave the words of the subordinate clause to the command
        last = opening[-1]
        repair = _Repair(sentence)
        for token in opening[:-1]:
            repair.set(token, head=last.i)
        repair.set(last, dep="advcl")
    elif root.i < comma.i and command.head == root.i:
        repair = _Repair(sentence)
        repair.root(command, "advcl")
    elif command.i == root.i and command.tag == "VBD":
        # After the cake cools, [spread] the cream.
        repair = _Repair(sentence)
    else:
        return sentence
    repair.set(command, tag="VB")
    return repair.result()


def _only_inversions(sentence: Sentence) -> Sentence:
    # Only after a recount [was] the mayor declared the winner.
    first, root = sentence.tokens[0], sentence.root
    subject = sentence.child(root, *SUBJECT)
    if first.lower != "only" or subject is None or root.tag not in {"VBD", "VBN"}:
        return sentence
    auxiliary = sentence.before(sentence.left(subject))
    if auxiliary is None or auxiliary.lower not in {*BE, "has", "have", "had"} or auxiliary.head != root.i:
        return sentence
    if auxiliary.dep in AUXILIARY:
        return sentence
    repair = _Repair(sentence)
    passive = auxiliary.lower in BE
    repair.set(auxiliary, dep="auxpass" if passive else "aux")
    repair.set(root, tag="VBN")
    if passive:
        repair.set(subject, dep="nsubjpass")
    for child in sentence.children(auxiliary):
        repair.set(child, dep="advmod", head=root.i)
    return repair.result()


def _closing_tags(sentence: Sentence) -> Sentence:
    # You're coming, right?
    root = sentence.root
    previous = sentence.before(root)
    if root.lower not in {"right", "ok", "okay", "correct"} or previous is None or previous.lower != ",":
        return sentence
    verb = next((t for t in sentence.children(root, "ccomp") if t.i < root.i), None)
    if verb is None:
        return sentence
    repair = _Repair(sentence)
    repair.root(verb, "intj")
    return repair.result()


REPAIRS: tuple[Callable[[Sentence], Sentence], ...] = (
    _clitics,
    _let_us,
    _auxiliaries,
    _split_groups,
    _clinical_verbs,
    _plural_verbs,
    _swapped_verbs,
    _subject_clauses,
    _inverted_conditions,
    _commands_after_a_clause,
    _only_inversions,
    _closing_tags,
)
