"""Graphs in the format of ONNX: the bytes, single operators, and whole models against torch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest

from litotes.errors import InputError
from litotes.models.bases import GUARD_MINI, MINI, RERANK_MINI, SPLITTER, shipped
from litotes.models.loading import configuration
from litotes.models.onnx import file_format
from litotes.models.onnx.bert import BertShape
from litotes.models.onnx.graph import Graph
from litotes.models.onnx.making import EXPORTABLE, make
from litotes.models.onnx.pair import OnnxPairScorer, load_onnx_pair_scorer
from litotes.models.onnx.sources import with_updates
from litotes.models.onnx.splitter import load_onnx_splitter
from litotes.models.pair.build import load_pair_scorer
from litotes.models.pair.card import read_pair_card
from litotes.models.pair.heads import RELEVANCE, VERDICT
from litotes.models.splitter.build import load_splitter
from tests.onnx_models import mini, onnx_cache

__all__ = ["onnx_cache"]

FIRST = ["Is the drug safe?", "How do I turn the alarm on?", "soups other than borscht"]
SECOND = ["The drug is not safe for children, the leaflet says.", "How do I turn the alarm off?", "Borscht is a soup."]
QUERIES = ["soups other than borscht", "hotels in Lisbon without a pool", "What is a suspension bridge?"]


def run(graph: Graph, **inputs: np.ndarray) -> np.ndarray:
    """Run a graph with one output."""
    found: np.ndarray = onnxruntime.InferenceSession(graph.content()).run(None, inputs)[0]
    return found


def linear_graph(*, int8: bool) -> Graph:
    graph = Graph("linear", int8=int8)
    hidden = graph.input("hidden", "float32", ("rows", 2))
    weight, bias = np.array([[1.0, 2.0], [3.0, -4.0], [0.5, 0.0]]), np.array([0.0, 10.0, 0.0])
    graph.output("out", graph.linear(hidden, "layer", weight, bias), ("rows", 3))
    return graph


def test_a_tensor_has_the_bytes_of_the_format() -> None:
    # Field 1 (dims) is 1, field 2 (type) is 3 for int8, field 8 is the name, field 9 the raw values.
    expected = bytes([0x08, 1, 0x10, 3, 0x42, 1, ord("a"), 0x4A, 1, 5])
    assert file_format.tensor("a", np.array([5], dtype=np.int8)) == expected


def test_a_linear_layer_is_weight_times_input_plus_bias() -> None:
    hidden = np.array([[1, 1], [2, 0]], dtype=np.float32)
    assert run(linear_graph(int8=False), hidden=hidden).tolist() == [[3, 9, 0.5], [2, 16, 1]]


def test_a_linear_layer_in_eight_bits_is_nearly_the_same() -> None:
    hidden = np.array([[1, 1], [2, 0]], dtype=np.float32)
    # The largest number is 16, and a weight has 63 steps.
    expected = np.array([[3, 9, 0.5], [2, 16, 1]])
    np.testing.assert_allclose(run(linear_graph(int8=True), hidden=hidden), expected, atol=16 / 63)


def test_updates_are_added_to_the_weights_of_the_base() -> None:
    weights = {"a.weight": np.array([[1.0, 0.0]]), "b.weight": np.array([[1.0, 1.0]]), "c.bias": np.array([1.0])}
    own = {
        "a.down": np.array([[1.0, 3.0]], dtype=np.float32),
        "a.up": np.array([[2.0]], dtype=np.float32),
        "b.change": np.array([[0.0, 5.0]], dtype=np.float32),
    }
    merged = with_updates(weights, own, scale=2.0)
    # 1 + 2·2·1 and 0 + 2·2·3
    assert merged["a.weight"].tolist() == [[5, 12]]
    assert merged["b.weight"].tolist() == [[1, 6]]
    assert merged["c.bias"].tolist() == [1]


@pytest.mark.parametrize("int8", [False, True])
def test_the_package_onnx_accepts_the_graph(int8: bool) -> None:
    graph = onnx.load_from_string(mini(int8).graph)
    onnx.checker.check_model(graph, full_check=True)
    assert [one.name for one in graph.graph.input] == ["input_ids", "attention_mask", "dial"]
    assert [one.name for one in graph.graph.output] == ["sentence_embedding"]


def test_a_graph_has_the_same_bytes_each_time() -> None:
    assert make(MINI, int8=False).graph == mini().graph


def test_other_encoders_are_refused() -> None:
    with pytest.raises(InputError, match="the base is a mpnet model with gelu; expected BERT"):
        BertShape.of({"model_type": "mpnet", "hidden_act": "gelu"})
    with pytest.raises(InputError, match=f"cannot be exported; expected {', '.join(EXPORTABLE)}"):
        make("litotes-min", int8=False)


def onnx_pair(name: str) -> OnnxPairScorer:
    home = shipped(name).folder
    return load_onnx_pair_scorer(name, read_pair_card(home), home, name=name)


@pytest.mark.parametrize(("name", "head"), [(RERANK_MINI, RELEVANCE), (GUARD_MINI, VERDICT)])
def test_a_pair_model_has_the_logits_of_torch(onnx_cache: Path, name: str, head: str) -> None:
    expected = load_pair_scorer(name, device="cpu")
    found = onnx_pair(name)
    np.testing.assert_allclose(
        found.logits(FIRST, SECOND, head=head), expected.logits(FIRST, SECOND, head=head), atol=1e-4
    )
    text = "Ein “Café”, 3.5 km away 🙂 – unaffable"
    assert found.offsets(text) == expected.offsets(text)
    assert found.unreadable(text) == expected.unreadable(text) == ["🙂"]
    assert (found.special_tokens, found.padding) == (expected.special_tokens, expected.padding) == (3, 0)
    assert (found.guard, found.calibration, found.weight) == (expected.guard, expected.calibration, expected.weight)


def test_the_splitter_has_the_probabilities_and_marks_of_torch(onnx_cache: Path) -> None:
    home = shipped(SPLITTER).folder
    expected = load_splitter(home, device="cpu")
    found = load_onnx_splitter(home, configuration(home, "splitter.json"))
    for one, other in zip(found.read(QUERIES), expected.read(QUERIES), strict=True):
        assert one[0] == pytest.approx(other[0], abs=1e-4)
        assert [tuple(span) for span in one[1]] == [tuple(span) for span in other[1]]
        np.testing.assert_allclose(one[2], other[2], atol=1e-4)
    assert found.marks(QUERIES) == expected.marks(QUERIES)
    assert found.facts == expected.facts
