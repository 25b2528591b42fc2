"""litotes blend: the weights at each share, the files it writes, and its errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from litotes.cli.app import app
from litotes.errors import InputError, require
from litotes.models import load
from litotes.reporting.report_data import read_folders
from litotes.workflows import Blend, blend
from litotes.workflows.blending import best_share
from tests.family_models import quiet
from tests.small_base import small_base

torch = require("torch")

TEXTS = ["The bridge is open.", "The bridge is not open.", "Cats sleep through the afternoon."]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return small_base(tmp_path_factory.getbasetemp() / "one-layer-minilm")


@pytest.fixture(scope="module")
def run(base: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that tuned the base: as if one layer had been trained."""
    folder = tmp_path_factory.mktemp("runs") / "tuned"
    with quiet():
        model = require("sentence_transformers").SentenceTransformer(base, device="cpu")
        with torch.no_grad():
            weight = model.transformers_model.encoder.layer[0].output.dense.weight
            weight.add_(torch.linspace(-0.1, 0.1, weight.numel()).reshape(weight.shape))
        model.save_pretrained(str(folder / "model"), create_model_card=False)
    (folder / "run.json").write_text(json.dumps({"base": {"name": base}, "settings": {}}), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("data") / "held.jsonl"
    rows = [
        {
            "id": thing,
            "q1": f"Which {thing} is clean?",
            "q2": f"Which {thing} is not clean?",
            "doc1": f"The {thing} is clean.",
            "doc2": f"The {thing} is not clean.",
        }
        for thing in ("airport", "bakery", "castle")
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def litotes(*given: str) -> Result:
    with quiet():
        return CliRunner().invoke(app, ["blend", "--device", "cpu", *given])


def vectors(target: str) -> np.ndarray:
    with quiet():
        model: Any = load(f"dense:{target}", device="cpu")
    rows: np.ndarray = model.encode(TEXTS)
    return rows


@pytest.fixture(scope="module")
def swept(run: Path, held: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    out = tmp_path_factory.mktemp("blends") / "out"
    measured = ("--measure", f"contrasts:{held}")
    return out, litotes(str(run), "--out", str(out), "--share", "0,0.5,1", *measured)


def test_nothing_of_the_tuned_model_is_the_base_and_all_of_it_is_the_tuned_model(
    swept: tuple[Path, Result], run: Path, base: str
) -> None:
    out, result = swept
    assert result.exit_code == 0, (result.output, result.exception)
    start, tuned = vectors(base), vectors(str(run / "model"))
    assert np.abs(start - tuned).max() > 0.01
    assert np.abs(vectors(str(out / "share-0" / "model")) - start).max() < 1e-6
    assert np.abs(vectors(str(out / "share-1" / "model")) - tuned).max() < 1e-6
    between = vectors(str(out / "share-0.5" / "model"))
    assert np.abs(between - start).max() > 0.001
    assert np.abs(between - tuned).max() > 0.001


def test_the_base_is_found_in_the_run_and_every_blend_has_its_line(swept: tuple[Path, Result], base: str) -> None:
    out, result = swept
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(line["name"], line["at"]) for line in lines] == [("share-0", 0), ("share-0.5", 0.5), ("share-1", 1)]
    assert lines[1]["model"] == f"dense:{out / 'share-0.5' / 'model'}"
    assert set(lines[0]["scores"]) == {"negation.held", "minimal-pair cosine"}
    # at 0 nothing is blended: what was measured of the base is measured again
    assert lines[0]["scores"] == lines[0]["before"] == lines[2]["before"]
    assert lines[2]["scores"]["minimal-pair cosine"] != lines[0]["scores"]["minimal-pair cosine"]
    written = json.loads((out / "sweep.json").read_text(encoding="utf-8"))
    assert (written["sweep"], written["recipe"], written["base"]) == ("share", "blend", base)
    assert written["points"] == lines


def test_the_report_draws_the_blends(swept: tuple[Path, Result], base: str) -> None:
    out, _ = swept
    found = read_folders([out])
    assert found.models == (f"dense:{base}", "share-0", "share-0.5", "share-1")
    assert [len(those) for those in found.minimal_pairs.values()] == [3] * 4
    (sweep,) = found.sweeps
    assert sweep.numeric
    assert [at for at, _ in sweep.lines["minimal-pair cosine"]] == [0, 0.5, 1]
    assert set(sweep.before) == {"negation.held", "minimal-pair cosine"}


def test_one_share_is_set_or_left_to_its_default(run: Path, base: str, tmp_path: Path) -> None:
    found = litotes(str(run), "--out", str(tmp_path / "default"), "--no-measure")
    assert json.loads(found.stdout)["name"] == "share-0.3"
    assert not (tmp_path / "default" / "results.json").exists()
    # a model without its run, and a base that is named
    model = str(run / "model")
    found = litotes(model, "--base", base, "--out", str(tmp_path / "set"), "--share", "0.2", "--no-measure")
    assert found.exit_code == 0, (found.output, found.exception)
    assert (tmp_path / "set" / "share-0.2" / "model" / "model.safetensors").is_file()
    assert litotes(model, "--out", str(tmp_path / "run"), "--no-measure").exit_code == 0


def test_the_best_share_within_a_limit_by_hand() -> None:
    before = {"negation.x": 10.0, "general.y": 80.0}
    mild = Blend("share-0.2", "", before, {"negation.x": 20.0, "general.y": 79.0}, 0.2)
    strong = Blend("share-0.6", "", before, {"negation.x": 40.0, "general.y": 70.0}, 0.6)
    assert best_share([mild, strong], 2.0) == 0.2
    assert best_share([strong], 2.0) == 0
    assert best_share([mild], None) is None


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("/no/such/run",), "there is no folder '/no/such/run'; expected a fine-tuned model, or the folder of its run"),
        (("{run}", "--share", "1.5"), "the shares are 1.5; expected numbers from 0 (base) to 1 (fine-tuned model)"),
        (("{run}", "--share", "half"), "--share is 'half'; expected numbers from 0 to 1"),
        (("{run}", "--share", "0.3,0.3"), "the shares are 0.3, 0.3; expected each once"),
        (("{run}", "--base", "/no/such/base"), "/no/such/base"),
    ],
)
def test_a_wrong_blend_is_named_before_anything_is_mixed(
    run: Path, tmp_path: Path, given: tuple[str, ...], said: str
) -> None:
    out = tmp_path / "out"
    found = litotes(*(part.format(run=run) for part in given), "--out", str(out), "--no-measure")
    assert isinstance(found.exception, InputError)
    assert said in str(found.exception)
    assert not out.exists()


def test_a_choice_needs_measures_of_both_sorts(run: Path, held: Path, tmp_path: Path) -> None:
    limited = (str(run), "--out", str(tmp_path / "out"), "--max-general-loss", "1")
    found = litotes(*limited, "--measure", f"contrasts:{held}")
    assert isinstance(found.exception, InputError)
    assert "the tasks measure negation. " in str(found.exception)
    assert not (tmp_path / "out").exists()


def test_measuring_nothing_excludes_what_needs_measures(run: Path, tmp_path: Path) -> None:
    common = (str(run), "--out", str(tmp_path / "out"), "--no-measure")
    assert litotes(*common, "--max-general-loss", "1").exit_code == 2
    assert litotes(*common, "--measure", "taxonomy").exit_code == 2
    (tmp_path / "file").write_text("", encoding="utf-8")
    found = litotes(str(run), "--out", str(tmp_path / "file"), "--no-measure")
    assert isinstance(found.exception, InputError)
    assert "is a file; expected a folder" in str(found.exception)


def test_a_run_that_does_not_name_its_base_needs_one(tmp_path: Path) -> None:
    lone = tmp_path / "lone"
    lone.mkdir()
    with pytest.raises(InputError, match="does not say what it was fine-tuned from; name the base"):
        blend(lone, out=tmp_path / "out", measure=())
    (tmp_path / "run.json").write_text("[]", encoding="utf-8")
    with pytest.raises(InputError, match=r"run\.json is not the record of a run .*; name the base"):
        blend(lone, out=tmp_path / "out", measure=())
