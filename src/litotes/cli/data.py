"""litotes data"""

from __future__ import annotations

import click

from litotes.cli.app import LazyGroup

COMMANDS = {
    "agreement": "litotes.cli.data_files:agreement",
    "annotate": "litotes.cli.data_files:annotate",
    "build": "litotes.cli.build:build",
    "check-queries": "litotes.cli.data_files:check_queries",
    "get": "litotes.cli.datasets:get",
    "grade-sheet": "litotes.cli.data_files:grade_sheet",
    "list": "litotes.cli.datasets:list_",
    "ranking-sheet": "litotes.cli.data_files:ranking_sheet",
    "stats": "litotes.cli.data_files:stats",
    "verify": "litotes.cli.datasets:verify",
}


@click.group(cls=LazyGroup, targets=COMMANDS)
def data() -> None:
    """Get, verify and build data sets, inspect contrast and triple files, and collect annotations.

    A FILE has JSON lines with q1, q2, doc1, doc2 (or query, positive, negative). - is standard input; taxonomy:dev and
    taxonomy:test are the shipped benchmark.
    """
