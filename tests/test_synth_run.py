"""A synthesis run: what it writes, and that it may be killed, cut and spread without a trace."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from litotes.errors import BudgetError, InputError
from litotes.report.data_card import data_card
from litotes.synth import Config, Hands, Progress, merge, on_ray, synthesise
from litotes.synth.blocks import requests
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


def _config(source: Path, **more: object) -> Config:
    return Config((str(source),), near=0.0, **more)  # type: ignore[arg-type]


def test_a_run_writes_data_and_a_manifest(tmp_path: Path) -> None:
    steps: list[Progress] = []
    config = _config(_source(tmp_path), make=("triples", "pairs", "instructions", "contrasts"))
    manifest = synthesise(config, tmp_path / "out", watch=steps.append)
    lines = (tmp_path / "out" / "triples.jsonl").read_text(encoding="utf-8").splitlines()
    made = manifest["made"]["triples"]
    assert manifest["anchors"] == steps[-1].anchors == 60
    assert manifest["not taken"] == {"duplicate of an earlier text": 1}
    assert made["kept"] == len(lines) == sum(made["by negative kind"].values()) == sum(made["distances"].values())
    assert sum(made["words"]["anchor"].values()) == len(lines)
    assert json.loads(lines[0])["anchor"] == "The lamp number 0 is safe."
    for make in ("pairs", "instructions"):
        assert manifest["made"][make]["kept"] == len((tmp_path / "out" / f"{make}.jsonl").read_bytes().splitlines())
    assert json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))["versions"]["litotes"]
    assert not (tmp_path / "out" / "blocks").exists()


def test_the_card_is_for_people_and_for_datasets(tmp_path: Path) -> None:
    import datasets

    for form in ("jsonl", "parquet"):
        out = tmp_path / form
        manifest = synthesise(_config(_source(tmp_path, 4), make=("triples", "pairs"), format=form), out)
        card = data_card(manifest, out).read_text(encoding="utf-8")
        assert "forge" in card
        assert f"{manifest['made']['triples']['kept']:,} triples" in card
        for line in card.splitlines():
            if line.startswith("!["):
                assert (out / line.partition("](")[2].rstrip(")")).stat().st_size > 1000
        found = datasets.load_dataset(str(out), "triples", split="train", cache_dir=str(tmp_path / "cache"))
        assert len(found) == manifest["made"]["triples"]["kept"]
        assert len(found[0]["cues"]) == 2


def test_a_run_without_anything_to_make_still_says_so(tmp_path: Path) -> None:
    file = tmp_path / "none.txt"
    file.write_text("Hm.\n\n", encoding="utf-8")
    for form in ("jsonl", "parquet"):
        manifest = synthesise(_config(file, format=form, rejects=True), tmp_path / form)
        assert manifest["made"]["triples"]["kept"] == 0
        assert "0 triples" in data_card(manifest, tmp_path / form).read_text(encoding="utf-8")


def test_a_run_is_not_overwritten(tmp_path: Path) -> None:
    config = _config(_source(tmp_path, 2))
    synthesise(config, tmp_path / "out")
    before = (tmp_path / "out" / "triples.jsonl").read_bytes()
    with pytest.raises(InputError, match="go on with --resume"):
        synthesise(config, tmp_path / "out")
    with pytest.raises(InputError, match="another configuration"):
        synthesise(replace(config, seed=1), tmp_path / "out", resume=True)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "precious").write_text("x", encoding="utf-8")
    with pytest.raises(InputError, match="holds no run"):
        synthesise(config, tmp_path / "other")
    synthesise(config, tmp_path / "out", resume=True)
    assert (tmp_path / "out" / "triples.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"make": ("poems",)}, "cannot make poems"),
        ({"make": ()}, "cannot make nothing"),
        ({"shard": (2, 2)}, "from 0 to 1"),
        ({"format": "xml"}, "no format 'xml'"),
        ({"draw": 5, "sources": ("-",)}, "read once"),
        ({"limit": -1}, "limit is -1"),
    ],
)
def test_impossible_configurations(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Config(**{"sources": ("x",), **options})  # type: ignore[arg-type]


def test_a_draw_and_a_benchmark_leave_anchors_out(tmp_path: Path) -> None:
    source = _source(tmp_path, 20)
    benchmark = tmp_path / "benchmark.jsonl"
    benchmark.write_text(json.dumps({"q1": "the lamp number 3 is safe"}) + "\n", encoding="utf-8")
    manifest = synthesise(_config(source, draw=10, against=(str(benchmark),)), tmp_path / "out")
    assert manifest["anchors"] == 10
    # 41 lines, one of them twice, one of them in the benchmark
    assert manifest["not taken"] == {
        "duplicate of an earlier text": 1,
        "not drawn": 29,
        "stands in the given set": 1,
    }


def test_shards_are_merged_into_the_same_bytes(tmp_path: Path) -> None:
    config = _config(_source(tmp_path, 250), make=("pairs",), limit=450)
    synthesise(config, tmp_path / "whole")
    shards = [tmp_path / "shards" / str(part) for part in range(2)]
    for part, out in enumerate(shards):
        synthesise(replace(config, shard=(part, 2)), out)
    with pytest.raises(InputError, match="missing: 1/2"):
        merge(shards[:1], tmp_path / "merged")
    merge(shards[::-1], tmp_path / "merged")
    for name in ("pairs.jsonl", "manifest.json"):
        assert (tmp_path / "merged" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    with pytest.raises(InputError, match="holds no run"):
        merge([tmp_path], tmp_path / "nothing")


def test_a_model_makes_triples_in_a_run_and_its_requests_are_known_before(tmp_path: Path) -> None:
    file = tmp_path / "lamp.txt"
    file.write_text(LAMP + "\n", encoding="utf-8")
    config = _config(file, generator="scripted", rejects=True)
    assert len(list(requests(config))) == 2
    manifest = synthesise(config, tmp_path / "out", hands=Hands(Scripted(lamp_rules()), 2))
    assert manifest["made"]["triples"]["kept"] > 0
    assert manifest["config"]["generator"] == "scripted"


class _Broke:
    """A model whose money runs out."""

    def generate(self, system: str, prompt: str) -> str:
        raise BudgetError("the cap of 1 token is reached")


def test_a_run_that_was_stopped_by_its_budget_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "lamp.txt"
    file.write_text(LAMP + "\n", encoding="utf-8")
    config = _config(file, generator="scripted")
    with pytest.raises(BudgetError):
        synthesise(config, tmp_path / "out", hands=Hands(_Broke()))
    done = synthesise(config, tmp_path / "out", hands=Hands(Scripted(lamp_rules())), resume=True)
    assert done["made"]["triples"]["kept"] > 0


COMMAND = "from litotes.cli import main; main()"


def _run(source: Path, out: Path, *more: str) -> subprocess.Popen[str]:
    arguments = ["synth", str(source), "--near", "0", "--out", str(out), *more]
    return subprocess.Popen([sys.executable, "-c", COMMAND, *arguments], stdout=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_a_killed_run_goes_on_with_nothing_lost_and_nothing_twice(tmp_path: Path) -> None:
    source = _source(tmp_path, 300)
    started = time.monotonic()
    assert _run(source, tmp_path / "whole").wait() == 0
    took = time.monotonic() - started
    draw = random.Random(0)
    done, kills = False, 0
    while not done and kills < 6:
        begun = (tmp_path / "killed" / "config.json").exists()
        process = _run(source, tmp_path / "killed", *(["--resume"] if begun else []))
        # in the midst of the work, however fast the machine is
        time.sleep(took * (0.4 + 0.4 * draw.random()))
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
        else:
            done = process.returncode == 0
    if not done:
        assert _run(source, tmp_path / "killed", "--resume").wait() == 0
    assert kills > 0
    assert (tmp_path / "killed" / "triples.jsonl").read_bytes() == (tmp_path / "whole" / "triples.jsonl").read_bytes()


@pytest.mark.slow
def test_workers_and_a_ray_cluster_give_the_same_bytes(tmp_path: Path) -> None:
    source = _source(tmp_path, 150)
    for name, more in (("one", []), ("two", ["--workers", "2"])):
        assert _run(source, tmp_path / name, *more).wait() == 0
    config = _config(source)
    steps: list[Progress] = []
    on_ray(config, tmp_path / "ray", shards=3, watch=steps.append)
    assert steps[-1].anchors == 300
    for name in ("triples.jsonl", "manifest.json"):
        one, two, three = ((tmp_path / run / name).read_bytes() for run in ("one", "two", "ray"))
        assert one == two == three


@pytest.mark.slow
def test_the_local_model_is_asked_from_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "one.txt"
    file.write_text("The museum is open today.\n", encoding="utf-8")
    for out in ("first", "second"):
        more = ["--generator", "llm", "--model", "local", "--concurrency", "1", "--cache", str(tmp_path / "answers")]
        process = _run(file, tmp_path / out, *more)
        printed, _ = process.communicate(timeout=900)
        assert process.returncode == 0
        made = json.loads(printed)["made"]["triples"]
        # what a model this small says is seldom kept; every answer is either kept or dropped with a reason
        assert made["kept"] + sum(sum(reasons.values()) for reasons in made["dropped"].values()) > 0
    assert (tmp_path / "first" / "triples.jsonl").read_bytes() == (tmp_path / "second" / "triples.jsonl").read_bytes()
