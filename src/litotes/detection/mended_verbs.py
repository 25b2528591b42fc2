"""Mend verbs: clitics, auxiliaries, and verbs that were read as nouns."""

from __future__ import annotations

from litotes.detection.repair import AUXILIARY, BE, FINITE, SUBJECT, Repair, third_person
from litotes.lexicon import word_set
from litotes.lexicon.morphology import inflect, known, lemma
from litotes.parse import Sentence, Token

NOMINAL = frozenset({"DT", "PRP$", "JJ", "NN", "NNP"})
PLURALS = frozenset({"children", "women", "men", "people", "police", "mice"})
STATES = word_set("states")
AFTERWARDS = frozenset({"again", "now", "today", "tonight", "too", "enough", "already", "anyway", ".", "!", "?"})
"""What may follow a predicate at the end of a short sentence."""


def clitics(sentence: Sentence) -> Sentence:
    # The baby's awake.   Anna's lost her keys.   The kettle's broken.
    repair = None
    for token in sentence.tokens if "'s" in sentence.words else ():
        following = sentence.after(token)
        if token.lower == "'s" and token.dep not in AUXILIARY and following is not None and following.lower == "been":
            # Marta's been trying to call.
            repair = repair or Repair(sentence)
            verb = sentence.tokens[following.head] if following.dep in AUXILIARY else following
            repair.set(token, tag="VBZ", dep="aux", head=verb.i)
            continue
        if token.tag != "POS" or token.lower != "'s" or token.i == 0:
            continue
        if token.dep == "case" and sentence.child(token, "acomp", "attr", "prep", "advmod") is not None:
            # "The cat's asleep on the sofa."
            owner = sentence.tokens[token.head]
            repair = repair or Repair(sentence)
            repair.set(token, tag="VBZ")
            if owner.head == owner.i:
                repair.root(token, "nsubj")
            continue
        if token.dep != "case":
            # the parser made it a verb, the tagger a possessive ending
            repair = repair or Repair(sentence)
            repair.set(token, tag="VBZ")
            continue
        owner = sentence.tokens[token.head]
        verb = sentence.tokens[owner.head]
        adverbs = sentence.tokens[token.i + 1 : verb.i]
        clause = owner.dep in {"nsubj", "nsubjpass"} and verb.i > token.i and all(t.tag == "RB" for t in adverbs)
        if clause and verb.tag in {"VBN", "VBD", "VBG"} and sentence.child(verb, "aux", "auxpass") is None:
            repair = repair or Repair(sentence)
            repair.set(token, tag="VBZ", dep="aux", head=verb.i)
            repair.set(verb, tag="VBG" if verb.tag == "VBG" else "VBN")
    return repair.result() if repair else sentence


def contracted_be(sentence: Sentence) -> Sentence:
    # Lunch['s] ready.   Rosa['s] a cousin of ours: the parser found a possessor and no verb
    tokens = sentence.tokens
    clitic = next((t for t in tokens if t.lower == "'s"), None)
    if clitic is None or clitic.tag != "POS" or clitic.i == 0 or tokens[-1].lower not in {".", "!", "?"}:
        return sentence
    if any(t.tag in FINITE for t in tokens) or any(t.tag not in NOMINAL for t in tokens[: clitic.i]):
        return sentence
    if tokens[clitic.i - 1].lower in PLURALS:
        return sentence
    predicate = next((t for t in tokens[clitic.i + 1 :] if t.tag != "RB"), tokens[-1])
    if predicate.tag == "DT":
        predicate, dep = next((t for t in tokens[predicate.i :] if t.tag[:1] == "N"), predicate), "attr"
        rest = [t for t in tokens[predicate.i + 1 :] if t.head in {clitic.i, clitic.i - 1}]
    elif predicate.tag in {"JJ", "VBN"} and all(t.lower in AFTERWARDS for t in tokens[predicate.i + 1 :]):
        dep, rest = "acomp", list(tokens[predicate.i + 1 :])
        if len(rest) == 1 and predicate.i == clitic.i + 1 and predicate.lower not in STATES:
            # "Today's special!"   "Britain's unemployed."
            return sentence
    else:
        return sentence
    repair = Repair(sentence)
    repair.set(clitic, tag="VBZ", dep="ROOT", head=clitic.i)
    repair.set(tokens[clitic.i - 1], dep="nsubj", head=clitic.i)
    for token in tokens[: clitic.i - 1]:
        repair.set(token, head=clitic.i - 1)
    repair.set(predicate, dep=dep, head=clitic.i)
    for token in tokens[clitic.i + 1 : predicate.i]:
        repair.set(token, head=predicate.i)
    for token in (*rest, tokens[-1]):
        repair.set(token, dep="punct" if token.tag == "." else "advmod", head=clitic.i)
    return repair.result() if repair.tokens[sentence.root.i].head != sentence.root.i else sentence


def let_us(sentence: Sentence) -> Sentence:
    # Let's [order] pizza.
    root = sentence.root
    if len(sentence.tokens) < 4 or root.tag[:1] == "V" or root.i < 3:
        return sentence
    let, us, verb = sentence.tokens[:3]
    if (let.lower, us.lower) != ("let", "'s") or verb.tag != "NN" or not known(verb.lower, "V"):
        return sentence
    repair = Repair(sentence)
    repair.root(let, "dobj")
    repair.set(let, tag="VB")
    repair.set(us, dep="nsubj", head=verb.i)
    repair.set(verb, tag="VB", dep="ccomp", head=let.i)
    repair.set(root, head=verb.i)
    return repair.result()


def auxiliaries(sentence: Sentence) -> Sentence:
    # I'll be excited.   I've not been told.   You ought not to go.
    repair = None
    for token in sentence.tokens:
        head = sentence.tokens[token.head]
        if token.dep in {"aux", "neg"} and head.dep in AUXILIARY and head.head != head.i and head.tag[:1] in "VM":
            repair = repair or Repair(sentence)
            repair.set(token, head=head.head)
        elif _lacks_verb_tag(token, head):
            # "a lamp that doesn't flicker"
            repair = repair or Repair(sentence)
            repair.set(head, tag="VB")
        elif token.dep == "neg" and token.lower == "not" and 0 < token.i < len(sentence.tokens) - 1:
            previous, following = sentence.tokens[token.i - 1], sentence.tokens[token.i + 1]
            if previous.tag == "MD" and following.lower == "to" and head.i > token.i:
                repair = repair or Repair(sentence)
                repair.set(token, head=previous.i)
    return repair.result() if repair else sentence


def _lacks_verb_tag(token: Token, head: Token) -> bool:
    supports = token.dep == "aux" and token.lower in {"do", "does", "did"}
    return supports and head.tag[:1] in "NJ" and known(head.lower, "V")


def split_groups(sentence: Sentence) -> Sentence:
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


def _joined_group(sentence: Sentence, auxiliary: Token, verb: Token, subject: Token, tag: str) -> Sentence:
    """Make an auxiliary and a verb that the parser set apart one group."""
    repair = Repair(sentence)
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


def clinical_verbs(sentence: Sentence) -> Sentence:
    # Denies nausea.
    first, root = sentence.tokens[0], sentence.root
    if first.tag != "VBZ" or first.dep != "compound" or first.head != root.i or root.i != 1:
        return sentence
    repair = Repair(sentence)
    repair.root(first, "dobj")
    return repair.result()


def plural_verbs(sentence: Sentence) -> Sentence:
    # The city bans and taxes scooters.   The seller warrants that …   Council rejects plan.   This alloy rusts.
    repair = None
    root = sentence.root
    for token in sentence.tokens:
        if token.dep != "conj" or token.tag != "NNS" or sentence.tokens[token.head].tag != "VBZ":
            continue
        previous = sentence.before(token)
        if previous is not None and previous.tag == "CC" and third_person(token):
            # … represents and warrants that …
            repair = repair or Repair(sentence)
            repair.set(token, tag="VBZ")
    if repair is None and root.tag == "NNS" and third_person(root) and _reads_as_verb(sentence, root):
        return _verb_for_noun(sentence, root)
    if repair is None and len(sentence.tokens) > 1 and _is_headline_verb(sentence, sentence.tokens[1]):
        return _headline(sentence, sentence.tokens[1])
    return repair.result() if repair else sentence


def swapped_verbs(sentence: Sentence) -> Sentence:
    # He wears lenses, [recognises] faces and …: the verb was read as a noun, and its object as the verb
    for noun in sentence.tokens[1:-1]:
        verb = sentence.tokens[noun.i + 1]
        if noun.tag != "NNS" or verb.tag != "VBZ" or noun.head != verb.i or noun.dep not in SUBJECT:
            continue
        if known(noun.lower, "N") or not third_person(noun) or not known(verb.lower, "N"):
            continue
        repair = Repair(sentence)
        repair.set(noun, tag="VBZ", dep=verb.dep, head=noun.i if verb.head == verb.i else verb.head)
        repair.set(verb, tag="NNS", dep="dobj", head=noun.i)
        for child in sentence.children(verb):
            if child.i != noun.i:
                repair.set(child, head=noun.i)
        return repair.result()
    return sentence


def serial_verbs(sentence: Sentence) -> Sentence:
    # She parked the van, [unloaded] the crates and drove off: the second verb was read as something else
    root = sentence.root
    if root.tag != "VBD":
        return sentence
    first, comma = sentence.child(root, "ccomp", *SUBJECT), sentence.before(root)
    if first is not None and first.tag == "VBD" and comma is not None and comma.lower == ",":
        # I emailed twice, [rang] the office, and got a reply: the second verb was read as the main one
        whole = first.i < root.i and sentence.child(first, *SUBJECT) is not None
        if whole and sentence.child(root, "conj") is not None:
            repair = Repair(sentence)
            repair.root(first, "conj")
            return repair.result()
    for second in sentence.children(root, "dep", "advcl", "ccomp", "acl"):
        third = sentence.child(second, "conj")
        comma = sentence.before(second)
        if third is None or comma is None or comma.lower != "," or second.i < root.i:
            continue
        bare = all(sentence.child(verb, *SUBJECT, *AUXILIARY, "mark") is None for verb in (second, third))
        if bare and "VBD" in {second.tag, third.tag} and _is_past(second) and _is_past(third):
            repair = Repair(sentence)
            repair.set(second, tag="VBD", dep="conj")
            repair.set(third, tag="VBD")
            return repair.result()
    return sentence


def _is_past(token: Token) -> bool:
    return token.tag in {"VBD", "VBN"} and inflect(lemma(token.lower, "V"), "VBD") == token.lower


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
    repair = Repair(sentence)
    repair.set(root, tag="VBZ")
    for other in _joined(sentence, root):
        if other.tag == "NNS" and third_person(other):
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
    if token.tag != "NNS" or token.dep != "compound" or token.head != root.i or root.tag != "NN":
        return False
    first = sentence.tokens[0]
    between = sentence.tokens[2 : root.i]
    plain = first.tag in {"NN", "NNP"} and all(t.tag in {"JJ", "NN", "VBN"} for t in between)
    return plain and third_person(token)


def _headline(sentence: Sentence, verb: Token) -> Sentence:
    repair = Repair(sentence)
    repair.root(verb, "dobj")
    repair.set(verb, tag="VBZ")
    repair.set(sentence.tokens[0], dep="nsubj", head=verb.i)
    return repair.result()
