"""affirm(negate(x)) equals x if only the negation changed."""

from __future__ import annotations

from litotes import affirm, negate
from litotes.lexicon import table
from tests.conftest import rows

# rules that negate the verb and change nothing else in the clause
PLAIN_RULES = {"operator", "do-support", "imperative", "let-us", "had-better", "would-rather"}
POLARITY_ITEMS = {row["positive"].split()[0] for row in table("polarity")} | {"even", "any"}
CONJUNCTIONS = {"and"}
EMPHATIC = {"do", "does", "did"}
CLITICS = {"'s": " is", "'re": " are", "'ve": " have", "'ll": " will", "'d": " would", "'m": " am"}


def _written_out(text: str) -> str:
    """Write contractions in full, since they are a matter of style."""
    for clitic, full in CLITICS.items():
        text = text.replace("’", "'").replace(clitic, full)
    return text.replace(" has ", " is ").replace(" had ", " would ")


def test_affirming_a_verbal_negation_restores_the_sentence() -> None:
    tried, failures = 0, []
    for row in rows():
        if row["op"] != "negate" or row["kind"] != "verbal" or "xfail" in row:
            continue
        negated = negate(row["text"], "verbal")
        if negated.rule not in PLAIN_RULES:
            continue
        words = set(row["text"].lower().split())
        changed = {word.lower() for edit in negated.edits for word in edit.old.split()}
        if changed & (POLARITY_ITEMS | CONJUNCTIONS) or words & {"any", "even"} or changed & EMPHATIC:
            continue
        tried += 1
        back = affirm(str(negated))
        if _written_out(str(back)) != _written_out(row["text"]):
            failures.append((row["text"], str(negated), back.rewrite))
    assert tried >= 150
    assert failures == []
