"""BioScope: negation and speculation in medical abstracts; benchmarks/corpora.py measures on it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree

from litotes.data.records import DataSet
from litotes.errors import InputError


def _count_rows(folder: Path, split: str) -> Mapping[str, int]:
    path = f"bioscope/{split}.xml"
    try:
        return {path: sum(1 for _, element in ElementTree.iterparse(folder / path) if element.tag == "sentence")}
    except (ElementTree.ParseError, LookupError, ValueError) as error:
        raise InputError(f"{path}: not valid XML ({error})") from error


DATA_SET = DataSet(
    name="bioscope",
    topic="detection",
    description="negation and speculation cues and scopes in medical abstracts",
    home="https://rgai.inf.u-szeged.hu/node/105",
    licence="research use",
    by_hand="ask for BioScope at https://rgai.inf.u-szeged.hu/node/105, then run: "
    "litotes data get bioscope --from abstracts.xml --data {data}",
    count_rows=_count_rows,
)
