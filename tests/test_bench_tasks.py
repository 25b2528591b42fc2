"""The tasks, on items and vectors that are small enough to work out by hand."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from litotes.data.benchmarks.demetr import Perturbed
from litotes.data.benchmarks.ladders import Ladder, ladders
from litotes.data.benchmarks.same_answer import MessagePair
from litotes.data.catalogue import suites
from litotes.data.impaired_sentences import drop_words, impaired, repeat_end, swap_words
from litotes.data.items import BINARY, GRADED, Judgement, LabelledTexts, Retrieval, ScoredPair, Text, Utterance
from litotes.data.quadruples import Quadruple
from litotes.data.result_files import ItemRow, Provenance
from litotes.data.selection import DataSelection
from litotes.errors import InputError, MissingError
from litotes.evaluation.catalogue import build, members, suite, task_names
from litotes.evaluation.figures import Figure, fold
from litotes.evaluation.scoring import CachedScorer, described
from litotes.evaluation.suites import GENERAL, general_mean
from litotes.evaluation.tasks import Task, figures
from litotes.evaluation.tasks.classification import ClassificationTask, logistic_regression, nearest_centroid
from litotes.evaluation.tasks.contrast_pairs import ContrastTask, first_difference, length_bin, negated_document
from litotes.evaluation.tasks.cue_traps import CueTrapTask
from litotes.evaluation.tasks.demetr import DemetrTask
from litotes.evaluation.tasks.ladder import LadderTask
from litotes.evaluation.tasks.retrieval import RetrievalTask
from litotes.evaluation.tasks.same_answer import SameAnswerTask
from litotes.evaluation.tasks.series import SeriesTask
from litotes.evaluation.tasks.similarity import SimilarityTask
from litotes.stats import threshold_at
from litotes.types import Contrast, Result
from tests.bench_models import Angles, FirstShown, Letters, Overlap, Shortest

ABOUT = Provenance("model", "task", "dev", "signature")


def cosine(degrees: float) -> float:
    return math.cos(math.radians(degrees))


def results(family: str, rows: Sequence[ItemRow]) -> dict[tuple[str, str], Result]:
    found = fold(figures(family, rows), ABOUT, rounds=50)
    return {(result.slice, result.measure): result for result in found}


def measured(task: Task, model: Any, **options: Any) -> tuple[list[ItemRow], dict[tuple[str, str], Result]]:
    rows = task.evaluate(CachedScorer(model, **options))
    return rows, results(task.family, rows)


def contrast(name: str, *, q2: str | None = "ask2", kind: str = "", style: str = "") -> Contrast:
    second = None if q2 is None else f"{name} {q2}"
    return Contrast(name, f"{name} ask1", second, f"{name} one", f"{name} two", kind, style)


def contrast_angles(name: str, ask1: float, ask2: float) -> dict[str, float]:
    """The documents are at 0 and 40 degrees: a query below 20 prefers the first."""
    return {f"{name} ask1": ask1, f"{name} ask2": ask2, f"{name} one": 0, f"{name} two": 40}


def test_contrasts_count_right_pairs_and_the_types_of_errors() -> None:
    items = (
        contrast("right", kind="sentential"),
        contrast("first", kind="sentential"),
        contrast("second", kind="contrary"),
        contrast("turned", kind="polar"),
        contrast("tied", kind="polar"),
    )
    angles = contrast_angles("right", 5, 35) | contrast_angles("first", 5, 15) | contrast_angles("second", 30, 35)
    angles |= contrast_angles("turned", 30, 10) | contrast_angles("tied", 20, 35)
    rows, figures = measured(ContrastTask("mine", "dev", items), Angles(angles))
    outcomes = ["right", "prefers doc1", "prefers doc2", "reversed", "tied"]
    assert [row.groups["outcome"] for row in rows] == outcomes
    assert [row.value for row in rows] == [1, 0, 0, 0, 0]
    assert rows[0].numbers["margin1"] == pytest.approx(cosine(5) - cosine(35), abs=1e-6)
    assert figures["all", "pairwise accuracy"].value == pytest.approx(100 / 5)
    assert figures["all", "pairwise accuracy"].n == 5
    assert figures["kind: sentential", "pairwise accuracy"].value == pytest.approx(50)
    assert figures["all", "tied"].value == pytest.approx(20)
    assert figures["all", "both reversed"].value == pytest.approx(20)
    # the negation is in doc1 of a sentential contrast and in doc2 of a quantified one; a polar one has none
    assert figures["all", "prefers the negated document"].n == 3
    assert figures["all", "prefers the negated document"].value == pytest.approx(200 / 3)
    assert figures["all", "prefers the other document"].value == 0
    assert ("all", "unread") not in figures


def test_right_rank_is_measured_without_a_second_query() -> None:
    items = (contrast("a", q2=None), contrast("b", q2=None), contrast("c", q2=None))
    angles = contrast_angles("a", 5, 0) | contrast_angles("b", 35, 0) | contrast_angles("c", 20, 0)
    rows, figures = measured(ContrastTask("exclusions", "dev", items), Angles(angles))
    assert [row.groups["outcome"] for row in rows] == ["right", "prefers doc2", "tied"]
    assert figures["all", "right rank"].value == pytest.approx(100 / 3)
    assert figures["all", "tied"].value == pytest.approx(100 / 3)
    assert ("all", "pairwise accuracy") not in figures


def test_edited_documents_are_divided_by_edit_length_and_position() -> None:
    long = " ".join(f"w{number}" for number in range(30))
    items = (
        Contrast("1-2", "q one", "q two", long, long.replace("w12", "other"), style="scope"),
        Contrast("2-3", "q one", "q two", "short a", "short b", style="affirmative"),
    )
    _, figures = measured(ContrastTask("edits", "dev", items, edited=True), Letters())
    slices = {slice for slice, measure in figures if measure == "pairwise accuracy"}
    assert {"edit: scope", "edit: affirmative", "words: under 10", "words: 25–49"} <= slices
    assert {"difference at word: 10–24", "difference at word: under 10"} <= slices
    assert figures["all", "prefers the negated document"].n == 2


def test_a_chooser_that_always_takes_the_document_shown_first_is_undecided() -> None:
    items = (contrast("a"), contrast("b"))
    rows, figures = measured(ContrastTask("mine", "dev", items), FirstShown(unread="b ask2"))
    assert [row.groups["outcome"] for row in rows] == ["tied", "unread"]
    assert figures["all", "pairwise accuracy"].value == 0
    assert figures["all", "unread"].value == 50
    assert "margin2" not in rows[1].numbers
    # the second contrast has two answers for the document shown first, one against it and one that was not read
    assert figures["all", "position bias"].value == pytest.approx(100 * (1 + 1 / 3) / 2)
    _, scored = measured(ContrastTask("mine", "dev", items), Letters())
    assert ("all", "position bias") not in scored


def test_length_bins_and_first_differences() -> None:
    words = (0, 9, 10, 24, 25, 49, 399, 400, 1000)
    wanted = ["under 10"] * 2 + ["10–24"] * 2 + ["25–49"] * 2 + ["300–399"] + ["400 and over"] * 2
    assert [length_bin(count) for count in words] == wanted
    assert first_difference("the door is open", "the door was open") == 3
    assert first_difference("the door", "the door is open") == 3
    assert first_difference("the door", "the door") == 2
    assert [negated_document(kind) for kind in ("sentential", "contrary", "polar", "none", "")] == [
        "doc1",
        "doc2",
        "",
        "",
        "",
    ]


def test_similarity_by_scale() -> None:
    angles = {"x": 0.0, "near": 10, "far": 80, "middle": 40, "farther": 90}
    pairs = (
        ScoredPair("1", "x", "near", 1, scale=BINARY),
        ScoredPair("2", "x", "far", 0, scale=BINARY),
        ScoredPair("3", "x", "middle", 0.3, scale=GRADED),
        ScoredPair("4", "x", "farther", 0.7, scale=GRADED),
    )
    rows, figures = measured(SimilarityTask("mixed", "dev", pairs), Angles(angles))
    assert [row.value for row in rows] == pytest.approx([cosine(10), cosine(80), cosine(40), 0], abs=1e-6)
    # grades rank 4 1 2 3, cosines 4 2 3 1: squared differences 0 + 1 + 1 + 4
    assert figures["all", "Spearman"].value == pytest.approx(100 * (1 - 6 * 6 / 60))
    assert figures["scale: 0/1", "AUC"].value == pytest.approx(100)
    assert figures["scale: graded", "Spearman"].value == pytest.approx(-100)


def test_an_unreadable_answer_is_left_out_and_counted() -> None:
    class Silent(Overlap):
        def score(self, queries: Sequence[str], documents: Sequence[str]) -> Any:
            figures = super().score(queries, documents)
            figures[0] = math.nan
            return figures

    pairs = tuple(ScoredPair(str(number), "a b c", "a b c"[: 2 * number + 1], number) for number in range(3))
    rows, figures = measured(SimilarityTask("graded", "dev", pairs), Silent())
    assert rows[0].value is None
    assert figures["all", "Spearman"].n == 2
    assert figures["all", "unread"].value == pytest.approx(100 / 3)


def collection() -> Retrieval:
    passages = (Text("p1", "red apple"), Text("p2", "green pear"), Text("p3", "blue plum"))
    queries = (Text("q1", "red fruit"), Text("q2", "pear please"), Text("q3", "never judged"))
    judged = (Judgement("q1", "p1", 2), Judgement("q1", "p3", 1), Judgement("q2", "p2", 1))
    return Retrieval(passages, queries, judged)


def test_retrieval_ranks_the_whole_collection() -> None:
    angles = {"red apple": 0.0, "green pear": 30, "blue plum": 60, "red fruit": 50, "pear please": 29}
    task = RetrievalTask("fruit", "dev", collection())
    assert len(task) == 2
    assert task.texts()["query"] == ["red fruit", "pear please"]
    rows, figures = measured(task, Angles(angles))
    # q1 is nearest to plum (10), pear (20), apple (50): gains 1, 0, 2 over 2, 1
    wanted = (1 + 2 / math.log2(4)) / (2 + 1 / math.log2(3))
    assert [row.value for row in rows] == pytest.approx([wanted, 1])
    assert figures["all", "nDCG@10"].value == pytest.approx(100 * (wanted + 1) / 2)
    assert figures["all", "MRR@10"].value == 100
    assert figures["all", "recall@100"].value == 100


def test_violating_documents_are_counted_where_a_query_has_some() -> None:
    angles = {"red apple": 0.0, "green pear": 30, "blue plum": 60, "red fruit": 50, "pear please": 29}
    fruit = collection()
    violating = Retrieval(fruit.passages, fruit.queries, (*fruit.judgements, Judgement("q1", "p2", -1)))
    rows, figures = measured(RetrievalTask("fruit", "dev", violating, violations=True), Angles(angles))
    # q1 finds plum, then pear, which violates it; q2 has no violating document and is left out.
    assert (figures["all", "V@1"].value, figures["all", "V@1"].n) == (0, 1)
    assert figures["all", "V@10"].value == 100
    assert figures["all", "FVR@10"].value == 2
    assert "V@10" not in rows[1].numbers
    # In other sets, a grade below 0 only means that a document is not relevant.
    _, plain = measured(RetrievalTask("fruit", "dev", violating), Angles(angles))
    assert ("all", "V@10") not in plain
    # nDCG does not change: a violating document gains as little as an unjudged one.
    assert figures["all", "nDCG@10"].value == pytest.approx(plain["all", "nDCG@10"].value)


def test_equal_scores_are_ranked_by_the_later_id_as_trec_eval_does() -> None:
    class Indifferent:
        def score(self, queries: Sequence[str], documents: Sequence[str]) -> list[float]:
            return [0.5] * len(queries)

    rows, _ = measured(RetrievalTask("fruit", "dev", collection()), Indifferent())
    # p3, p2, p1: q1 finds its 1 first and its 2 last; q2 its 1 second
    assert [row.numbers["MRR@10"] for row in rows] == [1, 1 / 2]


def test_a_reranker_reorders_the_first_stage_and_a_query_without_an_answer_scores_0() -> None:
    ranker = Overlap()
    # only the shortest document is reranked: blue plum or red apple (both have nine letters, the later id is first)
    rows, figures = measured(RetrievalTask("fruit", "dev", collection()), ranker, first_stage=Shortest(), depth=1)
    assert ranker.scored == 2
    assert [row.numbers["recall@100"] for row in rows] == [1 / 2, 0]
    assert figures["all", "nDCG@10"].n == 2
    assert CachedScorer(ranker, first_stage=Shortest(), depth=1).reranks == "shortest@1"
    everything = Overlap()
    measured(RetrievalTask("fruit", "dev", collection()), everything)
    assert everything.scored == 6


def test_a_query_for_which_nothing_is_found_still_counts() -> None:
    class Mute:
        def score(self, queries: Sequence[str], documents: Sequence[str]) -> list[float]:
            return [math.nan] * len(queries)

    rows, figures = measured(RetrievalTask("fruit", "dev", collection()), Mute())
    assert [row.groups for row in rows] == [{"unanswered": "nothing found"}] * 2
    assert (figures["all", "nDCG@10"].value, figures["all", "nDCG@10"].n) == (0, 2)


def test_classification_by_the_nearest_mean() -> None:
    angles = {"a1": 0.0, "a2": 20, "b1": 80, "b2": 100, "low": 30, "high": 70, "wrong": 85}
    learnt = tuple(Utterance(name, name, name[0]) for name in ("a1", "a2", "b1", "b2"))
    tested = (Utterance("1", "low", "a"), Utterance("2", "high", "b"), Utterance("3", "wrong", "a"))
    task = ClassificationTask("sides", "test", LabelledTexts(learnt, tested))
    rows, figures = measured(task, Angles(angles))
    # the means point to 10 and 90 degrees
    assert [row.value for row in rows] == [1, 1, 0]
    assert figures["all", "accuracy, nearest centroid"].value == pytest.approx(200 / 3)
    assert figures["all", "accuracy, logistic regression"].value == pytest.approx(200 / 3)
    assert task.needs_vectors
    assert ClassificationTask("none", "test", LabelledTexts(learnt, ())).evaluate(CachedScorer(Angles(angles))) == []


def test_ties_of_means_go_by_the_alphabet_and_one_class_needs_no_regression() -> None:
    vectors = Angles({"x": 0.0, "y": 90, "mid": 45})
    known, asked = vectors.encode(["y", "x"]), vectors.encode(["mid"])
    assert nearest_centroid(known, ["z", "a"], asked) == ["a"]
    assert logistic_regression(known, ["a", "a"], asked) == ["a"]


def test_demetr_ratios_leave_out_unchanged_translations() -> None:
    # cosines with the reference at 0: translation 1, perturbed and unrelated as given, the full stop 0
    angles = {"ref": 0.0, "mt": 0, "not mt": 60, "bare": 90, "other": 120, ".": 90}
    items = (
        Perturbed("1", "critical_negation", "critical", "ref", "mt", "not mt", True),
        Perturbed("2", "critical_negation", "critical", "ref", "mt", "bare", True),
        Perturbed("3", "critical_negation", "critical", "ref", "mt", "mt", False),
        Perturbed("1", "base_unrelated_trans", "base", "ref", "mt", "other", True),
        Perturbed("4", "minor_case", "minor", "ref", "bare", "mt", True),
    )
    rows, figures = measured(DemetrTask("demetr", "all", items), Angles(angles))
    negation = "perturbation: critical_negation"
    # drops 0.5 and 1 over a drop of 1 to the full stop
    assert figures[negation, "ratio"].value == pytest.approx(0.75, abs=1e-6)
    assert figures[negation, "ratio"].n == 2
    # their mean 0.75 over the unrelated drop 1.5
    assert figures[negation, "ratio over unrelated"].value == pytest.approx(0.5, abs=1e-6)
    assert figures[negation, "ratio over unrelated"].n == 2
    assert figures[negation, "noticed"].value == 100
    assert figures["all", "left out, unchanged"].value == pytest.approx(20)
    # a translation no better than the full stop has no ratio, but its drop (−1) still counts
    assert figures["all", "left out, no drop to the empty text"].value == pytest.approx(20)
    assert ("perturbation: minor_case", "ratio") not in figures
    assert figures["perturbation: minor_case", "noticed"].value == 0
    assert [row.value for row in rows][2] is None
    assert next(iter(figures)) == (negation, "ratio")


def test_series_swap_drop_and_repeat() -> None:
    words = ["one", "two", "three", "four", "five", "six"]
    draw = random.Random(1)
    turned = swap_words(words, 0.4, draw)
    assert sorted(turned) == sorted(words)
    assert sum(one != other for one, other in zip(words, turned, strict=True)) == 2
    assert len(drop_words(words, 0.5, draw)) == 3
    assert len(drop_words(words, 1.0, draw)) == 1
    assert drop_words([], 1.0, draw) == []
    # six words at 0.5: the last four occur three times
    assert repeat_end(words, 0.5, draw) == words + words[-4:] * 2
    made = impaired(["The lift works well today.", "Go!"], ["The lift doesn't work well today.", None])
    assert made == impaired(["The lift works well today.", "Go!"], ["The lift doesn't work well today.", None])
    assert {item.series for item in made if item.id == "0"} == {"word swap", "word drop", "repetition", "negation"}
    assert not [item for item in made if item.id == "1"]
    assert all(item.impaired.endswith(".") for item in made)


def test_series_measure_the_drop_from_the_sentence_itself() -> None:
    made = impaired(["ab cd ef gh ij."], ["ab not cd ef gh ij."])
    rows, figures = measured(SeriesTask("series", "shipped", made), Letters())
    # counts of letters do not depend on the order
    assert figures["degree: word swap 1", "drop"].value == 0
    assert figures["degree: word drop 0.8", "drop"].value > figures["degree: word drop 0.2", "drop"].value > 0
    # ten letters once each, and the same with n, o and t: cosine 10/√(10·13)
    assert rows[-1].value == pytest.approx(1 - 10 / math.sqrt(130), abs=1e-6)
    assert next(iter(figures)) == ("degree: negation", "drop")


def test_ladders_must_be_in_order() -> None:
    items = (Ladder("1", "c", ("s", "d", "n")), Ladder("2", "c", ("s2", "d", "n")))
    angles = {"c": 0.0, "s": 10, "d": 30, "n": 60, "s2": 45}
    _, figures = measured(LadderTask("ladder", "shipped", items), Angles(angles))
    assert figures["all", "in order"].value == 50
    assert figures["sure above doubtful", "in order"].value == 50
    assert figures["doubtful above denied", "in order"].value == 100
    assert figures["rung: denied", "similarity"].value == pytest.approx(cosine(60), abs=1e-6)
    shipped = ladders()
    assert len(shipped) == 40
    assert len({text for item in shipped for text in (item.claim, *item.rungs)}) == 160


def test_cue_traps_as_their_loader_defines_them() -> None:
    one = Quadruple("1", "a1", "a2", "b1", "b2", (0, 1, 0, 1), "antonym", "frame", "home")
    two = Quadruple("2", "a1", "a2'", "b1", "b2", (0, 1, 0, 1), "affix", "frame", "home")
    angles = {"a1": 0.0, "a2": 10, "b1": 80, "b2": 90, "a2'": 85}
    rows, figures = measured(CueTrapTask("cue-traps", "shipped", (one, two)), Angles(angles))
    # in the second, a1 is nearer to b1 (80) than to a2' (85), and a2' and b2 are near (5): only b1 is right
    assert [row.value for row in rows] == [1, 0.25]
    assert figures["all", "accuracy"].value == pytest.approx(62.5)
    assert figures["all", "strict"].value == figures["all", "full"].value == 50
    assert figures["mechanism: affix", "accuracy"].value == 25


def test_same_answer_by_hand() -> None:
    kinds = {"1": ("paraphrase", True), "2": ("cue", True), "3": ("negation", False), "4": ("name", False)}
    pairs = tuple(MessagePair(name, "new", f"cached {name}", same, kind, "law") for name, (kind, same) in kinds.items())
    # Cosines fall with the angle: 1 is accepted, then comes a wrong pair.
    angles = {"new": 0.0, "cached 1": 10, "cached 2": 40, "cached 3": 30, "cached 4": 50}
    rows, figures = measured(SameAnswerTask("same-answer", "dev", pairs), Angles(angles))
    assert [row.value for row in rows] == pytest.approx([cosine(10), cosine(40), cosine(30), cosine(50)], abs=1e-6)
    # Of the four comparisons of a same pair with a different one, only 2 against 3 is wrong.
    assert figures["all", "AUC"].value == 75
    assert figures["all", "recall at precision 97"].value == 50
    assert figures["kind: paraphrase", "accepted"].value == 100
    assert figures["kind: cue", "accepted"].value == figures["kind: negation", "accepted"].value == 0


def test_the_best_threshold_by_hand() -> None:
    labels, scores = [1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5]
    assert threshold_at(labels, scores, 0.97) == 0.8
    assert threshold_at(labels, scores, 0.75) == 0.6
    # Equal scores are accepted together, so half of the best are wrong.
    assert threshold_at([1, 0, 0], [0.9, 0.9, 0.1], 0.97) == math.inf
    assert threshold_at([], [], 0.97) == math.inf


def test_a_model_that_reads_pairs_reads_messages_in_both_orders() -> None:
    class Longer:
        """Scores a pair by the length of its first text."""

        name = "longer"

        def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
            return np.array([float(len(query)) for query in queries])

    pair = MessagePair("1", "ab", "abcd", True, "cue", "law")
    rows, _ = measured(SameAnswerTask("same-answer", "dev", (pair,)), Longer())
    assert rows[0].value == 3


def test_a_task_without_items_has_figures_without_values() -> None:
    empty: list[Task] = [
        SimilarityTask("s", "dev", ()),
        RetrievalTask("r", "dev", Retrieval((), (), ())),
        LadderTask("l", "dev", ()),
        CueTrapTask("c", "dev", ()),
        ContrastTask("n", "dev", ()),
        DemetrTask("d", "all", ()),
        SeriesTask("w", "shipped", ()),
        SameAnswerTask("m", "dev", ()),
    ]
    for task in empty:
        rows, figures = measured(task, Letters())
        assert rows == []
        assert all(result.n == 0 and math.isnan(result.value) for result in figures.values())


def test_a_revision_changes_with_the_items() -> None:
    one, same, other = (SimilarityTask("s", "dev", (ScoredPair("1", "a", text, 1),)) for text in ("b", "b", "c"))
    assert one.revision == same.revision != other.revision
    assert one.revision.startswith("1.")


def test_unknown_models_and_families_are_refused() -> None:
    with pytest.raises(InputError, match="is not a model: expected a method encode"):
        CachedScorer(object())
    with pytest.raises(InputError, match="no family of tasks 'poems'"):
        figures("poems", [])
    with pytest.raises(InputError, match="overlap has no vectors"):
        CachedScorer(Overlap()).vectors(["a"])


def test_signatures_describe_the_model() -> None:
    about = described(CachedScorer(Angles({})))
    assert (about["model"], about["fingerprint"], about["dtype"], about["dial"]) == (
        "angles",
        "angles-1",
        "float32",
        "none",
    )
    assert len(about["prompt"]) == 8
    assert described(CachedScorer(Overlap()))["prompt"] == "none"


def test_every_task_is_in_a_suite() -> None:
    ours = {name: names for name, names in suites().items() if name not in ("mteb-lite", "llm-general")}
    assert {name for names in ours.values() for name in names} == set(task_names())
    assert members(["general", "stsb", "nevir"]) == [*suites()["general"], "nevir"]
    with pytest.raises(InputError, match="no task 'poems'; expected one of nevir"):
        suite(["poems"], DataSelection())
    with pytest.raises(MissingError, match="nevir is not shipped with litotes"):
        build("nevir", DataSelection())
    with pytest.raises(InputError, match="no split 'train'"):
        DataSelection(split="train")


def test_shipped_tasks_can_be_built_and_halved() -> None:
    for name in ("taxonomy", "cue-traps", "ladder", "mini-sts", "mini-retrieval", "mini-intents"):
        whole, select, report = (build(name, DataSelection(half=half)) for half in ("all", "select", "report"))
        assert 0 < len(select) < len(whole) == len(select) + len(report), name
        assert select.split == f"{whole.split}/select"
        assert select.revision != report.revision


def test_the_general_mean_is_the_mean_of_five_headlines() -> None:
    def figure(value: float) -> Figure:
        return Figure("m", lambda counts: counts[:, 0] * 0 + value, 3)

    headlines = {name: figure(value) for name, value in zip(suites()[GENERAL], (0.8, 0.7, 0.6, 0.4, 0.9), strict=True)}
    found = general_mean(headlines, ABOUT, rounds=20)
    assert found is not None
    assert found.task == "general mean"
    assert [found.value, found.low, found.high] == pytest.approx([68, 68, 68])
    headlines.pop("sick")
    assert general_mean(headlines, ABOUT) is None
