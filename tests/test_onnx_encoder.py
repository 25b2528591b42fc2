"""litotes-mini on onnxruntime: the same vectors as with torch, exported folders, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import litotes
from litotes.cli.app import app
from litotes.errors import CheckError, InputError
from litotes.models import load as load_family
from litotes.models.bases import MINI, MINILM_PINS
from litotes.models.loading import sha256
from litotes.models.onnx import checking, making_once
from litotes.models.onnx.artefact import CARD, read_card
from litotes.models.onnx.encoder import OnnxVectors
from litotes.models.onnx.making_once import check_itself, made
from litotes.models.onnx.session import OnnxModel, padded_ids
from litotes.query import OnnxEncoder
from litotes.workflows.exporting import export_onnx
from tests.onnx_models import mini_int8, onnx_cache

__all__ = ["mini_int8", "onnx_cache"]

TEXTS = [
    "The drug is safe.",
    "The drug is not safe.",
    "",
    "Ein “Café” in Zürich, 3.5 km away 🙂",
    "The ferry does not sail on Sundays. " * 60,
]
QUERIES = ["The drug is safe.", "soups other than borscht", "hotels in Lisbon without a pool"]


@pytest.fixture(scope="module")
def torch_model() -> Any:
    return litotes.load(MINI, device="cpu", backend="torch")


@pytest.fixture(scope="module")
def encoder(onnx_cache: Path) -> OnnxEncoder:
    return litotes.load(MINI, backend="onnx")


def test_documents_have_the_vectors_of_torch(encoder: OnnxEncoder, torch_model: Any) -> None:
    found = encoder.encode_document(TEXTS)
    assert found.dtype == np.float32
    assert found.shape == (5, 512)
    np.testing.assert_allclose(found, torch_model.encode_document(TEXTS), atol=1e-5)
    np.testing.assert_allclose(encoder.encode(TEXTS[0]), found[0], atol=1e-5)
    assert encoder.encode([]).shape == (0, 512)


@pytest.mark.parametrize("options", [{}, {"dial": 0}, {"dial": 0.44}, {"dial": 1}, {"exclude": False}, {"beta": 0.5}])
def test_queries_have_the_vectors_of_torch(encoder: OnnxEncoder, torch_model: Any, options: dict[str, Any]) -> None:
    np.testing.assert_allclose(
        encoder.encode_query(QUERIES, **options), torch_model.encode_query(QUERIES, **options), atol=1e-5
    )


def test_stated_exclusions_single_queries_and_the_dial(encoder: OnnxEncoder, torch_model: Any) -> None:
    stated = encoder.encode_query("summer shirts", exclude=["linen"])
    np.testing.assert_allclose(stated, torch_model.encode_query("summer shirts", exclude=["linen"]), atol=1e-5)
    vectors = encoder.encode_query(QUERIES, exclude=False)
    np.testing.assert_allclose(
        litotes.dial(encoder, vectors, 0.4), encoder.encode_query(QUERIES, dial=0.4, exclude=False), atol=1e-5
    )
    np.testing.assert_allclose(encoder.similarity(vectors, vectors), vectors @ vectors.T, atol=1e-6)
    assert (encoder.max_seq_length, encoder.get_embedding_dimension()) == (256, 512)


def test_another_default_dial_is_that_of_documents(onnx_cache: Path) -> None:
    found = litotes.load(f"{MINI}@0.3", backend="onnx")
    expected = litotes.load(MINI, dial=0.3, device="cpu", backend="torch")
    np.testing.assert_allclose(found.encode(TEXTS[:2]), expected.encode(TEXTS[:2]), atol=1e-5)
    np.testing.assert_allclose(found.encode_query(QUERIES), expected.encode_query(QUERIES), atol=1e-5)


def test_the_graph_takes_one_dial_or_one_per_text(encoder: OnnxEncoder) -> None:
    model = OnnxModel(made(MINI))
    ids, mask = padded_ids([one.ids for one in model.tokenizer.encode_batch(TEXTS[:2])], 0)
    inputs = {"input_ids": ids, "attention_mask": mask, "dial": np.array([[0.0], [0.44]], dtype=np.float32)}
    (rows,) = model.session.run(None, inputs)
    np.testing.assert_allclose(rows[0], encoder.encode_query(TEXTS[0], dial=0), atol=1e-5)
    np.testing.assert_allclose(rows[1], encoder.encode_query(TEXTS[1], dial=0.44, exclude=False), atol=1e-5)


def test_minilm_alone_is_the_base(onnx_cache: Path, encoder: OnnxEncoder) -> None:
    base = litotes.load("minilm", backend="onnx")
    np.testing.assert_allclose(
        base.encode(TEXTS[:2]) @ base.encode(TEXTS[0]),
        encoder.encode(TEXTS[:2]) @ encoder.encode_query(TEXTS[0], dial=0),
        atol=1e-5,
    )
    with pytest.raises(InputError, match="minilm has no tower"):
        base.encode_query("a", dial=0.3)


def test_what_onnxruntime_cannot_do_is_refused(onnx_cache: Path) -> None:
    for options, message in (
        ({"device": "cuda"}, "expected cpu"),
        ({"truncate_dim": 64}, "cannot use truncate_dim"),
        ({"revision": "main"}, "cannot use revision"),
    ):
        with pytest.raises(InputError, match=message):
            litotes.load(MINI, backend="onnx", **options)  # type: ignore[call-overload]
    with pytest.raises(InputError, match="the backend is 'tpu'; expected torch or onnx"):
        litotes.load(MINI, backend="tpu")  # type: ignore[call-overload]
    with pytest.raises(InputError, match="names two encoders"):
        litotes.load("minilm+minilm", backend="onnx")


def test_a_graph_is_made_once(onnx_cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made(MINI)
    capsys.readouterr()
    assert made(MINI).parent == onnx_cache / "onnx"
    assert capsys.readouterr().err == ""


def test_a_changed_graph_is_refused(mini_int8: Path, tmp_path: Path) -> None:
    for path in mini_int8.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes() + (b"x" if path.suffix == ".onnx" else b""))
    with pytest.raises(InputError, match=f"is not the graph of its {CARD}"):
        OnnxVectors(tmp_path)


def test_wrong_numbers_are_refused(mini_int8: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = OnnxModel(mini_int8)
    check_itself(model)
    monkeypatch.setattr(OnnxModel, "run_tokens", lambda *_, **__: {"sentence_embedding": np.full((2, 512), np.nan)})
    with pytest.raises(CheckError, match="not finite"):
        check_itself(model)
    monkeypatch.setattr(OnnxModel, "run_tokens", lambda *_, **__: {"sentence_embedding": np.ones((2, 512))})
    with pytest.raises(CheckError, match="do not have the length 1"):
        check_itself(model)


def test_export_writes_a_folder_that_load_reads(tmp_path: Path, encoder: OnnxEncoder) -> None:
    out = tmp_path / "mini"
    done = CliRunner().invoke(app, ["export", "onnx", MINI, "--out", str(out), "--int8"])
    assert done.exit_code == 0, done.output
    line = json.loads(done.stdout)
    assert line["sha256"] == sha256(out / "model_int8.onnx") == read_card(out).graph_sha256
    assert [check["reference"] for check in line["checks"]] == ["full precision", "torch"]
    assert all(check["passed"] for check in line["checks"])
    assert {path.name for path in out.iterdir()} == {
        *("model_int8.onnx", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "config.json"),
        CARD,
    }
    card = read_card(out)
    assert (card.base_columns, card.tower_columns, card.default_dial, card.max_tokens) == (384, 128, 0.21, 256)
    assert card.weights["minilm"] == MINILM_PINS["model.safetensors"]
    found = litotes.load(str(out), backend="onnx").encode(TEXTS[:2])
    assert ((found * encoder.encode(TEXTS[:2])).sum(axis=1) > 0.98).all()
    with pytest.raises(InputError, match=r"has model_int8\.onnx of litotes-mini; choose another folder"):
        export_onnx(MINI, out)


def test_a_graph_that_fails_its_check_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "LEAST_COSINE", 1.5)
    with pytest.raises(CheckError, match=r"the graph of litotes-mini was not written: mean cosine .* not enough"):
        export_onnx(MINI, tmp_path / "mini", int8=True)
    assert not (tmp_path / "mini").exists()


def test_the_family_onnx_measures_the_same_vectors(onnx_cache: Path, encoder: OnnxEncoder, mini_int8: Path) -> None:
    model: Any = load_family(f"onnx:{MINI}")
    np.testing.assert_allclose(model.encode(TEXTS[:2], role="query"), encoder.encode(TEXTS[:2]), atol=1e-6)
    other: Any = load_family(f"onnx:{mini_int8}")
    assert model.facts()["int8"] is False
    assert other.facts()["int8"] is True
    assert model.fingerprint != other.fingerprint


def test_fastembed_loads_an_exported_folder(onnx_cache: Path, encoder: OnnxEncoder) -> None:
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    TextEmbedding.add_custom_model(
        model="litotes-mini-test",
        pooling=PoolingType.DISABLED,
        normalization=False,
        sources=ModelSource(hf="litotes/none"),
        dim=512,
        model_file="model.onnx",
    )
    model = TextEmbedding("litotes-mini-test", specific_model_path=str(making_once.made(MINI)))
    np.testing.assert_allclose(np.array(list(model.embed(TEXTS))), encoder.encode(TEXTS), atol=1e-5)
