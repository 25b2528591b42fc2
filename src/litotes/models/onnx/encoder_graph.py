"""The graph of a tower: the shared layers, the base's upper layers for f, the tower's own for g, and the dial."""

from __future__ import annotations

from dataclasses import dataclass

from litotes.models.onnx.bert import BertGraph, BertShape, Weights
from litotes.models.onnx.graph import Graph
from litotes.models.tower.scaling import block_weights

VECTOR = "sentence_embedding"
DIAL = "dial"


@dataclass(frozen=True, slots=True)
class TowerParts:
    """The weights of a tower and what its graph needs to know of it."""

    base: Weights
    own: Weights
    """the tower's layers, their updates merged, and its projection"""
    shape: BertShape
    shared_layers: int
    own_layers: int
    width: int
    """the columns of the tower's block"""
    default_dial: float
    pooling: str


def tower_graph(parts: TowerParts, *, name: str, int8: bool = False) -> Graph:
    """Build the graph of a tower. Its output is the vector of a document, or of a query at `dial`.

    The optional input `dial` has one number, or one per text: the vector is [(1-w)/√(1-w₀)·f ; w/√w₀·g]. Its default
    is the default dial w₀, at which a query has the vector of a document.
    """
    graph = Graph(name, int8=int8)
    input_ids, mask = token_inputs(graph)
    dial = graph.input(DIAL, "float32", ("dials", 1))
    graph.constant(DIAL, [[parts.default_dial]])
    bert = BertGraph(graph, parts.shape)
    hidden, bias = bert.embeddings(parts.base, input_ids), bert.attention_bias(mask)
    for number in range(parts.shared_layers):
        hidden = bert.layer(parts.base, f"encoder.layer.{number}", hidden, bias)
    upper = own = hidden
    for number in range(parts.shared_layers, parts.shape.layers):
        upper = bert.layer(parts.base, f"encoder.layer.{number}", upper, bias)
    for number in range(parts.own_layers):
        own = bert.layer(parts.own, f"own.{number}", own, bias)
    f = bert.unit(_pooled(bert, parts.pooling, upper, mask))
    g = bert.unit(_projected(bert, parts, bert.mean(own, mask)))
    vector = graph.add("Concat", *_scaled(graph, parts.default_dial, dial, f, g), axis=1)
    graph.output(VECTOR, vector, ("batch", parts.shape.width + parts.width))
    return graph


def encoder_graph(base: Weights, shape: BertShape, *, pooling: str, name: str, int8: bool = False) -> Graph:
    """Build the graph of an encoder without a tower. Its output is a unit vector."""
    graph = Graph(name, int8=int8)
    input_ids, mask = token_inputs(graph)
    bert = BertGraph(graph, shape)
    pooled = _pooled(bert, pooling, bert.encoder(base, input_ids, mask), mask)
    graph.output(VECTOR, bert.unit(pooled), ("batch", shape.width))
    return graph


def token_inputs(graph: Graph) -> tuple[str, str]:
    """Add the inputs of every model: token ids, and 1 for each token that is not padding."""
    input_ids = graph.input("input_ids", "int64", ("batch", "tokens"))
    return input_ids, graph.input("attention_mask", "int64", ("batch", "tokens"))


def _pooled(bert: BertGraph, pooling: str, hidden: str, mask: str) -> str:
    if pooling == "mean":
        return bert.mean(hidden, mask)
    return bert.graph.add("Gather", hidden, bert.graph.constant("cls", 0, "int64"), axis=1)


def _projected(bert: BertGraph, parts: TowerParts, pooled: str) -> str:
    """Add the projection, if there is one; in full precision, as it is small."""
    return bert.linear(parts.own, "projection", pooled, exact=True) if "projection.weight" in parts.own else pooled


def _scaled(graph: Graph, default: float, dial: str, f: str, g: str) -> tuple[str, str]:
    """Multiply the blocks by their factors, which are linear in the dial."""
    base_factor, tower_factor = block_weights(0, default)[0], block_weights(1, default)[1]
    rest = graph.add("Sub", graph.constant("one.float", 1.0), dial)
    left = graph.add("Mul", f, graph.add("Mul", rest, graph.constant("base factor", base_factor)))
    right = graph.add("Mul", g, graph.add("Mul", dial, graph.constant("tower factor", tower_factor)))
    return left, right
