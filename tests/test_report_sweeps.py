"""Test sweeps in the report: how they are read, drawn by number or by name, and omitted if there are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from litotes.errors import InputError
from litotes.reporting import report
from litotes.reporting.report_data import read_folders
from tests.report_results import write_training

BEFORE = {"negation.taxonomy dev": 20.0, "general.mini pairs": 68.0, "minimal-pair cosine": 0.9}


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
                "minimal-pair cosine": 0.9 - step / 10,
            },
        }
        for step, at in enumerate(places)
    ]
    (folder / "sweep.json").write_text(json.dumps({"sweep": what, "points": points}), encoding="utf-8")
    return folder


def test_sweep_has_one_line_per_measure(tmp_path: Path) -> None:
    (sizes,) = read_folders([write_sweep(tmp_path / "sizes", "size=10,100", [10, 100])]).sweeps
    assert (sizes.name, sizes.what, sizes.numeric) == ("sizes", "size=10,100", True)
    assert sizes.lines == {
        "negation.taxonomy dev": [(10, 20.0), (100, 25.0)],
        "minimal-pair cosine": [(10, 0.9), (100, 0.8)],
    }
    assert sizes.before == BEFORE
    (kinds,) = read_folders([write_sweep(tmp_path / "kinds", "kind", ["all", "only verbal"])]).sweeps
    assert not kinds.numeric


def test_percentages_and_cosines_have_separate_panels(tmp_path: Path) -> None:
    folders = [
        write_sweep(tmp_path / "sizes", "size=10,20,100", [10, 20, 100]),
        write_sweep(tmp_path / "kinds", "kind", ["all", "only <b>verbal</b>"]),
    ]
    page = report(folders)
    assert page.drawn == ("sweeps",)
    section = page.html.partition('<section id="sweeps"')[2].partition("</section>")[0]
    assert section.count("<svg") == 4
    for text in ("sizes: by size", "kinds: by kind", "negation.taxonomy dev", "minimal-pair cosine", ">100<", ">20<"):
        assert text in section, text
    assert "<b>" not in section
    assert report(folders).html == page.html


def test_sweeps_are_not_listed_as_missing_without_a_sweep(tmp_path: Path) -> None:
    page = report([write_training(tmp_path)])
    assert page.drawn == ("curves",)
    assert "sweeps" not in page.missing


def test_sweep_without_measurements_is_not_drawn(tmp_path: Path) -> None:
    text = json.dumps({"sweep": "size=1", "points": [{"at": 1, "scores": {}}]})
    (tmp_path / "sweep.json").write_text(text, encoding="utf-8")
    assert report([tmp_path]).drawn == ()


@pytest.mark.parametrize(
    "text", ['{"points": []}', '{"sweep": "size", "points": [{"at": 1}]}', '{"sweep": "s", "points": 3}']
)
def test_malformed_sweep_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "sweep.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"sweep\.json: .*expected a sweep as litotes train --sweep writes it"):
        read_folders([tmp_path])


def test_scores_of_an_epoch_are_curves_but_seconds_are_not(tmp_path: Path) -> None:
    lines = [
        {"step": 2, "loss": 0.5, "lr": 1e-4, "seconds": 3.5},
        {"step": 2, "epoch": 1, "scores": {"negation.taxonomy dev": 30.0, "note": "x"}},
    ]
    (tmp_path / "curves.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    (run,) = read_folders([tmp_path]).curves
    assert run.lines == {"loss": [(2, 0.5)], "lr": [(2, 1e-4)], "negation.taxonomy dev": [(2, 30.0)]}
