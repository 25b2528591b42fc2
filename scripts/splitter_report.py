"""Measure a splitter on queries with marks: python -m scripts.splitter_report FILE [--splitter linear] [--show]

FILE has one JSON line per query, as written:queries has, or is the name of such a set. Printed are, for all queries and
by register, the share of exclusions that were found, that have the right items, and that are split right (the same
items and the same words left), and the share of other queries that stay whole. Queries that can be read either way are
not counted.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from litotes.data.marked_queries import EITHER, EXCLUSION, MarkedQuery, read_queries
from litotes.data.written import PREFIX, written_file
from litotes.errors import LitotesError
from litotes.query.splitting import splitter
from litotes.types import Exclusion
from scripts.train_splitter import content, rest


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--splitter", default="", help="litotes-splitter (default), linear, or a folder")
    parser.add_argument("--show", action="store_true", help="print the queries that are wrong")
    options = parser.parse_args()
    try:
        path = written_file(options.file) if options.file.startswith(PREFIX) else Path(options.file)
        queries = [query for query in read_queries(path) if query.kind != EITHER]
        found = list(splitter(options.splitter)([query.text for query in queries]))
    except LitotesError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    pairs = list(zip(queries, found, strict=True))
    for register in ("", *sorted({query.register for query in queries})):
        own = [pair for pair in pairs if register in ("", pair[0].register)]
        print(json.dumps({"register": register or "all"} | measured(own)))
    for query, one in pairs if options.show else ():
        if not right(query, one):
            print(f"{query.kind}\t{query.text}\t{one.kept} | {', '.join(one.excluded)}")
    return 0


def measured(pairs: Sequence[tuple[MarkedQuery, Exclusion]]) -> dict[str, float]:
    """Return the numbers of exclusions and others, and the shares."""
    excluding = [(query, one) for query, one in pairs if query.kind == EXCLUSION]
    others = [(query, one) for query, one in pairs if query.kind != EXCLUSION]
    counts = {
        "found": [bool(one) for _, one in excluding],
        "items": [same_items(query, one) for query, one in excluding],
        "splits": [right(query, one) for query, one in excluding],
        "silent": [not one for _, one in others],
    }
    shares = {name: round(100 * sum(values) / len(values), 1) for name, values in counts.items() if values}
    return {"exclusions": len(excluding), "others": len(others)} | shares


def right(query: MarkedQuery, found: Exclusion) -> bool:
    """Return whether a query is split as it is marked. Articles, case and punctuation do not count."""
    if query.kind != EXCLUSION:
        return not found
    return same_items(query, found) and content(found.kept) == rest(query.text, query.cut)


def same_items(query: MarkedQuery, found: Exclusion) -> bool:
    """Return whether what a query excludes is what is marked, in any order."""
    marked = sorted(content(query.text[start:end]) for start, end in query.items)
    return sorted(map(content, found.excluded)) == marked


if __name__ == "__main__":
    raise SystemExit(main())
