"""Test reranking by language models: pointwise by yes or no, and listwise."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from litotes.cli import bench as bench_command
from litotes.cli.app import app
from litotes.errors import InputError
from litotes.evaluation.scoring import CachedScorer
from litotes.llm import UnansweredError
from litotes.models import load
from litotes.models.llm import PROMPTS, ListwiseLlm, read_order, read_verdict, windows
from tests.bench_models import Shortest
from tests.llm_stub import Reply, stub

NAN = float("nan")
_PASSAGE = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)


def loaded(generator: Any, prompt: str, **options: Any) -> Any:
    return load("llm:scripted", generator=generator, prompt=prompt, **options)


def worth(text: str) -> int:
    return int(text.split()[1])


def best_first(passages: dict[int, str]) -> str:
    """Answer with the order of passages such as "worth 7", highest first."""
    return " > ".join(f"[{number}]" for number in sorted(passages, key=lambda at: -worth(passages[at])))


class Orders:
    """Answers by a rule over the numbered passages, and records its prompts."""

    signature = "orders"

    def __init__(self, rule: Callable[[dict[int, str]], str]) -> None:
        self._rule = rule
        self.prompts: list[str] = []

    def generate(self, system: str, prompt: str) -> str:
        self.prompts.append(prompt)
        return self._rule({int(number): text for number, text in _PASSAGE.findall(prompt)})


class FixedAnswer:
    """Gives the same answer to everything, and none about tea."""

    def __init__(self, answer: str) -> None:
        self._answer = answer

    def generate(self, system: str, prompt: str) -> str:
        if "tea" in prompt:
            raise UnansweredError("refused")
        return self._answer


class WithLogProbabilities(FixedAnswer):
    """Yes is three times as likely as no for open shops, and equally likely otherwise."""

    def log_probabilities(self, system: str, prompt: str, labels: Sequence[str]) -> list[float]:
        assert tuple(labels) == ("Yes", "No")
        return [log(0.6), log(0.2)] if "open" in prompt.splitlines()[0] else [log(0.3), log(0.3)]


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("Yes", 1),
        ("no.", -1),
        ("**No**", -1),
        ("Answer: Yes", 1),
        ("The answer is no.", -1),
        ("Yes, it names the hours.", 1),
        ("No - it is closed.", -1),
        ("Yes because it says so", 1),
        ("<think>No?</think>\nYes", 1),
        ("No\nThe passage is about trams.", -1),
        ("Yes and no", NAN),
        ("Yes or No", NAN),
        ("yes/no", NAN),
        ("Yes. No.", NAN),
        ("No doubt it does", NAN),
        ("No passage says so", NAN),
        ("No-one says so", NAN),
        ("Not quite", NAN),
        ("It does.", NAN),
        ("", NAN),
    ],
)
def test_verdicts_are_read_from_answers(answer: str, verdict: float) -> None:
    assert read_verdict(answer) == pytest.approx(verdict, nan_ok=True)


def test_pointwise_scores_are_log_odds_with_log_probabilities() -> None:
    model = loaded(WithLogProbabilities("Yes"), "pointwise")
    scores = model.score(["Which shop is open?"] * 2, ["The baker is open.", "The baker is shut."])
    assert scores.tolist() == pytest.approx([log(3), 0])
    assert model.facts()["weighs"] is True
    assert model.unread == 0


def test_pointwise_scores_are_verdicts_without_log_probabilities() -> None:
    model = loaded(FixedAnswer("No."), "pointwise", concurrency=2)
    scores = model.score(["open shops", "tea shops", "open shops"], ["a baker", "a baker", "a cobbler"])
    assert scores.tolist() == pytest.approx([-1, NAN, -1], nan_ok=True)
    assert model.unread == 1
    assert model.facts()["weighs"] is False
    assert np.isnan(loaded(FixedAnswer("Perhaps"), "pointwise").score(["q"], ["d"])).all()
    assert model.score([], []).shape == (0,)


@pytest.mark.parametrize(
    ("answer", "order"),
    [
        ("[2] > [1] > [3]", [1, 0, 2]),
        ("[2]>[1]>[3]", [1, 0, 2]),
        ("2 > 1 > 3", [1, 0, 2]),
        ("2, 1, 3.", [1, 0, 2]),
        ("[2], [3], [1]", [1, 2, 0]),
        ("[2]\n[3]\n[1]", [1, 2, 0]),
        ("1. [3]\n2. [1]\n3. [2]", [2, 0, 1]),
        ("**[3] > [1]**", [2, 0]),
        ("3", [2]),
        ("Passage [2] is best.", [1]),
        ("<think>[3] > [2] > [1]</think>[1] > [2]", [0, 1]),
        ("At first sight [1] > [2]. Rather: [3] > [1] > [2]", [2, 0, 1]),
        ("[1] > [2]; no: [2] > [1]", [1, 0]),
        ("[9] > [2] > [2] > [0] > [1]", [1, 0]),
        ("[10] > [9]", []),
        ("[1] A baker.\n[2] A cobbler.\n[3] A tram.", []),
        ("In 2019, 3 bakers opened.", []),
        ("None of them.", []),
        ("", []),
    ],
)
def test_orders_are_read_from_answers(answer: str, order: list[int]) -> None:
    assert read_order(answer, 3) == order


def test_windows_go_from_the_end_to_the_front() -> None:
    def spans(count: int, window: int, step: int) -> list[tuple[int, int]]:
        return [(span.start, span.stop) for span in windows(count, window, step)]

    assert spans(12, 5, 3) == [(7, 12), (4, 9), (1, 6), (0, 5)]
    assert spans(10, 10, 5) == [(0, 10)]
    assert spans(3, 10, 5) == [(0, 3)]
    assert spans(1, 10, 5) == spans(0, 10, 5) == []


def test_a_good_document_moves_from_the_end_to_the_front() -> None:
    generator = Orders(best_first)
    documents = [f"worth {number}" for number in range(1, 9)]
    # 1 2 3 4|8 7 6 5, then 1 2|8 7 4 3|6 5, then 8 7 2 1|4 3 6 5
    assert loaded(generator, "listwise", window=4, step=2).rank("q", documents) == [7, 6, 1, 0, 3, 2, 5, 4]
    assert len(generator.prompts) == 3


def test_documents_that_an_answer_omits_keep_their_order() -> None:
    documents = ["a", "b", "c", "d"]
    assert loaded(Orders(lambda _: "[3] > [3] > [7] > [2]"), "listwise").rank("q", documents) == [2, 1, 0, 3]
    model = loaded(Orders(lambda _: "I cannot say."), "listwise")
    assert model.rank("q", documents) == [0, 1, 2, 3]
    assert model.unread == 1
    assert model.orders(["q"], [documents]) == [None]
    # One of two windows could be read: the order is used, and the other answer is counted as unread.
    half = loaded(Orders(lambda shown: "[2] > [1]" if "d" in shown.values() else ""), "listwise", window=2, step=2)
    assert half.orders(["q"], [documents]) == [[0, 1, 3, 2]]
    assert half.unread == 1
    refused = loaded(FixedAnswer("[1] > [2]"), "listwise")
    assert refused.orders(["tea", "milk"], [["a", "b"], ["a", "b"]]) == [None, [0, 1]]


def test_lists_with_fewer_than_two_documents_need_no_prompt() -> None:
    generator = Orders(best_first)
    model = loaded(generator, "listwise")
    assert model.orders(["p", "q"], [[], ["only"]]) == [[], [0]]
    assert model.score(["q"], ["only"]).tolist() == [1]
    assert model.score([], []).shape == (0,)
    assert generator.prompts == []


def test_passages_are_numbered_lines_and_truncated() -> None:
    generator = Orders(lambda _: "[1]")
    loaded(generator, "listwise", words=3).rank("open {query}", ["one two\nthree four", "{0} five"])
    prompt = generator.prompts[0]
    assert prompt.startswith("Query: open {query}\n\n[1] one two three …\n[2] {0} five\n\n")
    assert "such as [2] > [1]." in prompt


def test_listwise_scores_are_reciprocal_ranks_in_any_order_of_the_call() -> None:
    model = loaded(Orders(best_first), "listwise")
    queries, documents = ["p", "q", "q", "q", "p"], [f"worth {number}" for number in (5, 1, 3, 2, 9)]
    assert model.score(queries, documents).tolist() == [1 / 2, 1 / 3, 1, 1 / 2, 1]
    assert model.score(queries[::-1], documents[::-1]).tolist() == [1, 1 / 2, 1, 1 / 3, 1 / 2]
    # A repeated pair is one document of the list.
    assert model.score(["q"] * 3, ["worth 1", "worth 1", "worth 2"]).tolist() == [1 / 2, 1 / 2, 1]
    assert np.isnan(loaded(Orders(lambda _: "?"), "listwise").score(["q", "q"], ["a", "b"])).all()


def test_a_model_that_repeats_the_given_order_scores_at_chance() -> None:
    repeating = loaded(Orders(lambda shown: " > ".join(f"[{at}]" for at in shown)), "listwise")
    queries = [f"query {number}" for number in range(200)]
    right, wrong = [f"right {number}" for number in range(200)], [f"wrong {number}" for number in range(200)]
    margins = CachedScorer(repeating).margins(queries, right, wrong)
    assert 70 <= int((margins > 0).sum()) <= 130


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"window": 1}, "window is 1; expected 2 or more documents"),
        ({"window": 4, "step": 5}, "step is 5; expected 1 to 4"),
        ({"step": 0}, "step is 0; expected 1 to 10"),
        ({"words": 0}, "words is 0; expected 1 or more"),
    ],
)
def test_invalid_windows_are_refused(options: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        loaded(FixedAnswer("1"), "listwise", **options)


def test_invalid_lists_are_refused() -> None:
    model = loaded(FixedAnswer("1"), "listwise")
    with pytest.raises(InputError, match="2 queries and 1 lists; expected one list per query"):
        model.orders(["a", "b"], [["c"]])
    with pytest.raises(InputError, match="expected a list of documents"):
        model.rank("a", "b c")


def test_the_prompt_is_part_of_the_name_and_the_fingerprint() -> None:
    generator = Orders(best_first)
    names = {prompt: loaded(generator, prompt).name for prompt in PROMPTS}
    assert names == {
        "choice": "llm:scripted",
        "similarity": "llm:scripted+similarity",
        "pointwise": "llm:scripted+pointwise",
        "listwise": "llm:scripted+listwise",
    }
    assert len({loaded(generator, prompt).fingerprint for prompt in PROMPTS}) == len(PROMPTS)
    short, long = (loaded(generator, "listwise", words=words).fingerprint for words in (10, 20))
    assert short != long
    assert isinstance(loaded(generator, "listwise"), ListwiseLlm)


def test_a_search_reranks_the_first_stage_in_its_order() -> None:
    generator = Orders(best_first)
    documents = ["worth 1 and so on", "worth 22", "worth 3", "worth 444"]
    scorer = CachedScorer(loaded(generator, "listwise"), first_stage=Shortest(), depth=3)
    # the shortest three, shortest first
    assert list(scorer.search(["q"], documents, 10)) == [[3, 1, 2]]
    assert "[1] worth 3\n[2] worth 22\n[3] worth 444" in generator.prompts[0]
    unread = CachedScorer(loaded(Orders(lambda _: "?"), "listwise"), first_stage=Shortest(), depth=3)
    assert list(unread.search(["q"], documents, 10)) == [[]]


def test_bench_has_a_prompt_option_for_language_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert bench_command.PROMPTS == PROMPTS
    items = tmp_path / "items.jsonl"
    item = {"id": "1", "q1": "shops that open", "q2": "shops that shut", "doc1": "It is open.", "doc2": "It is shut."}
    items.write_text(json.dumps(item) + "\n", encoding="utf-8")
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    arguments = ["bench", "llm:small", "bm25", "--suite", f"contrasts:{items}", "--out", str(tmp_path / "out")]
    with stub(Reply(text="[1] > [2]")) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        done = CliRunner().invoke(app, [*arguments, "--prompt", "listwise", "--plain"])
    assert done.exit_code == 0, done.output
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == ["llm:small+listwise", "bm25"]
    # one list with both documents per query
    assert len(server) == 2
    other = CliRunner().invoke(app, ["bench", "bm25", "--out", str(tmp_path), "--prompt", "pointwise"])
    assert "prompt is for models of the family llm; there is none among bm25" in str(other.exception)


@pytest.mark.slow
@pytest.mark.usefixtures("named_local_llm")
@pytest.mark.parametrize("prompt", ["pointwise", "listwise"])
def test_a_real_language_model_reranks(prompt: str) -> None:
    model: Any = load("llm:local", prompt=prompt)
    documents = ["The baker is shut on Mondays.", "The baker is open on Mondays.", "Trams are green."]
    scores = model.score(["bakers open on Mondays"] * 3, documents)
    assert scores.shape == (3,)
    if prompt == "pointwise":
        assert model.facts()["weighs"] is True
        assert np.isfinite(scores).all()
    else:
        assert sorted(model.rank("bakers open on Mondays", documents)) == [0, 1, 2]
