"""litotes dedup: what is merged, what is listed, how a run resumes, and that Ray gives the same results."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from litotes.cli.app import app
from litotes.errors import InputError, require
from litotes.guard import Guard, OperatingPoint
from litotes.models.pair.build import new_pair_scorer, save_pair_scorer
from litotes.models.pair.heads import VERDICT
from litotes.workflows import dedup, dedup_parts
from litotes.workflows.dedup import Contradiction, Deduplication, Merge, deduplicate
from litotes.workflows.dedup_parts import encode_part, load_array, neighbour_part
from litotes.workflows.dedup_search import Verdicts
from litotes.workflows.progress import Step
from tests.family_models import quiet
from tests.guard_tiers import WordTier
from tests.small_base import tiny_base

ANGLES = {"alarm": 0, "lamp": 50, "soup": 90}
"""The vector of a text points in the direction of its topic; cos 50° is 0.64, cos 40° is 0.77."""
TEXTS = [
    "How do I turn the alarm on?",  # 0
    "Turn the alarm on",  # 1: the same longer words as 0
    "How do I turn the alarm off?",  # 2: "off" is another word
    "  how do I turn the alarm on ",  # 3: 0 after normalising
    "",  # 4: never merged
    "Recipe for soup",  # 5
    "Please turn the alarm on!",  # 6: 1 after normalising
    "",  # 7
    "soup: a recipe",  # 8: "soup:" is another word than "soup"
    "the soup recipe",  # 9: the same longer words as 5
]
KEPT = (0, 2, 4, 5, 7, 8)
MERGED = (Merge(1, 0, 0.9), Merge(3, 0, 1.0), Merge(6, 0, 0.9), Merge(9, 5, 0.9))
CONTRADICTING = [(0, 2), (5, 8)]


class TopicEncoder:
    """Texts about the same thing have the same vector. It counts the texts that it encodes."""

    name = "topics"

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str], *, role: str = "") -> np.ndarray:
        assert role == "document"
        self.encoded += texts
        angles = [next((angle for word, angle in ANGLES.items() if word in text), 180) for text in texts]
        return 3 * np.stack([np.cos(np.radians(angles)), np.sin(np.radians(angles))], axis=1)


def _judge(texts: Sequence[str], **options: Any) -> Deduplication:
    given: dict[str, Any] = {"encoder": TopicEncoder(), "tier": WordTier()}
    return deduplicate(texts, **given | options)


def _rows(path: Path) -> list[Any]:
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in data.decode().splitlines()]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """The texts as JSON lines with an id, an odd layout and an empty line."""
    lines = [f'{{"id":{number},  "text": {json.dumps(text)}}}\n' for number, text in enumerate(TEXTS)]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join([*lines[:2], "\n", *lines[2:]]), encoding="utf-8")
    return path


def test_only_what_the_guard_accepts_is_merged() -> None:
    encoder = TopicEncoder()
    found = _judge(TEXTS, encoder=encoder)
    assert (found.rows, found.kept, found.merged) == (10, KEPT, MERGED)
    assert [one.rows for one in found.contradictions] == CONTRADICTING
    assert found.contradictions[0] == Contradiction((0, 2), (TEXTS[0], TEXTS[2]), 0.1, "opposite", ("on", "off"))
    # six distinct texts: three pairs about the alarm, three about the soup
    assert encoder.encoded == [TEXTS[row] for row in (0, 1, 2, 5, 8, 9)]
    assert (found.pairs, found.rejected, found.files) == (6, {"opposite": 4}, ())


def test_a_row_is_not_merged_through_another_row() -> None:
    """1 is like 0 and 2 is like 1, but 2 is not like 0."""
    verdicts = Verdicts({(0, 1): 0.9, (1, 2): 0.8})
    assert verdicts.merged() == {1: 0}
    assert verdicts.open_questions() == {(0, 2)}


@pytest.mark.parametrize(
    ("accepted", "merged", "questions"),
    [
        ([], {}, set()),
        ([(0, 1), (0, 2), (1, 2)], {1: 0, 2: 0}, set()),
        # 3 goes to the earliest kept row that the guard accepted; 1 is not kept
        ([(0, 1), (1, 3), (2, 3)], {1: 0, 3: 2}, {(0, 2)}),
        # the kept row of 2 is later than 1, which is like 2
        ([(0, 2), (1, 2)], {2: 0}, {(0, 1)}),
    ],
)
def test_rows_are_merged_into_the_earliest_kept_one(
    accepted: list[tuple[int, int]], merged: dict[int, int], questions: set[tuple[int, int]]
) -> None:
    verdicts = Verdicts(dict.fromkeys(accepted, 0.9))
    assert (verdicts.merged(), verdicts.open_questions()) == (merged, questions)


def test_many_duplicates_are_merged_although_few_are_neighbours() -> None:
    """With one neighbour each, 0 and 1 are compared first; the others meet 0 because their neighbour was merged."""
    texts = [f"{'so ' * number}alarm" for number in range(6)]
    found = _judge(texts, neighbours=1)
    assert found.merged == tuple(Merge(row, 0, 0.9) for row in range(1, 6))
    # each of the six has 0 or 1 as its nearest; of the pairs among 1 to 5, none is needed
    assert found.pairs == 5


def test_far_texts_are_not_judged() -> None:
    texts = ["the alarm", "an alarm lamp", "the lamp", "a soup"]
    assert _judge(texts[:1] + texts[2:]).pairs == 1  # lamp and soup, 40° apart
    assert _judge(texts[:1] + texts[2:], min_cosine=0.8).pairs == 0
    assert _judge(texts[:1] + texts[2:], min_cosine=0.6).pairs == 2


@pytest.mark.parametrize("texts", [[], ["one"], ["", " "]])
def test_few_texts(texts: list[str]) -> None:
    assert _judge(texts) == Deduplication(len(texts), tuple(range(len(texts))), (), (), 0, {})


def test_texts_without_content_words_are_merged_only_if_they_are_equal() -> None:
    assert _judge(["Thanks!", "Hello", "Thanks!"]).merged == (Merge(2, 0, 1.0),)


def test_pairs_that_cannot_be_judged_are_kept_and_counted(caplog: pytest.LogCaptureFixture) -> None:
    found = _judge(["alarm " * 200, "alarm " * 201])
    assert (found.kept, found.rejected, found.contradictions) == ((0, 1), {"error": 1}, ())
    assert "1 pairs could not be judged and were not merged; the first: more than 1,000 characters" in caplog.text


def test_neighbours_are_the_nearest_whatever_the_parts_are(tmp_path: Path) -> None:
    """Compared with the whole matrix, on random vectors with ties."""
    vectors = np.random.default_rng(0).integers(-2, 3, size=(50, 4)).astype(np.float32)
    vectors[7] = 0
    unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    cosines = np.round(unit.astype(np.float64) @ unit.T.astype(np.float64), 5)
    np.fill_diagonal(cosines, -2)
    expected = {
        (row, int(other))
        for row in range(50)
        for other in np.argsort(-cosines[row], kind="stable")[:3]
        if cosines[row, other] >= 0.6
    }
    for size in (50, 16, 1):
        folder = tmp_path / str(size)
        paths = [folder / f"{start}.npy" for start in range(0, 50, size)]
        for path, start in zip(paths, range(0, 50, size), strict=True):
            encoder = _Fixed(vectors[start : start + size])
            loader = partial(dedup_parts.Models, encoder, Guard(WordTier()))
            encode_part(loader, path, [""] * len(encoder.rows))
        found = []
        for number in range(len(paths)):
            neighbour_part(folder / "near.npy", paths, number, 3, 0.6)
            found += [tuple(pair) for pair in load_array(folder / "near.npy").tolist()]
        assert set(found) == expected, size
        assert len(found) == len(expected)


class _Fixed:
    def __init__(self, rows: np.ndarray) -> None:
        self.rows = rows

    def encode(self, texts: Sequence[str], *, role: str = "") -> np.ndarray:
        return self.rows


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz"])
def test_json_lines_keep_their_rows_unchanged(source: Path, tmp_path: Path, suffix: str) -> None:
    lines = [line for line in source.read_text(encoding="utf-8").splitlines(keepends=True) if line.strip()]
    path = tmp_path / f"input{suffix}"
    text = source.read_bytes()
    path.write_bytes(gzip.compress(text) if suffix.endswith(".gz") else text)
    found = _judge_file(path, out=tmp_path / "out")
    assert [file.name for file in found.files] == [f"kept{suffix}", "merged.jsonl", "contradictions.jsonl"]
    kept, merged, contradictions = found.files
    written = kept.read_bytes()
    assert (gzip.decompress(written) if suffix.endswith(".gz") else written).decode() == "".join(
        lines[row] for row in KEPT
    )
    assert _rows(merged) == [{"row": one.row, "into": one.into, "score": one.score} for one in MERGED]
    assert _rows(contradictions)[0] == {
        "rows": [0, 2],
        "texts": [TEXTS[0], TEXTS[2]],
        "score": 0.1,
        "reason": "opposite",
        "words": ["on", "off"],
    }


def _judge_file(path: Path, **options: Any) -> Deduplication:
    given: dict[str, Any] = {"encoder": TopicEncoder(), "tier": WordTier()}
    return deduplicate(path, **given | options)


def test_parquet_keeps_its_columns(tmp_path: Path) -> None:
    arrow, parquet = require("pyarrow"), require("pyarrow.parquet")
    table = arrow.table({"id": arrow.array(range(10), arrow.int16()), "body": TEXTS})
    path = tmp_path / "rows.parquet"
    parquet.write_table(table, path)
    found = _judge_file(path, out=tmp_path / "new" / "kept.parquet", field="body")
    assert parquet.read_table(found.files[0]).equals(table.take(list(KEPT)))
    assert [file.name for file in found.files] == ["kept.parquet", "kept.merged.jsonl", "kept.contradictions.jsonl"]
    assert (tmp_path / "new" / "kept.work" / "manifest.json").is_file()


def test_a_list_of_texts_is_written_as_json_lines(tmp_path: Path) -> None:
    found = _judge([*TEXTS, "half \ud800"], out=tmp_path)
    assert [row["text"] for row in _rows(found.files[0])] == [*(TEXTS[row] for row in KEPT), "half \ud800"]


class _InterruptedError(Exception):
    pass


def _stopping_after(parts: int) -> Callable[[Any], Iterator[Path]]:
    """Return a runner that is interrupted when so many parts were made."""
    left = parts

    def run(jobs: Any) -> Iterator[Path]:
        nonlocal left
        for path in dedup_parts.run_here(jobs):
            if not left:
                raise _InterruptedError
            left -= 1
            yield path

    return run


@pytest.mark.parametrize("parts", [1, 3, 5, 7])
def test_an_interrupted_run_resumes(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parts: int) -> None:
    """With two texts or pairs per part, six texts have three parts of vectors, of neighbours and of verdicts."""
    monkeypatch.setattr(dedup, "PART", 2)
    whole, out = _judge_file(source, out=tmp_path / "whole"), tmp_path / "resumed"
    with monkeypatch.context() as patch:
        patch.setattr(dedup, "run_here", _stopping_after(parts))
        with pytest.raises(_InterruptedError):
            _judge_file(source, out=out)
    assert not list(out.glob("*.jsonl"))
    made = {path: path.stat().st_mtime_ns for path in (out / "work").rglob("0*")}
    assert len(made) == parts + 1
    steps: list[Step] = []
    encoder = TopicEncoder()
    resumed = _judge_file(source, out=out, encoder=encoder, progress=steps.append)
    assert all(path.stat().st_mtime_ns == time for path, time in made.items())
    assert len(encoder.encoded) == 6 - 2 * min(3, parts + 1)
    for one, other in zip(whole.files, resumed.files, strict=True):
        assert one.read_bytes() == other.read_bytes()
    done = [(what, number, 6) for what in ("encoding", "finding neighbours", "judging pairs") for number in (2, 4, 6)]
    assert [(step.what, step.done, step.total) for step in steps] == done


def test_a_work_folder_belongs_to_one_input_and_one_setting(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    _judge_file(source, out=out)
    for options, named in (
        ({"min_cosine": 0.8}, "min_cosine is 0.7 there and 0.8 now"),
        ({"threshold": 0.95}, "threshold is 0.5 there and 0.95 now"),
        ({"neighbours": 3}, "neighbours is 10 there and 3 now"),
    ):
        with pytest.raises(InputError, match=f"has the parts of another run: {named}. Choose another folder"):
            _judge_file(source, out=out, **options)
    assert _judge_file(source, out=out, min_cosine=0.8, work=tmp_path / "other").kept == KEPT
    with source.open("a", encoding="utf-8") as stream:
        stream.write('{"text": "more"}\n')
    with pytest.raises(InputError, match=r"another run: input sha256 is .* now"):
        _judge_file(source, out=out)


def test_damaged_and_foreign_work_folders(source: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / "letter.txt").touch()
    with pytest.raises(InputError, match="has other files than the parts of a run"):
        _judge_file(source, work=work)
    (work / "letter.txt").unlink()
    assert _judge_file(source, work=work).kept == KEPT
    part = work / "vectors" / "000000.npy"
    part.write_bytes(b"")
    assert _judge_file(source, work=work).kept == KEPT
    part.write_bytes(b"torn")
    (work / "neighbours" / "000000.npy").unlink()
    with pytest.raises(InputError, match=r"000000.npy is damaged .*; remove it, and run this again"):
        _judge_file(source, work=work)
    (work / "manifest.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=r"manifest.json cannot be read"):
        _judge_file(source, work=work)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_cosine": 0}, "min_cosine is 0; expected more than 0"),
        ({"neighbours": 0}, "neighbours is 0; expected 1 or more"),
        ({"field": "body"}, "line 1: no field 'body'; it has id, text"),
        ({"field": "id"}, "line 1, id: expected a text, got int"),
        ({"encoder": "random"}, "random has no vectors"),
        ({"encoder": _Fixed(np.zeros((1, 2)))}, "not given one vector of finite numbers per text"),
        ({"tier": 3}, "tier is 3; expected a name"),
        ({"ray": True}, "the encoder is .*; with Ray, expected a name"),
    ],
)
def test_bad_options_are_refused(source: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        _judge_file(source, **options)


def test_bad_files_are_refused(source: Path, tmp_path: Path) -> None:
    table = tmp_path / "rows.csv"
    table.touch()
    for path, options, message in (
        (tmp_path / "none.jsonl", {}, "there is no file at"),
        (table, {}, "expected a name that ends with .jsonl, .jsonl.gz or .parquet"),
        (source, {"out": source}, "is the input; expected another file"),
        (source, {"out": tmp_path / "kept.parquet"}, "has another format than"),
        (source, {"out": table}, "is a file; expected a folder"),
    ):
        with pytest.raises(InputError, match=message):
            _judge_file(path, **options)
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"PAR1")
    with pytest.raises(InputError, match="not a readable Parquet file"):
        _judge_file(broken)
    with pytest.raises(InputError, match="text 1: expected a text, got NoneType"):
        _judge(["one", None])  # type: ignore[list-item]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """An untrained encoder and an untrained pair model, whose card has a threshold that accepts some pairs."""
    base = tiny_base(tmp_path_factory.getbasetemp() / "tiny-bert")
    folder = tmp_path_factory.mktemp("guard") / "pair"
    with quiet():
        scorer = new_pair_scorer(base, rank=4, heads=(VERDICT,), device="cpu")
        save_pair_scorer(scorer, folder, base=base, shape={"rank": 4, "scale": 2.0, "layers": 2})
    point = OperatingPoint(0.0, "", 0.9, (0.8, 1.0), 0.5, (0.4, 0.6), 10, 40, "pairs of a test")
    texts = _made_up(60)
    scores = np.sort(scorer.verdicts(texts[:30], texts[30:])[:, 0])
    card = json.loads((folder / "pair.json").read_text(encoding="utf-8"))
    card["guard"] = {name: getattr(point, name) for name in point.__slots__} | {"threshold": float(scores[15])}
    (folder / "pair.json").write_text(json.dumps(card), encoding="utf-8")
    return {"encoder": f"dense:{base}", "tier": str(folder)}


def _made_up(count: int) -> list[str]:
    verbs, things = ("open", "close", "paint", "sell"), ("door", "gate", "window", "shop", "bridge")
    texts = [f"Can I {verb} the {thing} number {n}?" for n in range(10) for verb in verbs for thing in things]
    return texts[:count]


@pytest.mark.slow
def test_ray_gives_the_same_results(models: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = require("ray")
    if not ray.is_initialized():
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    monkeypatch.setattr(dedup, "PART", 64)
    texts = [*_made_up(190), *(text.rstrip("?") for text in _made_up(10))]
    steps: list[Step] = []
    here = deduplicate(texts, out=tmp_path / "here", **models)
    spread = deduplicate(texts, out=tmp_path / "ray", **models, ray=True, progress=steps.append)
    assert here.merged
    assert len(here.kept) > 1
    assert here.pairs > 190
    for one, other in zip(here.files, spread.files, strict=True):
        assert one.read_bytes() == other.read_bytes()
    assert steps[2] == Step("encoding", 190, 190)
    # a run that was begun here can be resumed on Ray
    for path in (tmp_path / "here" / "work" / "verdicts").iterdir():
        path.unlink()
    assert deduplicate(texts, out=tmp_path / "here", **models, ray=True) == here
    with pytest.raises(InputError, match="with Ray, expected a name or a folder"):
        deduplicate(texts, **models | {"tier": WordTier()}, ray=True)
    monkeypatch.setattr(dedup, "load_once", _refusing)
    with pytest.raises(InputError, match="refused on a worker"):
        deduplicate(texts, **models, ray=True)


def _refusing(names: Any) -> Any:
    raise InputError("refused on a worker")


def test_the_command_writes_the_files_and_prints_a_summary(models: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    texts = [*_made_up(20), *_made_up(2)]
    file.write_text("".join(json.dumps({"question": text}) + "\n" for text in texts), encoding="utf-8")
    command = ["dedup", str(file), "--field", "question", "--out", str(tmp_path / "out"), "--threshold", "1"]
    command += ["--encoder", models["encoder"], "--tier", models["tier"], "--device", "cpu"]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    line = json.loads(result.stdout)
    assert (line["rows"], line["kept"], line["merged"]) == (22, 20, 2)
    assert [Path(path).is_file() for path in line["files"]] == [True] * 3
    assert "litotes: wrote" in result.stderr
    table = CliRunner().invoke(app, [*command, "--table"]).stdout
    assert "contradicting pairs" in table
    assert "22" in table
    result = CliRunner().invoke(app, [*command[:-8], "--neighbours", "2", *command[-6:]])
    assert isinstance(result.exception, InputError)
