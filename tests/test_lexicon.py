"""The tables (well-formed, complete, without known traps) and the morphology."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from litotes.errors import LexiconError
from litotes.lexicon import affix_pairs, antonym_pairs, other_word, table, word_set
from litotes.lexicon.morphology import article, inflect, lemma
from litotes.lexicon.tables import read_table
from litotes.lexicon.word_pairs import forbids_exchange, same_case
from tests.conftest import REPOSITORY, TABLES

NAMES = sorted(p.name.removesuffix(".tsv") for p in files("litotes.lexicon").iterdir() if p.name.endswith(".tsv"))


@pytest.mark.parametrize("name", NAMES)
def test_a_table_can_be_read_and_has_no_duplicate_rows(name: str) -> None:
    found = table(name)
    assert len(found) > 0
    rows = [tuple(row.values()) for row in found]
    assert len(rows) == len(set(rows))


def test_the_error_for_a_malformed_row_names_its_line() -> None:
    with pytest.raises(LexiconError, match=r"words\.tsv, line 4: 1 cells, expected 2"):
        read_table("words", "# a comment\na\tb\n1\t2\nalone\n")
    with pytest.raises(LexiconError, match="no lexicon table called 'nothing'"):
        table("nothing")
    with pytest.raises(LexiconError, match="no set called 'nothing'"):
        word_set("nothing")


def test_all_hedges_of_the_paper_are_listed() -> None:
    """134 single-word and 45 multi-word cues, each with a way to attach or a reason why it has none."""
    sizes = [row["size"] for row in table("hedges")]
    assert (sizes.count("word"), sizes.count("phrase")) == (134, 45)
    for row in (*table("hedges"), *table("hedges_ours")):
        assert (row["attach"] == "none") == bool(row["reason"]), row
        assert row["attach"] != "frame" or row["frame"].count("{clause}") >= 1, row
        assert row["attach"] == "none" or 0 < float(row["strength"]) < 1, row


def test_affix_traps_are_not_pairs() -> None:
    negatives = {row["negative"] for row in table("affixes")}
    listed = (TABLES / "affix_traps.tsv").read_text(encoding="utf-8")
    traps = {row["word"] for row in read_table("affix_traps", listed)}
    assert {"invaluable", "inflammable", "infamous", "disgruntled"} <= traps
    assert not traps & negatives


def test_antonyms_have_a_mark_and_are_numerous() -> None:
    assert len(table("antonyms")) >= 450
    assert set(table("antonyms").column("mark")) == {"immediate", "polar", "mid"}
    assert set(table("antonyms").column("direction")) == {"both", "one"}


def test_exact_affixes_are_affixes() -> None:
    pairs = {(row["positive"], row["negative"], row["pos"]) for row in table("affixes")}
    assert all((row["positive"], row["negative"], row["pos"]) in pairs for row in table("exact_affixes"))


@pytest.mark.skipif(not Path("/usr/share/wordnet/data.adj").exists(), reason="WordNet is not installed")
def test_the_antonym_table_is_the_output_of_its_script(tmp_path: Path) -> None:
    made = tmp_path / "antonyms.tsv"
    script = REPOSITORY / "scripts" / "build_antonyms.py"
    verdicts = REPOSITORY / "scripts" / "antonym_verdicts.tsv"
    command = [
        sys.executable,
        str(script),
        "--wordnet",
        "/usr/share/wordnet",
        "--verdicts",
        str(verdicts),
        "--out",
        str(made),
    ]
    subprocess.run(command, check=True, capture_output=True)
    assert made.read_text(encoding="utf-8") == files("litotes.lexicon").joinpath("antonyms.tsv").read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize(
    ("base", "tag", "form"),
    [
        ("go", "VBD", "went"),
        ("agree", "VBZ", "agrees"),
        ("panic", "VBG", "panicking"),
        ("be", "VBZ", "is"),
        ("lie", "VBD", "lied"),
        ("sink", "VBD", "sank"),
        ("give up", "VBD", "gave up"),
        ("happy", "JJR", "happier"),
        ("beautiful", "JJR", "more beautiful"),
        ("careless", "JJS", "most careless"),
        ("quickly", "RBR", "more quickly"),
        ("wolf", "NNS", "wolves"),
        ("walk", "VB", "walk"),
    ],
)
def test_inflection(base: str, tag: str, form: str) -> None:
    assert inflect(base, tag) == form


@pytest.mark.parametrize(
    ("form", "tag", "base"),
    [
        ("went", "VBD", "go"),
        ("felt", "VBD", "feel"),
        ("was", "VBD", "be"),
        ("children", "NNS", "child"),
        ("the", "DT", "the"),
    ],
)
def test_lemmas(form: str, tag: str, base: str) -> None:
    assert lemma(form, tag) == base


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("apple", "an"),
        ("unhappy", "an"),
        ("university", "a"),
        ("useful", "a"),
        ("hour", "an"),
        ("honest", "an"),
        ("house", "a"),
        ("one-off", "a"),
        ("European", "a"),
        ("MRI", "an"),
        ("UN", "a"),
        ("fever", "a"),
        ("8-year-old", "an"),
        ("uninteresting", "an"),
    ],
)
def test_the_article_depends_on_the_sound(word: str, expected: str) -> None:
    assert article(word) == expected


def test_word_pairs_by_form() -> None:
    pair = affix_pairs()["agreed", "VBD"][0]
    assert (pair.word, pair.other, pair.negative, other_word(pair, "VBD")) == ("agree", "disagree", True, "disagreed")
    assert "closed" in {p.other for p in antonym_pairs()["open", "JJ"]}


def test_frames_forbid_an_exchange() -> None:
    assert forbids_exchange("affixes", "certain", "", attributive=True)
    assert not forbids_exchange("affixes", "no-such-word", "to", attributive=True)


@pytest.mark.parametrize(("word", "model", "expected"), [("no", "A", "No"), ("no", "SOME", "NO"), ("no", "some", "no")])
def test_the_case_of_the_model_is_kept(word: str, model: str, expected: str) -> None:
    assert same_case(word, model) == expected
