"""litotes train: small real runs on MiniLM, measured before and after; a run cut short; a sweep; what goes wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from litotes.cli.app import app, main
from litotes.errors import InputError
from litotes.evaluation import score_name
from litotes.reporting.report_data import read_folders
from litotes.workflows.evaluator import Evaluator, tasks_to_measure
from tests.family_models import quiet

THINGS = ("bridge", "library", "pool", "museum", "market", "chapel")
STATES = ("open", "crowded")
QUICK = ("shared_layers=5", "own_layers=1", "batch=8", "max_tokens=16", "lr=1e-3", "default_w=0.2")


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """24 triples, half of them with a claim for their anchor; and four contrasts on things they do not name."""
    folder = tmp_path_factory.mktemp("data")
    rows = []
    for thing in THINGS:
        for state in STATES:
            claim, denial = f"The {thing} is {state}.", f"The {thing} is not {state}."
            kinds = {"positive_kind": "equivalent", "negative_kind": "verbal"}
            rows.append(
                {"anchor": claim, "positive": f"Everybody calls the {thing} {state}.", "negative": denial} | kinds
            )
            kinds = {"positive_kind": "word", "negative_kind": "absolute"}
            rows.append(
                {"anchor": denial, "positive": f"Nobody would call the {thing} {state}.", "negative": claim} | kinds
            )
    write(folder / "triples.jsonl", rows)
    held = [
        {
            "id": thing,
            "q1": f"Which {thing} is clean?",
            "q2": f"Which {thing} is not clean?",
            "doc1": f"The {thing} is clean.",
            "doc2": f"The {thing} is not clean.",
        }
        for thing in ("airport", "bakery", "castle", "station")
    ]
    write(folder / "held.jsonl", held)
    return folder


def arguments(data: Path, out: Path, *more: str) -> list[str]:
    settings = [part for setting in QUICK for part in ("--set", setting)]
    measured = ["--measure", f"contrasts:{data / 'held.jsonl'}", "--device", "cpu"]
    return ["train", str(data / "triples.jsonl"), "--out", str(out), *settings, *measured, *more]


def litotes(*given: str) -> Result:
    with quiet():
        return CliRunner().invoke(app, given)


@pytest.fixture(scope="module")
def done(data: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    out = tmp_path_factory.mktemp("runs") / "first"
    return out, litotes(*arguments(data, out, "--set", "epochs=2"))


def test_a_run_leaves_all_that_is_needed_to_know_it(done: tuple[Path, Result]) -> None:
    out, result = done
    assert result.exit_code == 0, result.output
    said = json.loads(result.stdout)
    assert said["model"] == f"dense:{out / 'tower'}"
    assert (said["examples"], said["steps"]) == (24, 6)
    assert set(said["before"]) == set(said["scores"]) == {"negation.held", "minimal-pair cosine"}
    assert 0.8 < said["before"]["minimal-pair cosine"] < 1
    assert said["scores"]["minimal-pair cosine"] < said["before"]["minimal-pair cosine"]
    run = json.loads((out / "run.json").read_text(encoding="utf-8"))
    assert run["settings"]["epochs"] == 2
    assert run["files"][0]["used"] == 24
    card = (out / "README.md").read_text(encoding="utf-8")
    assert f"| minimal-pair cosine | 4 | {said['before']['minimal-pair cosine']:.3f} (" in card
    assert "triples.jsonl" in card
    assert (out / "tower" / "tower.json").is_file()


def test_the_report_draws_a_run(done: tuple[Path, Result]) -> None:
    out, _ = done
    found = read_folders([out])
    assert found.models == ("dense:minilm", f"dense:{out / 'tower'}")
    assert [len(those) for those in found.minimal_pairs.values()] == [4, 4]
    (curves,) = found.curves
    assert set(curves.lines) == {"loss", "lr", "negation.held", "minimal-pair cosine"}
    assert curves.lines["minimal-pair cosine"][-1][0] == 6


def test_the_same_command_again_finds_all_done(done: tuple[Path, Result], data: Path) -> None:
    out, result = done
    kept = (out / "curves.jsonl").read_bytes()
    again = litotes(*arguments(data, out, "--set", "epochs=2"))
    assert again.stdout == result.stdout
    assert (out / "curves.jsonl").read_bytes() == kept
    other = litotes(*arguments(data, out, "--set", "epochs=3"))
    assert isinstance(other.exception, InputError)
    assert "holds a run with other settings" in str(other.exception)


def test_what_recipes_choose_by_has_its_group_in_its_name(data: Path) -> None:
    shipped = tasks_to_measure([], None)
    assert [score_name(task) for task in shipped] == [
        "negation.taxonomy dev",
        "general.mini retrieval",
        "general.mini pairs",
    ]
    (held,) = tasks_to_measure([f"contrasts:{data / 'held.jsonl'}"], None)
    assert score_name(held) == "negation.held"
    assert Evaluator([held], "dense", "mine").minimal_pair_measure == "minimal-pair cosine"
    assert Evaluator([held], "cross", "mine").minimal_pair_measure == "minimal-pair margin"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--set", "epoch=2"), r"no setting 'epoch'. Did you mean 'epochs'?"),
        (("--set", "lr=fast"), "lr is 'fast'; expected a number"),
        (("--set", "lr"), "is not a setting"),
        (("--base", "/no/such/model"), "/no/such/model"),
        (("--replay", "/no/such/file"), "there is no file"),
        (("--sweep", "colour=red"), "there is no sweep over 'colour'"),
        (("--measure", "weather"), "there is no task 'weather'"),
        (("--recipe", "finetune", "--preset", "none"), "there is no preset 'none'; expected hedge"),
    ],
)
def test_a_wrong_option_is_named_before_anything_is_trained(
    data: Path, tmp_path: Path, more: tuple[str, ...], said: str
) -> None:
    out = tmp_path / "run"
    found = litotes("train", str(data / "triples.jsonl"), "--out", str(out), *more)
    assert found.exit_code == 1
    assert said in str(found.exception)
    assert not (out / "run.json").exists()


def test_options_that_exclude_each_other(data: Path, tmp_path: Path) -> None:
    common = ("train", str(data / "triples.jsonl"), "--out", str(tmp_path))
    assert litotes(*common, "--no-measure", "--max-general-loss", "1").exit_code == 2
    assert litotes(*common, "--preset", "hedge").exit_code == 2
    assert litotes("train", "--out", str(tmp_path)).exit_code == 2


def test_a_malformed_line_is_named(tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"anchor": "a", "positive": "b", "negative": "c"}\n{"anchor": 7}\n', encoding="utf-8")
    found = litotes("train", str(bad), "--out", str(tmp_path / "run"))
    assert isinstance(found.exception, InputError)
    assert f"{bad}, line 2: expected the texts anchor" in str(found.exception)
    found = litotes("train", str(bad), "--out", str(bad))
    assert "is a file; expected a folder" in str(found.exception)


@pytest.mark.slow
def test_a_sweep_is_a_run_a_point_and_none_is_run_twice(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "sizes"
    first = litotes(*arguments(data, out, "--sweep", "size=8"))
    assert first.exit_code == 0, first.output
    stood = (out / "size-8" / "run.json").stat().st_mtime_ns
    both = litotes(*arguments(data, out, "--sweep", "size=8,16"))
    points = [json.loads(line) for line in both.stdout.splitlines()]
    assert [(point["name"], point["examples"], point["steps"]) for point in points] == [
        ("size-8", 8, 1),
        ("size-16", 16, 2),
    ]
    assert points[0] == json.loads(first.stdout)
    assert (out / "size-8" / "run.json").stat().st_mtime_ns == stood
    found = read_folders([out])
    assert found.models == ("dense:minilm", "size-8", "size-16")
    (sweep,) = found.sweeps
    assert [at for at, _ in sweep.lines["minimal-pair cosine"]] == [8, 16]
    assert set(sweep.before) == {"negation.held", "minimal-pair cosine"}
    other = litotes(*arguments(data, out, "--sweep", "size=8", "--set", "lr=2e-3"))
    assert "point size-8: " in str(other.exception)
    assert "holds a run with other settings" in str(other.exception)


@pytest.mark.slow
def test_ctrl_c_says_how_to_resume_and_the_same_command_does(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    epochs = iter(range(1, 9))

    def interrupted(self: Evaluator, model: Any) -> dict[str, float]:
        if next(epochs) == 2:
            raise KeyboardInterrupt
        return {"negation.held": 0.5}

    with monkeypatch.context() as patched:
        patched.setattr(Evaluator, "__call__", interrupted)
        patched.setattr("sys.argv", ["litotes", *arguments(data, out, "--set", "epochs=3")])
        with quiet(), pytest.raises(SystemExit) as ended:
            main()
    assert ended.value.code == 130
    assert f"{out} has the last checkpoint. Run the same command again to resume from it" in capsys.readouterr().err
    # the checkpoint of the first epoch, whose three steps are not taken again
    (checkpoint,) = (out / "checkpoints").iterdir()
    assert checkpoint.name == "checkpoint-3"
    again = litotes(*arguments(data, out, "--set", "epochs=3"))
    assert again.exit_code == 0, again.output
    lines = [json.loads(line) for line in (out / "curves.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["epoch"] for line in lines if "epoch" in line] == [1, 2, 3]
    assert [line["scores"]["negation.held"] == 0.5 for line in lines if "epoch" in line] == [True, False, False]


@pytest.mark.slow
def test_the_whole_encoder_is_tuned_by_the_same_command(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "tuned"
    common = ["train", str(data / "triples.jsonl"), "--recipe", "finetune", "--out", str(out), "--device", "cpu"]
    measured = ["--measure", f"contrasts:{data / 'held.jsonl'}", "--table"]
    found = litotes(*common, *measured, "--set", "batch=12", "--set", "max_tokens=16", "--set", "lr=1e-4")
    assert found.exit_code == 0, found.output
    assert "before" in found.output
    assert "dial" not in (out / "README.md").read_text(encoding="utf-8")
    assert (out / "model" / "model.safetensors").is_file()
