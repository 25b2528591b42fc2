"""The models of litotes-weights: the table and the folders agree, and a missing or changed package is a clear error."""

from __future__ import annotations

import sys
from pathlib import Path

import litotes_weights
import pytest

from litotes.errors import InputError, MissingError
from litotes.models.bases import MINI, SHIPPED, find_encoder, shipped

HOME = Path(litotes_weights.__file__).parent


def test_every_folder_is_a_model_of_the_table() -> None:
    assert {path.name for path in HOME.iterdir() if path.is_dir() and path.name != "__pycache__"} == set(SHIPPED)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_model_has_its_pinned_weights_and_a_card(name: str) -> None:
    source = shipped(name)
    assert source.folder == HOME / name
    assert source.origin == f"litotes-weights {litotes_weights.__version__}"
    assert {path.name for path in source.folder.rglob("*.safetensors")} == set(SHIPPED[name])
    assert (source.folder / "README.md").read_text(encoding="utf-8").startswith(f"# {name}\n")


def test_without_the_package_the_error_has_the_install_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "litotes_weights", None)
    message = r"litotes-mini needs litotes_weights. Install it with: pip install 'litotes\[models\]'"
    with pytest.raises(MissingError, match=message):
        find_encoder(MINI)


def test_other_weights_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    package = tmp_path / "litotes_weights"
    for name in SHIPPED[MINI]:
        (package / MINI).mkdir(parents=True, exist_ok=True)
        (package / MINI / name).write_bytes(b"other weights")
    (package / "__init__.py").write_text('__version__ = "0.0.9"\n', encoding="utf-8")
    monkeypatch.delitem(sys.modules, "litotes_weights")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InputError, match=r"not the file that litotes was tested with.* litotes-weights 0\.0\.9 again"):
        shipped(MINI)
