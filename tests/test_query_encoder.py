"""Encoders that hear what a query leaves out, and old vectors upgraded: on a real, untrained tower."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.errors import InputError
from litotes.models import load as load_model
from litotes.models.tower import grow, save_delta
from litotes.query import BETA, CALM, load, upgrade, upgrade_file
from litotes.query.encoder import Encoder
from tests.model_shelf import quiet

TEXTS = [
    "The bridge is open to lorries.",
    "Cats sleep through most of the afternoon.",
    "The committee never published the minutes of its last meeting.",
    "Borscht is a soup of beetroot.",
    "Miso soup is made from fermented soybeans.",
]
PLAIN, LEAVING = "soups of the world", "soups other than borscht"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with quiet():
        model = grow("minilm", shared_layers=5, own_layers=1, default_w=0.2, seed=7, device="cpu")
        return save_delta(model, tmp_path_factory.mktemp("query") / "tower", dtype="float32")


@pytest.fixture(scope="module")
def model(folder: Path) -> Any:
    with quiet():
        return load(str(folder), device="cpu")


@pytest.fixture(scope="module")
def base() -> np.ndarray:
    rows: np.ndarray = load_model("dense:minilm", device="cpu").encode(TEXTS)  # type: ignore[union-attr]
    return rows


def test_a_query_without_exclusion_has_the_same_bytes(model: Any) -> None:
    whole = model.encode_query([PLAIN, LEAVING], exclude=False)
    heard = model.encode_query([PLAIN, LEAVING])
    assert heard[0].tobytes() == whole[0].tobytes()
    assert not np.allclose(heard[1], whole[1])
    assert model.encode_query(PLAIN).tobytes() == model.encode_query(PLAIN, exclude=False).tobytes()


@pytest.mark.parametrize("dial", [None, 0.0, 0.5])
def test_what_is_left_out_is_taken_out_of_both_blocks_at_any_dial(model: Any, dial: float | None) -> None:
    options = {} if dial is None else {"dial": dial}
    # without a dial of its own such a query has half the model's
    calm = {"dial": CALM * model.transformers_model.config.default_w} if dial is None else options
    kept, thing = model.encode_query(["soups", "borscht"], exclude=False, **calm).astype(np.float64)
    turned = kept - BETA * thing
    length = np.linalg.norm(model.encode_query(LEAVING, exclude=False, **options))
    expected = turned * length / np.linalg.norm(turned)
    assert model.encode_query(LEAVING, **options) == pytest.approx(expected, abs=1e-5)


def test_any_form_the_library_gives(model: Any) -> None:
    import torch

    row = model.encode_query(LEAVING)
    several = model.encode_query([LEAVING, PLAIN], convert_to_tensor=True)
    assert isinstance(several, torch.Tensor)
    assert several[0].numpy() == pytest.approx(row, abs=1e-6)
    listed = model.encode_query([LEAVING], convert_to_numpy=False)
    assert isinstance(listed, list)
    assert listed[0].numpy() == pytest.approx(row, abs=1e-6)
    unit = model.encode_query(LEAVING, dial=0.7, normalize_embeddings=True)
    assert np.linalg.norm(unit) == pytest.approx(1, abs=1e-5)
    binary = model.encode_query([LEAVING, PLAIN], precision="ubinary")
    assert binary[0].tolist() == np.packbits(row > 0).tolist()


def test_any_encoder_can_be_loaded_and_leaves_out() -> None:
    with quiet():
        minilm = load("minilm", device="cpu")
    kept, thing = minilm.encode(["soups", "borscht"]).astype(np.float64)
    turned = kept - BETA * thing
    assert minilm.encode_query(LEAVING) == pytest.approx(turned / np.linalg.norm(turned), abs=1e-5)


def test_a_query_that_keeps_nothing_the_model_knows_has_a_row_of_zeros() -> None:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = Tokenizer(models.WordLevel({"[UNK]": 0, "borscht": 1}, unk_token="[UNK]"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    static = StaticEmbedding(words, embedding_weights=np.array([[0.0, 0.0], [0.6, 0.8]]))
    with quiet():
        encoder = Encoder.of(SentenceTransformer(modules=[static], device="cpu"))
    assert encoder.encode_query("borscht").tolist() == pytest.approx([0.6, 0.8])
    assert encoder.encode_query(LEAVING, beta=0.0).tolist() == [0, 0]


def test_a_saved_folder_is_a_plain_sentence_transformer(model: Any, tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer

    with quiet():
        model.save_pretrained(str(tmp_path / "saved"))
        again = SentenceTransformer(str(tmp_path / "saved"), device="cpu")
    assert type(again) is SentenceTransformer
    assert again.encode(TEXTS) == pytest.approx(model.encode(TEXTS), abs=1e-6)


def test_the_default_dial_can_be_set(folder: Path) -> None:
    with quiet():
        turned = load(str(folder), device="cpu", dial=0.4)
    assert np.linalg.norm(turned.encode(PLAIN)[-128:]) ** 2 == pytest.approx(0.4, abs=1e-5)


def test_bad_wishes_say_why(model: Any) -> None:
    with pytest.raises(InputError, match="exclude is 'never'; expected “auto”, or False"):
        model.encode_query(LEAVING, exclude="never")
    with pytest.raises(InputError, match="expected a tower"):
        load("minilm", device="cpu", dial=0.3)


def test_upgraded_vectors_are_those_of_encoding_afresh(model: Any, base: np.ndarray) -> None:
    fresh = model.encode(TEXTS)
    assert upgrade(base, TEXTS, model=model) == pytest.approx(fresh, abs=1e-5)
    assert upgrade(7 * base.astype(np.float16), TEXTS, model=model) == pytest.approx(fresh, abs=1e-3)
    coarse = np.round(base * 127 / np.abs(base).max()).astype(np.int8)
    assert upgrade(coarse, TEXTS, model=model) == pytest.approx(fresh, abs=0.02)
    assert upgrade(base[:0], [], model=model).shape == (0, 512)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda rows: rows[:4], r"shape \(4, 384\) and 5 texts; expected a row for each text"),
        (lambda rows: rows[:, :100], "have 100 columns; expected the 384 of the tower's base"),
        (lambda rows: rows * np.array([[1], [0], [1], [1], [1]]), "vector 1 has no direction"),
        (lambda rows: rows[::-1], "expected 1. Are the vectors of the tower's base"),
    ],
)
def test_vectors_that_are_not_the_bases_are_refused(model: Any, base: np.ndarray, change: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        upgrade(change(base), TEXTS, model=model)


def test_a_file_is_upgraded_in_pieces_and_goes_on_where_it_stopped(
    model: Any, base: np.ndarray, tmp_path: Path
) -> None:
    np.save(tmp_path / "old.npy", base)
    files = tmp_path / "old.npy", tmp_path / "new.npy"
    run = upgrade_file(files[0], TEXTS, files[1], model=model, at_once=2)
    assert next(run) == 2
    run.close()
    assert not files[1].exists()
    assert list(upgrade_file(files[0], TEXTS, files[1], model=model, at_once=2)) == [4, 5]
    assert np.load(files[1]) == pytest.approx(model.encode(TEXTS), abs=1e-5)
    assert {path.name for path in tmp_path.iterdir()} == {"old.npy", "new.npy"}


def test_texts_and_vectors_of_a_file_must_match(model: Any, base: np.ndarray, tmp_path: Path) -> None:
    np.save(tmp_path / "old.npy", base)
    with pytest.raises(InputError, match="there are more texts than the 5 vectors"):
        list(upgrade_file(tmp_path / "old.npy", [*TEXTS, "One more."], tmp_path / "new.npy", model=model))
    with pytest.raises(InputError, match="5 vectors and 3 texts"):
        list(upgrade_file(tmp_path / "old.npy", TEXTS[:3], tmp_path / "other.npy", model=model, at_once=3))
    with pytest.raises(InputError, match="there is no file"):
        list(upgrade_file(tmp_path / "none.npy", TEXTS, tmp_path / "new.npy", model=model))
