"""Tuning a language model: the questions, small runs, a run that resumes, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from litotes.cli.app import app
from litotes.data.opposite_questions import LAYOUTS, QUESTIONS, SYSTEM_PROMPTS
from litotes.errors import InputError, require
from litotes.models import load
from litotes.models.llm.prompts import CHOICE, OPPOSITES
from litotes.training.examples import Example
from litotes.training.llm import LlmTraining, QuestionCollator, train_llm
from litotes.training.llm_questions import IGNORED, ChatQuestion, questions_of, tokenize_question
from tests.tiny_llm import tiny_llm

THINGS = ("shop", "gate", "valve", "road", "pool", "museum", "bridge", "tower")
EXAMPLES = [
    Example(f"The {thing} is open.", f"The {thing} may be open.", (f"The {thing} is not open.",), "word", "verbal")
    for thing in THINGS
]
CONFIG = LlmTraining(epochs=2, batch=4, lr=0.01, rank=4)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    texts = [text for example in EXAMPLES for text in (example.query, example.positive, *example.negatives)]
    return str(
        tiny_llm(
            tmp_path_factory.mktemp("base"),
            [*texts, *SYSTEM_PROMPTS, *QUESTIONS, *LAYOUTS, OPPOSITES, CHOICE, "Yes No"],
        )
    )


@pytest.fixture(scope="module")
def tokenizer(base: str) -> Any:
    return require("transformers").AutoTokenizer.from_pretrained(base)


def weights(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = require("safetensors.torch").load_file(str(folder / "adapter_model.safetensors"))
    return found


def test_a_negation_is_answered_yes_and_a_hedge_no_equally_often() -> None:
    found = questions_of(EXAMPLES, task="opposites")
    assert len(found) == 2 * len(EXAMPLES)
    for question in found:
        assert question.answer == ("Yes" if "is not open." in question.prompt else "No")
    assert found == questions_of(EXAMPLES, task="opposites") != questions_of(EXAMPLES, task="opposites", seed=1)


def test_a_choice_is_the_number_of_the_right_document() -> None:
    example = Example("closed shops", "This shop is shut.", ("This shop is open.",))
    found = questions_of([example] * 20, task="choice")
    for question in found:
        assert f"Document {question.answer}: This shop is shut." in question.prompt
    assert {question.answer for question in found} == {"1", "2"}


def test_the_ablations_select_their_examples() -> None:
    paraphrase = Example("It is open.", "It is not shut.", ("It is shut.",), "equivalent", "lexical")
    assert {
        question.answer for question in questions_of([*EXAMPLES, paraphrase], task="opposites", only="negation")
    } == {"Yes", "No"}
    assert len(questions_of([*EXAMPLES, paraphrase], task="opposites", only="negation")) == 2
    assert len(questions_of([*EXAMPLES, paraphrase], task="opposites", only="hedging")) == 2 * len(EXAMPLES)
    with pytest.raises(InputError, match="no example gives a question"):
        questions_of([replace(paraphrase, negative_kind="exceptor")], task="opposites")


def test_only_the_answer_has_a_loss(tokenizer: Any) -> None:
    found = tokenize_question(ChatQuestion("", "Is it open?", "Yes"), tokenizer)
    assert tokenizer.decode(found.ids[: found.question_length]).split()[-1] == "<assistant>"
    assert found.labels[: found.question_length] == [IGNORED] * found.question_length
    assert tokenizer.decode(found.labels[found.question_length :]).split() == ["Yes", "<end>"]


def test_a_template_that_changes_the_question_is_refused(base: str) -> None:
    tokenizer = require("transformers").AutoTokenizer.from_pretrained(base)
    tokenizer.chat_template = "{{ messages | length }} {% for turn in messages %}{{ turn['content'] }} {% endfor %}"
    with pytest.raises(InputError, match="cannot be located"):
        tokenize_question(ChatQuestion("", "Is the gate open?", "Yes"), tokenizer)


def test_packed_questions_have_the_loss_of_padded_ones(base: str, tokenizer: Any) -> None:
    torch = require("torch")
    model = require("transformers").AutoModelForCausalLM.from_pretrained(base)
    # As in the recipe: with a cache the library would treat the row as one text.
    model.config.use_cache = False
    rows = [tokenize_question(question, tokenizer) for question in questions_of(EXAMPLES, task="opposites")[:5]]
    with torch.no_grad():
        packed, padded = (float(model(**QuestionCollator(0, packing=packing)(rows)).loss) for packing in (True, False))
        alone = [float(model(**QuestionCollator(0, packing=False)([row])).loss) for row in rows]
    # Every answer has two tokens, so the mean over tokens is the mean over answers.
    assert packed == pytest.approx(sum(alone) / len(alone), abs=1e-4)
    assert packed == pytest.approx(padded, abs=1e-4)


def test_a_tuned_model_answers_better_and_is_loaded_from_its_folder(base: str, tmp_path: Path) -> None:
    seen: list[Mapping[str, Any]] = []
    trained = train_llm(replace(CONFIG, base=base, epochs=20, merge=True), EXAMPLES, out=tmp_path, progress=seen.append)
    losses = [line["loss"] for line in seen if "loss" in line]
    assert losses[-1] < 0.5 * losses[0]
    first, denied = [example.query for example in EXAMPLES], [example.negatives[0] for example in EXAMPLES]
    expected = trained.model.opposed(first, denied)
    for folder in ("adapter", "merged"):
        again: Any = load(f"llm:{tmp_path / folder}")
        assert again.opposed(first, denied) == pytest.approx(expected, abs=1e-3)
    assert json.loads((tmp_path / "adapter" / "adapter_config.json").read_text())["base_model_name_or_path"] == base
    assert not list(tmp_path.glob("*.part"))
    assert not (tmp_path / "adapter" / "README.md").exists()


def test_a_resumed_run_ends_with_the_same_weights(base: str, tmp_path: Path) -> None:
    config = replace(CONFIG, base=base)
    train_llm(config, EXAMPLES, out=tmp_path / "whole")

    def interrupt(line: Mapping[str, Any]) -> None:
        if line["step"] == 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_llm(config, EXAMPLES, out=tmp_path / "resumed", progress=interrupt, checkpoint_every=2)
    assert not (tmp_path / "resumed" / "adapter").exists()
    train_llm(config, EXAMPLES, out=tmp_path / "resumed", checkpoint_every=2)
    whole, resumed = (weights(tmp_path / name / "adapter") for name in ("whole", "resumed"))
    for name, value in whole.items():
        assert require("torch").equal(value, resumed[name]), name


def test_invalid_settings_are_refused(base: str, tmp_path: Path) -> None:
    for wrong in ({"rank": 0}, {"task": "poems"}, {"dropout": 1.0}, {"layers": ()}):
        with pytest.raises(InputError, match="expected"):
            replace(CONFIG, **wrong)
    with pytest.raises(InputError, match="none of the layers"):
        train_llm(replace(CONFIG, base=base, layers=("no_such",)), EXAMPLES)
    with pytest.raises(InputError, match="four_bit needs a GPU"):
        train_llm(replace(CONFIG, base=base, four_bit=True), EXAMPLES, device="cpu")
    with pytest.raises(InputError, match="longer than max_tokens"):
        train_llm(replace(CONFIG, base=base, max_tokens=8), EXAMPLES)
    with pytest.raises(InputError, match="no --replay"):
        train_llm(replace(CONFIG, base=base), EXAMPLES, replay=EXAMPLES)
    with pytest.raises(InputError, match="no chat template"):
        train_llm(replace(CONFIG, base=str(tiny_llm(tmp_path, ["Yes No"], template=None))), EXAMPLES)


def test_the_command_measures_before_and_after_and_writes_a_card(base: str, tmp_path: Path) -> None:
    triples = [
        {"anchor": one.query, "positive": one.positive, "negative": one.negatives[0], "negative_kind": "verbal"}
        for one in EXAMPLES
    ]
    (tmp_path / "triples.jsonl").write_text("".join(json.dumps(one) + "\n" for one in triples), encoding="utf-8")
    path, out = str(tmp_path / "triples.jsonl"), tmp_path / "run"
    options = ["--set", "epochs=20", "--set", "batch=4", "--set", "lr=0.01", "--measure", f"opposites:{path}"]
    done = CliRunner().invoke(app, ["train", path, "--recipe", "llm", "--base", base, "--out", str(out), *options])
    assert done.exit_code == 0, done.output
    line = json.loads(done.stdout.splitlines()[-1])
    assert line["steps"] == 20 * 4
    assert line["scores"]["negation.triples"] > line["before"]["negation.triples"]
    card = (out / "README.md").read_text(encoding="utf-8")
    assert "llm:PATH/adapter" in card
    assert "| 16 |" in card


@pytest.mark.slow
def test_smollm2_learns_from_a_few_questions(tmp_path: Path) -> None:
    """The real model for two steps: the loss falls, and the adapter is small."""
    lines: list[Mapping[str, Any]] = []
    trained = train_llm(
        LlmTraining(epochs=2, batch=2, lr=1e-3, warmup=0.0), EXAMPLES[:1], out=tmp_path, progress=lines.append
    )
    losses = [line["loss"] for line in lines if "loss" in line]
    assert trained.steps == 2
    assert losses[-1] < losses[0]
    assert sum(path.stat().st_size for path in (tmp_path / "adapter").iterdir()) < 25e6
