"""Test perturbations: each kind by hand, its quality, determinism, and that no negation is added or removed."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litotes.lexicon import word_set
from litotes.parse import load_parser
from litotes.synthesis.by_rule.perturbations import PERTURBATIONS, ReplacementPool, collect_replacements, perturbations

POOL = ReplacementPool({"NNP": ["Oslo"], "NN": ["kettle"], "NNS": ["ladders"]}, ["Bees hum."])
SEEDS = range(12)
PLAIN = "The old miller sold 14 goats near Lisbon."
CUES = re.compile(
    r"(?i)\b(?:no|not|cannot|never|none|nothing|nobody|nowhere|neither|nor|without|hardly|rarely|few)\b|n['’]t\b"
)


def by_kind_of(text: str, *, pool: ReplacementPool = POOL) -> dict[str, set[str]]:
    """Return the perturbed texts of several seeds, by kind."""
    document = load_parser().parse(text)
    by_kind = defaultdict(set)
    for seed in SEEDS:
        for perturbed in perturbations(document, pool, seed=seed):
            assert perturbed.quality == PERTURBATIONS[perturbed.kind][0]
            by_kind[perturbed.kind].add(perturbed.text)
    return by_kind


@pytest.fixture(scope="module")
def plain() -> dict[str, set[str]]:
    return by_kind_of(PLAIN)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("unrelated", {"Bees hum."}),
        ("name replaced", {"The old miller sold 14 goats near Oslo."}),
        ("noun replaced", {"The old kettle sold 14 goats near Lisbon.", "The old miller sold 14 ladders near Lisbon."}),
        ("name removed", {"The old miller sold 14 goats near."}),
        ("subject removed", {"sold 14 goats near Lisbon."}),
        ("verb removed", {"The old miller 14 goats near Lisbon."}),
        ("noun removed", {"The old sold 14 goats near Lisbon.", "The old miller sold 14 near Lisbon."}),
        ("addition", {"The old miller sold 14 goats near Lisbon Bees hum."}),
        ("phrase removed", {"The old miller sold 14 goats."}),
        ("question", {"The old miller sold 14 goats near Lisbon?"}),
        ("modifier removed", {"The miller sold 14 goats near Lisbon."}),
        ("tense", {"The old miller sells 14 goats near Lisbon."}),
        ("repeated", {"The old miller sold 14 goats near Lisbon Lisbon."}),
        ("repeated often", {"The old miller sold 14 goats near Lisbon Lisbon Lisbon Lisbon."}),
        ("no final stop", {"The old miller sold 14 goats near Lisbon"}),
    ],
)
def test_a_perturbation_by_hand(plain: dict[str, set[str]], kind: str, expected: set[str]) -> None:
    assert plain[kind] == expected


def test_random_perturbations_stay_within_their_kind(plain: dict[str, set[str]]) -> None:
    words = PLAIN.split()
    for text in plain["shuffled"]:
        assert sorted(text.split()) == sorted(words)
    for text in plain["number replaced"]:
        assert re.fullmatch(r"The old miller sold [1-9]\d goats near Lisbon\.", text)
        assert text != PLAIN
    for text in plain["function word"]:
        assert re.fullmatch(r"(?:a|of|in|on|to|for|with|at|by) old miller sold 14 goats near Lisbon\.", text)
    swaps = {" ".join([*words[:at], words[at + 1], words[at], *words[at + 2 :]]) for at in range(1, len(words) - 2)}
    assert plain["words swapped"] <= swaps
    foreign = word_set("foreign_words")
    for text in plain["foreign word"]:
        (new,) = set(text.split()) - set(words)
        assert new in foreign
        assert text in {PLAIN.replace("miller", new), PLAIN.replace("goats", new)}
    assert len(plain["shuffled"]) > 1
    assert len(plain["words swapped"]) > 1


def test_a_typo_drops_a_letter_or_swaps_two(plain: dict[str, set[str]]) -> None:
    for text in plain["typo"]:
        ((old, new),) = [pair for pair in zip(PLAIN.split(), text.split(), strict=True) if pair[0] != pair[1]]
        assert old in {"miller", "goats", "Lisbon."}
        dropped = {old[:at] + old[at + 1 :] for at in range(1, len(old))}
        swapped = {old[:at] + old[at + 1] + old[at] + old[at + 2 :] for at in range(1, len(old) - 1)}
        assert new in dropped | swapped
        assert new[0] == old[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He met his brother.", "She met her sister."),
        ("The woman thanked him herself.", "The man thanked her himself."),
        ("Her wife left.", "Her husband left."),
    ],
)
def test_gender_by_hand(text: str, expected: str) -> None:
    assert by_kind_of(text)["gender"] == {expected}


def test_qualities_are_on_one_scale() -> None:
    qualities = {kind: quality for kind, (quality, _) in PERTURBATIONS.items()}
    assert qualities["unrelated"] == 0
    assert all(0 <= quality < 1 for quality in qualities.values())
    assert qualities["shuffled"] < qualities["noun replaced"] < qualities["noun removed"] < qualities["typo"]


def test_text_pool_and_seed_determine_the_perturbations() -> None:
    document = load_parser().parse(PLAIN)
    first = list(perturbations(document, POOL, seed=3))
    assert list(perturbations(load_parser().parse(PLAIN), POOL, seed=3)) == first
    assert list(perturbations(document, POOL, seed=4)) != first
    kinds = [perturbed.kind for perturbed in first]
    assert len(set(kinds)) == len(kinds)


NEGATED = (
    "Mara didn't sell the 14 goats she keeps behind the old mill.",
    "The ferry to Orkney isn't running, and nobody at the office knows why.",
    "It's raining in Lisbon, so his brother cannot paint the fence.",
    "Without salt the soup tastes flat.",
    "Nothing happened at the well-known hotel in 1987.",
    "Tom's mother never drinks coffee after lunch.",
    "We asked whether they would come, but they would not.",
    "Neither the baker nor the miller paid.",
    "None of the lamps works, and few guests can find their rooms.",
    "She hardly spoke, and there was nowhere to sit.",
)


@pytest.mark.parametrize("text", NEGATED)
def test_no_negation_is_added_or_removed(text: str) -> None:
    # The pool has every cue, also as a noun: "nothing", "nobody" and "none" are tagged as nouns.
    pool = collect_replacements(load_parser().pipe(NEGATED))
    assert {"Nothing", "nobody"} <= set(pool.words["NN"])
    before = Counter(cue.lower() for cue in CUES.findall(text))
    by_kind = by_kind_of(text, pool=pool)
    assert len(by_kind) > 8
    for kind, texts in by_kind.items():
        for perturbed in texts if kind != "unrelated" else ():
            assert Counter(cue.lower() for cue in CUES.findall(perturbed)) == before, (kind, perturbed)


def test_no_word_is_split() -> None:
    by_kind = by_kind_of("It's a well-known fact that Tom's barn isn't his.")
    # "Tom" and "well" alone would leave "'s barn" and "-known"; "'s" as a verb would leave "Itwas".
    assert by_kind["name removed"] == by_kind["tense"] == set()
    for texts in by_kind.values():
        for text in texts:
            assert not re.search(r"(?:^|\s)['’-]\w|Itwas|\sn't", text)


@pytest.mark.parametrize(
    ("text", "absent"),
    [
        ("We wait.", {"number replaced", "name replaced", "noun replaced", "gender", "foreign word", "words swapped"}),
        ("Is the lift old?", {"question", "number replaced", "gender"}),
        ("Go on", {"no final stop", "question", "noun removed"}),
        ("Stop!", {"verb removed", "shuffled", "words swapped"}),
    ],
)
def test_a_kind_that_the_text_does_not_allow_is_absent(text: str, absent: set[str]) -> None:
    assert not absent & set(by_kind_of(text))


def test_texts_without_words_have_no_perturbations_and_an_empty_pool_gives_no_replacements() -> None:
    for text in ("", "  \n", "…?!", "—"):
        assert not by_kind_of(text)
    empty = collect_replacements([])
    assert empty == ReplacementPool({}, [])
    from_pool = {"unrelated", "addition", "name replaced", "noun replaced"}
    assert not from_pool & set(by_kind_of(PLAIN, pool=empty))
    assert "verb removed" in by_kind_of(PLAIN, pool=empty)


def test_the_pool_has_names_and_nouns_by_tag() -> None:
    texts = ["Mara feeds goats.", "The goats sleep in 3D in Oslo, an ox too."]
    pool = collect_replacements(load_parser().pipe(texts))
    assert pool.words["NNP"] == ["Mara", "Oslo"]
    assert pool.words["NNS"] == ["goats"]
    assert "ox" not in pool.words.get("NN", [])
    assert pool.texts == texts


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="abc not.!?'’- \n7é", max_size=40))
def test_any_text_is_accepted(text: str) -> None:
    for perturbed in perturbations(load_parser().parse(text), POOL, seed=0):
        assert perturbed.text == perturbed.text.strip() != text.strip()
        assert re.search(r"\w", perturbed.text)
