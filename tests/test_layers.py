"""The layers: which package imports which, what is loaded when, what is public."""

from __future__ import annotations

import ast
import graphlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import litotes
from tests.conftest import REPOSITORY

SOURCE = REPOSITORY / "src" / "litotes"
HEAVY = {"spacy", "torch", "transformers", "sentence_transformers", "lemminflect"}
ONLY_HOME = {"spacy": "parse"}


def _allowed() -> dict[str, set[str] | None]:
    """Read the import table of CONTRIBUTING.md: per package, those it may import; None for any."""
    found: dict[str, set[str] | None] = {}
    for line in (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == 5 and re.fullmatch(r"[a-z_]+", cells[1]) and cells[1] != "package or module":
            found[cells[1]] = None if cells[3] == "any" else set(cells[3].split())
    return found


def _package(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def _imports(path: Path) -> set[str]:
    """Return every module that a file imports, at the top or inside a function."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


FILES = [path for path in sorted(SOURCE.rglob("*.py")) if path.parent != SOURCE or not path.stem.startswith("__")]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_file_imports_only_what_its_package_may(path: Path) -> None:
    packages = _allowed()
    package = _package(path)
    assert package in packages, f"{package} is not in the import table"
    allowed = packages[package]
    for module in _imports(path):
        top, _, rest = module.partition(".")
        if top != "litotes":
            assert ONLY_HOME.get(top, package) == package, f"only {ONLY_HOME[top]} may import {top}"
            continue
        other = rest.split(".")[0]
        assert other, "no module imports the package root"
        assert other != "cli" or package == "cli", "nothing imports cli"
        assert other != "serve" or package in {"serve", "cli"}, "only cli imports serve"
        assert allowed is None or other == package or other in allowed, f"{package} may not import {other}"
        assert not any(part.startswith("_") for part in rest.split(".")), "a private module of another package"


def _module(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_no_modules_import_each_other() -> None:
    """Imports inside functions and under TYPE_CHECKING count too."""
    paths = {_module(path): path for path in sorted(SOURCE.rglob("*.py"))}
    graph: dict[str, set[str]] = {}
    for module, path in paths.items():
        graph[module] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                within = [f"{node.module}.{alias.name}" for alias in node.names]
                names = [name if name in paths else node.module for name in within]
            graph[module] |= {name for name in names if name in paths and name != module}
    graphlib.TopologicalSorter(graph).prepare()


def test_files_and_functions_stay_small() -> None:
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 400, path
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                assert _code_lines(node) < 50, f"{path}: {node.name}"


def _code_lines(function: ast.FunctionDef) -> int:
    """Count the lines of a function without its docstring."""
    first = function.body[0]
    is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    documented = (first.end_lineno or 0) - first.lineno + 1 if is_docstring else 0
    return (function.end_lineno or 0) - function.lineno - documented


def _modules_after(code: str) -> set[str]:
    script = f"import sys\n{code}\nprint('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in done.stdout.splitlines()}


def test_importing_litotes_loads_nothing_heavy() -> None:
    assert not HEAVY & _modules_after("import litotes")


def test_asking_for_help_loads_nothing_heavy() -> None:
    code = "import contextlib, io\nfrom litotes.cli.app import app\nwith contextlib.redirect_stdout(io.StringIO()):\n"
    assert not HEAVY & _modules_after(code + "    app(['--help'], standalone_mode=False)")


def test_the_public_names_are_these() -> None:
    assert litotes.__all__ == [
        "Classification",
        "Contrast",
        "Detection",
        "Edit",
        "Guard",
        "Hedge",
        "InputError",
        "LexiconError",
        "LitotesError",
        "Metric",
        "MissingError",
        "Negation",
        "Reranker",
        "Rewrite",
        "__version__",
        "affirm",
        "affirm_all",
        "bench",
        "beside",
        "check",
        "classify",
        "classify_all",
        "combine",
        "detect",
        "detect_all",
        "dial",
        "hedge",
        "hedge_all",
        "load",
        "negate",
        "negate_all",
        "paraphrase",
        "paraphrase_all",
        "polarity",
        "report",
        "rerank",
        "rewrites",
        "rewrites_all",
        "same_answer",
        "synth",
        "train",
        "upgrade",
    ]
    assert all(getattr(litotes, name) for name in litotes.__all__)
    assert set(litotes.__all__) == set(dir(litotes))
    with pytest.raises(AttributeError, match="no attribute 'obfuscate'"):
        _ = litotes.obfuscate


def test_a_missing_library_is_named_with_its_install_command() -> None:
    from litotes.errors import MissingError, require

    with pytest.raises(MissingError, match=r"tea needs no_such_module. Install it with: pip install 'litotes\[llm\]'"):
        require("no_such_module", extra="llm", why="tea")
