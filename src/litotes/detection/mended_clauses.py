"""Mend clauses: those that are a subject, a condition or a tag, commands after a clause, and inversions."""

from __future__ import annotations

from litotes.detection.operators import WH
from litotes.detection.repair import AUXILIARY, BE, FINITE, SUBJECT, Repair, third_person
from litotes.lexicon import word_set
from litotes.lexicon.morphology import known, lemma
from litotes.parse import Sentence, Token

CONDITIONAL = frozenset({"should", "had", "were"})
SUBORDINATORS = word_set("subordinators")
POLITE = frozenset({"please", "then", "simply", "just", "always"})


def subject_clauses(sentence: Sentence) -> Sentence:
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
            repair = Repair(sentence)
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
        return first.dep == "mark" and third_person(verb) and previous.tag in {"JJ", "VBN"} and previous.head == verb.i
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


def inverted_conditions(sentence: Sentence) -> Sentence:
    # Should the alarm sound, [leave] the building.   Should the buyer object, the seller [may] cancel.
    first, root = sentence.tokens[0], sentence.root
    if first.lower not in CONDITIONAL or first.dep not in AUXILIARY or sentence.tokens[-1].lower == "?":
        return sentence
    comma = next((t for t in sentence.tokens if t.lower == ","), None)
    if comma is None:
        return sentence
    repair = Repair(sentence)
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


def commands_after_a_clause(sentence: Sentence) -> Sentence:
    # If the light flashes red, [replace] the battery.   Once they are soft, [add] the garlic.
    tokens, root = sentence.tokens, sentence.root
    comma = next((t for t in tokens if t.lower == ","), None)
    if tokens[0].lower not in SUBORDINATORS or comma is None or tokens[-1].lower == "?":
        return sentence
    command = next((t for t in tokens[comma.i + 1 :] if t.lower not in POLITE), None)
    if command is None or not (command.tag in {"VB", "VBP", "VBD"} or _is_joined_command(sentence, command)):
        return sentence
    if command.lower != lemma(command.lower, "V"):
        return sentence
    subject = sentence.child(command, *SUBJECT)
    if (subject is not None and subject.i > comma.i) or sentence.child(command, "aux", "auxpass") is not None:
        return sentence
    opening = [t for t in sentence.children(root) if t.i < comma.i and t.dep in {"mark", "advmod", *SUBJECT}]
    if command.i == root.i and len(opening) > 1:
        # the parser gave the words of the subordinate clause to the command
        last = opening[-1]
        repair = Repair(sentence)
        for token in opening[:-1]:
            repair.set(token, head=last.i)
        repair.set(last, dep="advcl")
    elif root.i < comma.i and command.head == root.i:
        repair = Repair(sentence)
        repair.root(command, "advcl")
    elif command.i == root.i and command.tag == "VBD":
        # After the cake cools, [spread] the cream.
        repair = Repair(sentence)
    else:
        return sentence
    repair.set(command, tag="VB")
    return repair.result()


def _is_joined_command(sentence: Sentence, noun: Token) -> bool:
    """Match "[press] and hold the button": a noun that is joined to a command is one, too."""
    following, joined = sentence.after(noun), sentence.child(noun, "conj")
    return (
        noun.tag == "NN"
        and known(noun.lower, "V")
        and following is not None
        and following.tag == "CC"
        and joined is not None
        and joined.i == following.i + 1
        and joined.tag == "VB"
    )


def commands_after_a_purpose(sentence: Sentence) -> Sentence:
    # To change the bag, [open] the lid: the parser found no verb but the infinitive
    tokens, root = sentence.tokens, sentence.root
    comma = next((t for t in tokens if t.lower == ","), None)
    if tokens[0].lower != "to" or root.i != 1 or comma is None or tokens[-1].lower == "?":
        return sentence
    command = next((t for t in tokens[comma.i + 1 :] if t.lower not in POLITE), None)
    if command is None or not known(command.lower, "V") or command.lower != lemma(command.lower, "V"):
        return sentence
    following = sentence.after(command)
    object_ = following is not None and (
        following.tag in {"DT", "PRP", "PRP$", "RP", "CD"} or following.tag[:2] == "NN"
    )
    if not object_ or command.tag[:1] in "DP" or any(t.tag in FINITE for t in tokens):
        return sentence
    repair = Repair(sentence)
    repair.root(command, "advcl")
    repair.set(command, tag="VB")
    noun = tokens[command.head]
    if noun.i > command.i:
        repair.set(noun, dep="dobj", head=command.i)
    return repair.result()


def clauses_between_commas(sentence: Sentence) -> Sentence:
    # The rent, I'm afraid, [went] up.   Its venom, once thought harmless, [has] caused four deaths.
    root = sentence.root
    second = sentence.child(root, "conj")
    if second is None or second.tag[:1] != "V" or sentence.child(second, *SUBJECT) is not None:
        return sentence
    left = sentence.left(second)
    comma = left if left.lower == "," else sentence.before(left)
    first = sentence.after(comma) if comma is not None else None
    if first is None or comma is None or comma.lower != "," or not ({first.tag, second.tag} & FINITE):
        return sentence
    opening = sentence.tokens[: root.i]
    own = sentence.child(root, *SUBJECT)
    if own is None or own.i > root.i or sentence.child(root, "cc") is not None:
        return sentence
    if own.lower in {"i", "we"}:
        noun = sentence.child(root, "dep", "npadvmod")
    elif root.tag in {"VBD", "VBN"} and sentence.child(root, *AUXILIARY) is None:
        noun = own
    else:
        return sentence
    between = [t for t in opening if t.i > noun.i] if noun is not None else []
    if noun is None or noun.tag[:1] != "N" or not between or between[0].lower != ",":
        return sentence
    if sum(t.lower == "," for t in between) > 1:
        # "The mayor, a lawyer, opened the school, praised the staff and left."
        return sentence
    repair = Repair(sentence)
    repair.root(second, "parataxis")
    repair.set(noun, dep="nsubj", head=second.i)
    return repair.result()


def gerund_subjects(sentence: Sentence) -> Sentence:
    # Swimming after a big meal [is] dangerous: the preposition was read as a conjunction
    root = sentence.root
    verb = sentence.child(root, "advcl")
    if root.i > 0 or root.tag != "VBG" or verb is None or verb.tag not in FINITE or "," in sentence.words:
        return sentence
    mark, noun = sentence.child(verb, "mark"), sentence.child(verb, *SUBJECT)
    if mark is None or noun is None or mark.lower not in {"after", "before"} or mark.i > noun.i or noun.i + 1 != verb.i:
        return sentence
    if sentence.child(verb, "acomp", "attr") is None:
        return sentence
    repair = Repair(sentence)
    repair.root(verb, "csubj")
    repair.set(mark, dep="prep", head=root.i)
    repair.set(noun, dep="pobj", head=mark.i)
    return repair.result()


def only_inversions(sentence: Sentence) -> Sentence:
    # Only after a recount [was] the mayor declared the winner.
    root = sentence.root
    if sentence.tokens[0].lower != "only" or root.tag not in {"VBD", "VBN"}:
        return sentence
    subject = sentence.child(root, *SUBJECT)
    if subject is None:
        return sentence
    auxiliary = sentence.before(sentence.left(subject))
    if auxiliary is None or auxiliary.lower not in {*BE, "has", "have", "had"} or auxiliary.head != root.i:
        return sentence
    if auxiliary.dep in AUXILIARY:
        return sentence
    repair = Repair(sentence)
    passive = auxiliary.lower in BE
    repair.set(auxiliary, dep="auxpass" if passive else "aux")
    repair.set(root, tag="VBN")
    if passive:
        repair.set(subject, dep="nsubjpass")
    for child in sentence.children(auxiliary):
        repair.set(child, dep="advmod", head=root.i)
    return repair.result()


def closing_tags(sentence: Sentence) -> Sentence:
    # You're coming, right?
    root = sentence.root
    previous = sentence.before(root)
    if root.lower not in {"right", "ok", "okay", "correct"} or previous is None or previous.lower != ",":
        return sentence
    verb = next((t for t in sentence.children(root, "ccomp") if t.i < root.i), None)
    if verb is None:
        return sentence
    repair = Repair(sentence)
    repair.root(verb, "intj")
    return repair.result()
