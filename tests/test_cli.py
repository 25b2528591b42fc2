"""The shell face: what goes in, what comes out, and with which exit code."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from litotes.cli import main
from tests.conftest import REPOSITORY


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    returncode: int
    stdout: str
    stderr: str


def _litotes(*arguments: str, stdin: str = "") -> Done:
    """The command in this process, which has the parser loaded; its streams are bytes, as a shell's are."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "140")
        patch.setattr(sys, "argv", ["litotes", *arguments])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8"))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        with pytest.raises(SystemExit) as left:
            main()
    for stream in (out, err):
        stream.seek(0)
    assert isinstance(left.value.code, int)
    return Done(left.value.code, out.read(), err.read())


@pytest.mark.parametrize(
    "arguments",
    [("negate", "--no-contractions", "The drug is safe."), ("negate", "--parser", "en_no_such", "It rained.")],
)
def test_a_process_of_its_own_says_the_same(arguments: tuple[str, ...]) -> None:
    command = [sys.executable, "-c", "from litotes.cli import main; main()", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert Done(done.returncode, done.stdout, done.stderr) == _litotes(*arguments)


def test_json_lines_are_the_default() -> None:
    done = _litotes("negate", "--no-contractions", "The drug is safe.")
    assert done.returncode == 0
    assert json.loads(done.stdout) == {
        "text": "The drug is safe.",
        "kind": "verbal",
        "rewrite": "The drug is not safe.",
        "cue": "not",
        "distance": 4,
    }


def test_text_comes_from_stdin_and_blank_lines_keep_their_place() -> None:
    done = _litotes("negate", "--plain", "-", stdin="Taxes will rise.\n\nNobody has come.\n")
    assert done.stdout.splitlines() == ["Taxes won't rise.", "", "Somebody has come."]


def test_text_comes_from_a_file_plain_or_json_lines(tmp_path: Path) -> None:
    file = tmp_path / "in.jsonl"
    file.write_text('{"text": "It rained."}\nShe left.\n', encoding="utf-8")
    done = _litotes("negate", "--plain", "--input", str(file))
    assert done.stdout.splitlines() == ["It didn't rain.", "She didn't leave."]


def test_a_malformed_line_is_named_and_what_came_before_is_not_lost(tmp_path: Path) -> None:
    file = tmp_path / "in.jsonl"
    file.write_text("It rained.\n" * 300 + '{"txt": 1}\n', encoding="utf-8")
    done = _litotes("negate", "--plain", "--input", str(file))
    assert done.returncode == 1
    assert 'line 301: expected a JSON object with a "text"' in done.stderr
    assert done.stdout.splitlines() == ["It didn't rain."] * 300


def test_all_kinds_as_a_table() -> None:
    done = _litotes("negate", "--kind", "all", "--table", "All members voted.")
    assert done.returncode == 0
    assert "All members except one voted." in done.stdout
    assert "— only a subject with “some” has a subcontrary" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("affirm", "--plain", "She isn't unhappy."), "She is unhappy."),
        (("hedge", "--plain", "--cue", "might", "The drug is safe."), "The drug might be safe."),
        (("paraphrase", "--plain", "--kind", "equivalent", "It is not possible."), "It is impossible."),
        (("negate", "--plain", "--sentence", "1", "It rained. We left."), "It rained. We didn't leave."),
        (("negate", "--plain", "--verify", "The drug works."), "The drug doesn't work."),
        (("negate", "--plain", "-k", "exceptor", "--cue", "but", "All members voted."), "All members but one voted."),
    ],
)  # fmt: skip
def test_each_command(arguments: tuple[str, ...], expected: str) -> None:
    assert _litotes(*arguments).stdout.strip() == expected


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("negate", "--kind", "loudly", "x"), 2, "loudly"),
        (("negate", "--input", "/no/such/file"), 1, "there is no file at '/no/such/file'"),
        (("negate", "--input", "README.md", "text"), 2, "not both"),
        (("negate", "--parser", "en_no_such", "It rained."), 3, "python -m spacy download en_no_such"),
        (("negate", "--sentence", "last", "It rained."), 1, "expected “first”"),
        (("hedge", "--cue", "zzz", "It rained."), 1, "'zzz' is not a hedge cue"),
        (("negate", "--cue", "but", "It rained."), 1, "takes no cue"),
        (("shout",), 2, "No such command"),
        (("classify", "nowhere.jsonl"), 1, "there is no file 'nowhere.jsonl'"),
        (("classify", "taxonomy:train"), 1, "expected dev or test"),
        (("classify", "--replay", "README.md", "taxonomy:dev"), 2, "--replay is for --engine llm"),
        (("classify", "--engine", "llm", "taxonomy:dev"), 3, "has no answer"),
        (("detect", "--input", "/no/such/file"), 1, "there is no file at"),
        (("data", "stats", "nowhere.jsonl"), 1, "there is no file"),
    ],
)
def test_errors_are_one_line_and_an_exit_code(arguments: tuple[str, ...], code: int, message: str) -> None:
    done = _litotes(*arguments)
    assert done.returncode == code, done
    assert message in done.stderr
    assert "Traceback" not in done.stderr


CONTRAST = '{"id": "a", "q1": "lakes that do not freeze", "q2": "lakes that freeze", "doc1": "Orm.", "doc2": "Elm."}'


def test_detect_in_its_three_forms() -> None:
    line = json.loads(_litotes("detect", "--explain", "The drug is not safe.").stdout)
    assert line["negations"][0]["event"] == "safe"
    assert "operator" in line["negations"][0]["rule"]
    assert _litotes("detect", "--plain", "Nobody came.", "It rained.").stdout == "Nobody\n\n"
    table = _litotes("detect", "--table", "--explain", "It might rain.", "It rained.").stdout
    assert "hedge, word" in table
    assert "no negation or hedge" in table


def test_detect_explains_what_a_query_would_leave_out() -> None:
    queries = ("soups other than borscht", "countries without a coastline")
    leaving, plain = map(json.loads, _litotes("detect", "--explain", *queries).stdout.splitlines())
    assert leaving["exclusion"]["kept"] == "soups"
    assert leaving["exclusion"]["excluded"] == ["borscht"]
    assert "exclusion" not in plain
    assert "exclusion" in _litotes("detect", "--explain", "--table", *queries).stdout


def test_classify_in_its_forms(tmp_path: Path) -> None:
    file = tmp_path / "c.jsonl"
    file.write_text(CONTRAST + "\n", encoding="utf-8")
    assert json.loads(_litotes("classify", str(file)).stdout) == {
        "id": "a",
        "kind": "sentential",
        "evidence": "not (q1)",
    }
    explained = json.loads(_litotes("classify", "--explain", str(file)).stdout)
    assert any("formula" in line for lines in explained["analyses"] for line in lines)
    assert "sentential" in _litotes("classify", "--table", "--explain", str(file)).stdout
    summary = json.loads(_litotes("classify", "--summary", "--plot", str(tmp_path / "p.svg"), str(file)).stdout)
    assert summary == {"contrasts": 1, "kinds": {"sentential": {"count": 1, "percent": 100.0}}}
    assert (tmp_path / "p.svg").stat().st_size > 1000


def test_a_malformed_contrast_does_not_cut_off_those_before_it(tmp_path: Path) -> None:
    file = tmp_path / "c.jsonl"
    file.write_text(f"{CONTRAST}\n{CONTRAST}\nnonsense\n{CONTRAST}\n", encoding="utf-8")
    done = _litotes("classify", str(file))
    assert done.returncode == 1
    assert done.stdout.count("sentential") == 2
    assert "line 3" in done.stderr


def test_data_commands(tmp_path: Path) -> None:
    file = tmp_path / "c.jsonl"
    file.write_text(CONTRAST + "\n", encoding="utf-8")
    stats = json.loads(_litotes("data", "stats", str(file), "--plot", str(tmp_path / "s.png")).stdout)
    assert stats["question length difference"] == 2.0
    assert (tmp_path / "s.png").stat().st_size > 1000
    assert "pairs" in _litotes("data", "stats", "--table", str(file)).stdout
    assert _litotes("data", "check-queries", str(file)).returncode == 0
    assert _litotes("data", "check-queries", "taxonomy:dev").returncode == 4
    assert _litotes("data", "annotate", str(file), "--out", str(tmp_path / "project")).returncode == 0
    assert json.loads((tmp_path / "project" / "tasks.json").read_text(encoding="utf-8"))[0]["data"]["id"] == "a"
    done = _litotes(
        "data", "ranking-sheet", str(file), "--out", str(tmp_path / "o.csv"), "--key", str(tmp_path / "k.csv")
    )
    assert "2 rows" in done.stderr
    assert "right" not in (tmp_path / "o.csv").read_text(encoding="utf-8")
    done = _litotes("data", "grade-sheet", str(tmp_path / "o.csv"), "--key", str(tmp_path / "k.csv"))
    assert json.loads(done.stdout) == {
        "queries": 2,
        "answered": 0,
        "queries right, %": 0.0,
        "pairs": 1,
        "pairs right, %": 0.0,
    }
    (tmp_path / "export.json").write_text("[]", encoding="utf-8")
    assert json.loads(_litotes("data", "agreement", str(tmp_path / "export.json")).stdout)["all"]["annotations"] == 0
    assert "annotations" in _litotes("data", "agreement", "--table", str(tmp_path / "export.json")).stdout


def test_undecodable_input_is_bad_input(tmp_path: Path) -> None:
    file = tmp_path / "latin1.txt"
    file.write_bytes("caf\xe9 is open.\n".encode("latin-1"))
    done = _litotes("negate", "--input", str(file))
    assert done.returncode == 1
    assert "Traceback" not in done.stderr


def test_a_reader_that_leaves_early_is_no_error() -> None:
    command = f"{sys.executable} -c 'from litotes.cli import main; main()' negate --plain - | head -n 1"
    done = subprocess.run(command, shell=True, input="It rained.\n" * 3000, capture_output=True, text=True, check=True)
    assert done.stdout == "It didn't rain.\n"
    assert "Traceback" not in done.stderr


def test_the_reference_is_generated_and_every_command_has_help() -> None:
    from scripts.cli_reference import commands, reference

    from litotes.cli.app import app

    assert (REPOSITORY / "docs" / "cli.md").read_text(encoding="utf-8") == reference()
    for _, command in commands(app, "litotes"):
        assert command.help
        for parameter in command.params:
            assert parameter.param_type_name == "argument" or getattr(parameter, "help", None), parameter.name


@pytest.mark.slow
def test_a_long_stream_does_not_fill_memory() -> None:
    """Fourteen thousand lines of new words need no more memory than eight thousand, within 3%."""
    code = (
        "import resource\n"
        "from litotes.rewrite import negate_all\n"
        "lines = (f'The lamp number {i} is on.' for i in range(14_000))\n"
        "for number, _ in enumerate(negate_all(lines), 1):\n"
        "    if number in (8_000, 14_000): print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    early, late = map(int, done.stdout.split())
    assert late < 1.03 * early


def test_the_demo_shows_sentences() -> None:
    done = _litotes("demo", "--sentences")
    assert done.returncode == 0
    assert "Taxes won't rise next year." in done.stdout
    assert "There is no dog on a red sofa." in done.stdout
