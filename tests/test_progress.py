"""Progress on standard error, and the completion of names in the shell."""

from __future__ import annotations

import click
import pytest
from click.shell_completion import BashComplete

from litotes.cli.app import app
from litotes.cli.progress import ProgressLines, duration, progress_line
from litotes.workflows.progress import Step


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00"), (7.4, "0:07"), (59.6, "1:00"), (750, "12:30"), (3725, "1:02:05")]
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_a_line_has_the_amount_the_detail_and_an_estimate() -> None:
    # 30 seconds for 25 of 100 leave 75, at 1.2 seconds each
    line = progress_line(Step("training", 25, 100, "loss 0.500"), 30)
    assert line == "training: 25/100, loss 0.500, 0:30 elapsed, about 1:30 left"


def test_without_a_total_there_is_no_estimate() -> None:
    assert progress_line(Step("anchors", 1200), 5) == "anchors: 1,200, 0:05 elapsed"


def test_piped_output_has_a_line_at_most_every_ten_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    now = [0.0]
    show = ProgressLines(clock=lambda: now[0])
    for second in range(25):
        now[0] = float(second)
        show(Step("training", second, 25))
    assert capsys.readouterr().err.splitlines() == [
        "litotes: training: 10/25, 0:10 elapsed, about 0:15 left",
        "litotes: training: 20/25, 0:20 elapsed, about 0:05 left",
    ]


def test_the_estimate_starts_again_with_each_kind_of_work(capsys: pytest.CaptureFixture[str]) -> None:
    now = [0.0]
    show = ProgressLines(clock=lambda: now[0])
    show(Step("queries", 10, 10))
    now[0] = 30.0
    show(Step("documents", 1, 10))
    assert capsys.readouterr().err == "litotes: documents: 1/10, 0:30 elapsed, about 4:30 left\n"


@pytest.mark.parametrize(
    ("words", "incomplete", "expected"),
    [
        (["bench"], "dense:lit", {"dense:litotes-mini"}),
        (["bench", "--suite"], "general-", {"general-mini"}),
        (["bench", "--suite"], "negation,gener", {"negation,general", "negation,general-mini"}),
        (["train", "--recipe"], "fine", {"finetune"}),
        ([], "neg", {"negate"}),
        (["data"], "ver", {"verify"}),
    ],
)
def test_the_shell_completes_commands_models_suites_and_recipes(
    words: list[str], incomplete: str, expected: set[str]
) -> None:
    command: click.Command = app
    completions = BashComplete(command, {}, "litotes", "_LITOTES_COMPLETE").get_completions(words, incomplete)
    assert {item.value for item in completions} == expected
