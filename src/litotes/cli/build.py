"""litotes data build"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import click

from litotes.cli.data import data

NAMES = ("cannot", "cannot-wmt", "m3")


@data.command()
@click.argument("name", type=click.Choice(NAMES))
@click.option(
    "--from", "given", multiple=True, metavar="[SOURCE=]FILE", help="A file to build from; give it as often as needed."
)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Where to write (.csv, .tsv, .jsonl).")
@click.option("--seed", default=0, show_default=True, help="What every draw and the split depend on.")
def build(name: str, given: Sequence[str], out: Path, seed: int) -> None:
    """Build a public data set again from the files it was made from, which you fetch yourself.

    \b
    cannot      --from nan-nli=nan.csv --from wikifactcheck=train.jsonl
                --from glue-diagnostic=diagnostic-full.tsv --from reviews=yelp_labelled.txt
    cannot-wmt  --from cannot=negation_dataset.tsv (or pairs=OURS) --from wmt=wmt.jsonl
    m3          --from level3.jsonl (or studies=level3.jsonl)

    Writes OUT (cannot-wmt: OUT with .train, .eval and .test before its ending) and a manifest beside it with counts,
    reasons and hashes.
    """
    from litotes.data.builders import builder
    from litotes.data.builders.files import digest, write
    from litotes.parse import default_pipeline

    chosen = builder(name)
    files = chosen.files(given)
    counts: Counter[str] = Counter()
    rows = chosen.run(files, seed=seed, counts=counts)
    about = {
        "data set": name,
        "seed": seed,
        "sources": {
            source: [{"file": path.name, "sha256": digest(path)} for path in paths] for source, paths in files.items()
        },
        "versions": {"litotes": version("litotes"), "spacy": version("spacy"), "parser": default_pipeline()},
    }
    manifest = write(rows, out, about=about, counts=counts)
    click.echo(json.dumps({file: made["rows"] for file, made in manifest["files"].items()}))
