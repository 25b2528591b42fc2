"""The graphs of adapted encoders: pair models, which read two texts together, and the query splitter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from litotes.models.onnx.bert import BertGraph, BertShape, Weights
from litotes.models.onnx.encoder_graph import token_inputs
from litotes.models.onnx.graph import Graph

SIDES = "token_type_ids"
TAGS, EXCLUDES = "tags", "excludes"


def pair_graph(
    weights: Weights, shape: BertShape, heads: Mapping[str, Sequence[str]], *, name: str, int8: bool = False
) -> Graph:
    """Build the graph of a pair model. Each head is an output: one logit per label, or one logit."""
    graph = Graph(name, int8=int8)
    input_ids, mask = token_inputs(graph)
    sides = graph.input(SIDES, "int64", ("batch", "tokens"))
    bert = BertGraph(graph, shape)
    pooled = bert.mean(bert.encoder(weights, input_ids, mask, sides), mask)
    for head, labels in heads.items():
        inner = bert.gelu(bert.linear(weights, f"heads.{head}.0", pooled, exact=True))
        logits = bert.linear(weights, f"heads.{head}.2", inner, exact=True)
        graph.output(head, logits, ("batch", len(labels) or 1))
    return graph


def splitter_graph(weights: Weights, shape: BertShape, tags: int, *, name: str, int8: bool = False) -> Graph:
    """Build the graph of the splitter: the logits of the tags of each token, and whether the query excludes."""
    graph = Graph(name, int8=int8)
    input_ids, mask = token_inputs(graph)
    bert = BertGraph(graph, shape)
    hidden = bert.encoder(weights, input_ids, mask)
    first = graph.add("Gather", hidden, graph.constant("query", 0, "int64"), axis=1)
    graph.output(TAGS, bert.linear(weights, "heads.tags", hidden, exact=True), ("batch", "tokens", tags))
    graph.output(EXCLUDES, bert.linear(weights, "heads.excludes", first, exact=True), ("batch", 1))
    return graph
