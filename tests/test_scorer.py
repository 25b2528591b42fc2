"""The metric's model: a score that hangs on its pair alone, the sides told apart, texts cut to fit, saved and read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.errors import InputError, require
from litotes.models import load
from litotes.models.scorer import Scorer, grow_scorer, load_scorer, save_scorer
from litotes.models.scorer.scorer import Tokens, _fitted, padded, pair_tokens
from litotes.models.trunk import mean, topmost
from litotes.models.weights import join_weights, split_weights
from tests.model_shelf import minilm, quiet
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
def scorer(base: str) -> Scorer:
    """A scorer whose sides differ and whose scores are spread: an untrained head says about one half to all."""
    with quiet():
        found = grow_scorer(base, **SHAPE, seed=5, device="cpu", name="small")
    with torch.no_grad():
        found.model.side.weight.copy_(torch.linspace(-1, 1, 768).reshape(2, 384))
        found.model.outer.weight.mul_(10)
    return found


def test_a_score_is_the_same_whatever_is_scored_beside_it(scorer: Scorer) -> None:
    together = scorer.score(REFERENCES, CANDIDATES)
    alone = [scorer.score([one], [other])[0] for one, other in PAIRS]
    assert together.shape == (6,)
    assert np.all((together[:4] > 0) & (together[:4] < 1))
    # against nothing, by definition
    assert together[4] == together[5] == 0
    assert np.abs(together - alone).max() < 1e-5
    assert np.abs(together - scorer.score(REFERENCES, CANDIDATES, batch=2)).max() < 1e-5
    backwards = scorer.score(REFERENCES[::-1], CANDIDATES[::-1])
    assert np.abs(together - backwards[::-1]).max() < 1e-5
    # a pair that comes twice is run once, and has one score
    twice = scorer.score(REFERENCES[:1] * 2, CANDIDATES[:1] * 2)
    assert twice[0] == twice[1] == pytest.approx(alone[0], abs=1e-5)
    assert np.ptp(together) > 0.01


def test_nothing_is_scored_as_nothing_and_sides_must_match(scorer: Scorer) -> None:
    assert scorer.score([], []).shape == (0,)
    assert scorer.score(["", "A cat.", "…"], [".", "—", ""]).tolist() == [1, 0, 1]
    assert scorer.counts([]) == []
    with pytest.raises(InputError, match="2"):
        scorer.score(["a", "b"], ["a"])


def test_the_two_sides_are_told_apart(scorer: Scorer) -> None:
    there = scorer.score(REFERENCES[:1], CANDIDATES[:1])
    back = scorer.score(CANDIDATES[:1], REFERENCES[:1])
    assert abs(float(there[0] - back[0])) > 1e-4


def test_tokens_are_counted_without_the_special_ones(scorer: Scorer) -> None:
    # MiniLM has each of these words, and the stop, as one piece
    assert scorer.counts(["The bridge is open.", "cats", ""]) == [5, 1, 0]


def test_the_candidates_tokens_are_marked_and_no_others(scorer: Scorer) -> None:
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
    ("reference", "candidate", "room", "expected"),
    [
        (3, 4, None, (3, 4)),
        (3, 4, 7, (3, 4)),
        # the short side stays whole, the long one gets what is left
        (3, 9, 8, (3, 5)),
        (9, 3, 8, (5, 3)),
        (0, 9, 8, (0, 8)),
        # both long: half each, the odd one to the reference
        (9, 9, 8, (4, 4)),
        (9, 9, 7, (4, 3)),
        (4, 9, 8, (4, 4)),
        (4, 9, 7, (4, 3)),
    ],
)
def test_sides_are_cut_to_the_room_by_hand(
    reference: int, candidate: int, room: int | None, expected: tuple[int, int]
) -> None:
    left, right = list(range(reference)), list(range(100, 100 + candidate))
    found = _fitted(left, right, room)
    assert tuple(map(len, found)) == expected
    assert found == (left[: expected[0]], right[: expected[1]])


def test_a_pair_too_long_is_named_or_cut(scorer: Scorer) -> None:
    long = "The cats of this old house sleep. " * 6
    with pytest.raises(InputError, match=r"a pair has 54 tokens and small reads 32: 'The cats .*litotes\.Metric does"):
        # 6 times 8 tokens, 3 of the candidate, 3 special ones
        scorer.score(["The cats.", long], ["The cats.", "Cats sleep."])
    cut = scorer.score([long], ["Cats sleep."], cut=True)
    # 32 tokens less 3 special ones less 3 of the candidate leave 26: three sentences of 8, and "The cats"
    kept = "The cats of this old house sleep. " * 3 + "The cats"
    assert cut == pytest.approx(scorer.score([kept], ["Cats sleep."]), abs=1e-6)
    rows = pair_tokens(scorer.tokenizer, [(long, long)], longest=32)
    assert len(rows[0].ids) == 32
    assert rows[0].end - rows[0].start == 14


def test_the_mean_leaves_out_what_the_mask_does_by_hand() -> None:
    hidden = torch.tensor([[[1.0, 2.0], [3.0, 6.0], [50.0, 50.0]], [[7.0, 7.0]] * 3])
    found = mean(hidden, torch.tensor([[1, 1, 0], [0, 0, 0]]))
    assert found.tolist() == [[2.0, 4.0], [0.0, 0.0]]


def test_the_base_stays_frozen_and_all_else_is_trained(base: str) -> None:
    with quiet():
        found = grow_scorer(base, shared_layers=1, own_layers=1, longest=16, device="cpu")
    model = found.model.train()
    assert not model.base.training
    rows = pair_tokens(found.tokenizer, PAIRS[:2], longest=16)
    model(*padded(rows, 0, "cpu")).sum().backward()
    assert all(value.grad is None for value in model.base.parameters())
    own = dict(model.own_parameters())
    assert all(value.grad is not None for value in own.values())
    assert {name.partition(".")[0] for name in own} == {"own", "side", "inner", "outer"}
    assert found.facts()["base"] == base


def test_an_untrained_scorer_hangs_on_its_seed_alone(base: str) -> None:
    with quiet():
        one, same, other = (grow_scorer(base, **SHAPE, seed=seed, device="cpu") for seed in (1, 1, 2))
    assert_same(weights(one.model), weights(same.model))
    assert not np.array_equal(weights(one.model)["outer.weight"], weights(other.model)["outer.weight"])
    copied = weights(one.model)["own.0.output.dense.weight"]
    with quiet():
        library = require("sentence_transformers").SentenceTransformer(base, device="cpu")
    (layer,) = topmost(library.transformers_model, 1)
    assert np.array_equal(copied, weights(layer)["output.dense.weight"])


@pytest.fixture(scope="module")
def saved(scorer: Scorer, base: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_scorer(scorer, tmp_path_factory.mktemp("scorer") / "model", base=base)


def test_a_saved_scorer_is_its_own_weights_alone_and_reads_again(scorer: Scorer, saved: Path, base: str) -> None:
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
    assert np.abs(again.score(REFERENCES, CANDIDATES) - scorer.score(REFERENCES, CANDIDATES)).max() < 1e-3
    facts = again.facts()
    assert len(facts["weights sha256"]) == 64
    assert facts["base"] == base
    # among the rankers it is the same model, and cuts what is too long
    assert np.array_equal(ranker.score(REFERENCES, CANDIDATES), again.score(REFERENCES, CANDIDATES))
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
    message = rf"stands on {base} with sha256 .*Name the folder of the right base with base="
    with quiet(), pytest.raises(InputError, match=message):
        load_scorer(saved, base=minilm())
    with quiet():
        assert load_scorer(saved, base=base).longest == 32


def test_weights_of_another_shape_are_refused(tmp_path: Path) -> None:
    own = {"layer.weight": torch.ones(3), "layer.bias": torch.zeros(1)}
    files = split_weights(own, tmp_path, prefix="own", shard_bytes=250)
    assert list(files) == ["own-01-of-02.safetensors", "own-02-of-02.safetensors"]
    there = {name: torch.full_like(value, 7.0) for name, value in own.items()}
    join_weights(there, tmp_path, files)
    assert there["layer.weight"].tolist() == [1, 1, 1]
    assert there["layer.bias"].tolist() == [0]
    with pytest.raises(InputError, match=r"do not fit the model: layer\.bias on one side only"):
        join_weights({"layer.weight": torch.ones(3)}, tmp_path, files)
    with pytest.raises(InputError, match=r"layer\.weight alone takes 212 bytes"):
        split_weights(own, tmp_path, prefix="own", shard_bytes=211)


def test_a_folder_that_is_no_metric_says_what_one_is(tmp_path: Path, saved: Path) -> None:
    with pytest.raises(InputError, match=r"is no metric: expected litotes-score, or a folder with a score\.json"):
        load_scorer(tmp_path)
    with pytest.raises(InputError, match="is no metric"):
        load_scorer("/no/such/folder")
    folder = copy_of(saved, tmp_path / "odd")
    (folder / "score.json").write_text('{"base": {"name": "minilm"}', encoding="utf-8")
    with pytest.raises(InputError, match=r"score\.json is no JSON"):
        load_scorer(folder)
    for missing in ("longest", "files", "base"):
        card = json.loads((saved / "score.json").read_text(encoding="utf-8"))
        del card[missing]
        (folder / "score.json").write_text(json.dumps(card), encoding="utf-8")
        with pytest.raises(InputError, match="is no metric"):
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
def test_a_scorer_that_cannot_be_says_why(base: str, options: dict[str, Any], message: str) -> None:
    with quiet(), pytest.raises(InputError, match=message):
        grow_scorer(base, **{**SHAPE, "device": "cpu", **options})


def test_a_base_of_another_build_is_refused(tmp_path: Path) -> None:
    transformers = require("transformers")
    small = {"dim": 16, "n_layers": 1, "n_heads": 2, "hidden_dim": 16, "vocab_size": 30522}
    with quiet():
        transformers.DistilBertModel(transformers.DistilBertConfig(**small)).save_pretrained(tmp_path)
        transformers.AutoTokenizer.from_pretrained(minilm()).save_pretrained(tmp_path)
        with pytest.raises(InputError, match="is a distilbert model; expected bert, roberta"):
            grow_scorer(str(tmp_path), **SHAPE, device="cpu")


@pytest.mark.parametrize("kind", ["bert", "roberta", "xlm-roberta", "camembert", "mpnet"])
def test_it_stands_on_these_architectures(kind: str) -> None:
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
