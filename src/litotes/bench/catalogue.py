"""Every task by its name, built from a folder of data sets or from what is shipped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from operator import attrgetter
from pathlib import Path

from litotes.bench.tasks import Task, harness, mteb
from litotes.bench.tasks.classification import Classification
from litotes.bench.tasks.contrast_lists import ContrastLists, Listed, listed
from litotes.bench.tasks.contrasts import Contrasts
from litotes.bench.tasks.cue_traps import CueTraps
from litotes.bench.tasks.demetr import Demetr
from litotes.bench.tasks.ladder import Ladders
from litotes.bench.tasks.opposites import Judged, Opposites, of_quadruples, of_triples
from litotes.bench.tasks.retrieval import Search
from litotes.bench.tasks.series import Series, impaired
from litotes.bench.tasks.similarity import BINARY, GRADED, Pair, Similarity
from litotes.data.contrasts import read_contrasts, taxonomy_benchmark
from litotes.data.cue_traps import cue_traps
from litotes.data.general import (
    GradedPair,
    Retrieval,
    general_intents,
    general_pairs,
    general_retrieval,
    intent_shots,
)
from litotes.data.ladders import ladders
from litotes.data.lines import json_objects
from litotes.data.sets import beir, cannot_wmt, demetr, excluir, half, intents, nevir, sick, stsb
from litotes.data.triples import read_triples
from litotes.errors import InputError, MissingError

SPLITS = ("dev", "test")
SHIPPED = "shipped"
SENTENCES = 200
"""how many of our own sentences the series impair"""
_id = attrgetter("id")
_first = attrgetter("first")


@dataclass(frozen=True, slots=True)
class Where:
    """Which data tasks are built on: the folder of the data sets, the split, and which half of it."""

    data: Path | None = None
    split: str = "dev"
    half: str = "all"

    def __post_init__(self) -> None:
        if self.split not in SPLITS:
            raise InputError(f"there is no split {self.split!r}; expected {' or '.join(SPLITS)}")

    def folder(self, name: str) -> Path:
        """Where a data set lies."""
        if self.data is None:
            raise MissingError(f"{name} is measured on data that is not shipped. Say where it lies: --data DIR")
        return self.data / name

    def named(self, dev: str = "dev") -> str:
        """The split as a data set calls it; all of them call their test split test."""
        return dev if self.split == "dev" else "test"

    def label(self, split: str) -> str:
        """The split as results call it."""
        return split if self.half == "all" else f"{split}/{self.half}"


def build(name: str, where: Where) -> Task:
    """The task of that name; also "contrasts:FILE", "opposites:FILE", "beir:FOLDER", "mteb:NAME" and "lm-eval:NAME"."""
    sort, _, path = name.partition(":")
    if sort == "contrasts" and path:
        if not Path(path).is_file():
            raise InputError(f"there is no file {path!r}; expected contrasts as JSON lines")
        return Contrasts(name, where.label("file"), half(read_contrasts(Path(path)), where.half, key=_id))
    if sort == "opposites" and path:
        if not Path(path).is_file():
            raise InputError(f"{name}: there is no file {path}; expected triples as JSON lines")
        rows = half(tuple(of_triples(read_triples(Path(path)))), where.half, key=attrgetter("first"))
        return Opposites(name, where.label("file"), rows)
    if sort == "beir" and path:
        return _search(name, where, beir.load(Path(path), where.split), where.split)
    if sort in _WHOLE and path:
        return _whole(name, where)
    if name not in TASKS:
        known = ", ".join((*TASKS, "contrasts:FILE", "opposites:FILE", "beir:FOLDER", "mteb:NAME", "lm-eval:NAME"))
        raise InputError(f"there is no task {name!r}; expected one of {known}")
    return TASKS[name](where)


_WHOLE: dict[str, Callable[[str], Task]] = {"mteb": mteb.named, "lm-eval": harness.named}
"""the libraries that tasks are passed through to"""


def _whole(name: str, where: Where) -> Task:
    """On the split the library measures it on, whole: a figure without rows cannot be halved."""
    if where.half != "all":
        raise InputError(f"{name} is measured whole; expected --half all, got {where.half}")
    library, _, own = name.partition(":")
    return _WHOLE[library](own)


def _nevir(where: Where) -> Task:
    split = where.named()
    rows = nevir.load(where.folder("nevir"), split)
    return Contrasts("nevir", where.label(split), half(rows, where.half, key=_id), edited=True)


def _excluir(where: Where) -> Task:
    split = where.named()
    rows = excluir.load(where.folder("excluir"), split)
    return Contrasts("excluir", where.label(split), half(rows, where.half, key=_id))


def _taxonomy(where: Where) -> Task:
    rows = taxonomy_benchmark(where.split)
    return Contrasts("taxonomy", where.label(where.split), half(rows, where.half, key=_id))


def _contrast_lists(where: Where) -> Task:
    # the lists are drawn before the halves are: a contrast has the same list in both runs
    rows = half(listed(taxonomy_benchmark(where.split)), where.half, key=_id_of_listed)
    return ContrastLists("contrast-lists", where.label(where.split), rows)


def _id_of_listed(item: Listed) -> str:
    return item.contrast.id


def _cue_traps(where: Where) -> Task:
    return CueTraps("cue-traps", where.label(SHIPPED), half(cue_traps(), where.half, key=_id))


def _opposites(where: Where) -> Task:
    return Opposites("opposites", where.label(SHIPPED), tuple(of_quadruples(half(cue_traps(), where.half, key=_id))))


def _cannot_opposites(where: Where) -> Task:
    """CANNOT's own rows: 1 means the same, 0 the opposite."""
    split = where.named("eval")
    rows = half(cannot_wmt.load(where.folder("cannot_wmt"), split), where.half, key=attrgetter("candidate"))
    pairs = (
        Judged(row.id, row.reference, row.candidate, row.score == 0) for row in rows if row.source == cannot_wmt.CANNOT
    )
    return Opposites("cannot-opposites", where.label(split), tuple(pairs))


def _cannot_wmt(where: Where, name: str = "cannot-wmt", *, unseen: bool = False) -> Task:
    split = where.named("eval")
    rows = half(cannot_wmt.load(where.folder("cannot_wmt"), split), where.half, key=attrgetter("candidate"))
    pairs = (
        Pair(row.id, row.reference, row.candidate, row.score, scale=BINARY if row.source == "cannot" else GRADED)
        for row in rows
        if not unseen or cannot_wmt.held_out(row)
    )
    return Similarity(name, where.label(split), tuple(pairs))


def _cannot_wmt_unseen(where: Where) -> Task:
    """Without the WMT rows a metric may be trained on."""
    return _cannot_wmt(where, "cannot-wmt-unseen", unseen=True)


def _m3(where: Where) -> Task:
    # building it needs the rewriter: read only when it is asked for
    from litotes.data.sets import m3

    rows = half(m3.load(where.folder("m3")), where.half, key=_id)
    pairs = (Pair(row.id, row.sentence1, row.sentence2, row.score, row.kind) for row in rows)
    return Similarity("m3-counterfactual", where.label("level3"), tuple(pairs))


def _stsb(where: Where) -> Task:
    split = where.named()
    return _graded("stsb", where.label(split), half(stsb.load(where.folder("stsb"), split), where.half, key=_first))


def _sick(where: Where) -> Task:
    split = where.named("train")
    return _graded("sick", where.label(split), half(sick.load(where.folder("sick"), split), where.half, key=_id))


def _scifact(where: Where) -> Task:
    split = where.named()
    return _search("scifact", where, beir.load(where.folder("scifact"), split), split)


def _cranfield(where: Where) -> Task:
    return _search("cranfield", where, beir.load(where.folder("cranfield"), "test"), "test")


def _banking77(where: Where) -> Task:
    learnt, tested = (intents.load(where.folder("banking77"), split) for split in ("train", "test"))
    tested = half(tested, where.half, key=attrgetter("text"))
    return Classification("banking77", where.label("test"), learnt, tested)


def _demetr(where: Where) -> Task:
    return Demetr("demetr", where.label("all"), half(demetr.load(where.folder("demetr")), where.half, key=_id))


def _series(where: Where) -> Task:
    from litotes.rewrite import pipe, task

    home = files("litotes.data").joinpath("seed", "sentences.jsonl").read_text(encoding="utf-8").split("\n")
    texts = sorted((row["text"] for _, _, row in json_objects(home, "seed sentences")), key=_hashed)[:SENTENCES]
    chosen = half(texts, where.half, key=str)
    negated = [row[0].rewrite for row in pipe(chosen, [task("negate", "verbal")], verify=True)]
    return Series("series", where.label(SHIPPED), impaired(chosen, negated))


def _ladder(where: Where) -> Task:
    return Ladders("ladder", where.label(SHIPPED), half(ladders(), where.half, key=_id))


def _mini_sts(where: Where) -> Task:
    return _graded("mini-sts", where.label(SHIPPED), half(general_pairs(), where.half, key=_id))


def _mini_retrieval(where: Where) -> Task:
    return _search("mini-retrieval", where, general_retrieval(), SHIPPED)


def _mini_intents(where: Where) -> Task:
    learnt, tested = intent_shots(general_intents())
    return Classification("mini-intents", where.label(SHIPPED), learnt, half(tested, where.half, key=_id))


TASKS: dict[str, Callable[[Where], Task]] = {
    "nevir": _nevir,
    "excluir": _excluir,
    "cannot-wmt": _cannot_wmt,
    "cannot-wmt-unseen": _cannot_wmt_unseen,
    "m3-counterfactual": _m3,
    "taxonomy": _taxonomy,
    "contrast-lists": _contrast_lists,
    "cue-traps": _cue_traps,
    "opposites": _opposites,
    "cannot-opposites": _cannot_opposites,
    "demetr": _demetr,
    "series": _series,
    "ladder": _ladder,
    "stsb": _stsb,
    "sick": _sick,
    "scifact": _scifact,
    "cranfield": _cranfield,
    "banking77": _banking77,
    "mini-sts": _mini_sts,
    "mini-retrieval": _mini_retrieval,
    "mini-intents": _mini_intents,
}


def _graded(name: str, split: str, rows: Sequence[GradedPair]) -> Task:
    return Similarity(name, split, tuple(Pair(row.id, row.first, row.second, row.score) for row in rows))


def _search(name: str, where: Where, collection: Retrieval, split: str) -> Task:
    """A collection with the queries of a half; the documents stay as they are."""
    queries = half(collection.queries, where.half, key=_id)
    kept = {query.id for query in queries}
    judged = tuple(judgement for judgement in collection.judgements if judgement.query in kept)
    return Search(name, where.label(split), Retrieval(collection.passages, queries, judged))


def _hashed(text: str) -> str:
    return sha256(text.encode()).hexdigest()
