"""Test the tower: its arithmetic, saving and loading, and the supported bases."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.errors import InputError, require
from litotes.models import TowerShape, dial, load
from litotes.models.tower import load_tower, new_tower, save_delta
from litotes.models.tower.scaling import block_weights, rescale_default_dial
from tests.family_models import dense_minilm, minilm, quiet
from tests.small_tower import small_tower

TEXTS = [
    "The bridge is open to lorries.",
    "The bridge is not open to lorries.",
    "No lorry may cross the bridge.",
    "Cats sleep through most of the afternoon.",
    "The committee never published the minutes of its last meeting.",
]
WIDTH = 128
SMALL = TowerShape(0.1, width=1)


@pytest.fixture(scope="module")
def model() -> Any:
    return small_tower()


@pytest.fixture(scope="module")
def saved(model: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tower") / "model"
    with quiet():
        model.save_pretrained(str(folder))
    return folder


@pytest.fixture(scope="module")
def base() -> np.ndarray:
    rows: np.ndarray = dense_minilm().encode(TEXTS)
    return rows


def blocks(model: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return f and g of the texts as unit vectors, in double precision."""
    rows = model.encode(TEXTS).astype(np.float64)
    return rows[:, :-WIDTH] / np.sqrt(0.8), rows[:, -WIDTH:] / np.sqrt(0.2)


def test_blocks_are_unit_vectors_and_the_first_is_the_base(model: Any, base: np.ndarray) -> None:
    f, g = blocks(model)
    assert f.shape == (5, 384)
    assert g.shape == (5, 128)
    assert np.abs(f - base).max() < 1e-6
    assert np.abs(np.linalg.norm(g, axis=1) - 1).max() < 1e-6
    assert np.abs(g @ g.T - f @ f.T).max() > 0.01


@pytest.mark.parametrize("w", [0.0, 0.05, 0.2, 0.5, 1.0])
def test_scores_at_a_dial_are_the_weighted_sum_of_both_blocks(model: Any, w: float) -> None:
    f, g = blocks(model)
    stored = model.encode_document(TEXTS)
    expected = (1 - w) * f @ f.T + w * g @ g.T
    queries = model.encode_query(TEXTS, dial=w)
    assert np.abs(queries @ stored.T - expected).max() < 1e-5
    assert np.abs(dial(model, model.encode(TEXTS), w) - queries).max() < 1e-6
    assert np.abs((queries * stored).sum(axis=1) - 1).max() < 1e-5
    assert np.abs(model.similarity(queries, stored).numpy() - expected).max() < 1e-5
    both_sides = rescale_default_dial(stored, w, w0=0.2, width=WIDTH)
    assert np.abs(both_sides @ both_sides.T - expected).max() < 1e-5


def test_the_default_dial_changes_nothing_and_dial_zero_is_the_base(model: Any, base: np.ndarray) -> None:
    stored = model.encode_document(TEXTS)
    assert np.abs(model.encode_query(TEXTS, dial=0.2) - stored).max() < 1e-6
    assert np.array_equal(model.encode_query(TEXTS), stored)
    queries = model.encode_query(TEXTS, dial=0.0)
    assert np.array_equal(np.argsort(-(queries @ stored.T)), np.argsort(-(base @ base.T)))


@pytest.mark.parametrize("w", [0.0, 0.1, 0.6, 1.0])
def test_cosine_and_euclidean_distance_give_the_same_ranking(model: Any, w: float) -> None:
    f, g = blocks(model)
    ranking = np.argsort(-((1 - w) * f @ f.T + w * g @ g.T))
    queries, stored = model.encode_query(TEXTS, dial=w).astype(np.float64), model.encode(TEXTS).astype(np.float64)
    cosine = (queries / np.linalg.norm(queries, axis=1, keepdims=True)) @ stored.T
    distance = np.linalg.norm(queries[:, None] - stored[None], axis=2)
    assert np.array_equal(np.argsort(-cosine), ranking)
    assert np.array_equal(np.argsort(distance), ranking)


@pytest.mark.parametrize("w", [0.0, 0.2, 0.7])
def test_the_dial_works_with_int8_documents(model: Any, w: float) -> None:
    quantise = require("sentence_transformers.util.quantization").quantize_embeddings
    f, g = blocks(model)
    expected = (1 - w) * f @ f.T + w * g @ g.T
    stored = model.encode(TEXTS)
    ranges = np.stack([stored.min(axis=0) - 0.05, stored.max(axis=0) + 0.05])
    rows = quantise(stored, precision="int8", ranges=ranges)
    assert rows.dtype == np.int8
    steps = (ranges[1] - ranges[0]) / 255
    restored = (rows.astype(np.float64) + 128) * steps + ranges[0]
    scores = model.encode_query(TEXTS, dial=w) @ restored.T
    assert np.abs(scores - expected).max() < 0.02
    apart = np.abs(expected[:, :, None] - expected[:, None]) > 0.04
    same_order = (expected[:, :, None] > expected[:, None]) == (scores[:, :, None] > scores[:, None])
    assert same_order[apart].all()


def test_block_weights_by_hand() -> None:
    assert block_weights(None, 0.36) == pytest.approx((0.8, 0.6))
    assert block_weights(0.5, 0.36) == pytest.approx((0.625, 0.5 / 0.6))
    shape = TowerShape(0.36, width=1)
    assert dial(shape, np.array([0.8, 0.0, 0.6]), 0.5) == pytest.approx([0.625, 0.0, 0.5 / 0.6])
    assert dial(TowerShape(0.1, 128), np.zeros((0, 512)), 0.5).shape == (0, 512)


@pytest.mark.parametrize(
    ("model", "vectors", "w", "message"),
    [
        (SMALL, np.ones((2, 3)), 0.1, r"the length 1\.732; expected the length 1 and the dial 0\.1"),
        (SMALL, np.ones((2, 3), dtype=np.int8), 0.1, "vectors are int8; expected floats"),
        (TowerShape(0.1, 128), np.ones((2, 100)), 0.1, r"the shape \(2, 100\); expected .* more than the 128 columns"),
        (SMALL, np.ones(3), 1.5, r"the dial is 1\.5; expected a number from 0"),
        (TowerShape(1.0, 1), np.ones(3), 0.5, r"the default dial is 1\.0; expected a number between"),
        (np.ones(3), SMALL, 0.5, r"the model is ndarray; expected dial\(model, vectors, w\)"),
        ("minilm", np.ones(3), 0.5, "minilm has no tower, so it has no dial"),
    ],
)
def test_invalid_arguments_of_dial_are_refused(model: Any, vectors: Any, w: float, message: str) -> None:
    with pytest.raises(InputError, match=message):
        dial(model, vectors, w)


def test_dial_reads_the_default_dial_from_a_loaded_model_or_its_files(model: Any, tmp_path: Path) -> None:
    rows = model.encode(TEXTS)
    expected = model.encode_query(TEXTS, dial=0.7)
    with quiet():
        model.save_pretrained(str(tmp_path / "whole"))
        save_delta(model, tmp_path / "delta")
    for tower in (model, str(tmp_path / "whole"), str(tmp_path / "delta"), TowerShape(0.2, WIDTH)):
        assert np.abs(dial(tower, rows, 0.7) - expected).max() < 1e-6


def test_encode_document_refuses_a_dial(model: Any) -> None:
    with pytest.raises(InputError, match=r"Use encode_query\(…, dial=…\)"):
        model.encode_document(TEXTS, dial=0.5)


IMPORTED_FIRST = """
import sys
import litotes.models
assert "torch" not in sys.modules
from sentence_transformers import SentenceTransformer
"""
IMPORTED_LAST = """
from sentence_transformers import SentenceTransformer
try:
    SentenceTransformer({path!r}, device="cpu")
except ValueError as error:
    assert "model type `litotes_tower (import litotes.models first)`" in str(error)
else:
    raise SystemExit("loaded without an import")
import litotes.models
"""
LOADED = """
model = SentenceTransformer({path!r}, device="cpu")
print(sum(model.encode_query("The bridge is not open.", dial=0.5).tolist()))
"""


@pytest.mark.slow
@pytest.mark.parametrize("imports", [IMPORTED_FIRST, IMPORTED_LAST], ids=["first", "last"])
def test_a_saved_folder_loads_in_a_new_process_that_imports_litotes(model: Any, saved: Path, imports: str) -> None:
    code = (imports + LOADED).format(path=str(saved))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    expected = float(model.encode_query("The bridge is not open.", dial=0.5).sum())
    assert float(done.stdout.split()[-1]) == pytest.approx(expected, abs=1e-5)


def test_a_saved_folder_has_only_standard_modules_and_no_code(saved: Path) -> None:
    modules = json.loads((saved / "modules.json").read_text(encoding="utf-8"))
    assert [module["type"].split(".")[0] for module in modules] == ["sentence_transformers"] * 2
    files = {path.suffix for path in saved.rglob("*") if path.is_file()}
    assert files <= {".json", ".md", ".safetensors", ".txt"}
    assert "/" not in (saved / "config.json").read_text(encoding="utf-8").replace("/>", "")


@pytest.mark.slow
def test_dense_loads_a_tower_and_its_delta_at_any_dial(model: Any, saved: Path, tmp_path: Path) -> None:
    f, g = blocks(model)
    expected = 0.4 * f @ f.T + 0.6 * g @ g.T
    delta = save_delta(model, tmp_path / "delta")
    with quiet():
        for folder in (saved, delta):
            dense: Any = load(f"dense:{folder}", device="cpu", dial=0.6)
            assert np.abs(dense.encode(TEXTS, role="query") @ dense.encode(TEXTS).T - expected).max() < 1e-3
            assert dense.facts()["dial"] == 0.6
            assert load(f"dense:{folder}", device="cpu").fingerprint != dense.fingerprint  # type: ignore[union-attr]
    with pytest.raises(InputError, match="dense:minilm has no tower, so it has no dial"):
        load("dense:minilm", dial=0.5)


@pytest.mark.slow
def test_a_delta_excludes_the_base_and_finds_it_again(tmp_path: Path) -> None:
    with quiet():
        model = new_tower("minilm", seed=3, device="cpu")
        delta = save_delta(model, tmp_path, base=minilm())
        again = load_tower(delta)
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 12_000_000
    assert json.loads((tmp_path / "tower.json").read_text(encoding="utf-8"))["base"]["name"] == "minilm"
    assert again.max_seq_length == model.max_seq_length
    assert np.abs(again.encode(TEXTS) - model.encode(TEXTS)).max() < 1e-3


def test_a_delta_in_shards_is_the_same_tower(model: Any, tmp_path: Path) -> None:
    save_delta(model, tmp_path, dtype="float32", shard_bytes=3_000_000)
    shards = sorted(tmp_path.glob("*.safetensors"))
    assert len(shards) == 3
    assert all(shard.stat().st_size <= 3_000_000 for shard in shards)
    with quiet():
        assert np.array_equal(load_tower(tmp_path).encode(TEXTS), model.encode(TEXTS))
    with pytest.raises(InputError, match=r"own\.0\.intermediate\.dense\.weight takes"):
        save_delta(model, tmp_path, shard_bytes=1_000_000)


def test_a_damaged_delta_is_refused(model: Any, tmp_path: Path) -> None:
    save_delta(model, tmp_path)
    card = tmp_path / "tower.json"
    written = card.read_text(encoding="utf-8")
    card.write_text(written.replace("53aa5117", "00000000"), encoding="utf-8")
    with pytest.raises(InputError, match="was trained on minilm with sha256 00000000"):
        load_tower(tmp_path)
    card.write_text(written, encoding="utf-8")
    weights_file = next(tmp_path.glob("*.safetensors"))
    weights_file.write_bytes(weights_file.read_bytes()[:-1])
    with quiet(), pytest.raises(InputError, match="is not the file the model was saved with"):
        load_tower(tmp_path)
    with pytest.raises(InputError, match=r"has no tower\.json"):
        load_tower(tmp_path / "nowhere")


@pytest.mark.parametrize("kind", ["bert", "roberta", "xlm-roberta", "camembert", "mpnet"])
def test_supported_architectures_keep_their_vectors(kind: str) -> None:
    torch, transformers = require("torch"), require("transformers")
    from litotes.models.tower.config import TowerConfig
    from litotes.models.tower.model import TowerModel

    small = {"hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 2, "intermediate_size": 24}
    config = transformers.AutoConfig.for_model(kind, vocab_size=60, max_position_embeddings=40, **small)
    tower = TowerModel(TowerConfig(base=config.to_dict(), shared_layers=1, own_layers=2, width=0))
    tower.start_from_base()
    tower.train(False)
    ids = torch.tensor([[5, 6, 7, 8, 9], [5, 9, 8, config.pad_token_id, config.pad_token_id]])
    mask = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]])
    f, g = tower.blocks(ids, mask)
    states = tower.base(input_ids=ids, attention_mask=mask).last_hidden_state.detach()
    means = torch.stack([states[0].mean(dim=0), states[1, :3].mean(dim=0)])
    expected = means / means.norm(dim=1, keepdim=True)
    assert (f - expected).abs().max() < 1e-5
    # Untrained, without a projection, and with copies of all upper layers, the tower computes the base's vector.
    assert (g - expected).abs().max() < 1e-5


def test_the_base_gets_no_gradients(model: Any) -> None:
    tower = model.transformers_model.train()
    features = model.tokenizer(TEXTS, padding=True, return_tensors="pt")
    f, g = tower.blocks(features["input_ids"], features["attention_mask"])
    assert not f.requires_grad
    assert g.requires_grad
    g.sum().backward()
    assert all(value.grad is None for value in tower.base.parameters())
    assert all(value.grad is not None for _, value in tower.own_parameters())
    model.zero_grad()
    model.eval()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"shared_layers": 7}, "shared_layers is 7; expected 0 to 6"),
        ({"own_layers": 0}, "own_layers is 0; expected 1 to 6"),
        ({"width": 400}, "width is 400; expected 1 to 384, or 0"),
        ({"default_w": 0.0}, r"the default dial is 0\.0"),
        ({"base": "no/such/folder"}, "is not a folder"),
    ],
)
def test_invalid_shapes_of_a_tower_are_refused(options: dict[str, Any], message: str) -> None:
    with quiet(), pytest.raises(InputError, match=message):
        new_tower(**options)


def test_an_unsupported_architecture_is_refused(tmp_path: Path) -> None:
    transformers = require("transformers")
    small = {"dim": 16, "n_layers": 1, "n_heads": 2, "hidden_dim": 16, "vocab_size": 30522}
    with quiet():
        transformers.DistilBertModel(transformers.DistilBertConfig(**small)).save_pretrained(tmp_path)
        transformers.AutoTokenizer.from_pretrained(minilm()).save_pretrained(tmp_path)
        with pytest.raises(InputError, match="is a distilbert model; expected bert, roberta"):
            new_tower(str(tmp_path))
