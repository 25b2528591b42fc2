"""Build a graph: operators, constants, inputs and outputs, added in the order in which they are computed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from litotes.models.onnx import file_format
from litotes.models.onnx.file_format import Attribute

FLOAT = file_format.TYPES["float32"]
FORMAT = 1
"""the version of our graphs. Raise it when they change: a graph that was made before is then made again"""
ROW_STEPS = 127
"""the largest number of an eight-bit row of an embedding table"""
WEIGHT_STEPS = 63
"""the largest number of an eight-bit weight. Processors with AVX2 and without VNNI add two products in 16 bits, which
overflow with larger weights"""


class Graph:
    """A graph that is being built. Each method that adds an operator returns the name of its output.

    With `int8`, linear layers multiply eight-bit numbers. Weights have one step per output column, rows of an embedding
    table one each, and so have token vectors, whose steps are computed when the graph runs.
    """

    def __init__(self, name: str, *, int8: bool = False) -> None:
        self.name, self.int8 = name, int8
        self._nodes: list[bytes] = []
        self._tensors: dict[str, bytes] = {}
        self._inputs: list[bytes] = []
        self._outputs: list[bytes] = []
        self._known: dict[str, tuple[str, str, str]] = {}

    def input(self, name: str, dtype: str, shape: Iterable[str | int]) -> str:
        """Add an input. One with a constant of the same name is optional."""
        self._inputs.append(file_format.value(name, dtype, shape))
        return name

    def output(self, name: str, source: str, shape: Iterable[str | int]) -> None:
        """Add an output of float32."""
        self.add("Identity", source, name=name)
        self._outputs.append(file_format.value(name, "float32", shape))

    def constant(self, name: str, values: object, dtype: str = "float32") -> str:
        """Add a constant."""
        if name not in self._tensors:
            self._tensors[name] = file_format.tensor(name, np.asarray(values, dtype=dtype))
        return name

    def add(self, operator: str, *inputs: str, name: str = "", **attributes: Attribute) -> str:
        """Add an operator with one output."""
        return self.add_several(operator, inputs, [name or self._new_name()], attributes)[0]

    def add_several(
        self, operator: str, inputs: Sequence[str], outputs: Sequence[str], attributes: Mapping[str, Attribute]
    ) -> Sequence[str]:
        """Add an operator with several outputs of the given names."""
        self._nodes.append(file_format.node(operator, inputs, outputs, dict(attributes)))
        return outputs

    def linear(
        self,
        hidden: str,
        name: str,
        weight: np.ndarray,
        bias: np.ndarray | None,
        *,
        exact: bool = False,
        low: float | None = None,
    ) -> str:
        """Add a linear layer, whose weight has one row per output, as in torch.

        An `exact` one is always in full precision. `low` is the least number of its input, if that is known and near 0:
        eight bits then reach from there to the largest number, and otherwise from minus that to plus that.
        """
        if self.int8 and not exact:
            multiplied = self._int8_product(hidden, name, weight, low)
        else:
            multiplied = self.add("MatMul", hidden, self.constant(f"{name}.weight", np.ascontiguousarray(weight.T)))
        return multiplied if bias is None else self.add("Add", multiplied, self.constant(f"{name}.bias", bias))

    def rows(self, indices: str, name: str, table: np.ndarray) -> str:
        """Look up rows of an embedding table."""
        if not self.int8:
            return self.add("Gather", self.constant(name, table), indices, axis=0)
        step = np.maximum(np.abs(table).max(axis=1, keepdims=True), 1e-12) / ROW_STEPS
        numbers = self.constant(f"{name}.int8", np.rint(table / step), "int8")
        found = self.add("Cast", self.add("Gather", numbers, indices, axis=0), to=FLOAT)
        return self.add("Mul", found, self.add("Gather", self.constant(f"{name}.step", step), indices, axis=0))

    def content(self) -> bytes:
        """Return the graph as the content of an .onnx file."""
        return file_format.model(
            name=self.name,
            nodes=self._nodes,
            tensors=self._tensors.values(),
            inputs=self._inputs,
            outputs=self._outputs,
            version=FORMAT,
        )

    def _int8_product(self, hidden: str, name: str, weight: np.ndarray, low: float | None) -> str:
        """Multiply eight-bit numbers, and scale the result by the steps of both."""
        step = np.maximum(np.abs(weight).max(axis=1), 1e-12) / WEIGHT_STEPS
        rounded = np.rint(weight / step[:, None])
        numbers = self.constant(f"{name}.int8", rounded.T, "int8")
        values, scale, zero = self._quantised(hidden, low)
        zeros = self.constant(f"{name}.zero", np.zeros(len(weight)), "int8")
        product = self.add("Cast", self.add("MatMulInteger", values, numbers, zero, zeros), to=FLOAT)
        scaled = self.add("Mul", self.add("Mul", product, scale), self.constant(f"{name}.step", step))
        if low is None:
            return scaled
        return self.add("Add", scaled, self.constant(f"{name}.low", low * step * rounded.sum(axis=1)))

    def _quantised(self, hidden: str, low: float | None) -> tuple[str, str, str]:
        """Quantise token vectors, once for all layers that read them; return the numbers, their steps and the zero.

        Each token has a step of its own, so that a text does not depend on the other texts of its batch.
        """
        if hidden not in self._known:
            shifted = hidden if low is None else self.add("Sub", hidden, self.constant(f"low {low}", low))
            size = self.add("Abs", hidden) if low is None else shifted
            peak = self.add("Max", self.add("ReduceMax", size, axes=(-1,), keepdims=1), self.constant("tiny", 1e-9))
            steps, zero = (127, 128) if low is None else (255, 0)
            scale = self.add("Mul", peak, self.constant(f"1/{steps}", 1 / steps))
            numbers = self.add("Round", self.add("Div", shifted, scale))
            numbers = self.add("Add", numbers, self.constant(f"{zero}.float", zero)) if zero else numbers
            values = self.add("Cast", numbers, to=file_format.TYPES["uint8"])
            self._known[hidden] = values, scale, self.constant(f"{zero}.zero", zero, "uint8")
        return self._known[hidden]

    def _new_name(self) -> str:
        return f"v{len(self._nodes)}"
