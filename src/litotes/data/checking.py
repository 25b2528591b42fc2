"""What lies in a data folder, held against the catalogue: checksums, and whether our readers can read it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from litotes.data.builders.files import digest
from litotes.data.catalogue import MEASURED, PUBLIC, SHARED, SHIPPED, DataSet, data_set, root
from litotes.data.lines import text_lines
from litotes.errors import InputError

PUBLISHED, AS_MEASURED, AS_SHIPPED, RECORDED = "as published", "as measured", "as shipped", "as recorded"
UNPINNED, DIFFERS, UNREADABLE, MISSING = "not pinned", "differs", "unreadable", "missing"
KNOWN = {PUBLIC: PUBLISHED, MEASURED: AS_MEASURED, SHIPPED: AS_SHIPPED}
WRONG = frozenset({DIFFERS, UNREADABLE})
SUMS = "SHA256SUMS"
"""what the user has found and keeps, in the data folder; `sha256sum -c` reads it too"""
Counts = Mapping[str, int]
"""path → rows"""


@dataclass(frozen=True, slots=True)
class Finding:
    """How a file of a data folder stands."""

    name: str
    split: str
    path: str
    state: str
    rows: int | None = None
    sha256: str = ""
    note: str = ""

    def line(self) -> dict[str, Any]:
        """As `litotes data check` prints it."""
        return asdict(self)


def present(one: DataSet, data: Path) -> tuple[str, ...]:
    """The splits that a folder holds, whole or in part; files that all splits share do not count."""
    here = {file.split for file in one.files if (root(one, data) / file.path).is_file()}
    return tuple(split for split in one.splits if split in here)


def lacking(one: DataSet, data: Path, split: str) -> tuple[str, ...]:
    """The files that a split needs and the folder does not hold."""
    return tuple(path for path in one.paths([split]) if not (root(one, data) / path).is_file())


def check(one: DataSet, data: Path | None, *, splits: Collection[str] = (), rows: bool = True) -> Iterator[Finding]:
    """Each file of the splits named, or of those that are there; one that is missing has its own finding.

    Without `rows` files are known by their checksums alone and not read row by row, which is quick.
    """
    folder = root(one, data)
    chosen = one.chosen(splits) or present(one, folder)
    if not chosen:
        yield Finding(one.name, "", one.folder, MISSING, note=one.command(folder))
    sums = {} if one.shipped else recorded(folder)
    done: set[str] = set()
    for split in chosen:
        missing = lacking(one, folder, split)
        yield from (Finding(one.name, split, path, MISSING, note=one.command(folder, split)) for path in missing)
        if missing:
            continue
        counts, fault = read(one, folder, split) if rows else ({}, "")
        for path in one.paths([split]):
            if path not in done:
                yield _finding(one, folder, path, counts, fault, sums)
        done |= set(one.paths([split]))


def mending(finding: Finding, data: Path) -> str:
    """What to type or to do about a file that is missing or not what it should be."""
    again = data_set(finding.name).command(data, "" if finding.split == SHARED else finding.split)
    return f"{again} --force" if finding.state in WRONG and again.startswith("litotes") else again


def read(one: DataSet, folder: Path, split: str) -> tuple[Counts, str]:
    """How many rows the reader finds in the files of a split, and why it could not read them; "" where it could."""
    try:
        return READERS[one.name](folder, split), ""
    except InputError as error:
        return {}, str(error)


def identified(one: DataSet, path: str, sha256: str, sums: Mapping[str, str]) -> tuple[str, str]:
    """Which of its known forms a file is, and a note on it."""
    forms = one.forms(path)
    for form in forms:
        if form.sha256 == sha256:
            return KNOWN[form.form], form.note
    if path in sums:
        kept = f"expected sha256 {sums[path]}, as {SUMS} has it"
        return (RECORDED, "") if sums[path] == sha256 else (DIFFERS, kept)
    if all(form.sha256 for form in forms):
        return DIFFERS, "expected sha256 " + " or ".join(f"{form.sha256} ({form.form})" for form in forms)
    return UNPINNED, ""


def expected(one: DataSet, path: str) -> int | None:
    """The rows of the public file at a path; None where nobody has counted them."""
    return next((form.rows for form in one.forms(path) if form.form == PUBLIC), None)


def recorded(data: Path) -> dict[str, str]:
    """path → sha256, of what the user has recorded in the folder."""
    sums = data / SUMS
    if not sums.is_file():
        return {}
    found = {}
    for number, line in enumerate(text_lines(sums), start=1):
        sha256, _, path = line.rstrip("\n").partition("  ")
        if len(sha256) != 64 or not path:
            raise InputError(f"{sums}, line {number}: expected a sha256, two spaces and a path")
        found[path] = sha256
    return found


def record(data: Path, found: Mapping[str, str]) -> None:
    """Keep checksums in the folder, beside those that are there; a path's new one replaces its old."""
    kept = sorted((recorded(data) | dict(found)).items())
    (data / SUMS).write_text("".join(f"{sha256}  {path}\n" for path, sha256 in kept), encoding="utf-8")


def _finding(one: DataSet, folder: Path, path: str, counts: Counts, fault: str, sums: Mapping[str, str]) -> Finding:
    sha256 = digest(folder / path)
    state, note = identified(one, path, sha256, sums)
    rows = counts.get(path)
    if fault and state not in WRONG:
        state, note = UNREADABLE, fault
    elif state == UNPINNED:
        wanted = expected(one, path)
        if rows is not None and wanted is not None and rows != wanted:
            state, note = DIFFERS, f"expected {wanted:,} rows; found {rows:,}"
    return Finding(one.name, one.forms(path)[0].split, path, state, rows, sha256, note)


def _loaded(module: str, pattern: str) -> Callable[[Path, str], Counts]:
    """The reader of a set whose module loads FOLDER/SPLIT into as many items as the file has rows."""

    def count(folder: Path, split: str) -> Counts:
        path = pattern.format(split=split)
        return {path: len(import_module(f"litotes.data.sets.{module}").load((folder / path).parent, split))}

    return count


def _retrieval(name: str) -> Callable[[Path, str], Counts]:
    def count(folder: Path, split: str) -> Counts:
        from litotes.data.sets import beir

        found = beir.load(folder / name, split)
        return {f"{name}/corpus.jsonl": len(found.passages), f"{name}/qrels/{split}.tsv": len(found.queries)}

    return count


def _demetr(folder: Path, _: str) -> Counts:
    from litotes.data.sets import demetr

    counts = Counter(row.perturbation for row in demetr.load(folder / "demetr"))
    stems = sorted((folder / "demetr").glob("*_id*.json"))
    return {f"demetr/{path.name}": counts[demetr.perturbation_name(path.stem)] for path in stems}


def _m3(folder: Path, split: str) -> Counts:
    # its loader builds the counterfactuals, which takes a parser: here the rows they are built from are read
    from litotes.data.builders.files import objects

    path = f"m3/{split}.jsonl"
    return {path: sum(1 for _ in objects(folder / path, ["docid", "target_text"]))}


def _cdsco(folder: Path, split: str) -> Counts:
    part = {"train": "training"}.get(split, split)
    path = f"cdsco/SEM-2012-SharedTask-CD-SCO-{part}-09032012.txt"
    sentences, within = 0, False
    for number, line in enumerate(text_lines(folder / path), start=1):
        cells = line.split("\t")
        if line.strip() and len(cells) < 8:
            raise InputError(f"{path}, line {number}: {len(cells)} columns; expected 8 or more")
        sentences += bool(line.strip()) and not within
        within = bool(line.strip())
    return {path: sentences}


def _bioscope(folder: Path, split: str) -> Counts:
    path = f"bioscope/{split}.xml"
    try:
        return {path: sum(1 for _, element in ElementTree.iterparse(folder / path) if element.tag == "sentence")}
    except (ElementTree.ParseError, LookupError, ValueError) as error:
        raise InputError(f"{path}: not XML that can be read ({error})") from error


def _taxonomy(_: Path, split: str) -> Counts:
    from litotes.data.contrasts import taxonomy_benchmark

    return {f"taxonomy/{split}.jsonl": len(taxonomy_benchmark(split))}


def _cue_traps(_: Path, __: str) -> Counts:
    from litotes.data.cue_traps import cue_traps

    return {"cue_traps.jsonl": len(cue_traps())}


def _ladders(_: Path, __: str) -> Counts:
    from litotes.data.ladders import ladders

    return {"ladders.jsonl": len(ladders())}


def _general(_: Path, split: str) -> Counts:
    from litotes.data.general import general_exclusions, general_intents, general_pairs, general_retrieval

    if split == "retrieval":
        found = general_retrieval()
        parts = {"passages": found.passages, "queries": found.queries, "judgements": found.judgements}
        return {f"general/{part}.jsonl": len(rows) for part, rows in parts.items()}
    readers = {"pairs": general_pairs, "intents": general_intents, "exclusions": general_exclusions}
    return {f"general/{split}.jsonl": len(readers[split]())}


def _lines(name: str) -> Callable[[Path, str], Counts]:
    """Shipped files of JSON lines, one a split."""

    def counted(folder: Path, split: str) -> Counts:
        from litotes.data.sets.reading import objects

        plain, packed = f"{name}/{split}.jsonl", f"{name}/{split}.jsonl.gz"
        path = packed if (folder / packed).exists() else plain
        return {path: sum(1 for _ in objects(folder / path))}

    return counted


READERS: dict[str, Callable[[Path, str], Counts]] = {
    "nevir": _loaded("nevir", "nevir/{split}.jsonl"),
    "excluir": _loaded("excluir", "excluir/{split}.jsonl"),
    "cannot-wmt": _loaded("cannot_wmt", "cannot_wmt/{split}.csv"),
    "m3": _m3,
    "demetr": _demetr,
    "stsb": _loaded("stsb", "stsb/{split}.tsv"),
    "sick": _loaded("sick", "sick/{split}.tsv"),
    "scifact": _retrieval("scifact"),
    "cranfield": _retrieval("cranfield"),
    "banking77": _loaded("intents", "banking77/{split}.csv"),
    "cdsco": _cdsco,
    "bioscope": _bioscope,
    "taxonomy": _taxonomy,
    "cue-traps": _cue_traps,
    "ladders": _ladders,
    "general-mini": _general,
    "seed": _lines("seed"),
    "written": _lines("written"),
}
