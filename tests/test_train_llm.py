"""Tuning a language model: the questions, what is learnt of them, going on after a kill, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from litotes.cli.app import app
from litotes.data.opposites import LAYOUTS, QUESTIONS, SYSTEMS
from litotes.errors import InputError, require
from litotes.models import load
from litotes.models.llm.prompts import CHOICE, OPPOSITES
from litotes.train.asking import IGNORED, Ask, asks, tokens_of
from litotes.train.examples import Example
from litotes.train.llm import Batches, LlmTraining, train_llm
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
        tiny_llm(tmp_path_factory.mktemp("base"), [*texts, *SYSTEMS, *QUESTIONS, *LAYOUTS, OPPOSITES, CHOICE, "Yes No"])
    )


@pytest.fixture(scope="module")
def tokenizer(base: str) -> Any:
    return require("transformers").AutoTokenizer.from_pretrained(base)


def weights(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = require("safetensors.torch").load_file(str(folder / "adapter_model.safetensors"))
    return found


def test_a_negation_is_answered_yes_and_a_hedge_no_as_often() -> None:
    found = asks(EXAMPLES, task="opposites")
    assert len(found) == 2 * len(EXAMPLES)
    for ask in found:
        assert ask.answer == ("Yes" if "is not open." in ask.prompt else "No")
    assert found == asks(EXAMPLES, task="opposites") != asks(EXAMPLES, task="opposites", seed=1)


def test_a_choice_names_the_right_document_wherever_it_stands() -> None:
    example = Example("closed shops", "This shop is shut.", ("This shop is open.",))
    found = asks([example] * 20, task="choice")
    for ask in found:
        assert f"Document {ask.answer}: This shop is shut." in ask.prompt
    assert {ask.answer for ask in found} == {"1", "2"}


def test_the_ablations_keep_what_they_name() -> None:
    paraphrase = Example("It is open.", "It is not shut.", ("It is shut.",), "equivalent", "lexical")
    assert {ask.answer for ask in asks([*EXAMPLES, paraphrase], task="opposites", only="negation")} == {"Yes", "No"}
    assert len(asks([*EXAMPLES, paraphrase], task="opposites", only="negation")) == 2
    assert len(asks([*EXAMPLES, paraphrase], task="opposites", only="hedging")) == 2 * len(EXAMPLES)
    with pytest.raises(InputError, match="no example gives a question"):
        asks([replace(paraphrase, negative_kind="exceptor")], task="opposites")


def test_the_loss_is_on_the_answer_alone(tokenizer: Any) -> None:
    found = tokens_of(Ask("", "Is it open?", "Yes"), tokenizer)
    assert tokenizer.decode(found.ids[: found.asked]).split()[-1] == "<assistant>"
    assert found.labels[: found.asked] == [IGNORED] * found.asked
    assert tokenizer.decode(found.labels[found.asked :]).split() == ["Yes", "<end>"]


def test_a_template_that_rewrites_the_question_is_refused(base: str) -> None:
    tokenizer = require("transformers").AutoTokenizer.from_pretrained(base)
    tokenizer.chat_template = "{{ messages | length }} {% for turn in messages %}{{ turn['content'] }} {% endfor %}"
    with pytest.raises(InputError, match="cannot be told apart"):
        tokens_of(Ask("", "Is the gate open?", "Yes"), tokenizer)


def test_packed_questions_have_the_loss_of_padded_ones(base: str, tokenizer: Any) -> None:
    torch = require("torch")
    model = require("transformers").AutoModelForCausalLM.from_pretrained(base)
    # as the recipe has it: with a cache the library takes the row for one text
    model.config.use_cache = False
    rows = [tokens_of(ask, tokenizer) for ask in asks(EXAMPLES, task="opposites")[:5]]
    with torch.no_grad():
        packed, padded = (float(model(**Batches(0, packing=packing)(rows)).loss) for packing in (True, False))
        alone = [float(model(**Batches(0, packing=False)([row])).loss) for row in rows]
    # every answer has two tokens, so that the mean over tokens is the mean over answers
    assert packed == pytest.approx(sum(alone) / len(alone), abs=1e-4)
    assert packed == pytest.approx(padded, abs=1e-4)


def test_a_tuned_model_answers_better_and_is_loaded_from_its_folder(base: str, tmp_path: Path) -> None:
    seen: list[Mapping[str, Any]] = []
    trained = train_llm(replace(CONFIG, base=base, epochs=20, merge=True), EXAMPLES, out=tmp_path, watch=seen.append)
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


def test_a_run_cut_short_ends_with_the_same_weights(base: str, tmp_path: Path) -> None:
    config = replace(CONFIG, base=base)
    train_llm(config, EXAMPLES, out=tmp_path / "whole")

    class CutError(Exception):
        pass

    def cut(line: Mapping[str, Any]) -> None:
        if line["step"] >= 6:
            raise CutError

    with pytest.raises(CutError):
        train_llm(config, EXAMPLES, out=tmp_path / "cut", watch=cut, checkpoint_every=2)
    assert not (tmp_path / "cut" / "adapter").exists()
    train_llm(config, EXAMPLES, out=tmp_path / "cut", checkpoint_every=2)
    whole, mended = (weights(tmp_path / name / "adapter") for name in ("whole", "cut"))
    for name, value in whole.items():
        assert require("torch").equal(value, mended[name]), name


def test_settings_that_cannot_be_are_refused(base: str, tmp_path: Path) -> None:
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
    """The real model for a few steps: what it was tuned on it answers better, and the adapter is small."""
    config = LlmTraining(epochs=3, batch=4, lr=1e-3)
    found: list[Mapping[str, Any]] = []
    trained = train_llm(config, EXAMPLES[:2], out=tmp_path, watch=found.append)
    losses = [line["loss"] for line in found if "loss" in line]
    assert trained.steps == 3
    assert losses[-1] < losses[0]
    assert sum(path.stat().st_size for path in (tmp_path / "adapter").iterdir()) < 25e6
