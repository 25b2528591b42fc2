"""Build a graph: operators, constants, inputs and outputs, added in the order in which they are computed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from litotes.models.onnx import file_format
from litotes.models.onnx.file_format import Attribute

FORMAT = 1
"""the version of our graphs. Raise it when they change: a graph that was made before is then made again"""
ROW_STEPS = 127
"""the largest number of an eight-bit row of an embedding table"""
WEIGHT_STEPS = 63
"""the largest number of an eight-bit weight. Processors with AVX2 and without VNNI add two products in 16 bits, which
overflow with larger weights"""


class Graph:
    """A graph that is being built. Each method that adds an operator returns the name of its output.

    With `int8`, linear layers multiply eight-bit numbers. Weights have one step per output column (or per row of an
    embedding table); the steps of token vectors are computed when the graph runs.
    """

    def __init__(self, name: str, *, int8: bool = False) -> None:
        self.name, self.int8 = name, int8
        self._nodes: list[bytes] = []
        self._tensors: dict[str, bytes] = {}
        self._inputs: list[bytes] = []
        self._outputs: list[bytes] = []
        self._quantised: dict[str, Sequence[str]] = {}

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
        self, hidden: str, name: str, weight: np.ndarray, bias: np.ndarray | None, *, exact: bool = False
    ) -> str:
        """Add a linear layer, whose weight has one row per output, as in torch. An `exact` one is in full precision."""
        in_int8 = self.int8 and not exact
        multiplied = self._int8_product(hidden, name, weight) if in_int8 else self._product(hidden, name, weight)
        return multiplied if bias is None else self.add("Add", multiplied, self.constant(f"{name}.bias", bias))

    def rows(self, indices: str, name: str, table: np.ndarray) -> str:
        """Look up rows of an embedding table."""
        if not self.int8:
            return self.add("Gather", self.constant(name, table), indices, axis=0)
        step = np.maximum(np.abs(table).max(axis=1, keepdims=True), 1e-12) / ROW_STEPS
        numbers = self.constant(f"{name}.int8", np.rint(table / step), "int8")
        found = self.add("Cast", self.add("Gather", numbers, indices, axis=0), to=file_format.TYPES["float32"])
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

    def _product(self, hidden: str, name: str, weight: np.ndarray) -> str:
        return self.add("MatMul", hidden, self.constant(f"{name}.weight", np.ascontiguousarray(weight.T)))

    def _int8_product(self, hidden: str, name: str, weight: np.ndarray) -> str:
        """Multiply eight-bit numbers, and scale the result. Runtimes fuse these operators into one."""
        step = np.maximum(np.abs(weight).max(axis=1), 1e-12) / WEIGHT_STEPS
        numbers = self.constant(f"{name}.int8", np.rint(weight / step[:, None]).T, "int8")
        values, scale, zero = self._quantised_input(hidden)
        zeros = self.constant(f"{name}.zero", np.zeros(len(weight)), "int8")
        product = self.add("MatMulInteger", values, numbers, zero, zeros)
        scales = self.add("Mul", scale, self.constant(f"{name}.step", step))
        return self.add("Mul", self.add("Cast", product, to=file_format.TYPES["float32"]), scales)

    def _quantised_input(self, hidden: str) -> Sequence[str]:
        """Quantise token vectors once for all layers that read them."""
        if hidden not in self._quantised:
            names = [f"{hidden}.{part}" for part in ("int8", "step", "zero")]
            self._quantised[hidden] = self.add_several("DynamicQuantizeLinear", [hidden], names, {})
        return self._quantised[hidden]

    def _new_name(self) -> str:
        return f"v{len(self._nodes)}"
