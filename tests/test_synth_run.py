"""Test a synthesis run: what it writes, and that interruptions, shards and workers do not change it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from litotes.cli.app import app
from litotes.errors import BudgetError, InputError
from litotes.reporting.data_card import data_card
from litotes.synthesis import (
    Generators,
    SynthesisConfig,
    SynthesisProgress,
    blocks,
    merge_shards,
    planned_requests,
    synthesise,
    synthesise_on_ray,
)
from tests.scripted_model import LAMP, Scripted, lamp_rules


def _source(folder: Path, count: int = 30) -> Path:
    file = folder / "anchors.txt"
    lines = [
        f"The {thing} number {i} is {state}."
        for i in range(count)
        for thing, state in (("lamp", "safe"), ("door", "open"))
    ]
    file.write_text("\n".join([*lines, lines[0]]) + "\n", encoding="utf-8")
    return file


def _config(source: Path, **options: object) -> SynthesisConfig:
    return SynthesisConfig((str(source),), duplicate_threshold=0.0, **options)  # type: ignore[arg-type]


def test_a_run_writes_data_and_a_manifest(tmp_path: Path) -> None:
    steps: list[SynthesisProgress] = []
    out = tmp_path / "out"
    config = _config(_source(tmp_path), types=("triples", "pairs", "instructions", "contrasts"))
    result = synthesise(config, out, progress=steps.append)
    lines = (out / "triples.jsonl").read_text(encoding="utf-8").splitlines()
    made = result.manifest["made"]["triples"]
    assert result.anchors == steps[-1].anchors == 60
    assert result.skipped == {"duplicate of an earlier text": 1}
    assert made["kept"] == len(lines) == sum(made["by negative kind"].values()) == sum(made["distances"].values())
    assert sum(made["words"]["anchor"].values()) == len(lines)
    assert json.loads(lines[0])["anchor"] == "The lamp number 0 is safe."
    assert result.files == tuple(out / f"{name}.jsonl" for name in config.types)
    assert result.counts == steps[-1].counts
    assert result.counts == {path.stem: len(path.read_bytes().splitlines()) for path in result.files}
    assert result.dropped["contrasts"]["all"]["nothing to exclude"] == 60
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    assert manifest == json.loads(json.dumps(result.manifest))
    assert manifest["versions"]["litotes"]
    assert not (out / "blocks").exists()


def test_the_data_card_is_read_by_people_and_by_datasets(tmp_path: Path) -> None:
    import datasets

    for form in ("jsonl", "parquet"):
        out = tmp_path / form
        result = synthesise(_config(_source(tmp_path, 4), types=("triples", "pairs"), format=form), out)
        card = data_card(result.manifest, out).read_text(encoding="utf-8")
        assert "falsify" in card
        assert f"{result.counts['triples']:,} triples" in card
        for line in card.splitlines():
            if line.startswith("!["):
                assert (out / line.partition("](")[2].rstrip(")")).stat().st_size > 1000
        rows = datasets.load_dataset(str(out), "triples", split="train", cache_dir=str(tmp_path / "cache"))
        assert len(rows) == result.counts["triples"]
        assert len(rows[0]["cues"]) == 2
        assert all(path.is_file() for path in result.files)


def test_a_run_that_makes_nothing_has_a_data_card(tmp_path: Path) -> None:
    file = tmp_path / "none.txt"
    file.write_text("Hm.\n\n", encoding="utf-8")
    for form in ("jsonl", "parquet"):
        result = synthesise(_config(file, format=form, rejects=True), tmp_path / form)
        assert result.counts == {"triples": 0}
        assert "0 triples" in data_card(result.manifest, tmp_path / form).read_text(encoding="utf-8")


def test_a_run_is_not_overwritten(tmp_path: Path) -> None:
    config = _config(_source(tmp_path, 2))
    synthesise(config, tmp_path / "out")
    before = (tmp_path / "out" / "triples.jsonl").read_bytes()
    with pytest.raises(InputError, match="resume it with --resume"):
        synthesise(config, tmp_path / "out")
    with pytest.raises(InputError, match="another configuration"):
        synthesise(replace(config, seed=1), tmp_path / "out", resume=True)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "precious").write_text("x", encoding="utf-8")
    with pytest.raises(InputError, match="is not empty and has no run to resume"):
        synthesise(config, tmp_path / "other")
    synthesise(config, tmp_path / "out", resume=True)
    assert (tmp_path / "out" / "triples.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"types": ("poems",)}, "types are poems; expected one or more of triples, contrasts"),
        ({"types": ()}, "types are empty"),
        ({"shard": (2, 2)}, "from 0 to 1"),
        ({"format": "xml"}, "format is 'xml'; expected jsonl or parquet"),
        ({"draw": 5, "sources": ("-",)}, "read once"),
        ({"limit": -1}, "limit is -1"),
    ],
)
def test_invalid_configurations(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        SynthesisConfig(**{"sources": ("x",), **options})  # type: ignore[arg-type]


def test_a_draw_and_a_benchmark_skip_anchors(tmp_path: Path) -> None:
    source = _source(tmp_path, 20)
    benchmark = tmp_path / "benchmark.jsonl"
    benchmark.write_text(json.dumps({"q1": "the lamp number 3 is safe"}) + "\n", encoding="utf-8")
    result = synthesise(_config(source, draw=10, against=(str(benchmark),)), tmp_path / "out")
    assert result.anchors == 10
    # 41 lines: one is a duplicate, one is in the benchmark.
    assert result.skipped == {"duplicate of an earlier text": 1, "not drawn": 29, "occurs in the given set": 1}


def test_shards_are_merged_into_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "RULE_BLOCK", 20)
    config = _config(_source(tmp_path, 15), types=("pairs",), limit=25)
    synthesise(config, tmp_path / "whole")
    shards = [tmp_path / "shards" / str(part) for part in range(2)]
    for part, out in enumerate(shards):
        result = synthesise(replace(config, shard=(part, 2)), out)
        assert (result.anchors, result.manifest, result.files) == ((20, 5)[part], {}, ())
    with pytest.raises(InputError, match="missing: 1/2"):
        merge_shards(shards[:1], tmp_path / "merged")
    merge_shards(shards[::-1], tmp_path / "merged")
    for name in ("pairs.jsonl", "manifest.json"):
        assert (tmp_path / "merged" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    with pytest.raises(InputError, match="has no run"):
        merge_shards([tmp_path], tmp_path / "nothing")


def test_a_model_makes_triples_in_a_run_and_its_requests_are_known_before(tmp_path: Path) -> None:
    file = tmp_path / "lamp.txt"
    file.write_text(LAMP + "\n", encoding="utf-8")
    config = _config(file, generator="scripted", rejects=True)
    assert len(list(planned_requests(config))) == 2
    result = synthesise(config, tmp_path / "out", generators=Generators(Scripted(lamp_rules()), 2))
    assert result.counts["triples"] > 0
    assert result.manifest["config"]["generator"] == "scripted"


class _OutOfBudget:
    """A model whose budget is exhausted."""

    def generate(self, system: str, prompt: str) -> str:
        raise BudgetError("the cap of 1 token is reached")


def test_a_run_that_was_stopped_by_its_budget_resumes(tmp_path: Path) -> None:
    file = tmp_path / "lamp.txt"
    file.write_text(LAMP + "\n", encoding="utf-8")
    config = _config(file, generator="scripted")
    with pytest.raises(BudgetError):
        synthesise(config, tmp_path / "out", generators=Generators(_OutOfBudget()))
    generators = Generators(Scripted(lamp_rules()))
    assert synthesise(config, tmp_path / "out", generators=generators, resume=True).counts["triples"] > 0


KILLED_AFTER_A_BLOCK = """
import json, os, signal, sys
from pathlib import Path
from litotes.synthesis import SynthesisConfig, blocks, synthesise
blocks.RULE_BLOCK = 20
options = json.loads(sys.argv[1])
config = SynthesisConfig(**{k: tuple(v) if isinstance(v, list) else v for k, v in options.items()})
synthesise(config, Path(sys.argv[2]), progress=lambda _: os.kill(os.getpid(), signal.SIGKILL))
"""


def test_a_killed_run_resumes_without_losing_or_repeating_a_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "RULE_BLOCK", 20)
    config = _config(_source(tmp_path, 21))
    whole = synthesise(config, tmp_path / "whole")
    command = [sys.executable, "-c", KILLED_AFTER_A_BLOCK, json.dumps(asdict(config)), str(tmp_path / "killed")]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    folder = tmp_path / "killed" / "blocks"
    assert [path.name for path in folder.iterdir()] == ["000000.json"]
    finished = _written(folder / "000000.json")
    # The second block is damaged, as after a power cut, and the third is missing.
    (folder / "000001.json").write_text('{"anchors": 20, "lines"', encoding="utf-8")
    steps: list[SynthesisProgress] = []

    def check(step: SynthesisProgress) -> None:
        steps.append(step)
        assert _written(folder / "000000.json") == finished

    resumed = synthesise(config, tmp_path / "killed", resume=True, progress=check)
    assert [step.anchors for step in steps] == [20, 40, 42]
    assert resumed.manifest == whole.manifest
    assert (tmp_path / "killed" / "triples.jsonl").read_bytes() == (tmp_path / "whole" / "triples.jsonl").read_bytes()


def _written(path: Path) -> tuple[int, int]:
    """Return which file it is and when it was written. Reading it may change the time of its last access."""
    found = path.stat()
    return found.st_ino, found.st_mtime_ns


@pytest.mark.slow
def test_workers_and_a_ray_cluster_give_the_same_bytes(tmp_path: Path) -> None:
    config = _config(_source(tmp_path, 60))
    for workers in (1, 2):
        synthesise(config, tmp_path / str(workers), workers=workers)
    steps: list[SynthesisProgress] = []
    synthesise_on_ray(config, tmp_path / "ray", shards=2, progress=steps.append)
    assert steps[-1].anchors == 120
    for name in ("triples.jsonl", "manifest.json"):
        one, two, three = ((tmp_path / run / name).read_bytes() for run in ("1", "2", "ray"))
        assert one == two == three


@pytest.mark.slow
@pytest.mark.usefixtures("named_local_llm")
def test_the_local_model_makes_triples_from_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "one.txt"
    file.write_text("The museum is open today.\n", encoding="utf-8")
    for out in ("first", "second"):
        options = ["--generator", "llm", "--model", "local", "--concurrency", "1", "--cache", str(tmp_path / "answers")]
        result = CliRunner().invoke(app, ["synth", str(file), "--out", str(tmp_path / out), *options])
        assert result.exit_code == 0, result.output
        made = json.loads(result.stdout)["made"]["triples"]
        # The answers of such a small model are rarely kept; each is either kept or dropped with a reason.
        assert made["kept"] + sum(sum(reasons.values()) for reasons in made["dropped"].values()) > 0
    assert (tmp_path / "first" / "triples.jsonl").read_bytes() == (tmp_path / "second" / "triples.jsonl").read_bytes()
