"""Surprisal: a language model's log-probabilities of tokens, and a metric that learns to predict them."""

from __future__ import annotations

from collections import namedtuple
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.errors import InputError, require
from litotes.models.pair_tokens import padded, pair_tokens
from litotes.models.scorer import MetricScorer, load_scorer, new_scorer, save_scorer
from litotes.models.scorer.likeness import worst
from litotes.models.scorer.surprise import expected
from litotes.training.averaging import average
from litotes.training.examples import Example
from litotes.training.metric import UNRATED, MetricTraining, train_metric
from litotes.training.surprisal import guesses, log_probabilities, surprisal_loss
from tests.family_models import quiet
from tests.small_base import tiny_base

torch = require("torch")

FLUENT, CLUMSY = "The ferry leaves at noon.", "Ferry leaving of noon the."
PAIRS = [(FLUENT, CLUMSY), (FLUENT, FLUENT), ("Two men were arrested.", "Two men were held by the police.")]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return tiny_base(tmp_path_factory.getbasetemp() / "tiny-base")


@pytest.fixture
def scorer(base: str) -> MetricScorer:
    with quiet():
        scorer = new_scorer(base, shared_layers=1, own_layers=1, longest=64, device="cpu")
    scorer.model.with_surprise()
    return scorer


class Letters:
    """The tokenizer of a language model of letters; the id of a letter is its place in the alphabet."""

    bos_token_id, eos_token_id = 0, 0

    def __call__(self, text: str, **_: Any) -> dict[str, Any]:
        return {
            "input_ids": [ord(letter) % 32 for letter in text],
            "offset_mapping": [(at, at + 1) for at in range(len(text))],
        }


class Even:
    """A language model to which all of 32 letters are equally likely."""

    device = "cpu"

    def __call__(self, *, input_ids: Any, attention_mask: Any) -> Any:
        return namedtuple("Output", "logits")(torch.zeros(*input_ids.shape, 32))


def test_log_probabilities_are_summed_per_token_of_the_metric(scorer: MetricScorer) -> None:
    (found,) = log_probabilities(Even(), Letters(), [("no cat", "a")], scorer.tokenizer)
    # Tokens of two, three and one letter; each letter is one of 32, in both contexts.
    expected_values = -np.log(32) * np.array([2, 3, 1])
    assert found == pytest.approx(np.stack([expected_values, expected_values], axis=-1).clip(min=-12), abs=1e-5)


def test_numbers_of_a_pair_by_hand() -> None:
    guessed = torch.tensor([[[-1.0, -2.0], [-3.0, -4.0], [-5.0, 0.0], [-7.0, -1.0], [9.0, 9.0]]])
    reference, candidate = torch.tensor([[1, 1, 0, 0, 0]]), torch.tensor([[0, 0, 1, 1, 0]])
    assert expected(guessed, reference, candidate)[0].tolist() == [-2, -3, -3, -4, -6, -7, -0.5, -1]
    nothing = expected(guessed, reference, torch.zeros_like(candidate))
    assert nothing[0, 4:].tolist() == [0, 0, 0, 0]
    eight = torch.tensor([[3.0, 1.0, 2.0, 9.0, 9.0, 9.0, 9.0, 9.0]])
    assert [float(value) for value in worst(eight, torch.ones(1, 8, dtype=torch.long))] == [1.5, 1.0]


def test_the_loss_by_hand_counts_only_pairs_with_log_probabilities() -> None:
    guessed = torch.zeros(2, 3, 2)
    words, sides = torch.tensor([[1, 1, 0], [1, 1, 0]]), torch.tensor([[0, 1, 1], [0, 1, 1]])
    known = [np.array([[-2.0, 0.0], [0.0, -2.0]], dtype=np.float16), np.zeros((0, 2), dtype=np.float16)]
    # Two of four values are off by 2, which is a loss of 1.5 each; four of eight numbers are, with a square of 4 each.
    assert surprisal_loss(guessed, known, words, sides).tolist() == [2 * 1.5 / 4 + 2 * 4 * 4 / 8, 0]


def test_predictions_do_not_depend_on_padding_or_other_pairs(scorer: MetricScorer) -> None:
    together, alone = guesses(scorer, PAIRS), [guesses(scorer, [pair])[0] for pair in PAIRS]
    for one, other in zip(together, alone, strict=True):
        assert one == pytest.approx(other, abs=2e-3)
    ids, mask, _ = padded(pair_tokens(scorer.tokenizer, PAIRS), 0, "cpu")
    assert [len(row) for row in together] == scorer.model.words(ids, mask).sum(dim=-1).tolist()


def test_a_metric_without_the_head_is_refused(base: str) -> None:
    with quiet():
        plain = new_scorer(base, shared_layers=1, own_layers=1, device="cpu", name="plain")
    with pytest.raises(InputError, match="plain has no surprisal head"):
        guesses(plain, PAIRS)


def test_the_head_is_trained_saved_averaged_and_used_as_a_start(base: str, tmp_path: Path) -> None:
    targets = {pair: np.full((_words(base, pair), 2), -4.0, dtype=np.float16) for pair in PAIRS}
    examples = [Example(*pair, score=score) for pair, score in zip(PAIRS, (UNRATED, 1.0, 0.9), strict=True)]
    shape: dict[str, Any] = {
        "base": base,
        "shared_layers": 1,
        "own_layers": 1,
        "max_tokens": 64,
        "batch": 3,
        "lr": 5e-3,
        "epochs": 25,
    }
    with quiet():
        config = MetricTraining(**shape, surprisal_weight=0.5)
        first = train_metric(config, examples, out=tmp_path / "a", log_probabilities=targets, device="cpu")
        train_metric(
            MetricTraining(**shape, surprisal_weight=0.5, order=1),
            examples,
            out=tmp_path / "b",
            log_probabilities=targets,
        )
        plain = train_metric(MetricTraining(**shape), examples[1:], out=tmp_path / "plain", device="cpu")
        saved = load_scorer(tmp_path / "a" / "model", base=base, device="cpu")
        mean = load_scorer(average([tmp_path / "a", tmp_path / "b"], tmp_path / "mean"), base=base, device="cpu")
        unchanged = MetricTraining(
            **shape | {"epochs": 1, "lr": 1e-9}, surprisal_weight=0.5, start=str(tmp_path / "a" / "model")
        )
        same = train_metric(unchanged, examples, log_probabilities=targets, device="cpu").model
        fresh = MetricTraining(**shape | {"epochs": 1}, surprisal_weight=0.5, start=str(tmp_path / "plain" / "model"))
        assert train_metric(fresh, examples, log_probabilities=targets, device="cpu").model.model.surprise is not None
    assert first.curves[-1]["loss"] < first.curves[0]["loss"]
    assert plain.model.model.surprise is None
    for guessed in (guesses(saved, PAIRS), guesses(same, PAIRS)):
        assert np.mean([row.mean() for row in guessed]) == pytest.approx(-4, abs=1)
    assert mean.model.numbers == saved.model.numbers == 2 * 7 + 8
    save_scorer(mean, tmp_path / "again", base=base)
    assert load_scorer(tmp_path / "again", base=base, device="cpu").score([CLUMSY], [FLUENT]) == pytest.approx(
        mean.score([CLUMSY], [FLUENT]), abs=2e-3
    )


def test_a_weight_without_log_probabilities_is_refused(base: str) -> None:
    with pytest.raises(InputError, match=r"surprisal_weight is 0\.5 but there are no log_probabilities"):
        train_metric(MetricTraining(base=base, surprisal_weight=0.5), [Example(FLUENT, FLUENT, score=1.0)])


def _words(base: str, pair: tuple[str, str]) -> int:
    with quiet():
        tokenizer = new_scorer(base, shared_layers=1, own_layers=1, device="cpu").tokenizer
    return sum(len(tokenizer(text, add_special_tokens=False)["input_ids"]) for text in pair)
