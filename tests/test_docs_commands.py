"""Every command in the documentation exists, and so do its options and choices.

Commands that are shown with their output are run in test_docs.py and test_tutorial.py. The others need data, a GPU or
hours.
"""

from __future__ import annotations

import re
import shlex

import click
import pytest

from litotes.cli.app import app
from litotes.cli.guard import DefaultGroup
from tests.conftest import REPOSITORY
from tests.test_docs import PAGES

GENERATED = ("cli.md", "api.md")
SHELL = ("", "console", "sh")
"""The languages of code blocks with commands."""


def commands() -> list[tuple[str, str]]:
    """Return the page and the text of every command, in code blocks and in prose."""
    found: list[tuple[str, str]] = []
    for page in PAGES:
        if page.name in GENERATED:
            continue
        text = page.read_text(encoding="utf-8")
        fenced = re.findall(r"^```(\w*)\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
        blocks = [block for language, block in fenced if language in SHELL]
        lines = [line for block in blocks for line in re.sub(r"\\\n\s*", " ", block).splitlines()]
        prose = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
        lines += re.findall(r"`((?:litotes|python) [^`\n]+)`", prose)
        bare = (re.sub(r"\s+# .*", "", line.strip()).removeprefix("$ ") for line in lines)
        found += [(page.name, line) for line in bare if re.match(r"litotes [a-z]|python (scripts|benchmarks)/", line)]
    return found


def check_command(words: list[str]) -> None:
    """Check that the command exists, accepts these options and knows these choices."""
    command: click.Command = app
    while isinstance(command, click.Group):
        name, *words = command.resolve_default(words) if isinstance(command, DefaultGroup) else words
        found = command.get_command(click.Context(command), name)
        assert found is not None, name
        command = found
        if not words:
            return
    context = click.Context(command, **app.context_settings)
    # An option that is only named, such as `--maxsim`, gets NAME as its value.
    missing_values = ["NAME", "NAME"] if words[-1].startswith("--") else []
    values, _, _ = command.make_parser(context).parse_args([*words, *missing_values])
    for parameter in command.params:
        value = values.get(parameter.name or "")
        if isinstance(parameter.type, click.Choice) and isinstance(value, str) and not value.isupper():
            parameter.type.convert(value, parameter, context)


@pytest.mark.parametrize(("page", "command"), commands(), ids=lambda value: value[:60])
def test_the_command_and_its_options_exist(page: str, command: str) -> None:
    line = re.split(r"\s+[|<>]\s*|\s+&&\s+|\s*[;(]", command.replace("(…)", ""))[0]
    tool, *words = shlex.split(line.replace("…", " … "))
    if tool == "litotes":
        check_command([word for word in words if word != "…"])
        return
    script, *options = words
    source = (REPOSITORY / script).read_text(encoding="utf-8")
    named = [word.partition("=")[0] for word in options if word.startswith("--")]
    assert [name for name in named if f'"{name}"' not in source] == []


def test_a_wrong_option_or_choice_is_refused() -> None:
    with pytest.raises(click.NoSuchOption):
        check_command(["negate", "--louder", "It rained."])
    with pytest.raises(click.BadParameter):
        check_command(["negate", "--kind", "loudly", "It rained."])
    assert len(commands()) > 100
