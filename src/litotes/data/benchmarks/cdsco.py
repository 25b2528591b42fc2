"""ConanDoyle-neg (CD-SCO): the corpus of the *SEM 2012 shared task. benchmarks/corpora.py measures on it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from litotes.data.lines import text_lines
from litotes.data.records import DataSet
from litotes.errors import InputError


def _count_rows(folder: Path, split: str) -> Mapping[str, int]:
    """Count the sentences, which are separated by empty lines."""
    part = {"train": "training"}.get(split, split)
    path = f"cdsco/SEM-2012-SharedTask-CD-SCO-{part}-09032012.txt"
    sentences, in_sentence = 0, False
    for number, line in enumerate(text_lines(folder / path), start=1):
        columns = line.split("\t")
        if line.strip() and len(columns) < 8:
            raise InputError(f"{path}, line {number}: {len(columns)} columns; expected 8 or more")
        sentences += bool(line.strip()) and not in_sentence
        in_sentence = bool(line.strip())
    return {path: sentences}


DATA_SET = DataSet(
    name="cdsco",
    topic="detection",
    description="ConanDoyle-neg: negation cues, scopes and events of the *SEM 2012 shared task",
    home="http://www.clips.ua.ac.be/sem2012-st-neg/data.html",
    licence="see the home",
    use="measure; build rules on train",
    base="http://www.clips.ua.ac.be/sem2012-st-neg/data/",
    count_rows=_count_rows,
)
