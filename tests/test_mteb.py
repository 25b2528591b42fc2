"""Tasks of mteb in a benchmark: on our own sentences, compared with our own figures, without a hub."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Mapping, Sequence
from math import isnan
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

from litotes.cli.app import app
from litotes.data.benchmarks.mteb import LITE
from litotes.data.catalogue import suites
from litotes.data.items import ScoredPair
from litotes.data.result_files import ItemRow, Provenance
from litotes.data.selection import DataSelection
from litotes.errors import InputError, MissingError, require
from litotes.evaluation import bench, compare
from litotes.evaluation.catalogue import build, members
from litotes.evaluation.figures import Figure, fold
from litotes.evaluation.measures import ndcg, recall
from litotes.evaluation.run import NO_VECTORS
from litotes.evaluation.scoring import CachedScorer
from litotes.evaluation.suites import mteb_lite_mean
from litotes.evaluation.tasks import Task, figures
from litotes.evaluation.tasks.contrast_pairs import ContrastTask
from litotes.evaluation.tasks.mteb import MtebTask, named
from litotes.evaluation.tasks.similarity import SimilarityTask
from litotes.models import load
from litotes.reporting import report
from litotes.types import Contrast
from litotes.workflows.benchmarking import MissingData
from tests.bench_models import Angles, Overlap

PAIRS = (
    ("The kettle is boiling.", "The water in the kettle boils.", 4.8),
    ("The kettle is boiling.", "The kettle is not boiling.", 1.5),
    ("Our neighbours moved out in May.", "The people next door left in spring.", 4.0),
    ("Our neighbours moved out in May.", "A ferry crosses the lake twice a day.", 0.0),
    ("Nobody answered the phone.", "The phone call went unanswered.", 4.6),
    ("Nobody answered the phone.", "Someone picked up the phone.", 1.0),
    ("She repaired the bicycle herself.", "She mended her own bike.", 4.7),
    ("She repaired the bicycle herself.", "The bicycle shop closes at six.", 1.8),
    ("The soup needs more salt.", "Add some salt to the soup.", 4.2),
    ("The soup needs more salt.", "The museum was free on Sunday.", 0.2),
)
CONTRASTS = (
    Contrast("1", "which inn has a garden", "which inn has no garden", "the inn has a garden", "the inn has no garden"),
    Contrast("2", "open bridges", "closed bridges", "the bridge is open", "the bridge is closed"),
)
# in the first, both queries find their own document (5° against 85°); in the second, both find the first document
DEGREES = {
    "which inn has a garden": 0.0,
    "the inn has a garden": 5.0,
    "which inn has no garden": 85.0,
    "the inn has no garden": 90.0,
    "open bridges": 0.0,
    "closed bridges": 10.0,
    "the bridge is open": 2.0,
    "the bridge is closed": 60.0,
}


class RelevanceEvaluator:
    """trec_eval's measures by our own functions: enough to import mteb and to score a few queries."""

    def __init__(self, judged: Mapping[str, Mapping[str, float]], measures: set[str]) -> None:
        self._judged = judged
        self._cuts = sorted({int(cut) for measure in measures for cut in measure.partition(".")[2].split(",")})

    def evaluate(self, results: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        return {query: self._one(scores, self._judged[query]) for query, scores in results.items()}

    def _one(self, scores: Mapping[str, float], grades: Mapping[str, float]) -> dict[str, float]:
        ranking = sorted(scores, key=lambda name: (scores[name], name), reverse=True)
        found: dict[str, float] = {}
        for k in self._cuts:
            here = recall(ranking, grades, k)
            gain = ndcg(ranking, grades, k)
            found |= {f"ndcg_cut_{k}": gain, f"map_cut_{k}": gain, f"recall_{k}": here, f"P_{k}": here / k}
            found[f"success_{k}"] = float(here > 0)
        return found


@pytest.fixture(scope="module")
def mteb() -> Any:
    """The real mteb. It imports trec_eval's C library at once, which has no wheel everywhere, so where that is not
    there something stands in for it: nothing below needs more of it than a query's recall.
    """
    if "pytrec_eval" not in sys.modules:
        try:
            require("pytrec_eval")
        except MissingError:
            stand_in = ModuleType("pytrec_eval")
            stand_in.RelevanceEvaluator = RelevanceEvaluator  # type: ignore[attr-defined]
            sys.modules["pytrec_eval"] = stand_in
    return pytest.importorskip("mteb", reason="mteb is not installed: pip install 'litotes[mteb]'")


def _metadata(**changes: Any) -> Any:
    facts = {
        "name": "LitotesPairs",
        "description": "Sentence pairs of our own.",
        "reference": None,
        "dataset": {"path": "litotes/pairs", "revision": "1"},
        "type": "STS",
        "category": "t2t",
        "modalities": ["text"],
        "eval_splits": ["validation", "test"],
        "eval_langs": ["eng-Latn"],
        "main_score": "cosine_spearman",
        "bibtex_citation": "",
    }
    return require("mteb.abstasks.task_metadata").TaskMetadata(**facts | changes)


def pairs_task(**parts: Any) -> Any:
    """Return an mteb task that loads nothing from a hub; `parts` replace members of its class."""

    def load_data(self: Any, **_: Any) -> None:
        rows = [{"sentence1": first, "sentence2": second, "score": grade} for first, second, grade in PAIRS]
        self.dataset = {"test": require("datasets").Dataset.from_list(rows)}
        self.data_loaded = True

    held = {"metadata": _metadata(), "load_data": load_data, **parts}
    return type("LitotesPairs", (require("mteb.abstasks").AbsTaskSTS,), held)()


def nevir(contrasts: Sequence[Contrast]) -> Any:
    """Return mteb's own NevIR with our contrasts, in the layout of its loader."""
    table = require("datasets").Dataset
    queries = {f"{one.id}_q{at}": text for one in contrasts for at, text in ((1, one.q1), (2, one.q2))}
    documents = {f"{one.id}_doc{at}": text for one in contrasts for at, text in ((1, one.doc1), (2, one.doc2))}
    task = require("mteb").get_task("NevIR")
    task.dataset = {
        "default": {
            "test": {
                "queries": table.from_list([{"id": name, "text": text} for name, text in queries.items()]),
                "corpus": table.from_list([{"id": name, "text": text} for name, text in documents.items()]),
                "relevant_docs": {name: {name.replace("q", "doc"): 1} for name in queries},
                "top_ranked": {name: [f"{name[:-1].replace('q', 'doc')}{at}" for at in (1, 2)] for name in queries},
            }
        }
    }
    task.data_loaded = True
    return task


@pytest.mark.slow
def test_mteb_and_our_task_agree_on_the_same_pairs(mteb: Any, tmp_path: Path) -> None:
    graded = tuple(ScoredPair(str(at), *pair) for at, pair in enumerate(PAIRS))
    tasks: list[Task] = [SimilarityTask("pairs", "test", graded), MtebTask(pairs_task())]
    ours, theirs = bench([load("dense:minilm")], tasks, tmp_path, rounds=50)
    assert theirs.value == pytest.approx(ours.value, abs=1e-3)
    assert (theirs.task, theirs.split, theirs.slice) == ("mteb:LitotesPairs", "test", "all")
    assert (theirs.measure, theirs.n) == ("cosine_spearman", len(PAIRS))
    line = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))[-1]
    assert (line["low"], line["high"]) == (None, None)
    assert f"revision:mteb-{mteb.__version__}.1|" in line["signature"]
    again = bench([load("dense:minilm")], [MtebTask(pairs_task(load_data=_unreachable))], tmp_path)
    assert [one.line() for one in again] == [line]
    page = report([tmp_path])
    assert "mteb:LitotesPairs" in page.markdown


@pytest.mark.slow
def test_nevir_of_mteb_asks_for_queries_and_documents(mteb: Any, tmp_path: Path) -> None:
    model = Angles(DEGREES)
    ours, *_ = bench([model], [ContrastTask("nevir", "test", CONTRASTS)], tmp_path / "ours", rounds=50)
    theirs = bench([model], [MtebTask(nevir(CONTRASTS))], tmp_path / "theirs")
    assert (ours.value, theirs[0].value) == (50.0, 50.0)
    assert (theirs[0].task, theirs[0].measure, theirs[0].n) == ("mteb:NevIR", "paired_accuracy", 4)
    assert {role for role, _ in model.asked} == {"query", "document"}


def _unreachable(_: Any, **__: Any) -> None:
    raise ConnectionError("Couldn't reach 'litotes/pairs' on the Hub")


@pytest.mark.slow
def test_a_task_whose_hub_is_unreachable_is_skipped_and_the_others_are_measured(
    mteb: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    away = MtebTask(pairs_task(metadata=_metadata(name="Away"), load_data=_unreachable))
    degrees = {text: float(len(text)) for pair in PAIRS for text in pair[:2]}
    models = [Angles(degrees), Angles(degrees, name="second", fingerprint="second-1")]
    skipped = MissingData([])
    with caplog.at_level(logging.WARNING, logger="litotes.workflows"):
        results = bench(models, [away, MtebTask(pairs_task())], tmp_path, missing=skipped)
    assert [(one.model, one.task) for one in results] == [
        ("angles", "mteb:LitotesPairs"),
        ("second", "mteb:LitotesPairs"),
    ]
    said = caplog.text
    assert "angles: skipped: mteb:Away needs the data set litotes/pairs (Couldn't reach 'litotes/pairs'" in said
    assert "HF_HOME=DIR python -c \"import mteb; mteb.get_task('Away').load_data()\"" in said
    assert "mteb:Away" in json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))["second"]["skipped"]
    assert skipped.count == 2
    with pytest.raises(MissingError, match="mteb:Away needs the data set"):
        bench([Angles(degrees)], [away], tmp_path / "alone")


@pytest.mark.slow
def test_a_model_without_vectors_is_skipped_with_the_reason(mteb: Any, tmp_path: Path) -> None:
    assert bench([Overlap()], [MtebTask(pairs_task())], tmp_path) == []
    record = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert record["overlap"]["skipped"] == {"mteb:LitotesPairs": NO_VECTORS}


@pytest.mark.slow
def test_every_name_of_the_lite_set_is_an_english_task_of_mteb(mteb: Any) -> None:
    types = {
        "classification": "Classification",
        "pair classification": "PairClassification",
        "reranking": "Reranking",
        "clustering": "Clustering",
        "retrieval": "Retrieval",
        "STS": "STS",
        "summarisation": "Summarization",
    }
    for kind, names in LITE.items():
        for name in names:
            task = named(name)
            assert (task.name, task.split, len(task)) == (f"mteb:{name}", "test", 1)
            assert mteb.get_task(name).metadata.type == types[kind]
    assert build("mteb:NevIR", DataSelection()).name == "mteb:NevIR"
    with pytest.raises(InputError, match=r"no English task 'Nevir' \('Nevir' not found. Did you mean: 'NevIR'\?\)"):
        named("Nevir")
    with pytest.raises(InputError, match="no English task 'BornholmBitextMining'"):
        named("BornholmBitextMining")


def test_the_lite_set_has_the_papers_sixteen_tasks() -> None:
    lite = suites()["mteb-lite"]
    assert len(lite) == len(set(lite)) == 16
    assert [len(names) for names in LITE.values()] == [3, 1, 2, 3, 3, 3, 1]
    assert members(["mteb-lite", "mteb:NevIR", "mteb:SciFact"]) == [*lite, "mteb:NevIR"]


def test_without_mteb_the_install_command_is_named_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "mteb", None)
    with pytest.raises(MissingError, match=r"a task of mteb needs mteb. .*pip install 'litotes\[mteb\]'"):
        build("mteb:NevIR", DataSelection())
    done = CliRunner().invoke(app, ["bench", "random", "--suite", "mteb-lite", "--out", str(tmp_path)])
    assert str(done.exception).count("a task of mteb needs mteb") == 1


def test_a_figure_without_rows_cannot_be_halved() -> None:
    with pytest.raises(InputError, match="mteb:NevIR can only be measured as a whole; expected --half all, got select"):
        build("mteb:NevIR", DataSelection(half="select"))


def part(name: str, value: float | None, items: int) -> ItemRow:
    return ItemRow(f"test/{name}", value, {"part": name, "measure": "accuracy"}, {"items": float(items)})


def test_parts_are_averaged_and_have_no_interval() -> None:
    about = Provenance("model", "mteb:Task", "test", "signature")
    rows = [part("en", 0.5, 10), part("en-ext", 0.75, 30)]
    whole, *each = fold(figures("mteb", rows), about)
    assert (whole.measure, whole.slice, whole.value, whole.n) == ("accuracy", "all", 62.5, 40)
    assert [(one.slice, one.value, one.n) for one in each] == [("part: en", 50.0, 10), ("part: en-ext", 75.0, 30)]
    assert all(isnan(one.low) and isnan(one.high) for one in (whole, *each))
    (alone,) = fold(figures("mteb", [part("en", None, 10)]), about)
    assert isnan(alone.value)
    assert isnan(fold(figures("mteb", []), about)[0].value)
    with pytest.raises(InputError, match="have no rows per item, so they cannot be paired"):
        compare("mteb", rows, rows)


def test_the_mean_of_the_lite_set_is_the_mean_of_seven_means() -> None:
    def headline(value: float) -> Figure:
        return figures("mteb", [part("default", value, 5)])[0]

    about = Provenance("model", "mteb-lite mean", "test", "signature")
    # three classifications at 0.2, 0.4 and 0.6 count as one 0.4; the six other types are at 0.75
    headlines = {name: headline(0.75) for name in suites()["mteb-lite"]}
    for name, value in zip(LITE["classification"], (0.2, 0.4, 0.6), strict=True):
        headlines[f"mteb:{name}"] = headline(value)
    mean = mteb_lite_mean(headlines, about)
    assert mean is not None
    assert (round(mean.value, 6), mean.n) == (70.0, 16)
    assert isnan(mean.low)
    del headlines["mteb:SummEval"]
    assert mteb_lite_mean(headlines, about) is None


@pytest.mark.slow
def test_a_scorer_is_an_encoder_for_mteb(mteb: Any) -> None:
    from litotes.evaluation.tasks.mteb import MtebEncoder

    encoding = MtebEncoder(CachedScorer(Angles({"east": 0.0, "north": 90.0})))
    assert isinstance(encoding, require("mteb.models").EncoderProtocol)
    rows = encoding.encode([{"text": ["east"]}, {"text": ["north", "east"]}])
    assert encoding.similarity(rows, rows).round(decimals=3).tolist() == [[1, 0, 1], [0, 1, 0], [1, 0, 1]]
    assert encoding.similarity_pairwise(rows, rows).tolist() == pytest.approx([1, 1, 1])
