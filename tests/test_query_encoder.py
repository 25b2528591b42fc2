"""Test litotes.load, encode_query with exclusions, and upgrading vectors, on a small untrained tower."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.errors import InputError, MissingError
from litotes.models import load as load_model
from litotes.models.tower import save_delta
from litotes.query import BETA, EXCLUSION_DIAL_SHARE, load, upgrade, upgrade_file
from litotes.query.encoder import Encoder
from tests.family_models import dense_minilm, minilm, quiet
from tests.small_tower import small_encoder, small_tower

TEXTS = [
    "The bridge is open to lorries.",
    "Cats sleep through most of the afternoon.",
    "The committee never published the minutes of its last meeting.",
    "Borscht is a soup of beetroot.",
    "Miso soup is made from fermented soybeans.",
]
PLAIN, EXCLUDING = "soups of the world", "soups other than borscht"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_delta(small_tower(), tmp_path_factory.mktemp("query") / "tower", dtype="float32")


@pytest.fixture(scope="module")
def model() -> Any:
    return small_encoder()


@pytest.fixture(scope="module")
def base() -> np.ndarray:
    rows: np.ndarray = dense_minilm().encode(TEXTS)
    return rows


def test_a_query_that_excludes_nothing_keeps_its_bytes(model: Any) -> None:
    whole = model.encode_query([PLAIN, EXCLUDING], exclude=False)
    split = model.encode_query([PLAIN, EXCLUDING])
    assert split[0].tobytes() == whole[0].tobytes()
    assert not np.allclose(split[1], whole[1])
    assert model.encode_query(PLAIN).tobytes() == model.encode_query(PLAIN, exclude=False).tobytes()


@pytest.mark.parametrize("dial", [None, 0.0, 0.5])
def test_the_excluded_part_is_subtracted_from_both_blocks_at_any_dial(model: Any, dial: float | None) -> None:
    options = {} if dial is None else {"dial": dial}
    # If no dial is passed, such a query has half the default dial.
    half = {"dial": EXCLUSION_DIAL_SHARE * model.transformers_model.config.default_w} if dial is None else options
    kept, excluded = model.encode_query(["soups", "borscht"], exclude=False, **half).astype(np.float64)
    difference = kept - BETA * excluded
    length = np.linalg.norm(model.encode_query(EXCLUDING, exclude=False, **options))
    expected = difference * length / np.linalg.norm(difference)
    assert model.encode_query(EXCLUDING, **options) == pytest.approx(expected, abs=1e-5)


def test_the_output_has_the_type_that_the_library_returns(model: Any) -> None:
    import torch

    row = model.encode_query(EXCLUDING)
    several = model.encode_query([EXCLUDING, PLAIN], convert_to_tensor=True)
    assert isinstance(several, torch.Tensor)
    assert several[0].numpy() == pytest.approx(row, abs=1e-6)
    listed = model.encode_query([EXCLUDING], convert_to_numpy=False)
    assert isinstance(listed, list)
    assert listed[0].numpy() == pytest.approx(row, abs=1e-6)
    unit = model.encode_query(EXCLUDING, dial=0.7, normalize_embeddings=True)
    assert np.linalg.norm(unit) == pytest.approx(1, abs=1e-5)
    binary = model.encode_query([EXCLUDING, PLAIN], precision="ubinary")
    assert binary[0].tolist() == np.packbits(row > 0).tolist()


def test_any_encoder_can_be_loaded_and_excludes() -> None:
    with quiet():
        minilm = load("minilm", device="cpu")
    kept, excluded = minilm.encode(["soups", "borscht"]).astype(np.float64)
    expected = kept - BETA * excluded
    assert minilm.encode_query(EXCLUDING) == pytest.approx(expected / np.linalg.norm(expected), abs=1e-5)


def test_a_kept_part_of_unknown_words_gives_a_row_of_zeros() -> None:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = Tokenizer(models.WordLevel({"[UNK]": 0, "borscht": 1}, unk_token="[UNK]"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    static = StaticEmbedding(words, embedding_weights=np.array([[0.0, 0.0], [0.6, 0.8]]))
    with quiet():
        encoder = Encoder.of(SentenceTransformer(modules=[static], device="cpu"))
    assert encoder.encode_query("borscht").tolist() == pytest.approx([0.6, 0.8])
    assert encoder.encode_query(EXCLUDING, beta=0.0).tolist() == [0, 0]


def test_a_saved_folder_is_a_plain_sentence_transformer(model: Any, tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer

    with quiet():
        model.save_pretrained(str(tmp_path / "saved"))
        again = SentenceTransformer(str(tmp_path / "saved"), device="cpu")
    assert type(again) is SentenceTransformer
    assert again.encode(TEXTS) == pytest.approx(model.encode(TEXTS), abs=1e-6)


def test_the_default_dial_can_be_set(folder: Path) -> None:
    with quiet():
        encoder = load(str(folder), device="cpu", dial=0.4)
    assert np.linalg.norm(encoder.encode(PLAIN)[-128:]) ** 2 == pytest.approx(0.4, abs=1e-5)


def test_an_invalid_value_of_exclude_is_refused(model: Any) -> None:
    with pytest.raises(InputError, match="exclude is 'never'; expected “auto”, False or a list of texts"):
        model.encode_query(EXCLUDING, exclude="never")


def test_every_dense_name_can_be_loaded(folder: Path) -> None:
    for name in ("dense:minilm", f"{folder}@0.4", f"dense:minilm+{minilm()}"):
        with quiet():
            encoder, adapter = (
                load(name, device="cpu"),
                load_model(f"dense:{name.removeprefix('dense:')}", device="cpu"),
            )
        for role, encode in (("query", encoder.encode_query), ("document", encoder.encode_document)):
            expected = adapter.encode([PLAIN], role=role)  # type: ignore[union-attr]
            assert encode([PLAIN]) == pytest.approx(expected, abs=1e-6), name


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("minilm", {"dial": 0.3}, "expected a tower"),
        ("minilm", {"batch": 8}, "'minilm' cannot use batch; expected only backend, .*prompts"),
        ("minilm", {"cache_folder": "/tmp"}, "cannot use cache_folder"),
        ("litotes-mini", {"prompts": {}}, "'litotes-mini' cannot use prompts; expected only device, dial"),
        ("litotes-mini", {"dial": 0.0}, r"the default dial is 0\.0"),
        ("litotes-mini@0.3", {"dial": 0.4}, "names the dial 0.3, and dial is 0.4"),
        ("minilm+minilm", {"dial": 0.3}, "cannot use dial; expected only device"),
        ("litotes-score", {}, r"is a metric, not an encoder. Load it with litotes.Metric\('litotes-score'\)"),
        ("bm25", {}, r"not a dense encoder. Load it with litotes.models.load\('bm25'\)"),
        ("cross:x", {}, r"not a dense encoder. Load it with litotes.models.load\('cross:x'\)"),
        ("dens:minilm", {}, r"unknown model 'dens:minilm'. Did you mean 'dense:minilm'\?"),
    ],
)
def test_names_and_options_that_load_cannot_use_are_refused(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        load(name, **options)


def test_an_unknown_name_suggests_a_known_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(MissingError, match=r"Did you mean 'litotes-mini'\?"):
        load("litotes-mimi")


def test_options_of_the_library_take_effect() -> None:
    with quiet():
        encoder = load("minilm", device="cpu", truncate_dim=64, prompts={"query": "query: "})
    assert encoder.encode_query(EXCLUDING).shape == (64,)
    assert encoder.encode_query(PLAIN) == pytest.approx(encoder.encode(f"query: {PLAIN}"), abs=1e-6)


def test_upgraded_vectors_equal_a_new_encoding(model: Any, base: np.ndarray) -> None:
    fresh = model.encode(TEXTS)
    assert upgrade(base, TEXTS, model=model) == pytest.approx(fresh, abs=1e-5)
    assert upgrade(7 * base.astype(np.float16), TEXTS, model=model) == pytest.approx(fresh, abs=1e-3)
    coarse = np.round(base * 127 / np.abs(base).max()).astype(np.int8)
    assert upgrade(coarse, TEXTS, model=model) == pytest.approx(fresh, abs=0.02)
    assert upgrade(base[:0], [], model=model).shape == (0, 512)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: rows[:4], r"shape \(4, 384\) and 5 texts; expected one row per text"),
        (lambda rows: rows[:, :100], "have 100 columns; expected the 384 of the tower's base"),
        (lambda rows: rows * np.array([[1], [0], [1], [1], [1]]), "vector 1 has the length 0.0; expected"),
        (lambda rows: rows[::-1], "expected 1. Check that the vectors come from this encoder"),
    ],
)
def test_vectors_of_another_encoder_are_refused(model: Any, base: np.ndarray, change: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        upgrade(change(base), TEXTS, model=model)


def test_a_file_is_upgraded_in_chunks_and_resumes(model: Any, base: np.ndarray, tmp_path: Path) -> None:
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
