"""Training with two processes on a CPU, by torchrun."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from litotes.errors import require
from litotes.models import load
from litotes.training import Example, TowerTraining, train_tower
from litotes.training.pair import PairTraining, train_pair
from litotes.training.recipes import recipe_of
from tests.conftest import REPOSITORY
from tests.family_models import quiet
from tests.small_base import small_base
from tests.small_rankers import LESSONS, MAKERS
from tests.small_rankers import REPLAY as RANKER_REPLAY

THINGS = ["bridge", "library", "pool", "museum", "market", "chapel", "harbour"]
EXAMPLES = [
    example
    for thing in THINGS
    for example in (
        Example(f"The {thing} is not open.", f"Nobody calls the {thing} open today.", (f"The {thing} is open.",)),
        Example(f"The {thing} is open.", f"Everybody calls the {thing} open.", (f"The {thing} is not open.",)),
    )
]
REPLAY = [Example(f"Where is the {thing}?", f"The {thing} is by the river.") for thing in THINGS]
SHAPE: dict[str, Any] = {"shared_layers": 0, "own_layers": 1, "epochs": 2, "lr": 1e-3}
TOWER = TowerTraining(
    batch=3, replay_batch=2, max_tokens=16, distance_weight=1.0, unrelated_weight=1.0, width=16, **SHAPE
)
PAIR = PairTraining(rank=2, batch=4, max_tokens=24, lr=1e-3, mirror_weight=0.5)
LABELLED = [Example(f"Open the {thing}", f"Close the {thing}", label="opposite") for thing in THINGS[:3]]
"""With the others 17 examples: of three batches of eight, the last one has nothing for the second process."""
SCRIPT = """
import sys
from pathlib import Path
from tests import test_train_processes as run

home = Path(sys.argv[1])
run.train_on_frozen_base(home, home / "two", processes=1)
run.train_rankers(home)
run.check_gradient_of_gathered_rows()
"""


def train_on_frozen_base(home: Path, out: Path, *, processes: int) -> None:
    """Train a tower and a pair model with the batch of so many processes together."""
    base = str(home / "base")
    tower = replace(TOWER, base=base, batch=TOWER.batch * processes, replay_batch=TOWER.replay_batch * processes)
    pair = replace(PAIR, base=base, batch=PAIR.batch * processes)
    # A line of the curves and a checkpoint per step.
    options: Any = {"device": "cpu", "checkpoint_every": 1}
    with quiet():
        train_tower(tower, EXAMPLES, replay=REPLAY, out=out / "tower", **options)
        train_pair(pair, [*EXAMPLES, *LABELLED], out=out / "pair", **options)


def train_rankers(home: Path) -> None:
    """Train a ranker of each family; print its steps and the sum of its weights."""
    for family in MAKERS:
        recipe = recipe_of(family)
        config = recipe.config()(base=str(home / family / "model"), batch=4, replay_batch=2, epochs=2, max_tokens=32)
        with quiet():
            trained = recipe.train()(
                config, LESSONS[:20], replay=RANKER_REPLAY, out=home / "rankers" / family, device="cpu"
            )
        total = sum(float(value.detach().abs().sum()) for value in trained.model.model.parameters())
        # One write per line, because two processes print.
        sys.stdout.write(f"{family} {trained.steps} {total}\n")
        sys.stdout.flush()


def check_gradient_of_gathered_rows() -> None:
    """The averaged gradients of two processes are those of one; Adam would hide a constant factor."""
    from torch import distributed

    from litotes.training.frozen_base import gather_rows, process_share

    torch = require("torch")
    weight = torch.tensor(2.0, requires_grad=True)
    # The loss is (w + 2w + 3w)² = 36w²; its derivative at 2 is 144. The second process's share has a row to spare.
    rows = gather_rows(torch.tensor(process_share([1.0, 2.0, 3.0])) * weight, 3)
    (rows.sum() ** 2).backward()  # type: ignore[no-untyped-call]
    distributed.all_reduce(weight.grad)
    assert weight.grad / distributed.get_world_size() == 144
    assert process_share([5]) == [5]


def base_without_dropout(folder: Path) -> None:
    """Make a small base whose training draws no random numbers, which two processes would draw differently."""
    small_base(folder)
    path = folder / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    dropout = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    path.write_text(json.dumps(config | dropout), encoding="utf-8")


def curves(folder: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in (folder / "curves.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def two_processes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The folder in which two processes trained every recipe, and the lines they printed."""
    home = tmp_path_factory.mktemp("processes")
    base_without_dropout(home / "base")
    with quiet():
        for family, make in MAKERS.items():
            make(home / family)
    (home / "script.py").write_text(SCRIPT, encoding="utf-8")
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    finished = subprocess.run(
        [*command, str(home / "script.py"), str(home)],
        env=os.environ | {"PYTHONPATH": f"{REPOSITORY / 'src'}:{REPOSITORY}", "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr[-2000:]
    return home, finished.stdout.splitlines()


@pytest.mark.slow
def test_models_on_a_frozen_base_train_as_one_process_with_twice_the_batch(
    two_processes: tuple[Path, list[str]],
) -> None:
    home, _ = two_processes
    train_on_frozen_base(home, home / "one", processes=2)
    for recipe in ("tower", "pair"):
        one, two = (curves(home / name / recipe) for name in ("one", "two"))
        assert [line["step"] for line in two] == [line["step"] for line in one] == list(range(1, len(one) + 1))
        assert [line["loss"] for line in two] == pytest.approx([line["loss"] for line in one], rel=1e-5)


@pytest.mark.slow
def test_a_ranker_ends_with_the_same_weights_in_both_processes(two_processes: tuple[Path, list[str]]) -> None:
    home, lines = two_processes
    printed = sorted(line for line in lines if line.split(" ")[0] in MAKERS)
    # Five batches per epoch are two per process: the odd one is left out.
    assert [line.split()[:2] for line in printed] == [[family, "4"] for family in sorted([*MAKERS, *MAKERS])]
    assert printed[::2] == printed[1::2]
    for family in MAKERS:
        load(f"{family}:{home / 'rankers' / family / 'model'}", device="cpu")
