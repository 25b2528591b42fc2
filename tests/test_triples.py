"""Test triples by rule: their content, the balance of kinds, and the cue-counting baseline."""

from __future__ import annotations

from collections import Counter

import pytest

import litotes
from litotes.lexicon import table
from litotes.synthesis import Anchor
from litotes.synthesis.by_rule.rewritten_triples import MOST_NEGATIVES, triples
from litotes.synthesis.cue_counting import cue_bag, run_baseline, triple_key
from litotes.synthesis.filters import refusal
from litotes.synthesis.selection.draw import draw_texts, feature
from litotes.types import Rewrite, Triple

SENTENCES = (
    "The drug is safe for children.",
    "All members voted for the amendment.",
    "The library is open on Sundays.",
    "He managed to repair the old radio.",
    "It is possible to cross the river here.",
    "The shop failed to open on time.",
    "She does not like the new cook.",
    "A dog on a red sofa.",
)


def _anchors() -> list[Anchor]:
    return [Anchor(str(number), text) for number, text in enumerate(SENTENCES)]


def test_triples_are_valid_and_deterministic() -> None:
    counts: Counter[str] = Counter()
    made = list(triples(_anchors(), seed=0, counts=counts))
    assert counts["kept"] == len(made)
    assert len({triple.id for triple in made}) == len(made)
    for triple in made:
        assert len({triple.anchor, triple.positive, triple.negative}) == 3
        assert refusal(triple) == ""
    texts = [(triple.anchor, triple.positive, triple.negative) for triple in made]
    assert len(set(texts)) == len(texts)
    by_kind = Counter((triple.anchor, triple.negative_kind) for triple in made)
    # At most two positives per anchor and one rewrite per kind.
    assert max(by_kind.values()) <= 2
    assert max(Counter(anchor for anchor, _ in by_kind).values()) <= MOST_NEGATIVES
    assert made == list(triples(_anchors(), seed=0, counts=Counter()))
    assert {t.positive for t in made} != {t.positive for t in triples(_anchors(), seed=1, counts=Counter())}


def test_mirrors_start_from_the_negated_text() -> None:
    made = list(triples(_anchors(), seed=0, counts=Counter()))
    mirrors = [triple for triple in made if "/mirror/" in triple.id]
    assert mirrors
    negatives = {(triple.anchor, triple.negative_kind): triple.negative for triple in made if triple not in mirrors}
    for mirror in mirrors:
        # The negative is the original text, possibly after an aside; the anchor is its negative of the same kind.
        original = next(text for text in SENTENCES if mirror.negative.lower().endswith(text.lower()))
        assert negatives.get((original, mirror.negative_kind), mirror.anchor) == mirror.anchor


def test_extra_positives_are_used_and_refused_ones_are_not() -> None:
    anchors = _anchors()[:1]
    extra = Rewrite(anchors[0].text, "paraphrase", "For children the drug is safe.", "", (), 10, "seq2seq")
    refused = Rewrite(anchors[0].text, "paraphrase", reason="it says something else")
    positives = set()
    for seed in range(6):
        positives |= {t.positive for t in triples(anchors, seed=seed, counts=Counter(), extra=[[extra, refused]])}
    assert str(extra) in positives


def test_every_negative_of_a_verbal_triple_is_detected_as_negation() -> None:
    for triple in triples(_anchors()[:5], seed=0, counts=Counter()):
        if triple.negative_kind == "verbal" and "/mirror/" not in triple.id:
            assert len(litotes.detect(triple.negative).negations) != len(litotes.detect(triple.anchor).negations)


def _triple(anchor: str, positive: str, negative: str) -> Triple:
    return Triple("x", anchor, positive, negative, "word", "verbal", ("", ""))


def test_filters_give_a_reason() -> None:
    assert "the same" in refusal(_triple("The lamp is on.", "the lamp is on.", "It is off."))
    assert "shorter" in refusal(_triple("It is.", "It may be so.", "It is not so."))
    assert "negative is more than 60" in refusal(_triple("The lamp is on.", "The lamp may be on.", "x y z " * 20))
    assert refusal(_triple("The lamp is on.", "The lamp may be on.", "The lamp isn't on.")) == ""


def test_rejects_are_kept_on_request() -> None:
    long = "The guard at the northern gate of the old harbour is able to read the register of ships and of their crews."
    rejects: list[tuple[str, Triple]] = []
    counts: Counter[str] = Counter()
    list(triples([Anchor("short", "It is on.")], seed=0, counts=counts, rejects=rejects))
    list(triples([Anchor("long", long)], seed=0, counts=counts, rejects=rejects))
    assert len(rejects) == sum(n for why, n in counts.items() if why.partition(": ")[2] == refusal_of(rejects, why))


def refusal_of(rejects: list[tuple[str, Triple]], counted: str) -> str:
    """Return the reason in a count's name if a reject has it."""
    reasons = {reason for reason, _ in rejects}
    return next((reason for reason in reasons if counted.endswith(reason)), "-")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The nurse is happy with the new shift.", "affix"),
        ("The nurse is not happy with the new shift.", "plain"),
        ("We walked home in the rain.", "all"),
        ("Every lamp in the hall was lit.", "all"),
        ("The tenants paid their rent in May.", "all"),
        ("The boss paid the rent in May.", "plain"),
        ("She paid the rent in May.", "person"),
        ("A fox is crossing the yard.", "one"),
        ("A fox crossed the yard.", "plain"),
        ("", "plain"),
    ],
)
def test_the_words_of_a_text_suggest_a_kind(text: str, expected: str) -> None:
    assert feature(text) == expected


def test_a_draw_prefers_rare_texts_and_depends_on_seed_and_text_only() -> None:
    plain = [f"Rain fell on street number {number}." for number in range(300)]
    rare = [f"We counted {number} ships." for number in range(10)]
    texts = plain[:150] + rare + plain[150:]
    taken = draw_texts(texts, 60, seed=0)
    assert len(taken) == 60
    assert {texts[place] for place in taken} >= set(rare)
    assert {texts[place] for place in draw_texts(texts[::-1], 60, seed=0)} != set()
    assert {texts[::-1][place] for place in draw_texts(texts[::-1], 60, seed=0)} == {texts[place] for place in taken}
    assert draw_texts(texts, 60, seed=1) != taken
    assert draw_texts(texts, 1000, seed=0) == frozenset(range(len(texts)))
    assert draw_texts([], 5, seed=0) == frozenset()


def test_asides_have_a_cue_and_a_clause() -> None:
    rows = list(table("asides"))
    assert len(rows) >= 30
    for row in rows:
        assert row["frame"].endswith("{clause}")
        assert row["cue"].split()[0] in row["frame"].lower()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The lamp is on.", ()),
        ("The lamp isn't on.", ("not",)),
        ("Nobody but me saw no harm in it.", ("but", "no", "nobody")),
        ("Everyone apart from Ann likes it.", ("apart from",)),
    ],
)
def test_the_cues_of_a_text(text: str, expected: tuple[str, ...]) -> None:
    assert cue_bag(text) == expected


def test_counting_cues_solves_triples_that_differ_in_cues_and_no_others() -> None:
    # Both halves have no cue in the positive and a "not" in the negative.
    solved = [triple_key(str(i), "It is on.", "It may be on.", "It is not on.") for i in range(20)]
    counts = Counter(solved)
    assert len(counts) == 2
    assert run_baseline(counts).line() == {"accuracy": 1.0, "undecided": 0, "unsolved": 0.0}
    # Antonyms: no cue anywhere, so nothing to decide by.
    tied = Counter(triple_key(str(i), "It is open.", "It may be open.", "It is closed.") for i in range(20))
    assert run_baseline(tied).line() == {"accuracy": 0.0, "undecided": 20, "unsolved": 1.0}
    assert run_baseline(counts + tied).unsolved == 0.5
    assert run_baseline(Counter()).line() == {"accuracy": None, "undecided": 0, "unsolved": 0.0}
