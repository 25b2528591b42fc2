"""litotes data build"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import click

from litotes.cli.parameters import PATH, seed_option

NAMES = ("cannot", "cannot-wmt", "m3")


@click.command()
@click.argument("name", type=click.Choice(NAMES))
@click.option("--from", "given", multiple=True, metavar="[SOURCE=]FILE", help="A file to build from. Can be repeated.")
@click.option("--out", type=PATH, required=True, help="The file to write (.csv, .tsv or .jsonl).")
@seed_option
def build(name: str, given: Sequence[str], out: Path, seed: int) -> None:
    """Build a public data set from the files it was made from, which you download yourself.

    \b
    cannot      --from nan-nli=nan.csv --from wikifactcheck=train.jsonl
                --from glue-diagnostic=diagnostic-full.tsv --from reviews=yelp_labelled.txt
    cannot-wmt  --from cannot=negation_dataset.tsv (or pairs=OURS) --from wmt=wmt.jsonl
    m3          --from level3.jsonl (or studies=level3.jsonl)

    Writes OUT (cannot-wmt: OUT with .train, .eval and .test before its suffix) and a manifest beside it with counts,
    reasons and hashes.
    """
    from litotes.data.builders import builder
    from litotes.data.builders.source_files import digest, write
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
