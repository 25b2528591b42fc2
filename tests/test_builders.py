"""Test the builders of public data sets on small files in the layouts of the sources."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from litotes.cli.app import app
from litotes.cli.build import NAMES
from litotes.data.builders import BUILDERS, builder
from litotes.data.builders.cannot_wmt import ScoredTranslation, split
from litotes.data.builders.claims import ClaimParts, claim_parts
from litotes.data.builders.m3 import GradedClaim
from litotes.data.builders.source_files import write
from litotes.errors import InputError
from litotes.types import LabelledPair


def _made(name: str, *arguments: str, seed: int = 0) -> tuple[list[Any], Counter[str]]:
    counts: Counter[str] = Counter()
    chosen = builder(name)
    return list(chosen.run(chosen.files(arguments), seed=seed, counts=counts)), counts


def _table(path: Path, rows: list[list[str]]) -> str:
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, delimiter="\t" if path.suffix == ".tsv" else ",").writerows(rows)
    return str(path)


def _lines(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def _sources(folder: Path) -> list[str]:
    """Write one small file for each of CANNOT's four sources."""
    nan = [
        ["premise", "hypothesis", "label"],
        ["Not one guest stayed for supper.", "One guest stayed for supper.", "contradiction"],
        ["Not one guest stayed for supper.", "No guest stayed for supper.", "entailment"],
    ]
    wiki = [
        {"claim": "The bridge was not opened by the mayor", "refuted": "The bridge was opened by the mayor."},
        {"claim": "The tower is open in winter."},
        {"claim": "The choir sings in Leeds every May.", "refuted": "The choir sings in Hull every May."},
        {"claim": "The mill is old.", "refuted": "Nobody has seen the mill since the great flood."},
    ]
    glue = [
        ["Label", "Premise", "Hypothesis"],
        ["contradiction", 'She said the "soup" is hot.', 'She said the "soup" is cold.'],
        ["contradiction", "The soup is hot.", "Everyone at the table knows that it is cold by now."],
        ["neutral", "The soup is hot.", "The soup is salty."],
    ]
    (folder / "diagnostic.tsv").write_text("\n".join("\t".join(row) for row in glue) + "\n", encoding="utf-8")
    (folder / "reviews.txt").write_text("The screen is not bright.\t0\nGreat value!\t1\nIt is loud.\t0\n")
    return [
        "nan-nli=" + _table(folder / "nan.csv", nan),
        "wikifactcheck=" + _lines(folder / "wiki.jsonl", wiki),
        f"glue-diagnostic={folder / 'diagnostic.tsv'}",
        f"reviews={folder / 'reviews.txt'}",
    ]


def test_cannot_from_its_four_sources(tmp_path: Path) -> None:
    made, counts = _made("cannot", *_sources(tmp_path))
    labels = Counter(pair.label for pair in made)
    assert labels[0] == labels[1] > 0
    denied = {(pair.premise, pair.hypothesis) for pair in made if pair.label == 0}
    assert ("Not one guest stayed for supper.", "One guest stayed for supper.") in denied
    assert ("The bridge was not opened by the mayor.", "The bridge was opened by the mayor.") in denied
    assert ('She said the "soup" is hot.', 'She said the "soup" is cold.') in denied
    assert ("The screen is not bright.", "The screen is bright.") in denied
    assert {(second, first) for first, second in denied} == denied
    same = {(pair.premise, pair.hypothesis) for pair in made if pair.label == 1}
    assert not same & denied
    assert all(first != second for first, second in same | denied)
    assert counts["nan-nli: not a contradiction"] == 1
    assert counts["wikifactcheck: without a refutation"] == 1
    assert counts["wikifactcheck: names or numbers differ"] == 1
    assert counts["wikifactcheck: lengths differ by more than 3 words"] == 1
    assert counts["glue-diagnostic: not a contradiction"] == 1
    assert counts["glue-diagnostic: lengths differ by more than 3 words"] == 1
    assert counts["reviews: no auxiliary verb"] == 1
    assert made == _made("cannot", *_sources(tmp_path))[0]


def test_negated_pairs_without_a_paraphrase_are_left_out(tmp_path: Path) -> None:
    header = ["premise", "hypothesis", "label"]
    lone = _table(tmp_path / "nan.csv", [header, ["Oh, snow!", "Oh, no snow!", "contradiction"]])
    made, counts = _made("cannot", f"nan-nli={lone}")
    assert made == []
    assert counts["no paraphrase rule fits"] == 1
    assert counts["left over, label 0"] == 1


WMT = [
    {"candidate": "The cat sat.", "reference": "The cat was sitting.", "score": 0.8, "year": 2016, "lang": "de-en"},
    {"candidate": "Cat sits.", "reference": "The cat was sitting.", "score": -0.99, "year": 2015, "lang": "cs-en"},
    {"candidate": "A cat it is.", "reference": "The cat was sitting.", "score": -1.0, "year": 2016, "lang": "de-en"},
    {"candidate": "The cat.", "reference": "The cat was sitting.", "score": 0.1, "year": 2019, "lang": "de-en"},
    {"candidate": "Die Katze.", "reference": "Die Katze sitzt.", "score": 0.1, "year": 2017, "lang": "en-de"},
]


def test_cannot_wmt_scores_and_filters(tmp_path: Path) -> None:
    released = _table(
        tmp_path / "released.tsv",
        [["premise", "hypothesis", "label"], ["It is on.", "It isn't on.", "1"], ["It is on.", "It's on.", "0"]],
    )
    built = _lines(tmp_path / "pairs.jsonl", [LabelledPair("x", "It is dry.", "It isn't dry.", 0, "verbal").line()])
    made, counts = _made(
        "cannot-wmt", f"cannot={released}", f"pairs={built}", "wmt=" + _lines(tmp_path / "wmt.jsonl", WMT)
    )
    # The released label 1 means negated, so its score is 0; our label is the score.
    assert [(row.candidate, row.source, row.score) for row in made] == [
        ("It isn't on.", "cannot", 0.0),
        ("It's on.", "cannot", 1.0),
        ("It isn't dry.", "cannot", 0.0),
        ("The cat sat.", "wmt_2016", 0.8),
        ("Cat sits.", "wmt_2015", -0.99),
    ]
    assert counts["wmt: a score of -1 or below"] == 1
    assert counts["wmt: another year than 2015 to 2017"] == 1
    assert counts["wmt: not into English"] == 1


def test_wmt_rows_can_be_a_table(tmp_path: Path) -> None:
    rows = [["candidate", "reference", "source", "score"], ["a b", "a c", "wmt_2017", "0.5"], ["d", "e", "cannot", "1"]]
    made, _ = _made("cannot-wmt", "wmt=" + _table(tmp_path / "wmt.csv", rows))
    assert [(row.source, row.score) for row in made] == [("wmt_2017", 0.5)]


def test_both_orders_are_in_one_split_of_80_10_10() -> None:
    pairs = [(f"It is {number}.", f"It is not {number}.") for number in range(2000)]
    drawn = [split(first, second) for first, second in pairs]
    assert drawn == [split(second, first) for first, second in pairs]
    shares = Counter(drawn)
    # Four standard deviations of 2,000 draws: 72 around 1,600, 54 around 200.
    assert abs(shares["train"] - 1600) < 72
    assert abs(shares["eval"] - 200) < 54
    assert abs(shares["test"] - 200) < 54
    assert drawn != [split(first, second, seed=1) for first, second in pairs]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("cannot=a.tsv", "premise\thypothesis\tlabel\nx\ty\t2\n", "line 2: the label is '2'; expected 0 or 1"),
        ("cannot=a.tsv", "premise\tlabel\n", "no column hypothesis; the first line has premise, label"),
        ("cannot=a.tsv", "premise\thypothesis\tlabel\tkind\nx\ty\t1\tz\n", "pass it as pairs="),
        ("pairs=a.tsv", "premise\thypothesis\tlabel\nx\ty\t1\n", "no column kind"),
        ("wmt=a.jsonl", '{"candidate": "x", "reference": "y", "score": "good"}', "the score is 'good'"),
        ("wmt=a.jsonl", '{"candidate": "x"}', "reference is missing or not a text"),
    ],
)
def test_a_malformed_file_is_named_in_the_error(tmp_path: Path, name: str, content: str, message: str) -> None:
    source, _, file = name.partition("=")
    (tmp_path / file).write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        _made("cannot-wmt", f"{source}={tmp_path / file}")


@pytest.mark.parametrize(
    ("text", "claim_type", "core"),
    [
        ("Tea lowers the risk of gout.", "plain", "Tea lowers the risk of gout."),
        ("However, tea lowers the risk of gout.", "plain", "tea lowers the risk of gout."),
        ("Our results showed that tea lowers the risk.", "reported", "tea lowers the risk."),
        ("This review provides weak evidence that tea helps.", "evidence", "tea helps."),
        ("This study found a strong link between tea and gout.", "finding", "strong link between tea and gout."),
        ("Tea was found to be safe.", "passive", "be safe."),
        ("One trial, in 1994, reported less pain.", "reporting", "One trial, in 1994, reported less pain."),
    ],
)  # fmt: skip
def test_the_parts_of_claims(text: str, claim_type: str, core: str) -> None:
    parts = claim_parts(text)
    assert isinstance(parts, ClaimParts)
    assert (parts.type, parts.core) == (claim_type, core)
    article = f"{parts.article} " if parts.article else ""
    assert parts.opening + parts.subject + parts.report + parts.rest + article + parts.core == text


@pytest.mark.parametrize(
    ("text", "direction", "reason"),
    [
        ("Tea helps. Coffee was not tried.", "", "more than one sentence"),
        ("Although tea helps, coffee does not.", "", "subordinate clause"),
        ("Tea helps but coffee harms.", "", "two claims"),
        ("Tea is safe and coffee is not far behind.", "", "two claims"),
        ("The study did not show that tea helps.", "", "the report is itself negated"),
        ("There is insufficient evidence on tea.", "", "no evidence"),
        ("The mean intake was 3.2 cups.", "", "a measurement"),
        ("Patients treated with tea had less pain.", "", "participle"),
        ("Despite lower pain, tea was disliked.", "lower", "outside the clause"),
    ],
)
def test_claims_that_are_declined(text: str, direction: str, reason: str) -> None:
    declined = claim_parts(text, direction)
    assert isinstance(declined, str)
    assert reason in declined


def _m3(folder: Path, *claims: tuple[str, str, str]) -> str:
    rows = [
        {"docid": f"{number}_0", "target_text": text, "target_modality": modality, "target_direction_span": span}
        | {"input_studies": [{"source_text": f"Study {number}: tea is safe.", "source_modality": "moderate"}]}
        for number, (text, modality, span) in enumerate(claims)
    ]
    return _lines(folder / "level3.jsonl", rows)


def test_m3_counterfactuals_of_a_plain_claim(tmp_path: Path) -> None:
    made, _ = _made("m3", _m3(tmp_path, ("Green tea is associated with a lower risk of gout.", "moderate", "lower")))
    assert [(row.kind, row.score) for row in made] == [
        ("negated", -1),
        ("no evidence", 0),
        ("hedged", 1),
        ("intensified", 1),
    ]
    negated, without, hedged, intensified = (row.sentence2 for row in made)
    assert negated == "Green tea is not associated with a lower risk of gout."
    assert without.endswith("no evidence that green tea is associated with a lower risk of gout.")
    assert hedged.endswith("associated with a lower risk of gout.")
    assert hedged != made[2].sentence1
    assert intensified in {
        f"Green tea is {adverb} associated with a lower risk of gout."
        for adverb in ("certainly", "clearly", "definitely", "undoubtedly")
    }


def _by_kind(rows: list[GradedClaim]) -> dict[str, str]:
    return {row.kind: row.sentence2 for row in rows}


def test_m3_negates_the_claim_and_not_its_report(tmp_path: Path) -> None:
    texts = _by_kind(
        _made("m3", _m3(tmp_path, ("Our results showed that green tea lowers the risk.", "moderate", "")))[0]
    )
    assert texts["negated"] == "Our results showed that green tea does not lower the risk."
    assert texts["no evidence"].endswith("no evidence that green tea lowers the risk.")
    assert texts["hedged"].startswith("Our results showed that green tea ")
    assert texts["intensified"] in {
        f"Our results {adverb} showed that green tea lowers the risk."
        for adverb in ("clearly", "convincingly", "conclusively")
    }


@pytest.mark.parametrize(
    ("claim", "negated"),
    [
        ("This study found an effect of tea on gout.", "This study found no effect of tea on gout."),
        ("Tea was found to be safe.", "Tea was found not to be safe."),
        ("Tea does not lower the risk of gout.", "Tea lowers the risk of gout."),
        ("Compared to no treatment, tea reduced the pain.", "Compared to no treatment, tea did not reduce the pain."),
        ("Tea may lower the risk of gout.", "Tea may not lower the risk of gout."),
    ],
)  # fmt: skip
def test_m3_negations(tmp_path: Path, claim: str, negated: str) -> None:
    assert _by_kind(_made("m3", _m3(tmp_path, (claim, "moderate", "")))[0])["negated"] == negated


def test_m3_counts_declined_claims_by_reason(tmp_path: Path) -> None:
    made, counts = _made(
        "m3",
        _m3(
            tmp_path,
            ("Tea may lower the risk of gout.", "weak", ""),
            ("Tea may lower the risk of gout.", "weak", ""),
            ("We know little about tea.", "no evidence", ""),
            ("Tea does not lower the risk of gout.", "strong", ""),
            ("All teas were well tolerated.", "moderate", ""),
        ),
    )
    assert counts["claims used"] == 3
    assert counts["claim: the same text again"] == 1
    assert counts["claim: says itself that there is no evidence"] == 1
    assert counts["hedged: already hedged"] == counts["intensified: already hedged"] == 1
    assert counts["intensified: already strong"] == 1
    assert counts["no evidence: the claim is negative"] == 1
    assert counts["negated: the amount in the subject would be negated, or stay"] == 1
    for kind, number in Counter(row.kind for row in made).items():
        declined = sum(n for reason, n in counts.items() if reason.startswith(f"{kind}: "))
        assert number + declined == counts["claims used"]


def test_m3_reads_the_studies_too(tmp_path: Path) -> None:
    file = _m3(tmp_path, ("Tea is safe.", "moderate", "safe"))
    assert {row.sentence1 for row in _made("m3", f"studies={file}")[0]} == {"Study 0: tea is safe."}
    bad = _lines(tmp_path / "bad.jsonl", [{"docid": "1", "input_studies": "none"}])
    with pytest.raises(InputError, match="expected input_studies, a list"):
        _made("m3", f"studies={bad}")


def test_files_are_assigned_to_their_sources(tmp_path: Path) -> None:
    file = _m3(tmp_path)
    assert builder("m3").files([file]) == {"conclusions": [Path(file)]}
    assert builder("m3").files([f"studies={file}"]) == {"studies": [Path(file)]}
    with pytest.raises(InputError, match="names no source of cannot; expected nan-nli=FILE"):
        builder("cannot").files([file])
    with pytest.raises(InputError, match=r"does not exist; expected level3\.jsonl of M3"):
        builder("m3").files([str(tmp_path / "nowhere.jsonl")])
    with pytest.raises(InputError, match="no files were given"):
        builder("m3").run({}, seed=0, counts=Counter())
    with pytest.raises(InputError, match="data set is 'tea'"):
        builder("tea")
    assert tuple(BUILDERS) == NAMES


def test_rows_with_a_split_are_written_to_one_file_per_split(tmp_path: Path) -> None:
    rows = [ScoredTranslation(f"a {split}", "b, c", "cannot", 0.5, split) for split in ("train", "test", "train")]
    manifest = write(rows, tmp_path / "out.csv", about={"data set": "x"}, counts=Counter({"kept": 3}))
    train = (tmp_path / "out.train.csv").read_text(encoding="utf-8")
    assert train == 'candidate,reference,source,score\na train,"b, c",cannot,0.5\na train,"b, c",cannot,0.5\n'
    assert {name: part["rows"] for name, part in manifest["files"].items()} == {"out.train.csv": 2, "out.test.csv": 1}
    assert json.loads((tmp_path / "out.manifest.json").read_text(encoding="utf-8")) == manifest
    assert not list(tmp_path.glob("*.partial"))
    with pytest.raises(InputError, match=r"ends in \.csv, \.tsv, \.jsonl"):
        write(rows, tmp_path / "out.doc", about={}, counts=Counter())
    with pytest.raises(InputError, match="no row was made"):
        write([], tmp_path / "empty.csv", about={}, counts=Counter())


def test_the_command_writes_data_and_a_manifest(tmp_path: Path) -> None:
    file = _m3(tmp_path, ("Green tea is associated with a lower risk of gout.", "moderate", "lower"))
    arguments = ["m3", "--from", file, "--out", str(tmp_path / "m3.jsonl")]
    result = CliRunner().invoke(app, ["data", "build", *arguments])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout) == {"m3.jsonl": 4}
    first = (tmp_path / "m3.jsonl").read_bytes()
    line = json.loads(first.splitlines()[0])
    assert list(line) == ["id", "sentence1", "sentence2", "score", "kind", "cue"]
    manifest = json.loads((tmp_path / "m3.manifest.json").read_text(encoding="utf-8"))
    assert manifest["sources"]["conclusions"][0]["file"] == "level3.jsonl"
    assert manifest["counts"]["kept, negated"] == 1
    CliRunner().invoke(app, ["data", "build", *arguments])
    assert (tmp_path / "m3.jsonl").read_bytes() == first
