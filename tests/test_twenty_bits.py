"""Weights in 20 bits: rounding, and litotes-minilm beside the original."""

from __future__ import annotations

import sys
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import litotes_minilm
import numpy as np
import pytest

from litotes.arrays import read_arrays
from litotes.data.benchmarks.seed import load
from litotes.errors import InputError, MissingError
from litotes.models import bases
from litotes.models.base_encoder import WEIGHTS, find_base
from litotes.models.bases import COMPACT, COMPACT_PINS, MINILM_PINS, minilm, minilm_in_full
from litotes.models.loading import sha256
from litotes.models.onnx.artefact import write_artefact
from litotes.models.onnx.checking import with_torch
from litotes.models.onnx.making import make
from litotes.models.onnx.making_once import _key
from litotes.models.onnx.sources import read_base
from litotes.models.twenty_bits import LOW, STEP, restored
from tests.conftest import REPOSITORY

MODEL = Path(litotes_minilm.__file__).parent / "model"
STEPS = 2**19 - 1


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    """Return the module that makes the package's files when it is built."""
    spec = spec_from_file_location("hatch_build", REPOSITORY / "packages" / "litotes-minilm" / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    hide_torch(monkeypatch)


def hide_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let litotes find neither torch nor MiniLM in full precision."""
    hidden = ("torch", "transformers", "sentence_transformers", bases.MINILM_PACKAGE)
    for module in ("litotes.models.bases", "litotes.models.backends"):
        monkeypatch.setattr(f"{module}.find_spec", lambda name: None if name in hidden else find_spec(name))


def test_a_number_is_rounded_to_a_step_of_its_row(hook: ModuleType) -> None:
    # The largest number of a row has 524,287 steps, so a step of the first row is 1 and one of the second is 2.
    rows = np.array([[STEPS, -3.4, 0.6, 17.0], [-2 * STEPS, 30.2, -30.2, 0.0]], dtype=np.float32)
    kept = hook.stored({"rows": rows, "bias": np.array([0.1], dtype=np.float32)})
    assert kept["rows"].dtype == np.int16
    assert kept["rows"].tolist() == [[32767, -1, 0, 1], [-32768, 0, -1, 0]]
    assert kept["rows" + LOW].tolist() == [[15 | 13 << 4, 1 | 1 << 4], [1 | 15 << 4, 1]]
    assert kept["rows" + STEP].tolist() == [1.0, 2.0]
    found = restored(kept)
    assert found["rows"].tolist() == [[STEPS, -3, 1, 17], [-2 * STEPS, 30, -30, 0]]
    assert found.keys() == {"rows", "bias"}
    assert found["bias"] is kept["bias"]


def test_a_row_of_zeros_stays_zero(hook: ModuleType) -> None:
    zeros = np.zeros((1, 2), dtype=np.float32)
    assert restored(hook.stored({"rows": zeros}))["rows"].tolist() == [[0, 0]]


def test_the_package_has_the_files_of_the_original(hook: ModuleType) -> None:
    assert sha256(MODEL / COMPACT) == COMPACT_PINS[COMPACT]
    assert hook.MADE == COMPACT
    found = {path.relative_to(MODEL).as_posix() for path in MODEL.rglob("*") if path.is_file()}
    assert found == {*hook.FILES, COMPACT}
    for name in hook.FILES:
        assert (MODEL / name).read_bytes() == (minilm_in_full().folder / name).read_bytes()


def test_a_wheel_with_another_hash_is_an_error(
    hook: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other.whl").write_bytes(b"other")
    monkeypatch.setattr(hook.subprocess, "run", lambda *_, **__: None)
    with pytest.raises(SystemExit, match=r"other\.whl has sha256 d9298a10.*; expected b9a0018d"):
        hook._fetched(tmp_path)


def test_no_weight_differs_by_more_than_half_a_step() -> None:
    original, found, steps = read_base(minilm_in_full().folder), read_base(MODEL), read_arrays(MODEL / COMPACT)
    assert original.keys() == found.keys()
    for name, array in original.items():
        # float32 adds a little to half a step: a large number has 20 bits of its 24
        most = 0.6 * steps[name + STEP][:, None] if array.ndim == 2 else 0
        assert (np.abs(found[name] - array) <= most).all(), name


def test_with_torch_minilm_is_the_original() -> None:
    base = find_base("minilm")
    assert base.source == minilm_in_full()
    assert base.files == {"minilm": MINILM_PINS[WEIGHTS]}


@pytest.mark.usefixtures("without_torch")
def test_without_torch_minilm_has_20_bits() -> None:
    base = find_base("minilm")
    assert base.source.folder == MODEL
    assert base.source.origin == f"litotes-minilm {litotes_minilm.__version__}"
    # the models that are trained on it name the hash of the original
    assert (base.name, base.sha256) == ("minilm", MINILM_PINS[WEIGHTS])
    assert make("minilm", int8=False).card.weights == {"minilm": MINILM_PINS[WEIGHTS], COMPACT: COMPACT_PINS[COMPACT]}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "most"), [("litotes-mini", 1e-5), ("litotes-rerank-mini", 1e-3)])
def test_graphs_from_20_bits_agree_with_torch(
    name: str, most: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        hide_torch(patched)
        graph = make(name, int8=False)
    assert COMPACT in graph.card.weights
    write_artefact(tmp_path, graph)
    texts = [str(row["text"]) for row in load(Path(), "sentences")[:100]]
    assert with_torch(tmp_path, name, graph.card.kind, texts).value <= most


def test_a_graph_from_20_bits_has_a_folder_of_its_own(request: pytest.FixtureRequest) -> None:
    with_torch = [_key(name, int8=False) for name in ("minilm", "litotes-mini")]
    request.getfixturevalue("without_torch")
    assert not set(with_torch) & {_key(name, int8=False) for name in ("minilm", "litotes-mini")}


@pytest.mark.usefixtures("without_torch")
def test_other_weights_and_a_missing_package_are_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setitem(COMPACT_PINS, COMPACT, "another hash")
        with pytest.raises(InputError, match=r"install litotes-minilm 0\.1\.0 again"):
            minilm()
    monkeypatch.setitem(sys.modules, "litotes_minilm", None)
    with pytest.raises(MissingError, match=r"needs litotes_minilm. Install it with: pip install 'litotes\[onnx\]'"):
        minilm()
