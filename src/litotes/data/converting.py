"""Public files whose form is not the one our loaders read: what is needed, what is made of it, and how."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litotes.data.sets.reading import array, text
from litotes.errors import InputError


@dataclass(frozen=True, slots=True)
class Conversion:
    """The files that a folder must hold, the file that is made of them, and what makes it."""

    needs: tuple[str, ...]
    makes: str
    run: Callable[[Path, Path], None]


def excluir(folder: Path, target: Path) -> None:
    """ExcluIR's queries, each with the documents its two indices point at: the trap first, the right one second."""
    documents = _documents(folder / "corpus.json")
    # half of a surrogate pair cannot be written
    with target.open("w", encoding="utf-8", errors="replace") as out:
        for number, (where, row) in enumerate(array(folder / "test_manual_final.json")):
            trap, right = _places(row, where, len(documents))
            made = {
                "id": str(number),
                "query": text(row, "RQ_rewrite", where),
                "positive": documents[right],
                "negative": documents[trap],
            }
            out.write(json.dumps(made, ensure_ascii=False) + "\n")


def _documents(path: Path) -> list[str]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not JSON ({error})") from error
    if not isinstance(found, list) or not all(isinstance(document, str) for document in found):
        raise InputError(f"{path}: expected a JSON array of texts")
    return found


def _places(row: dict[str, Any], where: str, size: int) -> tuple[int, int]:
    found = row.get("corpus_sub_index")
    if not isinstance(found, list) or len(found) != 2 or not all(type(n) is int and 0 <= n < size for n in found):
        raise InputError(f"{where}: corpus_sub_index is {found!r}; expected two places in the {size} documents")
    return found[0], found[1]


CONVERSIONS = {"excluir": Conversion(("corpus.json", "test_manual_final.json"), "excluir/test.jsonl", excluir)}
