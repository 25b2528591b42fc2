"""Every data set by name: what it is for, where it lives, on which terms, and what each of its files hashes to.

The sets stand below, their files in catalogue.tsv: one row a file and form. The form is

- public: the file as its home gives it. Its sha256 is empty where nobody has checked it yet; such a file is not pinned.
- measured: the copy our published figures were measured on. Some of these are a part of a public split (the note says
  which), so a path may hold either form, and they have different rows.
- shipped: ours, in the package.
"""

from __future__ import annotations

import csv
import shlex
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path

from litotes.errors import InputError, MissingError

PUBLIC, MEASURED, SHIPPED = "public", "measured", "shipped"
SHARED = "*"
"""the split of a file that every split of its set needs, such as a collection of documents"""
VARIABLE = "LITOTES_DATA"


@dataclass(frozen=True, slots=True)
class File:
    """A file of a data set in one of its forms."""

    split: str
    path: str
    """under the data folder; of a shipped file, under litotes/data"""
    rows: int | None
    """as its reader counts them; None where nobody has counted"""
    form: str
    sha256: str
    """empty where the file is not pinned"""
    source: str
    """what follows the set's base address, with #MEMBER for a file in an archive; empty where there is no address"""
    note: str


@dataclass(frozen=True, slots=True)
class DataSet:
    """A data set: its name, its terms, its home, and how its files are got."""

    name: str
    task: str
    what: str
    home: str
    licence: str
    use: str = "measure"
    """measure, or measure and train"""
    revision: str = ""
    """the commit that addresses are pinned to; empty where the home keeps none"""
    base: str = ""
    """the address that a file's source is added to"""
    by_hand: str = ""
    """what a person must do where there is no address to download from"""
    files: tuple[File, ...] = ()
    """all its files in all their forms"""

    @property
    def shipped(self) -> bool:
        """Whether it comes with the package."""
        return self.files[0].form == SHIPPED

    @property
    def folder(self) -> str:
        """The folder of its files, under the data folder."""
        return self.files[0].path.partition("/")[0]

    @property
    def splits(self) -> tuple[str, ...]:
        """The names of its splits."""
        return tuple(dict.fromkeys(file.split for file in self.files if file.split != SHARED))

    def sizes(self) -> dict[str, int | None]:
        """The rows of each split as its home has it; as measured, where no home has it."""
        public = {file.split for file in self.files if file.form != MEASURED}
        form = SHIPPED if self.shipped else PUBLIC
        return {split: self.rows(split, form if split in public else MEASURED) for split in self.splits}

    def rows(self, split: str, form: str) -> int | None:
        """How many rows a split has in a form (a retrieval set's are its queries); None where that is not known."""
        found = [file.rows for file in self.files if file.split == split and file.form == form]
        counted = [rows for rows in found if rows is not None]
        return sum(counted) if counted else None

    def paths(self, splits: Iterable[str] = ()) -> tuple[str, ...]:
        """Where the files of some splits lie, shared ones included; of all splits where none is named."""
        wanted = {*(tuple(splits) or self.splits), SHARED}
        return tuple(dict.fromkeys(file.path for file in self.files if file.split in wanted))

    def forms(self, path: str) -> tuple[File, ...]:
        """The forms of the file at a path."""
        return tuple(file for file in self.files if file.path == path)

    def chosen(self, splits: Iterable[str]) -> tuple[str, ...]:
        """The splits, if the set has them."""
        found = tuple(splits)
        unknown = [split for split in found if split not in self.splits]
        if unknown:
            raise InputError(f"{self.name} has no split {unknown[0]!r}; expected any of {', '.join(self.splits)}")
        return found

    def command(self, data: Path, split: str = "") -> str:
        """What to type or to do to get it, or one split of it."""
        if self.shipped:
            return "install litotes again: it comes with the package"
        public = [file for file in self.files if file.form == PUBLIC]
        wanted = [file for file in public if split in {"", file.split}]
        folder = shlex.quote(str(data))
        if any(file.source for file in wanted):
            return f"litotes data get {self.name}{f' --split {split}' if split else ''} --data {folder}"
        if wanted:
            return self.by_hand.format(data=folder)
        note = next(file.note for file in self.files if file.split == split)
        others = ", ".join(other for other in self.splits if any(file.split == other for file in public))
        return f"no home has this split: it is {note}, made to develop litotes on. Take another: {others}"


@cache
def data_sets() -> tuple[DataSet, ...]:
    """Every data set of the catalogue."""
    found: defaultdict[str, list[File]] = defaultdict(list)
    lines = files("litotes.data").joinpath("catalogue.tsv").read_text(encoding="utf-8").splitlines()
    for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
        rows = int(row["rows"]) if row["rows"] else None
        file = File(row["split"], row["path"], rows, row["form"], row["sha256"], row["source"], row["note"])
        found[row["set"]].append(file)
    return tuple(replace(one, files=tuple(found[one.name])) for one in _SETS)


def data_set(name: str) -> DataSet:
    """The data set of that name."""
    for one in data_sets():
        if one.name == name:
            return one
    raise InputError(f"there is no data set {name!r}; expected one of {', '.join(one.name for one in data_sets())}")


def root(one: DataSet, data: Path | None) -> Path:
    """The folder that the paths of a set's files start from."""
    if one.shipped:
        return Path(str(files("litotes.data")))
    if data is None:
        raise MissingError(f"{one.name} is not shipped. Say where it lies, or is to lie: --data DIR, or {VARIABLE}=DIR")
    return data


PACKAGE = "in the package"
OURS = "Apache-2.0"
BOTH = "measure and train"
RAW = "https://raw.githubusercontent.com"
_SETS = (
    DataSet(
        "nevir",
        "negation",
        "pairs of queries and passages that differ by a negation",
        "https://huggingface.co/datasets/orionweller/NevIR",
        "MIT",
        revision="6263585072ce3b435ed09658613553fbf4e74184",
        base="https://huggingface.co/datasets/orionweller/NevIR/resolve/{revision}/",
    ),
    DataSet(
        "excluir",
        "negation",
        "queries that exclude something, with the right document and the trap",
        "https://github.com/zwh-sdu/ExcluIR",
        "not stated",
        by_hand="download corpus.json and test_manual_final.json from the folder that "
        "https://github.com/zwh-sdu/ExcluIR links to, then: litotes data get excluir --from FOLDER --data {data}",
    ),
    DataSet(
        "cannot-wmt",
        "negation",
        "candidates and references, the same or negated, and WMT's people's scores",
        "https://github.com/MiriUll/negation_aware_evaluation",
        "MIT",
        use="measure; train on wmt_* rows only",
        revision="d5b9966fb157d564b8974b6a7bafc1284e58e125",
        base=RAW + "/MiriUll/negation_aware_evaluation/{revision}/cannot_wmt_data/",
        by_hand="take cannot_wmt_data/cannot_wmt_train.csv from https://github.com/MiriUll/negation_aware_evaluation, "
        "then: litotes data get cannot-wmt --from train.csv=FILE --data {data}",
    ),
    DataSet(
        "m3",
        "negation",
        "claims of medical reviews, from which M3-Counterfactual is built",
        "https://github.com/julia-nixie/m3",
        "not stated",
        revision="977789f2993a8987def54542d0e964a967885e74",
        base=RAW + "/julia-nixie/m3/{revision}/",
    ),
    DataSet(
        "demetr",
        "sensitivity",
        "translations damaged in 35 ways",
        "https://github.com/marzenakrp/demetr",
        "MIT",
        revision="0398097cee7f36e0a4f16e3ac332b85d14c26235",
        base=RAW + "/marzenakrp/demetr/{revision}/dataset/",
    ),
    DataSet(
        "stsb",
        "general",
        "the STS benchmark: sentence pairs with grades of similarity",
        "https://ixa2.si.ehu.eus/stswiki/index.php/STSbenchmark",
        "CC BY-SA 4.0 (its parts have their own; see the home)",
        base="https://ixa2.si.ehu.eus/stswiki/images/4/48/",
    ),
    DataSet(
        "sick",
        "general",
        "SICK of SemEval 2014: sentence pairs with grades of relatedness",
        "https://alt.qcri.org/semeval2014/task1/",
        "CC BY-NC-SA 3.0",
        base="https://alt.qcri.org/semeval2014/task1/data/uploads/",
    ),
    DataSet(
        "scifact",
        "general",
        "retrieval: scientific claims over abstracts, in BEIR's layout",
        "https://github.com/beir-cellar/beir",
        "CC BY-NC 2.0",
        base="https://public.ukp.informatik.tu-darmstadt.de/thakur/BEIR/datasets/",
    ),
    DataSet(
        "cranfield",
        "general",
        "retrieval: questions on aerodynamics over abstracts, in BEIR's layout",
        "http://ir.dcs.gla.ac.uk/resources/test_collections/cran/",
        "public",
        by_hand="take cran.tar.gz from http://ir.dcs.gla.ac.uk/resources/test_collections/cran/ and write it in BEIR's "
        "layout: {data}/cranfield/corpus.jsonl, queries.jsonl and qrels/test.tsv (docs/data.md has the fields)",
    ),
    DataSet(
        "banking77",
        "general",
        "what customers of a bank write, and which of 77 things they want",
        "https://github.com/PolyAI-LDN/task-specific-datasets",
        "CC BY 4.0",
        use=BOTH,
        revision="master",
        base=RAW + "/PolyAI-LDN/task-specific-datasets/{revision}/banking_data/",
    ),
    DataSet(
        "cdsco",
        "detection",
        "ConanDoyle-neg: negation cues, scopes and events of the *SEM 2012 shared task",
        "http://www.clips.ua.ac.be/sem2012-st-neg/data.html",
        "see the home",
        use="measure; build rules on train",
        base="http://www.clips.ua.ac.be/sem2012-st-neg/data/",
    ),
    DataSet(
        "bioscope",
        "detection",
        "negation and speculation cues and scopes in medical abstracts",
        "https://rgai.inf.u-szeged.hu/node/105",
        "research use",
        by_hand="ask for BioScope at https://rgai.inf.u-szeged.hu/node/105, then: "
        "litotes data get bioscope --from abstracts.xml --data {data}",
    ),
    DataSet("taxonomy", "negation", "contrasts of every kind of the taxonomy (docs/benchmark.md)", PACKAGE, OURS),
    DataSet("cue-traps", "negation", "texts that counting cues sorts wrongly (docs/cue-traps.md)", PACKAGE, OURS),
    DataSet("ladders", "sensitivity", "a claim said surely, doubted and denied", PACKAGE, OURS),
    DataSet("general-mini", "general", "pairs, retrieval and intents (docs/general-mini.md)", PACKAGE, OURS),
    DataSet("seed", "source", "sentences and passages to make negations from", PACKAGE, OURS, use=BOTH),
    DataSet(
        "written",
        "source",
        "quadruples, contrasts, exclusions, graded candidates and ordinary text (docs/written.md)",
        PACKAGE,
        OURS,
        use="train",
    ),
)
