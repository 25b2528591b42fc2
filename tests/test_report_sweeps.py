"""Sweeps in the report: read by hand-made files, drawn by number or by name, and left out where there are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from litotes.errors import InputError
from litotes.report import report
from litotes.report.reading import read
from tests.report_results import write_training

BEFORE = {"negation.taxonomy dev": 20.0, "general.mini pairs": 68.0, "twin cosine": 0.9}


def write_sweep(folder: Path, what: str, places: list[Any]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    points = [
        {
            "name": str(at),
            "at": at,
            "before": BEFORE,
            "scores": {
                "negation.taxonomy dev": 20.0 + 5 * step,
                "general.mini pairs": None,
                "twin cosine": 0.9 - step / 10,
            },
        }
        for step, at in enumerate(places)
    ]
    (folder / "sweep.json").write_text(json.dumps({"sweep": what, "points": points}), encoding="utf-8")
    return folder


def test_a_sweep_is_read_a_line_a_measure(tmp_path: Path) -> None:
    (found,) = read([write_sweep(tmp_path / "sizes", "size=10,100", [10, 100])]).sweeps
    assert (found.name, found.what, found.numeric) == ("sizes", "size=10,100", True)
    assert found.lines == {
        "negation.taxonomy dev": [(10, 20.0), (100, 25.0)],
        "twin cosine": [(10, 0.9), (100, 0.8)],
    }
    assert found.before == BEFORE
    (kinds,) = read([write_sweep(tmp_path / "kinds", "kind", ["all", "only verbal"])]).sweeps
    assert not kinds.numeric


def test_shares_and_cosines_have_a_panel_each(tmp_path: Path) -> None:
    folders = [
        write_sweep(tmp_path / "sizes", "size=10,20,100", [10, 20, 100]),
        write_sweep(tmp_path / "kinds", "kind", ["all", "only <b>verbal</b>"]),
    ]
    made = report(folders)
    assert made.drawn == ("sweeps",)
    section = made.html.partition('<section id="sweeps"')[2].partition("</section>")[0]
    assert section.count("<svg") == 4
    for text in ("sizes: by size", "kinds: by kind", "negation.taxonomy dev", "twin cosine", ">100<", ">20<"):
        assert text in section, text
    assert "<b>" not in section
    assert report(folders).html == made.html


def test_a_report_without_a_sweep_does_not_miss_it(tmp_path: Path) -> None:
    made = report([write_training(tmp_path)])
    assert made.drawn == ("curves",)
    assert "sweeps" not in made.missing


def test_a_sweep_in_which_nothing_was_measured_says_so(tmp_path: Path) -> None:
    text = json.dumps({"sweep": "size=1", "points": [{"at": 1, "scores": {}}]})
    (tmp_path / "sweep.json").write_text(text, encoding="utf-8")
    assert report([tmp_path]).drawn == ()


@pytest.mark.parametrize(
    "text", ['{"points": []}', '{"sweep": "size", "points": [{"at": 1}]}', '{"sweep": "s", "points": 3}']
)
def test_a_bad_sweep_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "sweep.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"sweep\.json: .*Expected it as litotes train --sweep writes it"):
        read([tmp_path])


def test_an_epoch_s_scores_are_curves_and_the_clock_is_not(tmp_path: Path) -> None:
    lines = [
        {"step": 2, "loss": 0.5, "lr": 1e-4, "seconds": 3.5},
        {"step": 2, "epoch": 1, "scores": {"negation.taxonomy dev": 30.0, "note": "x"}},
    ]
    (tmp_path / "curves.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    (run,) = read([tmp_path]).curves
    assert run.lines == {"loss": [(2, 0.5)], "lr": [(2, 1e-4)], "negation.taxonomy dev": [(2, 30.0)]}
