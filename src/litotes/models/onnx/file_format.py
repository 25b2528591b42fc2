"""The file format of ONNX graphs: the few protobuf messages of onnx.proto that our graphs need, as bytes.

The package onnx would add 33 MB to an installation without torch, and it is needed for nothing else. A message is a
sequence of fields; a field is its number, its kind of encoding, and its value.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence

import numpy as np

IR_VERSION = 8
"""the version of the format; from 4 on, an input with an initializer of the same name is optional"""
OPSET = 17
"""the version of the operators; 17 is the first with LayerNormalization, and every current runtime has it"""
TYPES = {"float32": 1, "uint8": 2, "int8": 3, "int32": 6, "int64": 7}
"""types of tensors, by their names in NumPy"""
_VARINT, _BYTES, _FLOAT = 0, 2, 5
_FLOAT_ATTRIBUTE, _INT_ATTRIBUTE, _INTS_ATTRIBUTE = 1, 2, 7

Attribute = float | int | Sequence[int]


def tensor(name: str, array: np.ndarray) -> bytes:
    """Return a TensorProto."""
    values = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
    shape = b"".join(_number(1, size) for size in array.shape)
    return shape + _number(2, TYPES[array.dtype.name]) + _text(8, name) + _field(9, values)


def node(operator: str, inputs: Sequence[str], outputs: Sequence[str], attributes: dict[str, Attribute]) -> bytes:
    """Return a NodeProto. Its name is that of its first output."""
    names = b"".join(_text(1, name) for name in inputs) + b"".join(_text(2, name) for name in outputs)
    settings = b"".join(_field(5, _attribute(name, value)) for name, value in attributes.items())
    return names + _text(3, outputs[0]) + _text(4, operator) + settings


def value(name: str, dtype: str, shape: Iterable[str | int]) -> bytes:
    """Return a ValueInfoProto: an input or output. A dimension is a number, or a name if it varies."""
    sizes = (_number(1, size) if isinstance(size, int) else _text(2, size) for size in shape)
    dimensions = b"".join(_field(1, size) for size in sizes)
    return _text(1, name) + _field(2, _field(1, _number(1, TYPES[dtype]) + _field(2, dimensions)))


def model(
    *,
    name: str,
    nodes: Iterable[bytes],
    tensors: Iterable[bytes],
    inputs: Iterable[bytes],
    outputs: Iterable[bytes],
    version: int,
) -> bytes:
    """Return a ModelProto: the content of an .onnx file."""
    parts = ((1, nodes), (5, tensors), (11, inputs), (12, outputs))
    fields = {number: b"".join(_field(number, message) for message in messages) for number, messages in parts}
    graph = fields[1] + _text(2, name) + fields[5] + fields[11] + fields[12]
    header = _number(1, IR_VERSION) + _text(2, "litotes") + _text(3, str(version))
    return header + _field(7, graph) + _field(8, _text(1, "") + _number(2, OPSET))


def _attribute(name: str, content: Attribute) -> bytes:
    if isinstance(content, float):
        return _text(1, name) + _key(2, _FLOAT) + struct.pack("<f", content) + _number(20, _FLOAT_ATTRIBUTE)
    if isinstance(content, int):
        return _text(1, name) + _number(3, content) + _number(20, _INT_ATTRIBUTE)
    return _text(1, name) + b"".join(_number(8, one) for one in content) + _number(20, _INTS_ATTRIBUTE)


def _key(number: int, encoding: int) -> bytes:
    return _varint(number << 3 | encoding)


def _field(number: int, content: bytes) -> bytes:
    return _key(number, _BYTES) + _varint(len(content)) + content


def _text(number: int, content: str) -> bytes:
    return _field(number, content.encode())


def _number(number: int, content: int) -> bytes:
    return _key(number, _VARINT) + _varint(content)


def _varint(content: int) -> bytes:
    """Encode an integer: seven bits per byte, the lowest first; negative ones as 64 bits."""
    left = content & 0xFFFF_FFFF_FFFF_FFFF
    found = bytearray()
    while left > 0x7F:
        found.append(left & 0x7F | 0x80)
        left >>= 7
    return bytes([*found, left])
