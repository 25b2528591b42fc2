"""The shipped models: the table and the folders agree, and a missing or changed package is a clear error."""

from __future__ import annotations

import sys
from pathlib import Path

import litotes_weights
import litotes_weights_mpnet
import pytest

from litotes.errors import InputError, MissingError
from litotes.models.bases import BASE, MINI, ON_MPNET, SHIPPED, find_encoder, shipped

MINILM_MODELS = Path(litotes_weights.__file__).parent
MPNET_MODELS = Path(litotes_weights_mpnet.__file__).parent


def test_every_folder_is_a_model_of_the_table() -> None:
    found = [
        {path.name for path in home.iterdir() if path.is_dir() and path.name != "__pycache__"}
        for home in (MINILM_MODELS, MPNET_MODELS)
    ]
    assert found == [SHIPPED.keys() - ON_MPNET, ON_MPNET]


@pytest.mark.parametrize("name", SHIPPED)
def test_a_model_has_its_pinned_weights_and_a_card(name: str) -> None:
    source = shipped(name)
    if name in ON_MPNET:
        assert source.folder == MPNET_MODELS / name
        assert source.origin == f"litotes-weights-mpnet {litotes_weights_mpnet.__version__}"
    else:
        assert source.folder == MINILM_MODELS / name
        assert source.origin == f"litotes-weights {litotes_weights.__version__}"
    assert {path.name for path in source.folder.rglob("*.safetensors")} == set(SHIPPED[name])
    assert (source.folder / "README.md").read_text(encoding="utf-8").startswith(f"# {name}\n")


@pytest.mark.parametrize(("name", "package"), [(MINI, "litotes_weights"), (BASE, "litotes_weights_mpnet")])
def test_without_the_package_the_error_has_the_install_command(
    name: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    message = rf"{name} needs {package}. Install it with: pip install 'litotes\[models\]'"
    with pytest.raises(MissingError, match=message):
        find_encoder(name)


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
