"""Files of split queries, so that a machine without a parser can apply the exclusion operator.

One JSON line per query: {"query": "soups other than borscht", "kept": "soups", "excluded": ["borscht"]}. A query that
excludes nothing has an empty list. "cues" and "rules" are optional.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from litotes.data.lines import json_objects, text_lines
from litotes.errors import InputError
from litotes.files import write_atomically
from litotes.types import Exclusion


@dataclass(frozen=True, slots=True)
class SavedSplits:
    """Queries that were split beforehand. It is called with queries, as `litotes.detection.split_query_all` is."""

    path: Path
    fingerprint: str
    """a hash of the splits: results that depend on them are stored under it"""
    splits: Mapping[str, Exclusion]

    def __call__(self, queries: Iterable[str]) -> Iterator[Exclusion]:
        """Yield the split of each query, in order."""
        for query in queries:
            if query not in self.splits:
                raise InputError(
                    f"{self.path} has no split of the query {query[:60]!r}. Write the file again for these tasks: "
                    "litotes data split-queries"
                )
            yield self.splits[query]


def read_splits(path: Path) -> SavedSplits:
    """Read a file of split queries."""
    splits = {split.text: split for split in _splits(path)}
    if not splits:
        raise InputError(f"{path} has no queries; expected JSON lines with query, kept and excluded")
    parts = [[split.text, split.kept, *split.excluded] for split in splits.values()]
    digest = hashlib.sha256(json.dumps(sorted(parts)).encode()).hexdigest()
    return SavedSplits(path, digest[:16], splits)


def write_splits(path: Path, splits: Iterable[Exclusion]) -> None:
    """Write a file of split queries."""
    lines = (json.dumps({"query": split.text} | split.line(), ensure_ascii=False) for split in splits)
    write_atomically(path, "".join(f"{line}\n" for line in lines))


def _splits(path: Path) -> Iterator[Exclusion]:
    for where, _, row in json_objects(text_lines(path), str(path)):
        texts = [row.get("query"), row.get("kept")]
        lists = [row.get(name, []) for name in ("excluded", "cues", "rules")]
        listed = all(isinstance(one, list) for one in lists) and "excluded" in row
        if not listed or not all(isinstance(text, str) for text in (*texts, *(text for one in lists for text in one))):
            raise InputError(f"{where}: expected query and kept as texts, and excluded as a list of texts")
        yield Exclusion(str(texts[0]), str(texts[1]), *(tuple(one) for one in lists))
