"""litotes check: thresholds, messages, exit codes, JUnit files; and the pytest fixture."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from litotes.cli.app import app
from litotes.data.items import LabelledTexts, ScoredPair, Utterance
from litotes.data.selection import DataSelection
from litotes.errors import CheckError, InputError
from litotes.evaluation import Check, Requirement, Thresholds, check
from litotes.evaluation.catalogue import build
from litotes.evaluation.check_table import check_table
from litotes.evaluation.checking import negation_task
from litotes.evaluation.junit import junit
from litotes.evaluation.tasks import Task
from litotes.evaluation.tasks.classification import ClassificationTask
from litotes.evaluation.tasks.contrast_pairs import ContrastTask
from litotes.evaluation.tasks.similarity import SimilarityTask
from litotes.models import load
from litotes.types import Contrast
from litotes.types import Result as Figure
from tests.bench_models import Angles, Overlap

pytest_plugins = ["pytester"]

LAMPS = Contrast("1", "lit lamps", "lamps not lit", "The lamp is lit.", "The lamp is not lit.", "sentential")
BOATS = Contrast("2", "dry boats", "boats not dry", "The boat is dry.", "The boat is not dry.", "sentential")
TREES = Contrast("3", "trees", "trees but oaks", "Every tree fell.", "Every tree but the oak fell.", "exceptor")
ROADS = Contrast("4", "roads", "roads but one", "Each road is open.", "Each road but one is open.", "exceptor")
CONTRASTS = ContrastTask("own", "test", (LAMPS, BOATS, TREES, ROADS))
GRADED = SimilarityTask(
    "graded",
    "dev",
    (ScoredPair("1", "a mill", "b", 5), ScoredPair("2", "a mill", "c", 3), ScoredPair("3", "a mill", "d", 1)),
)
SORTED = ClassificationTask(
    "sorted",
    "dev",
    LabelledTexts((Utterance("1", "left", "l"), Utterance("2", "up", "u")), (Utterance("3", "leftish", "l"),)),
)
GENERAL: tuple[Task, ...] = (GRADED, SORTED)


def _angles(contrasts: ContrastTask, ignored: str = "") -> dict[str, float]:
    """Place each query at its own document; for the contrasts in `ignored`, both queries at the first document."""
    found: dict[str, float] = {}
    for one in contrasts.items:
        found |= {one.q1: 0, str(one.q2): 0 if one.id in ignored.split() else 90, one.doc1: 0, one.doc2: 90}
    return found


# similarity follows the angle: b, c, d are in the order of their grades; for the tuned model b and c are swapped
GENERAL_ANGLES = {"left": 0.0, "up": 90.0, "leftish": 5.0, "a mill": 0.0, "b": 10.0, "c": 20.0, "d": 30.0}
BASE = Angles(_angles(CONTRASTS, "1 2 3 4") | GENERAL_ANGLES, name="base", fingerprint="base-1")
TUNED = Angles(_angles(CONTRASTS, "4") | GENERAL_ANGLES | {"b": 21.0}, name="tuned", fingerprint="tuned-1")


def _check(model: Any = TUNED, baseline: Any = None, **thresholds: Any) -> Check:
    options: Any = {"negation": CONTRASTS, "general": GENERAL, "rounds": 500}
    return check(model, baseline, thresholds=Thresholds(**thresholds), **options)


def test_a_model_that_is_right_on_three_of_four_has_75_points() -> None:
    found = _check(min_negation=75, min_kinds={"exceptor": 50, "sentential": 100})
    assert (found.negation.value, found.negation.n) == (75, 4)
    assert {one.slice: (one.value, one.n) for one in found.kinds} == {
        "kind: exceptor": (50, 2),
        "kind: sentential": (100, 2),
    }
    assert [one.name for one in found.requirements] == ["negation", "kind: exceptor", "kind: sentential"]
    assert found.passed
    found.enforce()
    assert found.verdict == (
        "passed: tuned: negation 75.00 (at least 75), kind: exceptor 50.00 (at least 50), "
        "kind: sentential 100.00 (at least 100); no baseline, so general ability was not checked"
    )
    assert found.general_loss is None


def test_a_failed_requirement_is_named_with_its_figure() -> None:
    checked = _check(BASE, min_kinds={"exceptor": 10})
    assert checked.verdict.startswith("failed 2 of 2: base: negation 0.00 (at least 50), kind: exceptor 0.00")
    with pytest.raises(CheckError, match="base failed the check: negation, kind: exceptor"):
        checked.enforce()
    # nothing is right in any resample, so the interval is 0 – 0 and the threshold is far outside it
    assert checked.requirements[0].message == (
        "pairwise accuracy of base on own test is 0.00; expected at least 50: below the threshold by 50.00. "
        "95% interval 0.00 – 0.00, n 4"
    )


def test_a_figure_narrowly_below_the_threshold_fails_and_the_message_says_so() -> None:
    one = _check(min_negation=80).requirements[0]
    assert not one.met
    # of four drawn with replacement at 3 in 4: none or one right in 5% of the draws, none in 0.4%, all in 32%
    assert one.message == (
        "pairwise accuracy of tuned on own test is 75.00; expected at least 80: below the threshold by 5.00. "
        "95% interval 25.00 – 100.00, n 4; the threshold is within it, so other items might give another result: "
        "it fails, narrowly"
    )
    assert _check(min_negation=70).requirements[0].message.endswith("it passes, narrowly")
    assert ": exactly at the threshold. " in _check(min_negation=75).requirements[0].message


def test_the_loss_is_the_mean_over_tasks_of_the_baseline_minus_the_model() -> None:
    checked = _check(TUNED, BASE, max_general_loss=25)
    # Spearman's correlation of ranks 1 2 3 and 2 1 3 is one half; both classify the intent correctly
    assert [(one.baseline.value, one.model.value, one.lost.value) for one in checked.general] == [
        (pytest.approx(100), pytest.approx(50), pytest.approx(50)),
        (100, 100, 0),
    ]
    loss = checked.general_loss
    assert loss is not None
    assert loss.value == pytest.approx(25)
    assert loss.n == 4
    assert checked.passed
    assert (checked.model, checked.baseline) == ("tuned", "base")
    assert not _check(TUNED, BASE, max_general_loss=24.9).passed
    # the default is 1; a gain is a loss below zero
    assert [one.name for one in _check(TUNED, BASE).missed] == ["general loss"]
    gain = _check(BASE, TUNED, min_negation=0).general_loss
    assert gain is not None
    assert gain.value == pytest.approx(-25)


def test_a_model_loses_nothing_against_itself() -> None:
    loss = _check(TUNED, TUNED).general_loss
    assert loss is not None
    assert (loss.value, loss.low, loss.high) == (0, 0, 0)


def test_models_of_the_same_name_without_fingerprints_are_kept_apart() -> None:
    ours = Angles(_angles(CONTRASTS) | GENERAL_ANGLES | {"b": 21.0}, name="same", fingerprint="")
    theirs = Angles(GENERAL_ANGLES, name="same", fingerprint="")
    loss = _check(ours, theirs).general_loss
    assert loss is not None
    assert loss.value == pytest.approx(25)


def test_a_task_that_needs_vectors_is_left_out_for_a_ranker_and_the_verdict_says_so() -> None:
    checked = _check(Overlap(), BASE, min_negation=0)
    assert [one.model.task for one in checked.general] == ["graded"]
    assert checked.left_out == {"sorted": "it scores pairs of texts, and the task needs vectors"}
    assert "; sorted left out: it scores pairs of texts" in checked.verdict
    with pytest.raises(InputError, match="no general task in common"):
        check(Overlap(), BASE, thresholds=Thresholds(0), negation=CONTRASTS, general=[SORTED], rounds=20)


def test_a_figure_that_cannot_be_computed_fails() -> None:
    # a ranker that gives every pair the same score has no rank correlation
    checked = _check(Overlap(), BASE, min_negation=0)
    loss = checked.requirements[-1]
    assert math.isnan(loss.figure.value)
    assert not loss.met
    assert loss.message.endswith("could not be computed; expected at most 1: it fails")
    assert checked.line()["requirements"][-1]["value"] is None
    assert "none" in check_table(checked)


def test_the_rounded_figure_is_compared_with_the_threshold() -> None:
    figure = Figure("m", "t", "dev", "all", "accuracy", 100 * 0.58, 50, 66, 100, "")
    assert figure.value < 58
    assert Requirement("negation", "accuracy", figure, 58).met
    assert not Requirement("negation", "accuracy", replace(figure, value=57.9999), 58).met


def test_models_are_loaded_by_name_the_baseline_last_and_cached_figures_are_not_measured_again(tmp_path: Path) -> None:
    shelf: Mapping[str, Angles] = {
        "dense:tuned": Angles(_angles(CONTRASTS) | GENERAL_ANGLES, name="tuned"),
        "dense:base": Angles(GENERAL_ANGLES, name="base", fingerprint="base-1"),
    }
    loaded: list[str] = []

    def load(name: str) -> Angles:
        loaded.append(name)
        return shelf[name]

    options: Any = {"load": load, "negation": CONTRASTS, "general": GENERAL, "cache": tmp_path, "rounds": 20}
    first = check("dense:tuned", "dense:base", **options)
    assert loaded == ["dense:tuned", "dense:base"]
    asked = {name: sum(model.asked.values()) for name, model in shelf.items()}
    again = check("dense:tuned", "dense:base", **options)
    assert {name: sum(model.asked.values()) for name, model in shelf.items()} == asked
    assert again.verdict == first.verdict


@pytest.mark.parametrize(
    ("thresholds", "message"),
    [
        ({"min_negation": 101}, "min-negation is 101; expected points between 0 and 100"),
        ({"min_negation": math.nan}, "min-negation is nan"),
        ({"max_general_loss": -1}, "max-general-loss is -1"),
        ({"min_kinds": {"exceptor": 600}}, "min-kind exceptor is 600"),
        ({"min_kinds": {"excepter": 60}}, "own has no kind 'excepter'; expected one of exceptor, sentential"),
        ({"max_general_loss": 1}, "max-general-loss is 1, but there is no baseline"),
    ],
)
def test_thresholds_that_cannot_be_checked_are_refused_before_a_model_is_loaded(
    thresholds: dict[str, Any], message: str
) -> None:
    def refuse(name: str) -> Any:
        raise AssertionError(name)

    with pytest.raises(InputError, match=message):
        check("dense:never", load=refuse, thresholds=Thresholds(**thresholds), negation=CONTRASTS)


def test_the_table_has_every_figure() -> None:
    lines = check_table(_check(TUNED, BASE, min_kinds={"exceptor": 90})).splitlines()
    cells = [" ".join(line.split()) for line in lines]
    assert "kind: exceptor at least 90 50.00 0.00 – 100.00 2 NOT MET, narrowly" in cells
    assert "all 75.00 25.00 – 100.00 4" in cells
    assert "sentential 100.00 100.00 – 100.00 2" in cells
    assert any(row.startswith("mean 4 75.00 100.00 25.00 ") for row in cells)
    assert lines[-1].startswith("failed 2 of 3: tuned: kind: exceptor 50.00")
    assert "No baseline, so general ability was not checked." in check_table(_check())


def test_the_junit_file_has_a_case_per_requirement() -> None:
    checked = _check(TUNED, BASE, min_kinds={"exceptor": 90})
    root = ElementTree.fromstring(junit(checked, check_table(checked)))
    suite = root[0]
    assert (root.tag, suite.tag) == ("testsuites", "testsuite")
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors"), suite.get("skipped")) == (
        "3",
        "2",
        "0",
        "0",
    )
    cases = {case.get("name"): case for case in suite.iter("testcase")}
    assert list(cases) == ["negation at least 50", "kind: exceptor at least 90", "general loss at most 1"]
    assert cases["negation at least 50"].find("failure") is None
    failure = cases["general loss at most 1"].find("failure")
    assert failure is not None
    assert "is 25.00; expected at most 1: above the threshold by 24.00" in str(failure.get("message"))
    seconds = {requirement.name: f"{requirement.seconds:.3f}" for requirement in checked.requirements}
    assert [case.get("time") for case in cases.values()] == list(seconds.values())
    assert str(suite.findtext("system-out")).startswith("requirement")


def test_a_junit_file_is_valid_xml_for_any_model_name() -> None:
    name = 'dense:<a&"b">\x07\ud800'
    found = replace(_check(), model=name)
    root = ElementTree.fromstring(junit(found, check_table(found)).encode("utf-8"))
    skipped = [case for case in root.iter("testcase") if case.find("skipped") is not None]
    assert [case.get("name") for case in skipped] == ["general loss"]
    assert skipped[0].get("classname") == 'litotes check dense:<a&"b">\ufffd\ufffd'
    assert root[0].get("skipped") == "1"


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["check", *arguments])


def test_the_command_prints_json_and_writes_the_junit_file(tmp_path: Path) -> None:
    file = tmp_path / "new" / "check.xml"
    done = _run("random", "--min-negation", "20", "--min-kind", "polar=1", "--junit", str(file))
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert (found["passed"], found["baseline"], found["negation"]["n"]) == (True, None, 360)
    assert [one["name"] for one in found["requirements"]] == ["negation", "kind: polar"]
    assert found["requirements"][0]["at least"] == 20
    assert len(found["kinds"]) == 11
    assert [case.get("name") for case in ElementTree.parse(file).iter("testcase")] == [
        "negation at least 20",
        "kind: polar at least 1",
        "general loss",
    ]


def test_a_failed_check_is_exit_code_4_and_the_figures_are_printed(tmp_path: Path) -> None:
    file = tmp_path / "check.xml"
    code = "from litotes.cli import main; main()"
    arguments = ("check", "random", "--min-negation", "99", "--table", "--junit", str(file))
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert done.stderr.endswith("\nlitotes: random failed the check: negation\n")
    assert done.stdout.splitlines()[-1].startswith("failed 1 of 1: random: negation")
    assert ElementTree.parse(file).getroot().get("failures") == "1"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("thick:minilm",), "unknown model 'thick:minilm'"),
        (("dense:./no/such/folder",), "is not a folder. Expected a folder with a saved model"),
        (("random", "--min-kind", "polar"), "--min-kind got 'polar'; expected KIND=VALUE"),
        (("random", "--min-kind", "polar=many"), "--min-kind polar is 'many'; expected a number of points"),
        (("random", "--min-kind", "polar=1", "--min-kind", "polar=2"), "--min-kind names polar twice"),
        (("random", "--min-kind", "poler=1"), "taxonomy has no kind 'poler'; expected one of affixal"),
        (("random", "--max-general-loss", "2"), "there is no baseline to compare with"),
        (("random", "--junit", "."), "is a folder; expected the name of a file"),
        (("random", "--junit", f"{__file__}/check.xml"), "test_check.py is a file"),
    ],
)
def test_bad_input_is_an_error_with_a_message(arguments: tuple[str, ...], message: str) -> None:
    done = _run(*arguments)
    assert isinstance(done.exception, InputError)
    assert message in str(done.exception)
    assert done.stdout == ""


def test_an_invalid_number_is_wrong_usage() -> None:
    assert _run("random", "--min-negation", "most").exit_code == 2
    assert _run().exit_code == 2


TESTS = """
import sys

import pytest

from litotes.errors import InputError


def test_nothing_heavy_is_loaded_before_the_fixture_is_called(litotes_check):
    assert not {"numpy", "torch", "spacy", "litotes.evaluation", "litotes.models"} & set(sys.modules)


def test_good_enough(litotes_check):
    found = litotes_check("random", min_negation=20, min_kinds={"polar": 1})
    assert found.negation.n == 360
    assert found.passed


def test_an_object(litotes_check):
    class Mute:
        name = "mute"

        def score(self, queries, documents):
            import numpy

            return numpy.zeros(len(queries))

    from litotes.evaluation.tasks.contrast_pairs import ContrastTask
    from litotes.types import Contrast

    own = ContrastTask("own", "test", (Contrast("1", "wet roads", "roads not wet", "It is wet.", "It is not wet."),))
    litotes_check(Mute(), min_negation=1, negation=own)


def test_misnamed(litotes_check):
    with pytest.raises(InputError, match="unknown model"):
        litotes_check("thick:minilm")
"""


def test_the_fixture_returns_the_figures_or_fails_the_test_with_the_table(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    # without the plugins of the environment, so that ours is loaded once whether or not it is installed
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makepyfile(TESTS)
    done = pytester.runpytest_subprocess("-p", "litotes.pytest_plugin", "-p", "no:cacheprovider")
    done.assert_outcomes(passed=3, failed=1)
    done.stdout.fnmatch_lines(["litotes check", "negation * at least 1 * 0.00 * NOT MET*", "failed 1 of 1: mute: *"])
    # the output shows the table, not the code of the plugin
    assert "pytest_plugin.py" not in done.stdout.str()


@pytest.mark.slow
def test_minilm_ignores_negation_and_loses_nothing_against_itself() -> None:
    model = load("dense:minilm", device="cpu")
    # a quarter of the contrasts and half of the pairs: encoding all of them takes minutes
    contrasts = ContrastTask("taxonomy", "test", negation_task().items[::4])
    pairs = build("mini-sts", DataSelection(half="select"))
    checked = check(model, model, negation=contrasts, general=[pairs], rounds=200)
    assert [requirement.met for requirement in checked.requirements] == [False, True]
    # below chance, which is 25: both queries prefer the same document
    assert 5 < checked.negation.value < 25
    assert checked.general_loss is not None
    assert checked.general_loss.value == checked.general_loss.low == 0
