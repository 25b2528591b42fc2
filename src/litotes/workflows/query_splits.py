"""Split the queries of benchmarks beforehand, so that a machine without a parser can measure exclusion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from litotes.errors import InputError
from litotes.workflows.benchmarking import named_tasks


@dataclass(frozen=True, slots=True)
class QuerySplits:
    """A file of split queries."""

    out: Path
    queries: int
    """how many different queries it has"""
    excluding: int
    """how many of them exclude something"""


def save_query_splits(
    suites: str | Sequence[str],
    *,
    out: str | Path,
    data_dir: str | Path | None = None,
    split: str = "dev",
    half: str = "all",
    skip_missing: bool = False,
) -> QuerySplits:
    """Split the queries of suites or tasks with the parser and write them to a file, for `litotes.bench(splits=…)`.

    The other arguments are those of `litotes.bench`.
    """
    from litotes.data.query_splits import write_splits
    from litotes.detection import split_query_all

    tasks, _ = named_tasks(suites, data_dir=data_dir, split=split, half=half, skip_missing=skip_missing)
    queries = list(dict.fromkeys(query for task in tasks for query in task.texts().get("query", [])))
    if not queries:
        raise InputError(f"{', '.join(task.name for task in tasks) or 'these suites'}: there are no queries to split")
    splits = list(split_query_all(queries))
    write_splits(Path(out), splits)
    return QuerySplits(Path(out), len(splits), sum(map(bool, splits)))
