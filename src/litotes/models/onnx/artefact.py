"""The folder of an exported model: the graph, the tokenizer, the files that other libraries read, and the card."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256 as new_hash
from pathlib import Path
from typing import Any

from litotes.errors import InputError
from litotes.files import write_atomically
from litotes.models.loading import configuration
from litotes.models.onnx.graph import FORMAT

CARD = "litotes-onnx.json"
GRAPH, GRAPH_INT8 = "model.onnx", "model_int8.onnx"
TOKENIZER = "tokenizer.json"


@dataclass(frozen=True, slots=True)
class OnnxCard:
    """What a graph is, and what its user must know of it."""

    model: str
    kind: str
    """encoder, pair or splitter"""
    graph: str
    """the file of the graph"""
    graph_sha256: str
    int8: bool
    max_tokens: int
    """longer texts and pairs are cut"""
    padding: int
    """the id of the padding token"""
    weights: Mapping[str, str]
    """the sha256 of the weights it was made from: those of the base, and ours"""
    base: str = ""
    base_columns: int = 0
    tower_columns: int = 0
    default_dial: float = 0.0
    settings: Mapping[str, Any] = field(default_factory=dict)
    """what the model's own card has: heads and labels, thresholds, calibration"""
    format: int = FORMAT
    """the version of the files"""


@dataclass(frozen=True, slots=True)
class Made:
    """A graph with its card, and the folder of the base, which has the tokenizer."""

    graph: bytes
    card: OnnxCard
    base: Path


def write_artefact(folder: Path, made: Made) -> None:
    """Write a graph, its tokenizer, and its card, which comes last: it says that the folder is complete."""
    card, base = made.card, made.base
    write_atomically(folder / card.graph, made.graph)
    write_atomically(folder / TOKENIZER, _tokenizer(base, card))
    names = ("tokenizer_config.json", "special_tokens_map.json")
    settings = {name: configuration(base, name) for name in names}
    settings[names[0]] |= {"model_max_length": card.max_tokens}
    settings["config.json"] = _config(base, card)
    for name, content in settings.items():
        write_atomically(folder / name, _json(content))
    write_atomically(folder / CARD, _json(asdict(card)))


def read_card(folder: Path) -> OnnxCard:
    """Read the card of an exported model."""
    content = configuration(folder, CARD)
    try:
        return OnnxCard(**content)
    except TypeError as error:
        raise InputError(
            f"{folder} has no {CARD} of this version ({error}); expected a folder of `litotes export onnx`"
        ) from None


def graph_hash(graph: bytes) -> str:
    """Return the sha256 of a graph."""
    return new_hash(graph).hexdigest()


def _tokenizer(base: Path, card: OnnxCard) -> str:
    """Return the base's tokenizer: it cuts at the model's own length, and pads a batch to its longest text."""
    content = json.loads((base / TOKENIZER).read_text(encoding="utf-8"))
    content["truncation"] = {
        "direction": "Right",
        "max_length": card.max_tokens,
        "strategy": "LongestFirst",
        "stride": 0,
    }
    content["padding"] = None
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n"


def _config(base: Path, card: OnnxCard) -> dict[str, Any]:
    """Return what libraries such as fastembed read of a configuration."""
    own = configuration(base, "config.json")
    kept: dict[str, Any] = {
        name: own[name] for name in ("vocab_size", "max_position_embeddings", "type_vocab_size") if name in own
    }
    return {"model_type": "litotes_onnx", "pad_token_id": card.padding, **kept}


def _json(content: Mapping[str, Any]) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"
