"""A language model's ear: what it says of tokens, what a metric learns of it, how that is saved and goes on."""

from __future__ import annotations

from collections import namedtuple
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.errors import InputError, require
from litotes.models.scorer import Scorer, grow_scorer, load_scorer, save_scorer
from litotes.models.scorer.likeness import worst
from litotes.models.scorer.scorer import padded, pair_tokens
from litotes.models.scorer.surprise import expected
from litotes.train.averaging import average
from litotes.train.examples import Example
from litotes.train.metric import UNRATED, MetricTraining, train_metric
from litotes.train.surprise import guesses, log_probabilities, surprise_loss
from tests.model_shelf import quiet
from tests.small_base import small_base

torch = require("torch")

SAID, CLUMSY = "The ferry leaves at noon.", "Ferry leaving of noon the."
PAIRS = [(SAID, CLUMSY), (SAID, SAID), ("Two men were arrested.", "Two men were held by the police.")]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return small_base(tmp_path_factory.getbasetemp() / "one-layer-minilm")


@pytest.fixture
def scorer(base: str) -> Scorer:
    with quiet():
        found = grow_scorer(base, shared_layers=1, own_layers=1, longest=64, device="cpu")
    found.model.with_surprise()
    return found


class Letters:
    """A language model of letters: each has its place in the alphabet as its id."""

    bos_token_id, eos_token_id = 0, 0

    def __call__(self, text: str, **_: Any) -> dict[str, Any]:
        return {
            "input_ids": [ord(letter) % 32 for letter in text],
            "offset_mapping": [(at, at + 1) for at in range(len(text))],
        }


class Even:
    """It holds every one of 32 letters for as likely."""

    device = "cpu"

    def __call__(self, *, input_ids: Any, attention_mask: Any) -> Any:
        return namedtuple("Said", "logits")(torch.zeros(*input_ids.shape, 32))


def test_what_it_says_is_gathered_by_the_metrics_tokens(scorer: Scorer) -> None:
    (found,) = log_probabilities(Even(), Letters(), [("no cat", "a")], scorer.tokenizer)
    # two letters, three, and one: each is one of 32, by itself and after the other side
    wanted = -np.log(32) * np.array([2, 3, 1])
    assert found == pytest.approx(np.stack([wanted, wanted], axis=-1).clip(min=-12), abs=1e-5)


def test_numbers_of_a_pair_by_hand() -> None:
    guessed = torch.tensor([[[-1.0, -2.0], [-3.0, -4.0], [-5.0, 0.0], [-7.0, -1.0], [9.0, 9.0]]])
    reference, candidate = torch.tensor([[1, 1, 0, 0, 0]]), torch.tensor([[0, 0, 1, 1, 0]])
    assert expected(guessed, reference, candidate)[0].tolist() == [-2, -3, -3, -4, -6, -7, -0.5, -1]
    nothing = expected(guessed, reference, torch.zeros_like(candidate))
    assert nothing[0, 4:].tolist() == [0, 0, 0, 0]
    eight = torch.tensor([[3.0, 1.0, 2.0, 9.0, 9.0, 9.0, 9.0, 9.0]])
    assert [float(value) for value in worst(eight, torch.ones(1, 8, dtype=torch.long))] == [1.5, 1.0]


def test_the_loss_by_hand_counts_only_what_was_heard() -> None:
    guessed = torch.zeros(2, 3, 2)
    words, sides = torch.tensor([[1, 1, 0], [1, 1, 0]]), torch.tensor([[0, 1, 1], [0, 1, 1]])
    heard = [np.array([[-2.0, 0.0], [0.0, -2.0]], dtype=np.float16), np.zeros((0, 2), dtype=np.float16)]
    # of four values two are off by 2: 1.5 each; and of the eight numbers four are, by the square 4 each
    assert surprise_loss(guessed, heard, words, sides).tolist() == [2 * 1.5 / 4 + 2 * 4 * 4 / 8, 0]


def test_padding_and_company_change_no_guess(scorer: Scorer) -> None:
    together, alone = guesses(scorer, PAIRS), [guesses(scorer, [pair])[0] for pair in PAIRS]
    for one, other in zip(together, alone, strict=True):
        assert one == pytest.approx(other, abs=2e-3)
    ids, mask, _ = padded(pair_tokens(scorer.tokenizer, PAIRS), 0, "cpu")
    assert [len(row) for row in together] == scorer.model.words(ids, mask).sum(dim=-1).tolist()


def test_a_metric_without_the_ear_says_so(base: str) -> None:
    with quiet():
        deaf = grow_scorer(base, shared_layers=1, own_layers=1, device="cpu", name="deaf")
    with pytest.raises(InputError, match="deaf has not been taught"):
        guesses(deaf, PAIRS)


def test_it_is_learnt_saved_averaged_and_gone_on_from(base: str, tmp_path: Path) -> None:
    told = {pair: np.full((_words(base, pair), 2), -4.0, dtype=np.float16) for pair in PAIRS}
    examples = [Example(*pair, score=worth) for pair, worth in zip(PAIRS, (UNRATED, 1.0, 0.9), strict=True)]
    shape: dict[str, Any] = {
        "base": base,
        "shared_layers": 1,
        "own_layers": 1,
        "max_tokens": 64,
        "batch": 3,
        "lr": 5e-3,
        "epochs": 40,
    }
    with quiet():
        config = MetricTraining(**shape, surprise_weight=0.5)
        first = train_metric(config, examples, out=tmp_path / "a", heard=told, device="cpu")
        train_metric(MetricTraining(**shape, surprise_weight=0.5, order=1), examples, out=tmp_path / "b", heard=told)
        deaf = train_metric(MetricTraining(**shape), examples[1:], out=tmp_path / "deaf", device="cpu")
        kept = load_scorer(tmp_path / "a" / "model", base=base, device="cpu")
        mean = load_scorer(average([tmp_path / "a", tmp_path / "b"], tmp_path / "mean"), base=base, device="cpu")
        on = MetricTraining(
            **shape | {"epochs": 1, "lr": 1e-9}, surprise_weight=0.5, start=str(tmp_path / "a" / "model")
        )
        same = train_metric(on, examples, heard=told, device="cpu").model
        fresh = MetricTraining(**shape | {"epochs": 1}, surprise_weight=0.5, start=str(tmp_path / "deaf" / "model"))
        assert train_metric(fresh, examples, heard=told, device="cpu").model.model.surprise is not None
    assert first.curves[-1]["loss"] < first.curves[0]["loss"]
    assert deaf.model.model.surprise is None
    for guessed in (guesses(kept, PAIRS), guesses(same, PAIRS)):
        assert np.mean([row.mean() for row in guessed]) == pytest.approx(-4, abs=1)
    assert mean.model.numbers == kept.model.numbers == 2 * 7 + 8
    save_scorer(mean, tmp_path / "again", base=base)
    assert load_scorer(tmp_path / "again", base=base, device="cpu").score([SAID], [CLUMSY]) == pytest.approx(
        mean.score([SAID], [CLUMSY]), abs=2e-3
    )


def test_an_ear_with_nothing_to_hear_is_refused(base: str) -> None:
    with pytest.raises(InputError, match=r"surprise_weight is 0\.5, and nothing was heard"):
        train_metric(MetricTraining(base=base, surprise_weight=0.5), [Example(SAID, SAID, score=1.0)])


def _words(base: str, pair: tuple[str, str]) -> int:
    with quiet():
        tokenizer = grow_scorer(base, shared_layers=1, own_layers=1, device="cpu").tokenizer
    return sum(len(tokenizer(text, add_special_tokens=False)["input_ids"]) for text in pair)
