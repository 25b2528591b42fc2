"""The training data that was written for this project.

It has quadruples, contrasts of passages and exclusions; graded candidates and translations for a metric; queries with
marks on what they exclude; and ordinary text for replay: abstracts with claims, customer messages, and short texts
about one topic.

Language models wrote it from the prompts in docs/written.md, which quote no benchmark. It covers what rules do not
reach: paraphrases with other cues, negations inside a passage, and queries that do not repeat the passage's words.
Files of very similar texts are gzipped: unpacked they would take twelve megabytes.
"""

from __future__ import annotations

from pathlib import Path

from litotes.data.catalogue import shipped_files
from litotes.errors import InputError, did_you_mean

PREFIX = "written:"


def written_file(name: str) -> Path:
    """Return the file of a set, such as `written:quadruples`."""
    paths = {set_name: path for set_name, path in shipped_files() if set_name.startswith(PREFIX)}
    if name not in paths:
        raise InputError(f"there is no {name!r}; expected one of {', '.join(paths)}.{did_you_mean(name, paths)}")
    return paths[name]
