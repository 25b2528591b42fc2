"""Test `litotes dial fit`: both procedures, the curve, and the file that litotes.beside reads."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from click.testing import CliRunner

import litotes
from litotes.cli.app import app
from litotes.errors import InputError
from litotes.models import Polarity, TowerShape
from litotes.workflows import DialFit, fit_dial
from litotes.workflows.dial_fitting import TOLERANCE, CurvePoint, highest_within


def letters(texts: Sequence[str]) -> np.ndarray:
    """Encode texts as counts of the letters a to z, plus 1."""
    return np.array([[text.lower().count(chr(97 + at)) + 1.0 for at in range(26)] for text in texts])


def curve(*retrieval: float) -> list[CurvePoint]:
    return [
        CurvePoint(number / 10, {"mini-sts": 70.0, "mini-retrieval": value, "taxonomy": 10.0 - number})
        for number, value in enumerate(retrieval)
    ]


def test_the_highest_dial_within_the_tolerance() -> None:
    # 1 point below at 0.2, 2.1 points at 0.3; a dial after a loss does not count. Negation may fall.
    assert highest_within(curve(60.0, 61.0, 59.0, 57.9, 60.0), 2.0) == 0.2
    assert highest_within(curve(60.0, 61.0, 59.0, 58.0, 60.0), 2.0) == 0.4
    assert highest_within(curve(60.0, 57.0), 2.0) == 0.0


class Words(Polarity):
    """A block without a model: the words of a text, hashed into 64 columns."""

    def __init__(self) -> None:
        self.name, self.shape = "words", TowerShape(0.2, 64)

    def encode(self, texts: Sequence[str] | str, *, batch: int = 32) -> np.ndarray:
        rows = np.full((len(texts), 64), 0.1, dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.split():
                row[crc32(word.encode()) % 64] += 1
        return rows

    def base_vectors(self, texts: Sequence[str]) -> np.ndarray:
        return self.encode(texts)


@pytest.fixture(scope="module")
def fitted() -> DialFit:
    return fit_dial(letters, name="letters", block=Words(), dials=(0.5, 0.1), tolerance=100)


def test_both_procedures_and_the_curve(fitted: DialFit, tmp_path: Path) -> None:
    assert [point.dial for point in fitted.curve] == [0.0, 0.1, 0.5]
    assert set(fitted.curve[0].scores) == {"mini-sts", "mini-retrieval", "mini-intents", "taxonomy"}
    assert 0 < fitted.by_spread < 1
    assert fitted.by_tasks == 0.5
    assert fitted.dial == min(fitted.by_spread, 0.5)
    fitted.save(tmp_path / "dial.json")
    assert litotes.beside(letters, dial=tmp_path / "dial.json", block=Words()).dial == fitted.dial


def test_the_first_point_is_the_encoder_alone(fitted: DialFit) -> None:
    from scipy.stats import spearmanr  # type: ignore[import-untyped]

    from litotes.data.benchmarks.general_mini import general_pairs

    pairs = general_pairs()
    left, right = letters([pair.first for pair in pairs]), letters([pair.second for pair in pairs])
    cosines = (left * right).sum(1) / np.linalg.norm(left, axis=1) / np.linalg.norm(right, axis=1)
    expected = 100 * spearmanr(cosines, [pair.grade for pair in pairs])[0]
    assert fitted.curve[0].scores["mini-sts"] == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tolerance": -1.0}, "the tolerance is -1.0; expected 0 or more points"),
        ({"dials": ()}, "there are no dials to try"),
        ({"dials": (0.0,)}, "the default dial is 0.0"),
    ],
)
def test_bad_options_are_refused(options: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        fit_dial(letters, **options)


def test_the_command(monkeypatch: pytest.MonkeyPatch, fitted: DialFit, tmp_path: Path) -> None:
    asked: dict[str, Any] = {}

    def fit(encoder: str, **options: Any) -> DialFit:
        asked.update(options, encoder=encoder)
        return fitted

    monkeypatch.setattr("litotes.workflows.dial_fitting.fit_dial", fit)
    file = tmp_path / "dial.json"
    done = CliRunner().invoke(app, ["dial", "fit", "dense:minilm", "--tolerance", "1", "--out", str(file)])
    assert done.exit_code == 0, done.output
    assert (asked["encoder"], asked["tolerance"], asked["block"]) == ("minilm", 1.0, "litotes-mini")
    assert json.loads(done.stdout)["by_spread"] == fitted.by_spread
    assert json.loads(file.read_text())["dial"] == fitted.dial
    table = CliRunner().invoke(app, ["dial", "fit", "minilm", "--table"])
    assert f"dial {fitted.dial:g} for letters with the block of words" in table.output
    assert asked["tolerance"] == TOLERANCE
