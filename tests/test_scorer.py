"""Test the metric's model: independent scores, truncation, and saving and loading."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.errors import InputError, require
from litotes.models import load
from litotes.models.encoder_layers import last_layers, masked_mean
from litotes.models.pair_tokens import Tokens, _truncate, padded, pair_tokens
from litotes.models.scorer import MetricScorer, load_scorer, new_scorer, save_scorer
from litotes.models.weight_files import load_weights, read_weights, write_weights
from tests.family_models import minilm, quiet
from tests.small_base import assert_same, small_base, weights

torch = require("torch")

PAIRS = [
    ("The bridge is open to lorries.", "The bridge is not open to lorries."),
    ("Cats sleep.", "Most of the afternoon the cats of this house are found asleep on the oven."),
    ("The bridge is open to lorries.", "Lorries may cross."),
    ("The committee never published the minutes of its last meeting.", "No minutes came out."),
    ("", "Something, where there was nothing."),
    ("Cats sleep.", ""),
]
REFERENCES, CANDIDATES = (list(side) for side in zip(*PAIRS, strict=True))
SHAPE: dict[str, Any] = {"shared_layers": 0, "own_layers": 1, "longest": 32}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return small_base(tmp_path_factory.getbasetemp() / "one-layer-minilm")


@pytest.fixture(scope="module")
def scorer(base: str) -> MetricScorer:
    """A scorer with different sides and spread scores; an untrained head would score everything at about one half."""
    with quiet():
        found = new_scorer(base, **SHAPE, seed=5, device="cpu", name="small")
    with torch.no_grad():
        found.model.side.weight.copy_(torch.linspace(-1, 1, 768).reshape(2, 384))
        found.model.outer.weight.mul_(10)
    return found


def test_a_score_does_not_depend_on_the_other_pairs(scorer: MetricScorer) -> None:
    together = scorer.score(CANDIDATES, REFERENCES)
    alone = [scorer.score([other], [one])[0] for one, other in PAIRS]
    assert together.shape == (6,)
    assert np.all((together[:4] > 0) & (together[:4] < 1))
    # An empty text scores 0 by definition.
    assert together[4] == together[5] == 0
    assert np.abs(together - alone).max() < 1e-5
    assert np.abs(together - scorer.score(CANDIDATES, REFERENCES, batch=2)).max() < 1e-5
    backwards = scorer.score(CANDIDATES[::-1], REFERENCES[::-1])
    assert np.abs(together - backwards[::-1]).max() < 1e-5
    # A repeated pair gets the same score.
    twice = scorer.score(CANDIDATES[:1] * 2, REFERENCES[:1] * 2)
    assert twice[0] == twice[1] == pytest.approx(alone[0], abs=1e-5)
    assert np.ptp(together) > 0.01


def test_empty_texts_and_unequal_lengths(scorer: MetricScorer) -> None:
    assert scorer.score([], []).shape == (0,)
    assert scorer.score(["", "A cat.", "…"], [".", "—", ""]).tolist() == [1, 0, 1]
    assert scorer.counts([]) == []
    with pytest.raises(InputError, match="2 candidates and 1 references"):
        scorer.score(["a", "b"], ["a"])


def test_the_order_of_the_two_texts_matters(scorer: MetricScorer) -> None:
    there = scorer.score(CANDIDATES[:1], REFERENCES[:1])
    back = scorer.score(REFERENCES[:1], CANDIDATES[:1])
    assert abs(float(there[0] - back[0])) > 1e-4


def test_counts_exclude_special_tokens(scorer: MetricScorer) -> None:
    # Each of these words, and the full stop, is one token of MiniLM.
    assert scorer.counts(["The bridge is open.", "cats", ""]) == [5, 1, 0]


def test_only_tokens_of_the_candidate_are_marked(scorer: MetricScorer) -> None:
    tokenizer = scorer.tokenizer
    rows = pair_tokens(tokenizer, [("cats sleep", "dogs bark now"), ("cats", "")])
    pieces = [tokenizer.convert_ids_to_tokens(row.ids.tolist()) for row in rows]
    assert pieces[0] == ["[CLS]", "cats", "sleep", "[SEP]", "dogs", "bark", "now", "[SEP]"]
    assert (rows[0].start, rows[0].end) == (4, 7)
    assert pieces[1] == ["[CLS]", "cats", "[SEP]", "[SEP]"]
    assert rows[1].start == rows[1].end == 3
    ids, mask, sides = padded(rows, 99, "cpu")
    assert ids[1].tolist()[4:] == [99] * 4
    assert mask.tolist() == [[1] * 8, [1, 1, 1, 1, 0, 0, 0, 0]]
    assert sides.tolist() == [[0, 0, 0, 0, 1, 1, 1, 0], [0] * 8]
    whole = tokenizer("cats sleep", "dogs bark now")["input_ids"]
    assert rows[0].ids.tolist() == whole


@pytest.mark.parametrize(
    ("reference", "candidate", "limit", "expected"),
    [
        (3, 4, None, (3, 4)),
        (3, 4, 7, (3, 4)),
        # the short text stays whole, and the long one gets the rest
        (3, 9, 8, (3, 5)),
        (9, 3, 8, (5, 3)),
        (0, 9, 8, (0, 8)),
        # both are long: half each, and an odd token for the reference
        (9, 9, 8, (4, 4)),
        (9, 9, 7, (4, 3)),
        (4, 9, 8, (4, 4)),
        (4, 9, 7, (4, 3)),
    ],
)
def test_texts_are_truncated_to_the_limit(
    reference: int, candidate: int, limit: int | None, expected: tuple[int, int]
) -> None:
    left, right = np.arange(reference), np.arange(100, 100 + candidate)
    first, second = _truncate(left, right, limit)
    assert (first.tolist(), second.tolist()) == (left[: expected[0]].tolist(), right[: expected[1]].tolist())
    assert (len(first), len(second)) == expected


def test_a_long_pair_is_refused_or_cut(scorer: MetricScorer) -> None:
    long = "The cats of this old house sleep. " * 6
    with pytest.raises(
        InputError, match=r"a pair has 54 tokens, and small reads at most 32: 'The cats .*litotes\.Metric"
    ):
        # 6 times 8 tokens, 3 of the candidate, 3 special tokens
        scorer.score(["The cats.", "Cats sleep."], ["The cats.", long])
    cut = scorer.score(["Cats sleep."], [long], cut=True)
    # 32 tokens minus 3 special tokens and 3 of the candidate are 26: three sentences of 8, and "The cats".
    kept = "The cats of this old house sleep. " * 3 + "The cats"
    assert cut == pytest.approx(scorer.score(["Cats sleep."], [kept]), abs=1e-6)
    rows = pair_tokens(scorer.tokenizer, [(long, long)], longest=32)
    assert len(rows[0].ids) == 32
    assert rows[0].end - rows[0].start == 14


def test_the_masked_mean_by_hand() -> None:
    hidden = torch.tensor([[[1.0, 2.0], [3.0, 6.0], [50.0, 50.0]], [[7.0, 7.0]] * 3])
    found = masked_mean(hidden, torch.tensor([[1, 1, 0], [0, 0, 0]]))
    assert found.tolist() == [[2.0, 4.0], [0.0, 0.0]]


def test_the_base_is_frozen_and_everything_else_is_trained(base: str) -> None:
    with quiet():
        found = new_scorer(base, shared_layers=1, own_layers=1, longest=16, device="cpu")
    model = found.model.train()
    assert not model.base.training
    rows = pair_tokens(found.tokenizer, PAIRS[:2], longest=16)
    model(*padded(rows, 0, "cpu")).sum().backward()
    assert all(value.grad is None for value in model.base.parameters())
    own = dict(model.own_parameters())
    assert all(value.grad is not None for value in own.values())
    assert {name.partition(".")[0] for name in own} == {"own", "side", "inner", "outer"}
    assert found.facts()["base"] == base


def test_an_untrained_scorer_depends_only_on_its_seed(base: str) -> None:
    with quiet():
        one, same, other = (new_scorer(base, **SHAPE, seed=seed, device="cpu") for seed in (1, 1, 2))
    assert_same(weights(one.model), weights(same.model))
    assert not np.array_equal(weights(one.model)["outer.weight"], weights(other.model)["outer.weight"])
    copied = weights(one.model)["own.0.output.dense.weight"]
    with quiet():
        library = require("sentence_transformers").SentenceTransformer(base, device="cpu")
    (layer,) = last_layers(library.transformers_model, 1)
    assert np.array_equal(copied, weights(layer)["output.dense.weight"])


@pytest.fixture(scope="module")
def saved(scorer: MetricScorer, base: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_scorer(scorer, tmp_path_factory.mktemp("scorer") / "model", base=base)


def test_a_saved_scorer_has_only_its_own_weights_and_loads_again(scorer: MetricScorer, saved: Path, base: str) -> None:
    card = json.loads((saved / "score.json").read_text(encoding="utf-8"))
    assert card["base"]["name"] == base
    assert {name: card[name] for name in SHAPE} == SHAPE
    assert {path.suffix for path in saved.iterdir()} == {".json", ".safetensors"}
    count = sum(value.numel() for _, value in scorer.model.own_parameters())
    size = sum(path.stat().st_size for path in saved.glob("*.safetensors"))
    assert 2 * count < size < 2 * count + 20_000
    with quiet():
        again = load_scorer(saved, device="cpu")
        ranker: Any = load(f"score:{saved}", device="cpu")
    assert again.longest == 32
    assert np.abs(again.score(CANDIDATES, REFERENCES) - scorer.score(CANDIDATES, REFERENCES)).max() < 1e-3
    facts = again.facts()
    assert len(facts["weights sha256"]) == 64
    assert facts["base"] == base
    # As a ranker it is the same model, and it truncates long texts.
    assert np.array_equal(ranker.score(REFERENCES, CANDIDATES), again.score(CANDIDATES, REFERENCES))
    assert ranker.score(["cats " * 50], ["Cats sleep."]).shape == (1,)
    assert ranker.facts()["weights sha256"] == facts["weights sha256"]


def copy_of(saved: Path, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    for path in saved.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    return folder


def test_changed_or_missing_weights_are_refused(saved: Path, tmp_path: Path) -> None:
    folder = copy_of(saved, tmp_path / "model")
    (file,) = folder.glob("*.safetensors")
    file.write_bytes(file.read_bytes()[:-1] + b"\x00")
    with quiet(), pytest.raises(InputError, match="is not the file the model was saved with: expected sha256"):
        load_scorer(folder)
    file.unlink()
    with quiet(), pytest.raises(InputError, match="got no file"):
        load_scorer(folder)


def test_another_base_is_refused(saved: Path, base: str) -> None:
    message = rf"was trained on {base} with sha256 .*Pass the folder of the right base as base="
    with quiet(), pytest.raises(InputError, match=message):
        load_scorer(saved, base=minilm())
    with quiet():
        assert load_scorer(saved, base=base).longest == 32


def test_weights_of_another_shape_are_refused(tmp_path: Path) -> None:
    own = {"layer.weight": torch.ones(3), "layer.bias": torch.zeros(1)}
    files = write_weights(own, tmp_path, prefix="own", shard_bytes=250)
    assert list(files) == ["own-01-of-02.safetensors", "own-02-of-02.safetensors"]
    there = {name: torch.full_like(value, 7.0) for name, value in own.items()}
    load_weights(there, read_weights(tmp_path, files), tmp_path)
    assert there["layer.weight"].tolist() == [1, 1, 1]
    assert there["layer.bias"].tolist() == [0]
    with pytest.raises(InputError, match=r"do not fit the model: layer\.bias in only one of the two"):
        load_weights({"layer.weight": torch.ones(3)}, read_weights(tmp_path, files), tmp_path)
    with pytest.raises(InputError, match=r"layer\.weight takes 212 bytes"):
        write_weights(own, tmp_path, prefix="own", shard_bytes=211)


def test_a_folder_without_a_metric_is_refused(tmp_path: Path, saved: Path) -> None:
    with pytest.raises(InputError, match=r"is not a metric; expected litotes-score, or a folder with a score\.json"):
        load_scorer(tmp_path)
    with pytest.raises(InputError, match="is not a metric"):
        load_scorer("/no/such/folder")
    folder = copy_of(saved, tmp_path / "odd")
    (folder / "score.json").write_text('{"base": {"name": "minilm"}', encoding="utf-8")
    with pytest.raises(InputError, match=r"score\.json is not valid JSON"):
        load_scorer(folder)
    for missing in ("longest", "files", "base"):
        card = json.loads((saved / "score.json").read_text(encoding="utf-8"))
        del card[missing]
        (folder / "score.json").write_text(json.dumps(card), encoding="utf-8")
        with pytest.raises(InputError, match="is not a metric"):
            load_scorer(folder)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"shared_layers": 2}, "shared_layers is 2; expected 0 to 1, the layers of the base"),
        ({"shared_layers": -1}, "shared_layers is -1; expected 0 to 1"),
        ({"own_layers": 0}, "own_layers is 0; expected 1 to 1"),
        ({"own_layers": 2}, "own_layers is 2; expected 1 to 1"),
        ({"longest": 15}, "longest is 15; expected 16 to"),
        ({"longest": 5000}, "longest is 5000; expected 16 to"),
        ({"device": "abacus"}, "device 'abacus' cannot be used"),
    ],
)
def test_invalid_shapes_of_a_scorer_are_refused(base: str, options: dict[str, Any], message: str) -> None:
    with quiet(), pytest.raises(InputError, match=message):
        new_scorer(base, **{**SHAPE, "device": "cpu", **options})


def test_an_unsupported_architecture_is_refused(tmp_path: Path) -> None:
    transformers = require("transformers")
    small = {"dim": 16, "n_layers": 1, "n_heads": 2, "hidden_dim": 16, "vocab_size": 30522}
    with quiet():
        transformers.DistilBertModel(transformers.DistilBertConfig(**small)).save_pretrained(tmp_path)
        transformers.AutoTokenizer.from_pretrained(minilm()).save_pretrained(tmp_path)
        with pytest.raises(InputError, match="is a distilbert model; expected bert, roberta"):
            new_scorer(str(tmp_path), **SHAPE, device="cpu")


@pytest.mark.parametrize("kind", ["bert", "roberta", "xlm-roberta", "camembert", "mpnet"])
def test_supported_architectures(kind: str) -> None:
    from litotes.models.scorer.model import PairModel

    transformers = require("transformers")
    small = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 24}
    config = transformers.AutoConfig.for_model(kind, vocab_size=60, max_position_embeddings=40, **small)
    model = PairModel(transformers.AutoModel.from_config(config), shared_layers=1, own_layers=1).eval()
    rows = [Tokens(np.array([5, 6, 7, 8, 9]), 3, 4), Tokens(np.array([5, 9, 8]), 1, 2)]
    with torch.no_grad():
        both = model(*padded(rows, config.pad_token_id, "cpu"))
        alone = torch.cat([model(*padded([row], config.pad_token_id, "cpu")) for row in rows])
    assert both.shape == (2,)
    assert (both - alone).abs().max() < 1e-5
