"""Tasks of lm-evaluation-harness in a benchmark: on our own sums, with a tiny model, without a hub."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from math import isnan, sqrt
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from litotes.data.result_files import ItemRow, Provenance
from litotes.data.selection import DataSelection
from litotes.errors import InputError, MissingError, require
from litotes.evaluation import bench, compare
from litotes.evaluation.catalogue import build, members
from litotes.evaluation.figures import fold
from litotes.evaluation.harness_index import IndexedTask
from litotes.evaluation.tasks import figures
from litotes.evaluation.tasks.harness import HarnessTask, named
from litotes.reporting import report
from tests import report_results as made
from tests.bench_models import Overlap
from tests.conftest import REPOSITORY

TABLES = REPOSITORY / "tests" / "tables" / "harness"
SUMS, ARITHMETIC = f"lm-eval:{TABLES / 'sums.yaml'}", f"lm-eval:{TABLES / 'arithmetic.yaml'}"
ABOUT = Provenance("model", "lm-eval:task", "test", "signature")


def items(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((TABLES / f"{name}.json").read_text(encoding="utf-8"))
    return found


class TinyLlm:
    """A model for a benchmark: `causal` has the weights and the tokenizer."""

    name, fingerprint = "llm:tiny", "tiny-1"

    def __init__(self, causal: Any) -> None:
        self.causal = causal

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> Any:
        raise NotImplementedError


@pytest.fixture(scope="module")
def tiny() -> TinyLlm:
    """A Llama with one layer and random weights; its vocabulary is that of our sums."""
    torch, transformers, tokenizers = (require(name) for name in ("torch", "transformers", "tokenizers"))
    texts = [
        text for name in ("sums", "differences") for one in items(name) for text in (one["question"], *one["choices"])
    ]
    words = dict.fromkeys(
        ("<s>", "</s>", "<unk>", *(word for text in texts for word in text.replace("?", " ?").split()))
    )
    inner = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({word: at for at, word in enumerate(words)}, unk_token="<unk>")
    )
    inner.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=inner, bos_token="<s>", eos_token="</s>", unk_token="<unk>", pad_token="</s>"
    )
    torch.manual_seed(0)
    shape = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "max_position_embeddings": 128}
    heads = {"num_attention_heads": 2, "num_key_value_heads": 2, "initializer_range": 0.3}
    model = transformers.LlamaForCausalLM(transformers.LlamaConfig(vocab_size=len(words), **shape, **heads)).eval()
    return TinyLlm(SimpleNamespace(model=model, tokenizer=tokenizer, name=TinyLlm.name))


def log_likelihood(tiny: TinyLlm, question: str, choice: str) -> float:
    """Return the log-probability of the choice, which is one word, after the question."""
    torch = require("torch")
    tokenizer = tiny.causal.tokenizer
    asked, (word,) = (tokenizer(text, add_special_tokens=False).input_ids for text in (question, choice))
    with torch.no_grad():
        last = tiny.causal.model(torch.tensor([asked])).logits[0, -1]
    return float(last[word] - last.exp().sum().log())


def right(tiny: TinyLlm, name: str, *, by_length: bool = False) -> list[bool]:
    """Return whether the most likely choice is the answer; `by_length` divides by the number of characters."""
    found = []
    for one in items(name):
        scores = [log_likelihood(tiny, one["question"], choice) for choice in one["choices"]]
        if by_length:
            scores = [score / len(choice) for score, choice in zip(scores, one["choices"], strict=True)]
        found.append(scores.index(max(scores)) == one["answer"])
    return found


@pytest.mark.slow
def test_our_own_task_is_scored_as_by_hand(tiny: TinyLlm, tmp_path: Path) -> None:
    plain, by_length = right(tiny, "sums"), right(tiny, "sums", by_length=True)
    assert plain != by_length, "the two measures can be told apart"
    lead, acc = bench([tiny], [build(SUMS, DataSelection())], tmp_path)
    assert (lead.task, lead.split, lead.slice, lead.measure, lead.n) == (SUMS, "test", "all", "acc_norm", 10)
    assert lead.value == pytest.approx(10 * sum(by_length))
    assert acc.measure == "acc"
    assert acc.value == pytest.approx(10 * sum(plain))
    share = sum(plain) / 10
    # the standard error of a share of ten items: √(p·(1−p)/9)
    reach = 196 * sqrt(share * (1 - share) / 9)
    assert acc.low == pytest.approx(max(0, 100 * share - reach))
    assert acc.high == pytest.approx(min(100, 100 * share + reach))
    installed = require("importlib.metadata").version("lm_eval")
    assert f"revision:lm_eval-{installed}.version-2.0.shots-0." in acc.signature
    again = bench([TinyLlm(None)], [build(SUMS, DataSelection())], tmp_path)
    assert [one.line() for one in again] == [lead.line(), acc.line()], "what is finished is not measured again"


@pytest.mark.slow
def test_a_group_has_its_subjects_as_slices(tiny: TinyLlm, tmp_path: Path) -> None:
    sums, differences = right(tiny, "sums"), right(tiny, "differences")
    results = bench([tiny], [build(ARITHMETIC, DataSelection())], tmp_path)
    shown = {(one.slice, one.measure): (round(one.value, 6), one.n) for one in results}
    assert (results[0].slice, results[0].measure) == ("all", "acc")
    assert shown["all", "acc"] == (round(100 * sum(sums + differences) / 14, 6), 14)
    assert shown["subject: sums", "acc"] == (10.0 * sum(sums), 10)
    assert shown["subject: differences", "acc"] == (25.0 * sum(differences), 4)
    text = report([tmp_path]).markdown
    assert "arithmetic.yaml: sums (acc) |" in text
    assert "sums (acc_norm)" not in text, "a subject is shown by the measure of the whole"


@pytest.mark.slow
def test_examples_are_shown_if_the_name_asks_for_them(tiny: TinyLlm, tmp_path: Path) -> None:
    lengths: list[int] = []

    def seen(_: Any, given: tuple[Any, ...], __: Any) -> None:
        lengths.append(given[0].shape[1])

    handle = tiny.causal.model.register_forward_hook(seen)
    try:
        task = build(f"{SUMS}@2", DataSelection())
        bench([tiny], [task], tmp_path)
    finally:
        handle.remove()
    # a question has nine words and a question mark, an answer one word; the harness leaves out the last answer
    assert max(lengths) == 3 * 10 + 2
    assert task.name.endswith("sums.yaml@2")
    assert ".shots-2." in task.revision


@pytest.mark.slow
def test_other_models_are_refused_with_what_is_expected(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"sums.yaml needs a language model .* and overlap is not one; expected llm:FOLDER"
    ):
        bench([Overlap()], [build(SUMS, DataSelection())], tmp_path)


class Away:
    """A manager whose hub does not answer."""

    def __init__(self) -> None:
        self.asked = 0

    def load(self, names: list[str]) -> Any:
        self.asked += 1
        raise ConnectionError(f"Couldn't reach 'litotes/{names[0]}' on the Hub (offline)")


@pytest.mark.slow
def test_unreachable_data_is_an_error_that_says_how_to_get_it(tiny: TinyLlm, tmp_path: Path) -> None:
    hub = Away()
    away = HarnessTask("quiz", IndexedTask("quiz", hub, ({"task": "quiz", "dataset_path": "litotes/quiz"},)))
    told: list[str] = []
    for _ in range(2):
        bench([tiny], [away], tmp_path, missing=lambda model, error: told.append(f"{model}: {error}"))
    assert told == 2 * [
        "llm:tiny: lm-eval:quiz needs the data set litotes/quiz (Couldn't reach 'litotes/quiz' on the Hub (offline)). "
        "On a machine that reaches the hub, fill a folder: "
        'HF_HOME=DIR python -c "from lm_eval.tasks import TaskManager; '
        "TaskManager().load(['quiz'])\"; then measure here with HF_HOME=DIR HF_HUB_OFFLINE=1"
    ]
    assert hub.asked == 1, "a hub that did not answer is not waited for again"


@pytest.mark.slow
def test_tasks_are_found_by_name_and_code_is_refused() -> None:
    mmlu, hellaswag, gsm8k = (build(name, DataSelection()) for name in members(["llm-general"]))
    assert [(len(one), one.split) for one in (mmlu, hellaswag, gsm8k)] == [(57, "test"), (1, "validation"), (1, "test")]
    assert [one.revision.partition(".shots-")[2] for one in (mmlu, hellaswag, gsm8k)] == ["5", "0", "5"]
    with pytest.raises(InputError, match=r"the harness has no task 'helaswag'; close names: hellaswag,"):
        named("helaswag")
    with pytest.raises(InputError, match="humaneval runs code that a model writes, and litotes does not"):
        named("humaneval")


def write(folder: Path, changes: str) -> str:
    """Write a task into a folder; `changes` override the settings that our tasks share."""
    shared = f"include: {TABLES / '_choices'}\ntask: mine\ndataset_kwargs:\n  data_files: {{test: mine.json}}\n"
    (folder / "mine.json").write_text(json.dumps(items("sums")[:2]), encoding="utf-8")
    (folder / "mine.yaml").write_text(shared + changes, encoding="utf-8")
    return str(folder / "mine.yaml")


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    (tmp_path / "trap.py").write_text("raise SystemExit('the trap was run')\n", encoding="utf-8")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ("process_docs: !function trap.go\n", r"mine.yaml calls Python \(.*!function.*litotes does not run code"),
        ("unsafe_code: true\n", "mine runs code that a model writes"),
        (
            "metric_list: [{metric: no_such_metric}]\n",
            "mine is measured by 'no_such_metric', Python code from a hub",
        ),
        (
            "metric_list: [{metric: acc, hf_evaluate: true}]\n",
            "mine is measured by 'acc', Python code from a hub",
        ),
        ("task: [\n", "mine.yaml cannot be read"),
    ],
)
def test_a_file_that_would_run_code_is_refused(trap: Path, changes: str, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        named(write(trap, changes))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ('doc_to_text: "{{riddle}}"\n', r"the harness cannot read lm-eval:.*UndefinedError: 'riddle' is undefined"),
        ("dataset_kwargs: {data_files: {test: none.json}}\n", r"the harness cannot read lm-eval:.*none.json"),
        ("output_type: poems\n", r"the harness cannot read lm-eval:.*invalid output_type 'poems'"),
        ("test_split: exam\n", r"the harness cannot read lm-eval:.*KeyError: 'exam'"),
    ],
)
def test_a_mistake_in_a_file_is_explained(tiny: TinyLlm, tmp_path: Path, changes: str, expected: str) -> None:
    task = named(write(tmp_path, changes))
    with pytest.raises(InputError, match=expected):
        bench([tiny], [task], tmp_path / "out")


@pytest.mark.slow
def test_files_must_name_their_task(tmp_path: Path) -> None:
    before = named(write(tmp_path, "")).revision
    assert named(write(tmp_path, "")).revision == before
    (tmp_path / "mine.json").write_text(json.dumps(items("sums")[:3]), encoding="utf-8")
    assert named(str(tmp_path / "mine.yaml")).revision != before, "other items are another revision"
    with pytest.raises(InputError, match=r"mine is always asked without examples. Remove @3"):
        named(f"{write(tmp_path, 'num_fewshot: 0')}@3")
    for name, other in (("one", "two"), ("two", "one")):
        (tmp_path / f"{name}.yaml").write_text(f"group: {name}\ntask: [{other}]\n", encoding="utf-8")
    with pytest.raises(InputError, match="the group one contains itself, through two"):
        named(str(tmp_path / "one.yaml"))
    (tmp_path / "list.yaml").write_text("- a\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"list.yaml contains a list; expected a task"):
        named(str(tmp_path / "list.yaml"))
    (tmp_path / "nothing.yaml").write_text("doc_to_text: q\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"nothing.yaml names no task"):
        named(str(tmp_path / "nothing.yaml"))


def test_missing_tasks_are_reported_before_anything_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"there is no file 'poems.yaml'; expected a task of lm-eval as YAML"):
        build("lm-eval:poems.yaml", DataSelection())
    with pytest.raises(
        InputError, match="lm-eval:mmlu can only be measured as a whole; expected --half all, got select"
    ):
        build("lm-eval:mmlu", DataSelection(half="select"))
    monkeypatch.setitem(sys.modules, "lm_eval", None)
    with pytest.raises(MissingError, match=r"a task of lm-eval needs lm_eval. .*pip install 'litotes\[harness\]'"):
        build(SUMS, DataSelection())


def row(measure: str, value: float | None, error: float | None, count: int = 100, **below: str) -> ItemRow:
    numbers = {"items": float(count)} | ({} if error is None else {"stderr": error})
    return ItemRow(f"{below}/{measure}", value, {"measure": measure, **below}, numbers)


def test_intervals_come_from_the_standard_error() -> None:
    rows = [
        row("acc", 0.5, 0.05),
        row("acc_norm", 0.6, 0.1),
        row("acc", 0.99, 0.01, 40, subject="anatomy"),
        row("acc", 0.25, 0.02, 60, group="stem"),
        row("word_perplexity", 31.5, None),
        row("mcc", 0.0, 0.1),
        row("exact_match, strict-match", None, 0.1),
    ]
    found = fold(figures("harness", rows), ABOUT)
    assert [(one.slice, one.measure) for one in found] == [
        ("all", "acc_norm"),
        ("all", "acc"),
        ("all", "word_perplexity"),
        ("all", "mcc"),
        ("all", "exact_match, strict-match"),
        ("group: stem", "acc"),
        ("subject: anatomy", "acc"),
    ]
    norm, acc, perplexity, correlation, none, stem, anatomy = found
    assert (norm.value, norm.low, norm.high) == pytest.approx((60, 40.4, 79.6))
    assert (acc.value, acc.low, acc.high, acc.n) == pytest.approx((50, 40.2, 59.8, 100))
    assert perplexity.value == 31.5
    assert isnan(perplexity.low)
    assert (correlation.low, correlation.high) == pytest.approx((-19.6, 19.6))
    assert isnan(none.value)
    assert (stem.low, stem.n) == pytest.approx((21.08, 60))
    assert (anatomy.low, anatomy.high) == pytest.approx((97.04, 100)), "no share is above 100"
    assert isnan(fold(figures("harness", []), ABOUT)[0].value)
    with pytest.raises(InputError, match="have no rows per item, so they cannot be paired"):
        compare("harness", rows, rows)


def test_the_report_has_a_table_by_subject_with_arithmetic_first(tmp_path: Path) -> None:
    lines = []
    for model, values in (("llm:before", (60.0, 70.0, 40.0, 80.0)), ("llm:after", (58.0, 71.0, 30.0, 66.0))):
        whole, anatomy, algebra, gsm8k = values
        lines += [
            made.result(model, "lm-eval:mmlu@5", "acc", whole),
            made.result(model, "lm-eval:mmlu@5", "acc", anatomy) | {"slice": "subject: anatomy"},
            made.result(model, "lm-eval:mmlu@5", "acc", algebra) | {"slice": "subject: abstract_algebra"},
            made.result(model, "lm-eval:gsm8k", "exact_match, strict-match", gsm8k),
        ]
    (tmp_path / "results.json").write_text(json.dumps(lines), encoding="utf-8")
    found = report([tmp_path])
    table = found.markdown.split("## By subject\n\n")[1].split("\n\n")[0].splitlines()
    assert [line.split(" | ")[0].removeprefix("| ") for line in table if "---" not in line] == [
        "subject",
        "mmlu@5: abstract algebra (acc)",
        "gsm8k (exact_match, strict-match)",
        "mmlu@5: anatomy (acc)",
    ]
    assert table[2].startswith("| mmlu@5: abstract algebra (acc) | **40.0** (37.0–43.0) | 30.0 (27.0–33.0)")
    assert '<th scope="col">subject</th>' in found.html
    general = found.markdown.split("## Llm-general\n\n")[1]
    assert "Llama-3-8B-Instruct, 8B [published: HedgeTriple] | 65.7 |" in general
    (tmp_path / "results.json").write_text(json.dumps(lines[3:4]), encoding="utf-8")
    assert "By subject" not in report([tmp_path]).markdown, "gsm8k alone has no subjects"
