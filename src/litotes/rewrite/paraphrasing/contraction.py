"""Contract or expand: it is ↔ it's, did not ↔ didn't."""

from __future__ import annotations

from litotes.detection import Clause, NoClause, clause_at
from litotes.lexicon.word_pairs import same_case
from litotes.parse import Sentence, Token
from litotes.rewrite.draft import Decline, Draft, Options
from litotes.rewrite.grammar import apostrophe, contracted_forms, full_form

SHORT = {"is": "'s", "are": "'re", "am": "'m", "have": "'ve", "has": "'s", "had": "'d", "will": "'ll", "would": "'d"}
HOSTS = frozenset({"i", "you", "he", "she", "it", "we", "they", "that", "there", "what", "who"})
FULL = {"ca": "can", "wo": "will", "sha": "shall"}


def contraction(sentence: Sentence, clause: Clause | NoClause, options: Options) -> Draft | Decline:
    # It isn't raining. → It is not raining.   They will come. → They'll come.
    if isinstance(clause, NoClause):
        return Decline("nothing here can be contracted or written out")
    for token in sentence.tokens:
        answer = _write_out(sentence, clause, token)
        if answer is not None:
            return answer
    for token in sentence.tokens:
        answer = _contract(sentence, clause, token)
        if answer is not None:
            return answer
    return Decline("nothing here can be contracted or written out")


def _write_out(sentence: Sentence, clause: Clause, token: Token) -> Draft | None:
    draft = Draft(sentence, "write-out", token.text, "none")
    previous = sentence.before(token)
    if token.lower == "n't" and previous is not None:
        if previous.lower in {"ai", "let"}:
            return None
        owner = clause_at(sentence, sentence.tokens[token.head]) if token.head != token.i else clause
        if isinstance(owner, Clause) and owner.inverted and owner.subject is not None and owner.finite.i == previous.i:
            draft.replace(previous, same_case(FULL.get(previous.lower, previous.lower), previous.text), until=token)
            return draft.after(sentence.right(owner.subject), "not")
        full = FULL.get(previous.lower)
        if full == "can":
            return draft.replace(previous, same_case("cannot", previous.text), until=token)
        if full is not None:
            return draft.replace(previous, same_case(f"{full} not", previous.text), until=token)
        return draft.replace(token, "not" if token.start > previous.end else " not")
    if (
        token.text[0] in "'’"
        and token.lower in {"'s", "'re", "'m", "'ve", "'ll", "'d"}
        and token.tag in {"VBZ", "VBP", "VBD", "MD", "VB"}
    ):
        verb = token if token.dep in {"ROOT", "ccomp", "advcl", "relcl", "conj"} else sentence.tokens[token.head]
        owner = clause_at(sentence, verb)
        if not isinstance(owner, Clause) or owner.finite.i != token.i:
            return None
        return draft.replace(token, " " + full_form(owner))
    return None


def _contract(sentence: Sentence, clause: Clause, token: Token) -> Draft | None:
    following = sentence.after(token)
    mark = apostrophe(sentence)
    draft = Draft(sentence, "contract", token.text, "none")
    if (
        following is not None
        and following.lower == "not"
        and token.lower in contracted_forms()
        and following.dep == "neg"
    ):
        short = contracted_forms()[token.lower].replace("'", mark)
        return draft.replace(token, same_case(short, token.text), until=following)
    owner = sentence.before(token)
    if (
        owner is None
        or owner.lower not in HOSTS
        or token.lower not in SHORT
        or owner.dep not in {"nsubj", "nsubjpass", "expl"}
    ):
        return None
    ends = following is None or following.tag in {".", ",", ":"} or following.start == token.end
    main_have = token.lower in {"have", "has", "had"} and token.dep not in {"aux"}
    if token.lower in {"are", "have"} and owner.lower not in {"i", "you", "we", "they"}:
        return None
    gap = owner.i > 0 and sentence.tokens[owner.i - 1].tag in {"WP", "WDT", "WRB"}
    if gap or (following is not None and following.tag in {"CC", "TO"}):
        # "what you are to me", "they are and always will be"
        return None
    if ends or main_have or token.text[0].isupper() or (owner.lower in {"that", "what", "who"} and token.lower != "is"):
        return None
    draft.pieces.append((owner.end, token.end, SHORT[token.lower].replace("'", mark)))
    return draft
