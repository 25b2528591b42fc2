"""Two-stage runs of the bench: a first stage, a reranker with a weight, exclusion, and queries split beforehand."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import litotes.cli.bench
import litotes.cli.data  # noqa: F401  (registers the commands)
from litotes.cli.app import app
from litotes.data.result_files import read_rows, read_seconds_per_query
from litotes.errors import InputError
from litotes.evaluation.scoring import CachedScorer
from litotes.models import load
from litotes.models.pair.build import load_pair_scorer, new_pair_scorer, save_pair_scorer
from litotes.models.pair.heads import RELEVANCE
from litotes.models.pair.scorer import WEIGHT
from litotes.query.benchmark_rerankers import ExcludingFirstStage, ExcludingRanker, TwoStageRanker
from litotes.query.pair_reranking import PairReranker
from litotes.types import Exclusion
from litotes.workflows import Benchmarks, bench
from tests.bench_models import Overlap, Shortest
from tests.family_models import FamilyModels, family_models, quiet
from tests.small_base import tiny_base

__all__ = ["family_models"]

SOUPS = "soups other than borscht"
DOCUMENTS = {
    "d1": "Borscht is a soup of beetroot.",
    "d2": "Goulash is a soup of beef and paprika.",
    "d3": "The bridge is open.",
    "d4": "Soups are made of many things. " * 20 + "The bridge is not open.",
}
QUERIES = {"q1": SOUPS, "q2": "Is the bridge open?"}
RELEVANT = {"q1": "d2", "q2": "d3"}


def split(queries: Sequence[str]) -> list[Exclusion]:
    """Split without a parser: only `SOUPS` excludes something."""
    return [Exclusion(query, "soups", ("borscht",)) if query == SOUPS else Exclusion(query, query) for query in queries]


class Lengths:
    """A model that searches: a query's score with a document is the product of their numbers of words."""

    name, fingerprint = "lengths", "lengths-1"

    def matrix(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        return np.array([[len(one.split()) * len(other.split()) for other in documents] for one in queries], float)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return tiny_base(tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, base: str) -> str:
    """An untrained pair model with large logits, so that the weight matters."""
    with quiet():
        scorer = new_pair_scorer(base, rank=2, longest=64, device="cpu")
        scorer.model.heads[RELEVANCE][-1].weight.data *= 40
        shape = {"rank": 2, "scale": 2.0, "layers": 0}
        return str(save_pair_scorer(scorer, tmp_path_factory.mktemp("pair") / "model", base=base, shape=shape))


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A retrieval set in BEIR's layout."""
    home = tmp_path_factory.mktemp("soups")
    for name, texts in (("corpus", DOCUMENTS), ("queries", QUERIES)):
        lines = [json.dumps({"_id": key, "text": text}) for key, text in texts.items()]
        (home / f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (home / "qrels").mkdir()
    judged = [f"{query}\t{document}\t1" for query, document in RELEVANT.items()]
    (home / "qrels" / "dev.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *judged]), encoding="utf-8")
    return f"beir:{home}"


def run(model: Any, task: str, out: Path, **options: Any) -> Benchmarks:
    with quiet():
        return bench(model, suites=task, out=out, device="cpu", **options)


def ranks(found: Benchmarks) -> dict[str, float]:
    """Return the reciprocal rank of each query's relevant document."""
    (rows,) = (found.out / "rows").iterdir()
    return {row.id: row.numbers["MRR@10"] for row in read_rows(rows)}


def reciprocal_rank(order: Sequence[str], wanted: str) -> float:
    return 1 / (1 + list(order).index(wanted)) if wanted in order else 0.0


def test_a_weight_adds_a_reranker_to_the_first_stage() -> None:
    documents = ["red plum", "red apple pie", "blue apple", "a red apple"]
    first = np.array([-8.0, -13.0, -10.0, -11.0])
    overlap = np.array([1.0, 2.0, 1.0, 2.0])
    # The deviation is 1.39 after clipping; for four documents the spread is at least 0.15 of the median, 10.5.
    expected = first + 0.5 * 0.15 * 10.5 * overlap
    for weight, scores in ((0.5, expected), (0.0, first), (math.inf, overlap)):
        scorer = CachedScorer(TwoStageRanker(Overlap(), weight=weight), first_stage=Shortest(), depth=9)
        assert scorer.matrix(["red apple"], documents)[0] == pytest.approx(scores)
        assert scorer.stages == {"reranks": "shortest@9", "weight": str(weight)}
    # Only the best two of the first stage are scored.
    scorer = CachedScorer(TwoStageRanker(Overlap(), weight=math.inf), first_stage=Shortest(), depth=2)
    assert scorer.matrix(["red apple"], documents)[0].tolist() == [1.0, -math.inf, 1.0, -math.inf]
    # Without a first stage there is nothing to add to.
    alone = CachedScorer(TwoStageRanker(Overlap(), weight=0.5))
    assert alone.matrix(["red apple"], documents)[0].tolist() == overlap.tolist()


def test_a_ranker_scores_what_is_kept_and_subtracts_what_is_excluded() -> None:
    ranker = ExcludingRanker(Overlap(), split=split)
    documents = ["soups of borscht", "soups", "borscht other than soups"]
    assert ranker.score([SOUPS] * 3, documents).tolist() == [1 - 1, 1, 1 - 1]
    assert ranker.score(["borscht"], documents[:1]).tolist() == [1]
    # Of two excluded parts, the mean is subtracted.
    two = ExcludingRanker(Overlap(), split=lambda queries: [Exclusion("a", "soups", ("borscht", "goulash"))])
    assert two.score(["a"], documents[:1]).tolist() == [1 - 0.5]
    # Texts that are not queries stay whole.
    scorer = CachedScorer(ranker)
    assert scorer.name == "overlap+exclude"
    assert scorer.pairs([SOUPS], documents[2:]).tolist() == [4]
    assert scorer.margins([SOUPS], ["soups"], documents[2:])[0] == pytest.approx(1 - (1 - 1))


def test_a_first_stage_that_searches_gets_the_parts_of_a_query() -> None:
    stage = ExcludingFirstStage(Lengths(), beta=0.1, split=split)
    # The query has two words or four; "soups" and "borscht" have one each.
    assert stage.matrix([SOUPS, "two words"], ["one", "two words"]).tolist() == [[0.9, 1.8], [2, 4]]
    assert stage.name == "lengths+exclude"


@pytest.mark.parametrize("exclude", [False, True])
def test_scores_are_those_of_the_package(folder: str, exclude: bool) -> None:
    texts, first = list(DOCUMENTS.values()), np.array([3.0, 1.0, 0.5, 2.0])
    with quiet():
        ranker: Any = load(f"cross:{folder}", device="cpu")
        ranked = PairReranker(folder, device="cpu").rank(SOUPS, texts, scores=list(first), weight=0.3, exclude=exclude)
    two_stages = TwoStageRanker(ranker, weight=0.3, split=split if exclude else None)
    (scores, _) = two_stages.rerank([SOUPS, "soups"], [texts, texts[:1]], [first, first[:1]])
    assert dict(enumerate(scores)) == pytest.approx({one.place: one.score for one in ranked}, abs=1e-4)


def test_a_pair_model_is_ranked_as_the_package_ranks(folder: str, task: str, tmp_path: Path) -> None:
    found = run(f"cross:{folder}", task, tmp_path, depth=3)
    with quiet():
        reranker = PairReranker(folder, device="cpu")
    names, texts = list(DOCUMENTS), list(DOCUMENTS.values())
    bm25: Any = load("bm25")
    expected = {}
    for query, scores in zip(QUERIES, bm25.matrix(list(QUERIES.values()), texts), strict=True):
        # In a tie the later id is first.
        best = sorted(range(len(names)), key=lambda at: (scores[at], names[at]), reverse=True)[:3]
        documents, given = [texts[at] for at in best], [scores[at] for at in best]
        ranked = reranker.rank(QUERIES[query], documents, scores=given, exclude=False)
        expected[query] = reciprocal_rank([names[best[one.place]] for one in ranked], RELEVANT[query])
    assert ranks(found) == expected
    (headline,) = found.headlines()
    assert f"|reranks:bm25@3|first stage:{bm25.fingerprint[:16]}|weight:{WEIGHT}" in headline.signature
    assert found.seconds_per_query == read_seconds_per_query(tmp_path)
    assert found.seconds_per_query[headline.signature] > 0


def test_the_exclusion_operator_works_in_both_stages(folder: str, task: str, base: str, tmp_path: Path) -> None:
    found = run(f"cross:{folder}", task, tmp_path, first_stage=f"dense:{base}", depth=4, weight=0.3, exclude=True)
    with quiet():
        reranker = PairReranker(folder, device="cpu")
        # Without scores, the package computes the first stage with the same base.
        ranked = {query: reranker.rank(text, list(DOCUMENTS.values()), weight=0.3) for query, text in QUERIES.items()}
    names = list(DOCUMENTS)
    assert ranks(found) == {
        query: reciprocal_rank([names[one.place] for one in rows], RELEVANT[query]) for query, rows in ranked.items()
    }
    (headline,) = found.headlines()
    assert headline.model == f"cross:{folder}+exclude"
    assert f"|reranks:dense:{base}+exclude@4|" in headline.signature
    assert headline.signature.endswith("|weight:0.3")
    assert json.loads((tmp_path / "exclusions.json").read_text(encoding="utf-8"))[0]["fired"] == 1


@pytest.mark.parametrize("exclude", [False, True])
def test_weight_0_is_the_first_stage(folder: str, task: str, base: str, tmp_path: Path, exclude: bool) -> None:
    one = run(f"cross:{folder}", task, tmp_path / "1", first_stage=f"dense:{base}", weight=0, exclude=exclude)
    other = run(f"dense:{base}", task, tmp_path / "2", exclude=exclude)
    assert [result.value for result in one.results] == [result.value for result in other.results]


def test_an_infinite_weight_is_the_logit_of_the_best_window(folder: str) -> None:
    with quiet():
        ranker: Any = load(f"cross:{folder}", device="cpu")
    scorer = CachedScorer(TwoStageRanker(ranker, weight=math.inf), first_stage=Shortest())
    query, texts = QUERIES["q2"], list(DOCUMENTS.values())
    with quiet():
        readings = PairReranker(folder, device="cpu").read([query] * len(texts), texts)
    assert readings[-1].windows > 1
    assert scorer.matrix([query], texts)[0] == pytest.approx([reading.logit for reading in readings], abs=1e-4)
    # A contrast is read as it was: the logit alone, a long document cut.
    assert scorer.margins([query], [texts[0]], [texts[3]])[0] == pytest.approx(
        np.subtract(*load_pair_scorer(folder).logits([query] * 2, [texts[0], texts[3]], head=RELEVANCE)), abs=1e-4
    )


def test_contrasts_are_measured_with_the_operator_if_asked(folder: str, tmp_path: Path) -> None:
    contrast = {"id": "1", "q1": SOUPS, "doc1": DOCUMENTS["d2"], "doc2": DOCUMENTS["d1"]}
    file = tmp_path / "contrasts.jsonl"
    file.write_text(json.dumps(contrast | {"q2": QUERIES["q2"]}), encoding="utf-8")
    found = run(f"cross:{folder}", f"contrasts:{file}", tmp_path / "out", exclude=True)
    (path,) = (tmp_path / "out" / "rows").iterdir()
    (row,) = read_rows(path)
    with quiet():
        scorer = load_pair_scorer(folder, device="cpu")
    pairs = [(query, contrast[name]) for query in ("soups", "borscht") for name in ("doc1", "doc2")]
    logits = scorer.logits([query for query, _ in pairs], [text for _, text in pairs], head=RELEVANCE)
    expected = (logits[0] - logits[2]) - (logits[1] - logits[3])
    assert row.numbers["margin1"] == pytest.approx(expected, abs=1e-4)
    assert "weight" not in found.headlines()[0].signature


def test_other_cross_encoders_are_combined_only_with_a_weight(
    family_models: FamilyModels, task: str, tmp_path: Path
) -> None:
    name = f"cross:{family_models.folder('cross')}"
    plain = run(name, task, tmp_path / "1", depth=2).headlines()[0]
    assert "|reranks:bm25@2|" in plain.signature
    assert "weight" not in plain.signature
    assert run(name, task, tmp_path / "2", weight=0.2).headlines()[0].signature.endswith("|weight:0.2")
    # So is a user's own ranker.
    assert run(Overlap(), task, tmp_path / "3", weight=0.2).headlines()[0].signature.endswith("|weight:0.2")
    assert "weight" not in run(Overlap(), task, tmp_path / "4").headlines()[0].signature


def test_results_and_times_are_kept_by_signature(folder: str, task: str, tmp_path: Path) -> None:
    first = run(f"cross:{folder}", task, tmp_path)
    before = (tmp_path / "run.json").read_bytes()
    again = run(f"cross:{folder}", task, tmp_path)
    assert again.results == first.results
    assert (tmp_path / "run.json").read_bytes() == before
    other = run(f"cross:{folder}", task, tmp_path, weight=math.inf)
    assert other.headlines()[0].signature.endswith("|weight:inf")
    assert {first.headlines()[0].signature, other.headlines()[0].signature} == set(other.seconds_per_query)


@pytest.mark.parametrize(
    ("model", "options", "message"),
    [
        ("bm25", {"weight": 0.1}, "weight is for models of the family cross; there is none among bm25"),
        ("cross:any", {"weight": -1}, "weight is -1; expected a number of at least 0"),
        ("cross:any", {"weight": math.nan}, "weight is nan; expected a number of at least 0"),
        ("bm25", {"exclude": True}, "exclude is for dense and cross models; bm25 is neither"),
        ("bm25", {"rerank": True}, "rerank is for dense models; bm25 is not one"),
    ],
)
def test_options_without_an_effect_are_refused(
    model: str, options: dict[str, Any], message: str, task: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=message):
        bench(model, suites=task, out=tmp_path, **options)


def test_a_first_stage_must_search_if_queries_are_split(folder: str, task: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="only scores pairs; expected a first stage that searches"):
        run(f"cross:{folder}", task, tmp_path, exclude=True, first_stage=f"cross:{folder}")


def test_the_command_splits_queries_and_shows_the_time_per_query(folder: str, task: str, tmp_path: Path) -> None:
    arguments = ["bench", f"cross:{folder}", "--suite", task, "--out", str(tmp_path / "out"), "--device", "cpu"]
    stages = ["--first-stage", "tfidf", "--depth", "2", "--weight", "inf", "--exclude", "--table"]
    with quiet():
        done = CliRunner().invoke(app, [*arguments, *stages], env={"COLUMNS": "120"})
    assert done.exit_code == 0, done.output
    assert "s/query" in done.output
    (signature,) = read_seconds_per_query(tmp_path / "out")
    assert "|reranks:tfidf+exclude@2|" in signature
    assert signature.endswith("|weight:inf")
