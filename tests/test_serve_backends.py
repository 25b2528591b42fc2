"""What runs the encoders of a server: onnxruntime where it can, else torch."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pytest

import litotes
from litotes.errors import CheckError, InputError
from litotes.query import OnnxEncoder
from litotes.query.encoder import Encoder
from litotes.serve import Settings, runners
from tests.onnx_models import onnx_cache
from tests.serving import served
from tests.small_base import small_base

__all__ = ["onnx_cache"]

BODIES = (
    {"input": ["The drug is safe.", "The drug is not safe."]},
    {"input": ["Is the drug not safe?"], "input_type": "query", "dial": 0.3},
    {"input": ["soups other than borscht"], "input_type": "query"},
    {"input": ["soups"], "input_type": "query", "exclude": ["borscht"]},
)


def test_both_backends_answer_with_the_same_vectors_and_token_counts(onnx_cache: Path) -> None:
    answers = []
    for backend in ("onnx", "torch"):
        with served(Settings(backend=backend)) as server:
            answers.append([server.post("/v1/embeddings", body).json() for body in BODIES])
    for onnx, torch in zip(*answers, strict=True):
        assert onnx["usage"] == torch["usage"]
        first, second = ([row["embedding"] for row in answer["data"]] for answer in (onnx, torch))
        assert np.allclose(first, second, atol=1e-4)


def test_an_encoder_with_a_graph_runs_on_onnxruntime(onnx_cache: Path) -> None:
    assert isinstance(runners.load_encoder("litotes-mini@0.3"), OnnxEncoder)
    assert isinstance(runners.load_encoder("litotes-mini", "torch"), Encoder)


def test_an_encoder_without_a_graph_runs_on_torch(tmp_path: Path) -> None:
    folder = small_base(tmp_path / "base")
    assert isinstance(runners.load_encoder(folder), Encoder)
    with pytest.raises(InputError, match="cannot be exported"):
        runners.load_encoder(folder, "onnx")


def test_with_a_gpu_torch_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runners, "has_gpu", lambda: True)
    assert isinstance(runners.load_encoder("litotes-mini"), Encoder)


def test_a_graph_that_cannot_be_used_is_replaced_by_torch_with_a_warning(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(name: str, *, int8: bool) -> Path:
        raise CheckError("numbers that are not finite")

    monkeypatch.setattr("litotes.models.onnx.encoder.made", fail)
    with caplog.at_level(logging.WARNING, logger="litotes.serve"):
        assert isinstance(runners.load_encoder("litotes-mini"), Encoder)
    assert "numbers that are not finite" in caplog.text
    with pytest.raises(CheckError):
        runners.load_encoder("litotes-mini", "onnx")


def test_a_wrong_dial_is_an_error_and_no_reason_for_torch(onnx_cache: Path, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(InputError, match="dial"):
        runners.load_encoder("litotes-mini@7")
    assert "torch" not in caplog.text


def test_a_cache_folder_that_cannot_be_written_is_no_reason_to_stop(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("LITOTES_CACHE", str(tmp_path / "file"))
    assert isinstance(runners.load_encoder("litotes-mini"), Encoder)


def test_an_unknown_backend_is_refused() -> None:
    with pytest.raises(InputError, match="expected torch or onnx"):
        Settings(backend="tensorrt")


def test_both_encoders_count_the_tokens_that_they_read(onnx_cache: Path) -> None:
    # [CLS] the drug is safe . [SEP], and a text that is cut at 256 tokens
    texts = ["The drug is safe.", "safe " * 1000]
    for backend in ("onnx", "torch"):
        assert litotes.load("litotes-mini", backend=backend).token_counts(texts) == [7, 256]
