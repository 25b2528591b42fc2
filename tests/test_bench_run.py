"""Benchmark runs: what they write, resuming, cached vectors, and comparing models."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import litotes.cli.bench  # noqa: F401  (registers the command)
from litotes.cli.app import app
from litotes.data.items import Judgement, LabelledTexts, Retrieval, ScoredPair, Text, Utterance
from litotes.data.result_files import ItemRow
from litotes.data.selection import DataSelection
from litotes.errors import InputError
from litotes.evaluation import Progress, Result, bench, compare, measured, read_results, read_rows, variance
from litotes.evaluation.catalogue import build
from litotes.evaluation.scoring import CachedScorer
from litotes.evaluation.tasks import Task, figures
from litotes.evaluation.tasks.classification import ClassificationTask
from litotes.evaluation.tasks.contrast_pairs import ContrastTask
from litotes.evaluation.tasks.retrieval import RetrievalTask
from litotes.evaluation.tasks.similarity import SimilarityTask
from litotes.evaluation.vectors import BLOCK, VectorCache
from litotes.types import Contrast
from tests.bench_models import Angles, Letters, Overlap
from tests.family_models import FAMILIES, FamilyModels, family_models, minilm

__all__ = ["family_models"]

CONTRASTS = ContrastTask(
    "pairs",
    "dev",
    (
        Contrast("1", "is tea served", "is no tea served", "tea is served here", "no tea is served here", "sentential"),
        Contrast("2", "open shops", "closed shops", "the shops are open", "the shops are closed", "polar"),
    ),
)
GRADED = SimilarityTask(
    "graded",
    "dev",
    (
        ScoredPair("1", "a cat", "a cat", 5),
        ScoredPair("2", "a cat", "two dogs", 1),
        ScoredPair("3", "a cat", "a coat", 2),
    ),
)
SORTED = ClassificationTask(
    "sorted",
    "test",
    LabelledTexts((Utterance("1", "aaa", "a"), Utterance("2", "bbb", "b")), (Utterance("3", "aab", "a"),)),
)
TASKS: tuple[Task, ...] = (CONTRASTS, GRADED, SORTED)


def test_a_run_writes_results_rows_and_a_record(tmp_path: Path) -> None:
    found = bench([Letters()], TASKS, tmp_path, rounds=50)
    lines = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert lines == [result.line() for result in found]
    assert list(lines[0]) == ["model", "task", "split", "slice", "measure", "value", "low", "high", "n", "signature"]
    assert {line["task"] for line in lines} == {"pairs", "graded", "sorted"}
    assert read_results(tmp_path)[0].measure == "pairwise accuracy"
    signature = dict(part.split(":", 1) for part in lines[0]["signature"].split("|"))
    names = ("litotes", "task", "revision", "split", "n", "model", "fingerprint", "dial", "prompt", "dtype", "seed")
    assert tuple(signature) == names
    assert (signature["task"], signature["n"], signature["fingerprint"]) == ("pairs", "2", "letters-1")
    rows = sorted((tmp_path / "rows").iterdir())
    assert len(rows) == 3
    line = json.loads(rows[1].read_text(encoding="utf-8").splitlines()[0])
    assert list(line) == ["model", "task", "family", "split", "id", "value", "groups", "numbers"]
    assert json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))["letters"]["skipped"] == {}


def test_every_result_can_be_computed_again_from_the_rows(tmp_path: Path) -> None:
    results = bench([Letters()], [CONTRASTS], tmp_path, rounds=50)
    path = next((tmp_path / "rows").iterdir())
    again = figures("contrasts", read_rows(path))
    assert [figure.measure for figure in again] == [result.measure for result in results]


def test_two_models_of_a_run_can_be_compared_from_its_folder(tmp_path: Path) -> None:
    bench([Letters(), Overlap()], [CONTRASTS], tmp_path, rounds=20)
    family, ours = measured(tmp_path, "letters", "pairs")
    _, theirs = measured(tmp_path, "overlap", "pairs")
    assert (family, len(ours)) == ("contrasts", 2)
    assert compare(family, ours, theirs)[0].n == 2
    with pytest.raises(InputError, match="no results of 'tea' on 'pairs'"):
        measured(tmp_path, "tea", "pairs")


def test_finished_tasks_are_not_measured_again(tmp_path: Path) -> None:
    bench([Letters()], TASKS, tmp_path, rounds=50)
    before = (tmp_path / "results.json").read_bytes()
    again = Letters()
    bench([again], TASKS, tmp_path, rounds=50)
    assert again.encoded == 0
    assert (tmp_path / "results.json").read_bytes() == before
    ranker = Overlap()
    bench([ranker], [CONTRASTS], tmp_path, rounds=50)
    done = ranker.scored
    bench([ranker], [CONTRASTS], tmp_path, rounds=50)
    assert ranker.scored == done
    # the results of the other model are kept
    assert {result.model for result in read_results(tmp_path)} == {"letters", "overlap"}


def test_another_model_of_the_same_name_is_measured(tmp_path: Path) -> None:
    one, other = (dict.fromkeys(GRADED.texts()[""], angle) for angle in (0.0, 10.0))
    bench([Angles(one)], [GRADED], tmp_path, rounds=20)
    changed = Angles(other, fingerprint="angles-2")
    bench([changed], [GRADED], tmp_path, rounds=20)
    assert changed.asked
    # without a fingerprint it is unknown whether the model changed
    for _ in range(2):
        unknown = Angles(other, name="unknown", fingerprint="")
        bench([unknown], [GRADED], tmp_path, rounds=20)
        assert unknown.asked


def test_an_interrupted_run_resumes(tmp_path: Path) -> None:
    class Stopping(Overlap):
        def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
            if "a cat" in queries:
                raise KeyboardInterrupt
            return super().score(queries, documents)

    with pytest.raises(KeyboardInterrupt):
        bench([Stopping()], [CONTRASTS, GRADED], tmp_path, rounds=20)
    assert {result.task for result in read_results(tmp_path)} == {"pairs"}
    ranker = Overlap()
    bench([ranker], [CONTRASTS, GRADED], tmp_path, rounds=20)
    assert ranker.scored == len(GRADED)
    assert {result.task for result in read_results(tmp_path)} == {"pairs", "graded"}
    assert not list(tmp_path.rglob("*.partial"))


def test_each_text_of_a_role_is_encoded_once_over_all_tasks_longest_first(tmp_path: Path) -> None:
    again = SimilarityTask("again", "dev", GRADED.items)
    texts = [text for task in (CONTRASTS, GRADED) for those in task.texts().values() for text in those]
    model = Angles(dict.fromkeys(texts, 3.0))
    seen: list[Progress] = []
    bench([model], [CONTRASTS, GRADED, again], tmp_path, rounds=20, progress=seen.append)
    assert set(model.asked.values()) == {1}
    assert len(model.asked) == len(set(texts))
    for batch in model.batches:
        assert [len(text) for text in batch] == sorted(map(len, batch), reverse=True)
    assert [step.what for step in seen][-1] == "tasks measured"
    assert (seen[-1].done, seen[-1].total) == (3, 3)


def test_a_model_without_vectors_skips_classification_and_the_reason_is_recorded(tmp_path: Path) -> None:
    results = bench([Overlap()], TASKS, tmp_path, rounds=20)
    assert "sorted" not in {result.task for result in results}
    record = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert record["overlap"]["skipped"] == {"sorted": "it scores pairs of texts, and the task needs vectors"}


def test_the_signature_of_a_reranker_names_its_first_stage(tmp_path: Path) -> None:
    class FirstStage:
        name = "given order"

        def matrix(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
            return -np.arange(float(len(documents)))[None].repeat(len(queries), axis=0)

    passages = tuple(Text(f"p{number}", f"w{number}") for number in range(3))
    fruit = RetrievalTask("fruit", "dev", Retrieval(passages, (Text("q", "w1"),), (Judgement("q", "p1", 1),)))
    results = bench([Overlap()], [fruit, GRADED], tmp_path, first_stage=FirstStage(), depth=2, rounds=20)
    signatures = {result.task: result.signature for result in results}
    assert signatures["fruit"].endswith("|reranks:given order@2")
    assert "reranks" not in signatures["graded"]


@pytest.mark.parametrize(
    ("models", "tasks", "message"),
    [
        ([], [GRADED], "no model to measure"),
        ([Letters()], [], "no task to measure on"),
        ([Letters()], [GRADED, GRADED], "graded is given twice"),
        ([Letters()], [ContrastTask("none", "dev/select", ())], "the task none has no items in dev/select"),
        ([Letters(), Letters()], [GRADED], "two models are called 'letters'"),
    ],
)
def test_runs_that_cannot_work_are_refused(tmp_path: Path, models: list[Any], tasks: list[Task], message: str) -> None:
    with pytest.raises(InputError, match=message):
        bench(models, tasks, tmp_path, rounds=20)


def test_a_broken_folder_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("tea")
    with pytest.raises(InputError, match="is a file; expected a folder"):
        bench([Letters()], [GRADED], file)
    (tmp_path / "results.json").write_text("[{}]")
    with pytest.raises(InputError, match=r"results\.json, result 1: 'model' is missing"):
        bench([Letters()], [GRADED], tmp_path, rounds=20)


def _fill(path: Path) -> int:
    vectors = VectorCache(Letters(), path)
    return vectors.fill([f"text {number}" for number in range(200)], "query")


def test_several_processes_can_share_the_cached_vectors(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        list(pool.map(_fill, [path] * 2))
    model = Letters()
    rows = VectorCache(model, path).get(["text 3", "text 199", "text 3"], "query")
    assert model.encoded == 0
    assert (rows == Letters().encode(["text 3", "text 199", "text 3"])).all()
    # each role has its own vectors
    VectorCache(model, path).get(["text 3"], "document")
    assert model.encoded == 1


def test_an_interruption_loses_at_most_one_block(tmp_path: Path) -> None:
    class Tiring(Letters):
        def encode(self, texts: Sequence[str], *, role: str = "") -> np.ndarray:
            if self.encoded:
                raise KeyboardInterrupt
            return super().encode(texts, role=role)

    texts = [f"{number:04}" for number in range(BLOCK + 10)]
    with pytest.raises(KeyboardInterrupt):
        VectorCache(Tiring(), tmp_path / "v.sqlite").fill(texts, "")
    model = Letters()
    assert VectorCache(model, tmp_path / "v.sqlite").fill(texts, "") == model.encoded == 10


def test_invalid_vectors_are_refused(tmp_path: Path) -> None:
    class Odd(Letters):
        def __init__(self, rows: np.ndarray) -> None:
            self._rows = rows

        def encode(self, texts: Sequence[str], *, role: str = "") -> np.ndarray:
            return self._rows

    with pytest.raises(InputError, match=r"shape \(3,\) for 1 texts"):
        VectorCache(Odd(np.zeros(3))).fill(["a"], "")
    with pytest.raises(InputError, match="a vector that is not finite for 'b'"):
        VectorCache(Odd(np.array([[1.0], [math.nan]]))).fill(["aa", "b"], "")
    (tmp_path / "bad.sqlite").write_text("no data base, but long enough to be taken for one" * 40)
    with pytest.raises(InputError, match="is not a cache of vectors"):
        VectorCache(Letters(), tmp_path / "bad.sqlite")
    assert VectorCache(Letters()).get([], "").shape == (0, 0)


def test_the_matrix_agrees_with_the_pairs() -> None:
    scorer = CachedScorer(Letters())
    matrix = scorer.matrix(["ab", "bc"], ["abc", "c", "zz"])
    pairs = scorer.pairs(["ab", "bc"], ["c", "abc"], roles=("query", "document"))
    assert [matrix[0, 1], matrix[1, 0]] == pytest.approx(list(pairs))
    assert scorer.matrix([], ["a"]).shape == (0, 1)
    assert scorer.pairs([], []).shape == scorer.margins([], [], []).shape == (0,)
    assert list(scorer.search(["ab"], ["zz", "abc", "ab"], 2)) == [[2, 1]]
    assert list(scorer.search(["ab"], [], 2)) == [[]]


def _answers(*right: bool) -> list[ItemRow]:
    groups = {"queries": "2", "kind": "polar"}
    return [
        ItemRow(str(place), float(one), groups | {"outcome": "right" if one else "tied"})
        for place, one in enumerate(right)
    ]


def test_two_models_are_compared_item_by_item() -> None:
    better, worse = _answers(*[True] * 9, False), _answers(*[True] * 2, *[False] * 8)
    found = {one.measure: one for one in compare("contrasts", better, worse) if one.slice == "all"}
    one = found["pairwise accuracy"]
    assert one.difference.value == pytest.approx(70)
    assert one.significant
    # only the first model is right on seven items: p is twice 1/2⁷
    assert one.test is not None
    assert (one.test.first_only, one.test.second_only) == (7, 0)
    assert one.test.p == pytest.approx(2 / 128)
    assert one.line()["mcnemar"]["first only"] == 7
    assert not compare("contrasts", better, better[::-1])[0].significant
    with pytest.raises(InputError, match="different items, such as '9'"):
        compare("contrasts", better, worse[:-1])
    with pytest.raises(InputError, match="20 rows have 10 different ids"):
        compare("contrasts", better * 2, worse)


def test_correlations_are_compared_by_the_paired_bootstrap() -> None:
    grades = list(range(40))
    close = [ItemRow(str(n), float(n), {}, {"grade": float(n)}) for n in grades]
    noisy = [ItemRow(str(n), float((n * 17) % 40), {}, {"grade": float(n)}) for n in grades]
    one = compare("similarity", close, noisy)[0]
    assert one.test is None
    assert one.significant
    assert one.difference.low > 0
    # an item without a value for one model does not count for either
    silent = [ItemRow("0", None, {}, {"grade": 0.0}), *noisy[1:]]
    assert compare("similarity", close, silent)[0].n == 39


def test_variance_by_kind_and_by_architecture() -> None:
    values = {"dense": (1.0, 2.0, 3.0), "sparse": (2.0, 3.0, 4.0), "cross": (6.0, 7.0, 8.0)}
    results = [
        Result(model, "taxonomy", "dev", f"kind: {kind}", "pairwise accuracy", value, 0, 0, 9, "")
        for model, those in values.items()
        for kind, value in zip(("polar", "contrary", "implicit"), those, strict=True)
    ]
    by_model = variance(results, task="taxonomy", measure="pairwise accuracy", models={name: name for name in values})
    assert by_model.f == pytest.approx(21)
    by_kind = variance(results, task="taxonomy", measure="pairwise accuracy")
    assert {pair.first for pair in by_kind.pairs} == {"polar", "contrary"}
    with pytest.raises(InputError, match="taxonomy, AUC by kind: expected two groups"):
        variance(results, task="taxonomy", measure="AUC")


def test_the_command_measures_a_model_without_data(tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    done = CliRunner().invoke(app, ["bench", "random", "--suite", "ladder,taxonomy", "--out", out, "--plain"])
    assert done.exit_code == 0, done.output
    assert [line.split("\t")[:3] for line in done.stdout.splitlines()] == [
        ["random", "ladder", "in order"],
        ["random", "taxonomy", "pairwise accuracy"],
    ]
    table = CliRunner().invoke(app, ["bench", "random", "--suite", "ladder", "--out", out, "--table"])
    assert "in order" in table.output


def test_the_command_names_missing_data(tmp_path: Path) -> None:
    arguments = [
        "bench",
        "random",
        "--suite",
        "nevir,sick,ladder",
        "--data",
        str(tmp_path),
        "--out",
        str(tmp_path / "o"),
    ]
    done = CliRunner().invoke(app, arguments)
    assert "nevir/dev.jsonl is missing" in str(done.exception)
    assert "sick/train.tsv is missing" in str(done.exception)
    done = CliRunner().invoke(app, [*arguments, "--skip-missing"])
    assert done.exit_code == 0
    assert "skipped" in done.output
    assert '"task": "ladder"' in done.output


def test_the_random_model_is_at_chance(tmp_path: Path) -> None:
    from litotes.models import load

    results = bench(
        [load("random")], [build("taxonomy", DataSelection()), build("cue-traps", DataSelection())], tmp_path
    )
    by_name = {(result.task, result.measure): result for result in results if result.slice == "all"}
    for (task, measure), chance in {("taxonomy", "pairwise accuracy"): 25, ("cue-traps", "accuracy"): 50}.items():
        result = by_name[task, measure]
        assert result.low < chance < result.high, result


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_a_model_of_any_family_can_be_measured(tmp_path: Path, family_models: FamilyModels, family: str) -> None:
    passages = (Text("p1", "Tea is grown in the hills."), Text("p2", "The shops are closed on Sundays."))
    hills = RetrievalTask(
        "hills", "dev", Retrieval(passages, (Text("q", "where tea grows"),), (Judgement("q", "p1", 1),))
    )
    results = bench([family_models.get(family)], [CONTRASTS, GRADED, hills], tmp_path, rounds=20)
    assert {result.task for result in results} == {"pairs", "graded", "hills"}
    assert all(0 <= result.value <= 100 for result in results if result.task == "hills")
    again = bench([family_models.get(family)], [CONTRASTS, GRADED, hills], tmp_path, rounds=20)
    assert [one.line() for one in again] == [one.line() for one in results]


@pytest.mark.slow
def test_minilm_scores_like_plain_sentence_transformers(tmp_path: Path) -> None:
    from litotes.errors import require
    from litotes.models import load

    task = build("mini-sts", DataSelection(half="select"))
    results = bench([load("dense:minilm", device="cpu")], [task], tmp_path)
    assert results[0].measure == "Spearman"
    assert 50 <= results[0].value <= 90
    plain = require("sentence_transformers").SentenceTransformer(minilm(), device="cpu")
    pairs = task.content()  # type: ignore[attr-defined]
    left, right = (
        plain.encode([getattr(pair, side) for pair in pairs], normalize_embeddings=True) for side in ("first", "second")
    )
    wanted = [float(one @ other) for one, other in zip(left, right, strict=True)]
    path = next(path for path in (tmp_path / "rows").iterdir() if "mini-sts" in path.name)
    assert [row.value for row in read_rows(path)] == pytest.approx(wanted, abs=1e-5)
    cache = next((tmp_path / "vectors").glob("*.sqlite"))
    assert sqlite3.connect(cache).execute("select count(*) from vectors").fetchone()[0] > 300
