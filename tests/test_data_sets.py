"""The loaders of public data sets, on small files in the same layouts."""

from __future__ import annotations

import json
from hashlib import sha256
from importlib import import_module
from pathlib import Path

import pytest

from litotes.data import beir
from litotes.data.benchmarks import banking77, cannot_wmt, demetr, excluir, m3, nevir, sick, stsb
from litotes.data.benchmarks.cannot_wmt import Rated
from litotes.data.benchmarks.demetr import Perturbed, perturbation_name
from litotes.data.halves import half
from litotes.data.items import Judgement, ScoredPair, Text, Utterance
from litotes.data.selection import DataSelection
from litotes.errors import InputError, MissingError
from litotes.evaluation.catalogue import build

PERTURBED = {
    "id": 7,
    "eng_sent": "The kettle is on.",
    "mt_sent": "The kettle is on.",
    "pert_sent": "The kettle is not on.",
    "pert_check": True,
    "severity": "critical",
}


def lines(path: Path, *rows: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def text(path: Path, content: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    return path


def test_nevir_reads_the_style_from_the_id(tmp_path: Path) -> None:
    row = {"q1": "who came", "q2": "who stayed", "doc1": "Ann did not come.", "doc2": "Ann came."}
    lines(tmp_path / "dev.jsonl", {"id": "12-3", **row}, {"id": "13-2", **row}, {"id": "odd", **row})
    found = nevir.load(tmp_path, "dev")
    assert [(item.id, item.style) for item in found] == [("12-3", "affirmative"), ("13-2", "scope"), ("odd", "")]
    assert (found[0].q1, found[0].doc2) == ("who came", "Ann came.")


def test_excluir_has_no_second_query(tmp_path: Path) -> None:
    lines(tmp_path / "dev.jsonl", {"id": "4", "query": "lakes but not Como", "positive": "Garda", "negative": "Como"})
    (item,) = excluir.load(tmp_path)
    assert (item.id, item.q1, item.q2, item.doc1, item.doc2) == ("4", "lakes but not Como", None, "Garda", "Como")


def test_cannot_wmt_quotes_and_mixes_scales(tmp_path: Path) -> None:
    content = 'candidate,reference,source,score\n"Yes, it is.",It is.,cannot,1.0\nIt rains.,It pours.,wmt_2016,-0.25\n'
    text(tmp_path / "eval.csv", content)
    assert cannot_wmt.load(tmp_path) == (
        Rated("2", "Yes, it is.", "It is.", "cannot", 1.0),
        Rated("3", "It rains.", "It pours.", "wmt_2016", -0.25),
    )


def test_sts_does_not_quote(tmp_path: Path) -> None:
    text(tmp_path / "dev.tsv", 'captions\tours\t2012\t1\t4.5\t"Hello," she said\tShe said hello\textra\n')
    assert stsb.load(tmp_path) == (ScoredPair("1", '"Hello," she said', "She said hello", 4.5),)


def test_sick_has_a_header(tmp_path: Path) -> None:
    header = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
    text(tmp_path / "train.tsv", f"{header}31\tA dog runs\tA dog walks\t3.2\tNEUTRAL\n")
    assert sick.load(tmp_path) == (ScoredPair("31", "A dog runs", "A dog walks", 3.2),)


def test_beir_joins_title_and_text_and_keeps_judged_queries(tmp_path: Path) -> None:
    titled = ({"_id": "d1", "title": "Tea", "text": "Hot."}, {"_id": "d3", "title": "Milk .", "text": "Milk . White."})
    lines(tmp_path / "corpus.jsonl", titled[0], {"_id": "d2", "text": "Cold."}, titled[1])
    lines(tmp_path / "queries.jsonl", {"_id": "q1", "text": "warm drinks"}, {"_id": "q2", "text": "unjudged"})
    text(tmp_path / "qrels" / "test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\n")
    found = beir.load(tmp_path)
    assert found.passages == (Text("d1", "Tea Hot."), Text("d2", "Cold."), Text("d3", "Milk . White."))
    assert found.queries == (Text("q1", "warm drinks"),)
    assert found.judgements == (Judgement("q1", "d1", 2), Judgement("q1", "d2", 0))
    text(tmp_path / "qrels" / "dev.tsv", "query-id\tcorpus-id\tscore\nq9\td1\t1\n")
    with pytest.raises(InputError, match=r"dev\.tsv: query q9 is judged but is not in queries\.jsonl"):
        beir.load(tmp_path, "dev")


def test_banking77_has_intents(tmp_path: Path) -> None:
    text(tmp_path / "test.csv", 'text,category\n"Where, please, is my card?",card_arrival\n')
    assert banking77.load(tmp_path) == (Utterance("2", "Where, please, is my card?", "card_arrival"),)


def test_demetr_uses_the_names_of_the_paper(tmp_path: Path) -> None:
    text(tmp_path / "critical_id8_negation.json", json.dumps([PERTURBED, {**PERTURBED, "pert_check": False}]))
    found = demetr.load(tmp_path)
    assert found[0] == Perturbed(
        "7", "critical_negation", "critical", "The kettle is on.", "The kettle is on.", "The kettle is not on.", True
    )
    assert [row.changed for row in found] == [True, False]
    assert perturbation_name("base_id33_shuffle_trans") == "base_unrelated_trans"
    assert perturbation_name("critical_id20_shuffled") == "base_shuffled"
    assert perturbation_name("minor_id28_final_punc_removed") == "minor_removed_final_punc"


BUILT = {
    "id": "1_0/negated",
    "sentence1": "The new inhaler reduces attacks in children.",
    "sentence2": "The new inhaler does not reduce attacks in children.",
    "score": -1,
    "kind": "negated",
    "cue": "not",
}


def test_m3_reads_a_built_file(tmp_path: Path) -> None:
    lines(tmp_path / "counterfactual.jsonl", BUILT)
    assert [row.line() for row in m3.load(tmp_path)] == [BUILT]
    lines(tmp_path / "counterfactual.jsonl", {**BUILT, "kind": "sung"})
    with pytest.raises(InputError, match="line 1: kind is 'sung'; expected one of negated"):
        m3.load(tmp_path)


@pytest.mark.slow
def test_m3_is_built_if_the_file_is_missing(tmp_path: Path) -> None:
    claim = {
        "docid": "1_0",
        "target_text": BUILT["sentence1"],
        "target_modality": "moderate",
        "target_direction_span": "reduces",
    }
    lines(tmp_path / "level3.jsonl", claim)
    made = {row.kind: row for row in m3.load(tmp_path)}
    assert made["negated"].line() == BUILT
    assert {row.sentence1 for row in made.values()} == {BUILT["sentence1"]}


@pytest.mark.parametrize(
    ("name", "split", "file"),
    [
        ("nevir", "dev", "dev.jsonl"),
        ("excluir", "dev", "dev.jsonl"),
        ("cannot_wmt", "eval", "eval.csv"),
        ("stsb", "dev", "dev.tsv"),
        ("sick", "train", "train.tsv"),
        ("beir", "test", "qrels/test.tsv"),
        ("banking77", "test", "test.csv"),
        ("demetr", "", "critical_id8_negation.json"),
        ("m3", "level3", "level3.jsonl"),
    ],
)
def test_a_missing_file_is_named_with_its_home(tmp_path: Path, name: str, split: str, file: str) -> None:
    module = import_module(f"litotes.data.{name}" if name == "beir" else f"litotes.data.benchmarks.{name}")
    with pytest.raises(MissingError) as raised:
        module.load(tmp_path, split)
    assert str(tmp_path / file) in str(raised.value)
    assert "https://" in str(raised.value)


@pytest.mark.parametrize(
    ("name", "file", "content", "message"),
    [
        ("nevir", "dev.jsonl", '{"id": "1", "q1": "a"}\n', r"line 1: expected the texts q1, doc1, doc2"),
        ("nevir", "dev.jsonl", "\n{no\n", "line 2: not JSON"),
        ("cannot_wmt", "eval.csv", "candidate,reference,score\n", "no column source; the first line has candidate"),
        (
            "cannot_wmt",
            "eval.csv",
            "candidate,reference,source,score\na,b,cannot,0.5\n",
            "line 2: the score of a cannot",
        ),
        (
            "cannot_wmt",
            "eval.csv",
            "candidate,reference,source,score\na,b,c\n",
            "line 2: 3 columns; the first line has 4",
        ),
        ("cannot_wmt", "eval.csv", "candidate,reference,source,score\na,b,c,nan\n", "expected a finite number"),
        ("cannot_wmt", "eval.csv", "", "the first line has nothing"),
        ("stsb", "dev.tsv", "a\tb\tc\td\t5.0\tone\n", "line 1: 6 columns; expected 7 or more"),
        ("stsb", "dev.tsv", "a\tb\tc\td\thigh\tone\ttwo\n", "the score in column 5 is 'high'; expected a number"),
        ("demetr", "critical_id8_negation.json", "{}", "expected a JSON array"),
        ("demetr", "critical_id8_negation.json", '[{"id": 1}]', "item 1: pert_check is None"),
        ("demetr", "critical_id8_negation.json", "[3]", "item 1: expected a JSON object"),
        ("banking77", "test.csv", 'text,category\n"open\n', "not a table"),
    ],
)
def test_a_malformed_file_is_an_error_that_names_the_line(
    tmp_path: Path, name: str, file: str, content: str, message: str
) -> None:
    text(tmp_path / file, content)
    module = import_module(f"litotes.data.{name}" if name == "beir" else f"litotes.data.benchmarks.{name}")
    with pytest.raises(InputError, match=message):
        module.load(tmp_path, Path(file).stem)


def test_a_file_that_is_not_utf_8_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "train.tsv").write_bytes(b"pair_ID\tsentence_A\tsentence_B\trelatedness_score\n1\t\xff\xfe\t\t3\n")
    with pytest.raises(InputError, match="not UTF-8"):
        sick.load(tmp_path)


def test_the_halves_depend_on_the_parity_of_the_hash() -> None:
    keys = [str(number) for number in range(100)]
    select, report = half(keys, "select", key=str), half(keys, "report", key=str)
    assert all(int(sha256(key.encode()).hexdigest(), 16) % 2 == 0 for key in select)
    assert sorted((*select, *report)) == sorted(half(keys, "all", key=str)) == sorted(keys)
    with pytest.raises(InputError, match="no half 'other'; expected one of all, select, report"):
        half(keys, "other", key=str)


def test_tasks_are_built_from_a_folder_of_data_sets(tmp_path: Path) -> None:
    header = "candidate,reference,source,score\n"
    text(tmp_path / "cannot_wmt" / "eval.csv", f"{header}a,b,cannot,1.0\nc,d,wmt_2015,0.2\n")
    row = {"id": "1-2", "q1": "a", "q2": "b", "doc1": "c", "doc2": "d"}
    lines(tmp_path / "nevir" / "test.jsonl", row)
    assert build("cannot-wmt", DataSelection(tmp_path)).split == "eval"
    assert build("cannot-wmt", DataSelection(tmp_path)).texts() == {"": ["b", "a", "d", "c"]}
    assert build("nevir", DataSelection(tmp_path, split="test")).split == "test"
    file = lines(tmp_path / "mine.jsonl", {**row, "q2": None})
    assert len(build(f"contrasts:{file}", DataSelection())) == 1
    with pytest.raises(InputError, match=r"there is no file 'nowhere\.jsonl'"):
        build("contrasts:nowhere.jsonl", DataSelection())
