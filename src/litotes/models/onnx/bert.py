"""The operators of a BERT encoder: embeddings, layers, pooling."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from litotes.errors import InputError
from litotes.models.onnx.file_format import TYPES
from litotes.models.onnx.graph import Graph

Weights = Mapping[str, np.ndarray]
LOWEST_GELU = -0.17
"""the least value of gelu, rounded"""
MASKED = -1e9
"""what is added to the attention of padding"""


@dataclass(frozen=True, slots=True)
class BertShape:
    """What the graph needs of the configuration of a BERT encoder."""

    width: int
    heads: int
    layers: int
    epsilon: float

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> BertShape:
        """Read a configuration; refuse other encoders."""
        kind, activation = config.get("model_type"), config.get("hidden_act")
        if (kind, activation) != ("bert", "gelu"):
            raise InputError(f"the base is a {kind} model with {activation}; expected BERT with gelu, such as minilm")
        heads, layers = int(config["num_attention_heads"]), int(config["num_hidden_layers"])
        return cls(int(config["hidden_size"]), heads, layers, float(config["layer_norm_eps"]))


class BertGraph:
    """Adds the operators of a BERT encoder to a graph."""

    def __init__(self, graph: Graph, shape: BertShape) -> None:
        self.graph, self.shape = graph, shape

    def embeddings(self, weights: Weights, input_ids: str, token_type_ids: str = "") -> str:
        """Add the embeddings of words, places and sides; without `token_type_ids`, all tokens are of the first side."""
        graph = self.graph
        words = graph.rows(input_ids, "words", weights["embeddings.word_embeddings.weight"])
        sides = weights["embeddings.token_type_embeddings.weight"]
        places = weights["embeddings.position_embeddings.weight"] + (0 if token_type_ids else sides[0])
        length = graph.add("Gather", graph.add("Shape", input_ids), graph.constant("one", [1], "int64"), axis=0)
        first, step = graph.constant("first", [0], "int64"), graph.constant("step", [1], "int64")
        used = graph.add("Slice", graph.constant("places", places), first, length, first, step)
        total = graph.add("Add", words, used)
        if token_type_ids:
            total = graph.add("Add", total, graph.add("Gather", graph.constant("sides", sides), token_type_ids, axis=0))
        return self._normalised(total, "embeddings.LayerNorm", weights)

    def attention_bias(self, attention_mask: str) -> str:
        """Return what is added to attention: 0 for tokens, and a large negative number for padding."""
        graph = self.graph
        mask = graph.add("Cast", attention_mask, to=TYPES["float32"])
        padding = graph.add("Sub", graph.constant("one.float", 1.0), mask)
        bias = graph.add("Mul", padding, graph.constant("masked", MASKED))
        return graph.add("Unsqueeze", bias, graph.constant("heads and queries", [1, 2], "int64"))

    def layer(self, weights: Weights, prefix: str, hidden: str, bias: str) -> str:
        """Add one layer, whose weights begin with the prefix."""
        graph = self.graph
        query, key, value = (self._heads(weights, f"{prefix}.attention.self.{part}", hidden) for part in _PROJECTIONS)
        scale = graph.constant("scale", 1 / np.sqrt(self.shape.width // self.shape.heads))
        scores = graph.add("MatMul", graph.add("Mul", query, scale), key)
        attention = graph.add("Softmax", graph.add("Add", scores, bias), axis=-1)
        mixed = graph.add("Transpose", graph.add("MatMul", attention, value), perm=(0, 2, 1, 3))
        joined = graph.add("Reshape", mixed, graph.constant("joined", [0, 0, self.shape.width], "int64"))
        output = self.linear(weights, f"{prefix}.attention.output.dense", joined)
        hidden = self._normalised(graph.add("Add", output, hidden), f"{prefix}.attention.output.LayerNorm", weights)
        inner = self.gelu(self.linear(weights, f"{prefix}.intermediate.dense", hidden))
        output = self.linear(weights, f"{prefix}.output.dense", inner, low=LOWEST_GELU)
        return self._normalised(graph.add("Add", output, hidden), f"{prefix}.output.LayerNorm", weights)

    def gelu(self, hidden: str) -> str:
        """Add x · (1 + erf(x / √2)) / 2."""
        graph = self.graph
        error = graph.add("Erf", graph.add("Div", hidden, graph.constant("root two", np.sqrt(2))))
        doubled = graph.add("Mul", hidden, graph.add("Add", error, graph.constant("one.float", 1.0)))
        return graph.add("Mul", doubled, graph.constant("half", 0.5))

    def encoder(self, weights: Weights, input_ids: str, attention_mask: str, token_type_ids: str = "") -> str:
        """Add a whole encoder; return the token vectors of its last layer."""
        hidden = self.embeddings(weights, input_ids, token_type_ids)
        bias = self.attention_bias(attention_mask)
        for number in range(self.shape.layers):
            hidden = self.layer(weights, f"encoder.layer.{number}", hidden, bias)
        return hidden

    def linear(self, weights: Weights, name: str, hidden: str, *, exact: bool = False, low: float | None = None) -> str:
        """Add a linear layer by the name of its weights."""
        bias = weights.get(f"{name}.bias")
        return self.graph.linear(hidden, name, weights[f"{name}.weight"], bias, exact=exact, low=low)

    def mean(self, hidden: str, attention_mask: str) -> str:
        """Return the mean of the token vectors under the mask."""
        graph = self.graph
        last, tokens = graph.constant("last", [2], "int64"), graph.constant("tokens", [1], "int64")
        mask = graph.add("Unsqueeze", graph.add("Cast", attention_mask, to=TYPES["float32"]), last)
        total = graph.add("ReduceSum", graph.add("Mul", hidden, mask), tokens, keepdims=0)
        count = graph.add("ReduceSum", mask, tokens, keepdims=0)
        return graph.add("Div", total, graph.add("Max", count, graph.constant("least", 1e-9)))

    def unit(self, rows: str) -> str:
        """Return rows of length 1."""
        graph = self.graph
        length = graph.add("ReduceL2", rows, axes=(1,), keepdims=1)
        return graph.add("Div", rows, graph.add("Max", length, graph.constant("shortest", 1e-12)))

    def _heads(self, weights: Weights, name: str, hidden: str) -> str:
        """Add a projection, split into heads; keys are transposed."""
        shape = self.shape
        split = self.graph.constant("split", [0, 0, shape.heads, shape.width // shape.heads], "int64")
        parts = self.graph.add("Reshape", self.linear(weights, name, hidden), split)
        return self.graph.add("Transpose", parts, perm=(0, 2, 3, 1) if name.endswith(".key") else (0, 2, 1, 3))

    def _normalised(self, hidden: str, name: str, weights: Weights) -> str:
        scale, bias = (self.graph.constant(f"{name}.{part}", weights[f"{name}.{part}"]) for part in ("weight", "bias"))
        return self.graph.add("LayerNormalization", hidden, scale, bias, axis=-1, epsilon=self.shape.epsilon)


_PROJECTIONS = ("query", "key", "value")
