"""Every command the documents show can be given as it stands: it exists, and so do its options and choices.

What has its output beside it is run (test_docs.py, test_tutorial.py); the others need data, a GPU or hours.
"""

from __future__ import annotations

import re
import shlex

import click
import pytest

from litotes.cli.app import app
from tests.conftest import REPOSITORY
from tests.test_docs import PAGES

GENERATED = ("cli.md", "api.md")


def commands() -> list[tuple[str, str]]:
    """Page and command, of every fenced block and of every command in the text that leaves nothing out."""
    found: list[tuple[str, str]] = []
    for page in PAGES:
        if page.name in GENERATED:
            continue
        text = page.read_text(encoding="utf-8")
        blocks = re.findall(r"^```(?:console|sh)?\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
        lines = [line for block in blocks for line in re.sub(r"\\\n\s*", " ", block).splitlines()]
        prose = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
        lines += re.findall(r"`((?:litotes|python) [^`\n]+)`", prose)
        bare = (re.sub(r"\s+# .*", "", line.strip()).removeprefix("$ ") for line in lines)
        found += [(page.name, line) for line in bare if re.match(r"litotes [a-z]|python (scripts|benchmarks)/", line)]
    return found


def checked(words: list[str]) -> None:
    """The command the words lead to takes these options, and its choices are among those it knows."""
    command: click.Command = app
    while isinstance(command, click.Group):
        name, *words = words
        assert name in command.commands, name
        command = command.commands[name]
        if not words:
            return
    context = click.Context(command)
    # `--maxsim` named by itself has no value, and NAME stands for one
    left_open = ["NAME", "NAME"] if words[-1].startswith("--") else []
    given, _, _ = command.make_parser(context).parse_args([*words, *left_open])
    for parameter in command.params:
        value = given.get(parameter.name or "")
        if isinstance(parameter.type, click.Choice) and isinstance(value, str) and not value.isupper():
            parameter.type.convert(value, parameter, context)


@pytest.mark.parametrize(("page", "command"), commands(), ids=lambda value: value[:60])
def test_the_command_can_be_given_as_it_stands(page: str, command: str) -> None:
    line = re.split(r"\s+[|<>]\s*|\s+&&\s+|\s*[;(]", command.replace("(…)", ""))[0]
    tool, *words = shlex.split(line.replace("…", " … "))
    if tool == "litotes":
        checked([word for word in words if word != "…"])
        return
    script, *options = words
    source = (REPOSITORY / script).read_text(encoding="utf-8")
    named = [word.partition("=")[0] for word in options if word.startswith("--")]
    assert [name for name in named if f'"{name}"' not in source] == []


def test_a_wrong_option_or_choice_is_found() -> None:
    with pytest.raises(click.NoSuchOption):
        checked(["negate", "--louder", "It rained."])
    with pytest.raises(click.BadParameter):
        checked(["negate", "--kind", "loudly", "It rained."])
    assert len(commands()) > 100
