"""litotes train --recipe blend: what the shares give, what is left on disk, and what goes wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from litotes.cli.app import app
from litotes.cli.blending import Blending, blending, chosen
from litotes.cli.measuring import tasks_of
from litotes.errors import InputError, require
from litotes.models import load
from litotes.report.reading import read
from tests.model_shelf import quiet
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
        return CliRunner().invoke(app, ["train", "--recipe", "blend", "--device", "cpu", *given])


def vectors(target: str) -> np.ndarray:
    with quiet():
        model: Any = load(f"dense:{target}", device="cpu")
    rows: np.ndarray = model.encode(TEXTS)
    return rows


@pytest.fixture(scope="module")
def swept(run: Path, held: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    out = tmp_path_factory.mktemp("blends") / "out"
    measured = ("--measure", f"contrasts:{held}")
    return out, litotes(str(run), "--out", str(out), "--sweep", "share=0,0.5,1", *measured)


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
    assert set(lines[0]["scores"]) == {"negation.held", "twin cosine"}
    # at 0 nothing is blended: what was measured of the base is measured again
    assert lines[0]["scores"] == lines[0]["before"] == lines[2]["before"]
    assert lines[2]["scores"]["twin cosine"] != lines[0]["scores"]["twin cosine"]
    written = json.loads((out / "sweep.json").read_text(encoding="utf-8"))
    assert (written["sweep"], written["recipe"], written["base"]) == ("share", "blend", base)
    assert written["points"] == lines


def test_the_report_draws_the_blends(swept: tuple[Path, Result], base: str) -> None:
    out, _ = swept
    found = read([out])
    assert found.models == (f"dense:{base}", "share-0", "share-0.5", "share-1")
    assert [len(those) for those in found.twins.values()] == [3] * 4
    (sweep,) = found.sweeps
    assert sweep.numeric
    assert [at for at, _ in sweep.lines["twin cosine"]] == [0, 0.5, 1]
    assert set(sweep.before) == {"negation.held", "twin cosine"}


def test_one_share_is_set_or_left_to_its_default(run: Path, base: str, tmp_path: Path) -> None:
    found = litotes(str(run), "--out", str(tmp_path / "default"), "--no-measure")
    assert json.loads(found.stdout)["name"] == "share-0.3"
    assert not (tmp_path / "default" / "results.json").exists()
    # a model without its run, and a base that is named
    model = str(run / "model")
    found = litotes(model, "--base", base, "--out", str(tmp_path / "set"), "--set", "share=0.2", "--no-measure")
    assert found.exit_code == 0, (found.output, found.exception)
    assert (tmp_path / "set" / "share-0.2" / "model" / "model.safetensors").is_file()
    assert litotes(model, "--out", str(tmp_path / "run"), "--no-measure").exit_code == 0


def test_which_blend_to_take_by_hand(held: Path, tmp_path: Path) -> None:
    job = Blending(tmp_path, "b", [0.2, 0.6], tmp_path, tasks_of([f"contrasts:{held}"], None), max_general_loss=2.0)
    before = {"negation.x": 10.0, "general.y": 80.0}
    mild = {"at": 0.2, "before": before, "scores": {"negation.x": 20.0, "general.y": 79.0}}
    strong = {"at": 0.6, "before": before, "scores": {"negation.x": 40.0, "general.y": 70.0}}
    assert chosen(job, [mild, strong]) == "share 0.2 hears negation best among those that lost at most 2"
    assert chosen(job, [strong]).startswith("every blend lost more than 2 of general ability")
    unlimited = Blending(tmp_path, "b", [0.2], tmp_path, job.tasks)
    assert chosen(unlimited, [mild]) == ""


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            ("{run}", "{run}"),
            "holds neither a tower nor a metric; expected the folder of such a run",
        ),
        (("/no/such/run",), "/no/such/run is no folder; expected a fine-tuned model, or the folder of its run"),
        (("{run}", "--set", "share=1.5"), "from 0 (the base) to 1 (the fine-tuned model); got 'share=1.5'"),
        (("{run}", "--set", "lr=0.1"), "a blend knows share=0.3 alone"),
        (("{run}", "--sweep", "share=half"), "got 'share=half'"),
        (("{run}", "--sweep", "share"), "got 'share'"),
        (("{run}", "--sweep", "share=0.3,0.3"), "the shares are 0.3, 0.3; expected each once"),
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


@pytest.mark.parametrize(
    ("option", "value"), [("replay", "pairs.jsonl"), ("preset", "hedge"), ("config", "run.json"), ("seed", "0")]
)
def test_options_of_training_are_refused(run: Path, tmp_path: Path, option: str, value: str) -> None:
    found = litotes(str(run), "--out", str(tmp_path / "out"), "--no-measure", f"--{option}", value)
    assert found.exit_code == 2
    assert f"--{option} is for recipes that train; a blend only mixes weights" in found.stderr


def test_a_choice_needs_measures_of_both_sorts(run: Path, held: Path, tmp_path: Path) -> None:
    limited = (str(run), "--out", str(tmp_path / "out"), "--max-general-loss", "1")
    found = litotes(*limited, "--measure", f"contrasts:{held}")
    assert isinstance(found.exception, InputError)
    assert "the tasks measure negation alone" in str(found.exception)
    assert not (tmp_path / "out").exists()


def test_measuring_nothing_excludes_what_needs_measures(run: Path, tmp_path: Path) -> None:
    common = (str(run), "--out", str(tmp_path / "out"), "--no-measure")
    assert litotes(*common, "--max-general-loss", "1").exit_code == 2
    assert litotes(*common, "--measure", "taxonomy").exit_code == 2
    (tmp_path / "file").write_text("", encoding="utf-8")
    found = litotes(str(run), "--out", str(tmp_path / "file"), "--no-measure")
    assert isinstance(found.exception, InputError)
    assert "is a file; expected a folder" in str(found.exception)


def test_a_run_that_does_not_say_its_base_is_asked_for_it(run: Path, tmp_path: Path) -> None:
    lone = tmp_path / "lone"
    lone.mkdir()
    with pytest.raises(InputError, match="does not say what it was tuned from; name the base with --base"):
        blending([str(lone)], tmp_path / "out", "", [], [])
    (tmp_path / "run.json").write_text("[]", encoding="utf-8")
    with pytest.raises(InputError, match=r"run\.json is no record of a run .*; name the base with --base"):
        blending([str(lone)], tmp_path / "out", "", [], [])
    found = blending([str(lone)], tmp_path / "out", "minilm", [], [])
    assert (found.tuned, found.base, found.shares) == (lone, "minilm", [0.3])
    assert blending([str(run)], tmp_path / "out", "", [0.1], []).tuned == run / "model"
