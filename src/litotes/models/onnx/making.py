"""Make the graph of a model from its weights."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from litotes.errors import InputError, did_you_mean
from litotes.models.base_encoder import find_base
from litotes.models.bases import GUARD_MINI, MINI, RERANK_MINI, SHIPPED, SPLITTER, shipped
from litotes.models.loading import configuration
from litotes.models.onnx.adapted_graphs import pair_graph, splitter_graph
from litotes.models.onnx.artefact import GRAPH, GRAPH_INT8, Made, OnnxCard, graph_hash
from litotes.models.onnx.bert import BertShape, Weights
from litotes.models.onnx.encoder_graph import TowerParts, encoder_graph, tower_graph
from litotes.models.onnx.graph import Graph
from litotes.models.onnx.sources import TrainedModel, read_base, read_model, with_updates
from litotes.models.pair.card import CARD as PAIR_CARD
from litotes.models.pair.card import read_pair_card
from litotes.models.splitter.tagger import CARD as SPLITTER_CARD
from litotes.models.splitter.tagger import SHORT_THRESHOLD, SHORT_WORDS
from litotes.models.tower.shape import TOWER_CARD
from litotes.query_marks import TAGS

MINILM = "minilm"
EXPORTABLE = (MINI, MINILM, RERANK_MINI, GUARD_MINI, SPLITTER)
"""what can be exported by name"""
ENCODER, PAIR, SPLITTER_KIND = "encoder", "pair", "splitter"


def make(name: str, *, int8: bool) -> Made:
    """Make the graph of a shipped model, of MiniLM, or of a trained model in a folder."""
    if name == MINILM:
        return _make_base(int8=int8)
    folder = model_folder(name)
    card_name = next((card for card in _MAKERS if (folder / card).is_file()), "")
    if not card_name:
        raise InputError(
            f"{name!r} cannot be exported; expected {', '.join(EXPORTABLE)}, or the folder of a model of the same kind."
            + did_you_mean(name, EXPORTABLE)
        )
    model = read_model(folder, card_name)
    graph, facts = _MAKERS[card_name](model, folder, name, int8)
    weights = {**model.base.files, **model.card["files"]}
    return _made(graph, name, model.base_config, model.base.source.folder, int8=int8, weights=weights, **facts)


def model_folder(name: str) -> Path:
    """Return the folder of a model by its name or path."""
    return shipped(name).folder if name in SHIPPED else Path(name).expanduser()


def _made(
    graph: Graph, name: str, config: Mapping[str, Any], home: Path, *, int8: bool, weights: Any, **facts: Any
) -> Made:
    content = graph.content()
    card = OnnxCard(
        model=name,
        graph=GRAPH_INT8 if int8 else GRAPH,
        graph_sha256=graph_hash(content),
        int8=int8,
        padding=int(config.get("pad_token_id", 0)),
        weights=weights,
        **facts,
    )
    return Made(content, card, home)


def _make_base(*, int8: bool) -> Made:
    base = find_base(MINILM)
    folder = base.source.folder
    config = configuration(folder, "config.json")
    shape = BertShape.of(config)
    graph = encoder_graph(read_base(folder), shape, pooling=_pooling(folder), name=MINILM, int8=int8)
    longest = int(configuration(folder, "sentence_bert_config.json")["max_seq_length"])
    facts = {"kind": ENCODER, "max_tokens": longest, "base": MINILM, "base_columns": shape.width}
    return _made(graph, MINILM, config, folder, int8=int8, weights=base.files, **facts)


def _make_tower(model: TrainedModel, _: Path, name: str, int8: bool) -> tuple[Graph, dict[str, Any]]:
    parts = _tower_parts(model)
    facts = {
        "kind": ENCODER,
        "max_tokens": int(model.card["max_tokens"]),
        "base": model.base.name,
        "base_columns": parts.shape.width,
        "tower_columns": parts.width,
        "default_dial": parts.default_dial,
    }
    return tower_graph(parts, name=name, int8=int8), facts


def _make_pair(model: TrainedModel, folder: Path, name: str, int8: bool) -> tuple[Graph, dict[str, Any]]:
    card = read_pair_card(folder)
    weights = {**model.base_weights(), **model.own}
    settings = {entry: card[entry] for entry in ("heads", "reranking", "guard") if entry in card}
    facts = {"kind": PAIR, "max_tokens": int(card["longest"]), "base": model.base.name, "settings": settings}
    return pair_graph(weights, model.shape, card["heads"], name=name, int8=int8), facts


def _make_splitter(model: TrainedModel, _: Path, name: str, int8: bool) -> tuple[Graph, dict[str, Any]]:
    weights = {**model.base_weights(), **model.own}
    short = {"words": SHORT_WORDS, "threshold": SHORT_THRESHOLD}
    settings = {"tags": list(TAGS), "threshold": float(model.card["threshold"]), "short": short}
    longest = int(model.card["longest"])
    facts = {"kind": SPLITTER_KIND, "max_tokens": longest, "base": model.base.name, "settings": settings}
    return splitter_graph(weights, model.shape, len(TAGS), name=name, int8=int8), facts


def _tower_parts(model: TrainedModel) -> TowerParts:
    """Return the parts of a tower. With a rank, its layers are copies of the base's last ones with updates."""
    card, base, own = model.card, model.base_weights(), dict(model.own)
    own_layers, shape = int(card["own_layers"]), model.shape
    if card.get("rank"):
        own = with_updates({**_last_layers(base, shape.layers, own_layers), **own}, own)
    return TowerParts(
        base=base,
        own=own,
        shape=shape,
        shared_layers=int(card["shared_layers"]),
        own_layers=own_layers,
        width=int(card["width"] or shape.width),
        default_dial=float(card["default_w"]),
        pooling=_pooling(model.base.source.folder),
    )


def _last_layers(base: Weights, layers: int, count: int) -> dict[str, np.ndarray]:
    """Return the weights of the base's last layers under the names of a tower's layers."""
    found: dict[str, np.ndarray] = {}
    for name, array in base.items():
        if name.startswith("encoder.layer."):
            number, _, rest = name.removeprefix("encoder.layer.").partition(".")
            own = int(number) - (layers - count)
            found |= {f"own.{own}.{rest}": array} if own >= 0 else {}
    return found


def _pooling(base: Path) -> str:
    """Return the pooling of a base: "mean" or "cls"."""
    config = configuration(base, "1_Pooling/config.json")
    for name, setting in (("mean", "pooling_mode_mean_tokens"), ("cls", "pooling_mode_cls_token")):
        if config.get(setting) or config.get("pooling_mode") == name:
            return name
    raise InputError(f"{base} has another pooling than the mean of its tokens or its first token: {config}")


_MAKERS = {TOWER_CARD: _make_tower, PAIR_CARD: _make_pair, SPLITTER_CARD: _make_splitter}
"""card → the function that makes the graph, and what the card of the graph says of it"""
