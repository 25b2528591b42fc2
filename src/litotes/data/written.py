"""Training data written for this project, sentence by sentence: quadruples, contrasts of passages, exclusions; graded
candidates and translations for a metric; and ordinary text to replay: abstracts with claims, what people type to a
service, short texts about one thing.

Language models wrote it to the briefs in docs/written.md, none of which shows a benchmark; it holds what rules do not
reach: rephrasings with other cues, negations inside a passage, queries in other words than the passage's.
"""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

from litotes.errors import InputError

PREFIX = "written:"
SETS = ("quadruples", "contrasts", "exclusions", "graded", "translations", "abstracts", "utterances", "neighbours")
PACKED = ("quadruples", "contrasts", "graded")
"""what is gzipped: their texts differ in a few words, and unpacked they take twelve megabytes"""


def written(name: str) -> Path:
    """The file of a set that is named as `written:quadruples`."""
    short = name.removeprefix(PREFIX)
    if short not in SETS:
        raise InputError(f"there is no {name!r}; expected {', '.join(PREFIX + one for one in SETS)}")
    # the package is a folder wherever litotes runs: its data is read by path elsewhere too
    file = f"{short}.jsonl.gz" if short in PACKED else f"{short}.jsonl"
    with as_file(files("litotes.data").joinpath("written", file)) as path:
        return path
