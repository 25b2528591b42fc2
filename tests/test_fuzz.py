"""Every parser of user files, ten thousand damaged files each: a result or an error of ours, and no other end."""

from __future__ import annotations

import gzip
import io
import json
import random
import tarfile
import time
import zipfile
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from litotes.bench import read_results
from litotes.bench.maxsim import read_maxsims
from litotes.bench.rows import read_rows
from litotes.cli.pairs import from_columns, from_lines
from litotes.cli.text import Texts
from litotes.data import checking, fetching
from litotes.data.annotation import read_annotations
from litotes.data.builders import cannot
from litotes.data.builders.files import objects as built_objects
from litotes.data.catalogue import data_set
from litotes.data.contrasts import read_contrasts
from litotes.data.converting import excluir
from litotes.data.quadruples import quadruples
from litotes.data.samples import samples
from litotes.data.sets import beir, cannot_wmt, demetr, intents, m3, nevir, sick, stsb
from litotes.data.triples import read_triples
from litotes.errors import LitotesError
from litotes.lexicon.tables import read_table
from litotes.llm import Cached
from litotes.llm.replay import Replay
from litotes.logic import infer, parse, parse_type, quantifiers, reduce, show, show_type
from litotes.models.loading import architectures, saved_as
from litotes.query.upgrading import stored_vectors
from litotes.report.reading import read as read_report
from litotes.synth.sources.files import read as read_sources
from litotes.train.config import TowerTraining
from litotes.train.examples import read_examples
from litotes.train.settings import configured, read_settings
from tests.fuzz_seeds import (
    ALIKE,
    ANCHOR,
    CLAIMED,
    CONFIGURATION,
    CONTRAST,
    COUNTERFACTUAL,
    CUES,
    CURVE,
    DIAGNOSTIC,
    EXCLUDING,
    EXPORTED,
    GRADED,
    JUDGED,
    KEY,
    LABELLED,
    LEFT_OUT,
    LEXICON,
    MAXSIM,
    PARQUET,
    PERTURBED,
    QUADRUPLE,
    RECORD,
    REPLAYED,
    RESULT,
    ROW,
    SCOPED,
    SCORED,
    SETTINGS,
    STS,
    SUMS,
    SWEEP,
    TABBED,
    TABLE,
    TERMS,
    TRIPLE,
    TYPES,
    UTTERANCES,
    VECTORS,
)
from tests.fuzzing import as_bytes, damaged_bytes, damaged_text, json_lines, whole_json

# NumPy and Python say so of a header that no NumPy wrote
pytestmark = pytest.mark.filterwarnings("ignore:Reading `.npy`", "ignore:invalid escape sequence")
CASES, FEW = 10_000, 300
SECONDS = 2.0
"""the longest that one small file may take"""


@dataclass(frozen=True, slots=True)
class Format:
    """How damaged files of a format are made, and how they are read; the folder is for those that must lie on disk."""

    make: Callable[[random.Random], Any]
    read: Callable[[Any, Path], object]


def used_up(found: Iterable[Any]) -> None:
    """Read to the end, and keep nothing."""
    deque(found, maxlen=0)


def put(path: Path, content: bytes) -> Path:
    """A fresh file: emptying one that is there takes the disk five times as long."""
    path.unlink(missing_ok=True)
    path.write_bytes(content)
    return path


def in_file(make: Callable[[random.Random], str], name: str, read: Callable[[Path], object]) -> Format:
    """A format that is read from a file of that name."""

    def read_case(case: bytes, folder: Path) -> object:
        path = folder / name
        if "/" in name:
            path.parent.mkdir(exist_ok=True)
        return read(put(path, gzip.compress(case, 1) if name.endswith(".gz") else case))

    return Format(lambda draw: as_bytes(make(draw), draw), read_case)


def texts(*seeds: str) -> Callable[[random.Random], str]:
    return partial(damaged_text, seeds)


def lines(*seeds: Any) -> Callable[[random.Random], str]:
    return partial(json_lines, seeds)


def document(*seeds: Any) -> Callable[[random.Random], str]:
    return partial(whole_json, seeds)


def logic(text: str, _: Path) -> None:
    """All that is done with a formula somebody else wrote."""
    term = parse(text)
    show(term)
    quantifiers(term)
    typed = infer(term)
    show_type(typed.type)
    show(reduce(typed.term, steps=200))


def folder_of(name: str, make: Callable[[random.Random], str], beside: str = "") -> Format:
    """A bench or training folder with one damaged file; `beside` is results.json where the file needs one."""

    def read(path: Path) -> None:
        home = path.parent.parent if path.parent.name == "rows" else path.parent
        if beside and not (home / "results.json").exists():
            (home / "results.json").write_text(beside, encoding="utf-8")
        read_report([home])

    return in_file(make, name, read)


def archives(name: str) -> Format:
    """An archive somebody gives to `litotes data get --from`, and its one member read."""
    packed = io.BytesIO()
    if name.endswith(".zip"):
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as made:
            for member, text in (("tea/dev.tsv", STS * 4), ("leaf.txt", "green")):
                made.writestr(zipfile.ZipInfo(member), text, zipfile.ZIP_DEFLATED)
    else:
        with tarfile.open(fileobj=packed, mode="w") as made_tar:
            info = tarfile.TarInfo("tea/dev.tsv")
            info.size = len(STS)
            made_tar.addfile(info, io.BytesIO(STS.encode()))

    def read(content: bytes, folder: Path) -> None:
        path = put(folder / name, content)
        for member in sorted(fetching.members(path, name))[:3]:
            with fetching.opened(path, fetching.Origin(name, member)) as stream:
                stream.read()

    # the dates in it are the same every day, and so is the damage
    content = gzip.compress(packed.getvalue(), mtime=0) if name.endswith(".gz") else packed.getvalue()
    return Format(partial(damaged_bytes, [content]), read)


def kept_answer(path: Path) -> None:
    """A kept answer, believed where it is whole; a spoilt one would be asked for again."""

    class Echo:
        signature = "echo"

        def generate(self, system: str, prompt: str) -> str:
            return prompt

    home = path.parent / "kept"
    kept = Cached(Echo(), home)
    if not home.is_dir():
        kept.generate("", "x")
    (answer,) = home.glob("*/*.json")
    answer.unlink()
    answer.hardlink_to(path)
    if kept.holds("", "x"):
        kept.generate("", "x")


def checked(name: str, split: str, path: str, make: Callable[[random.Random], str]) -> Format:
    """A file of the catalogue, as `litotes data check` reads it."""

    def read(content: bytes, folder: Path) -> None:
        (folder / path).parent.mkdir(exist_ok=True)
        put(folder / path, content)
        checking.read(data_set(name), folder, split)

    return Format(lambda draw: as_bytes(make(draw), draw), read)


def retrieval(name: str, make: Callable[[random.Random], str]) -> Format:
    """BEIR's layout with one damaged file."""
    whole = {
        "corpus.jsonl": '{"_id": "2", "title": "Tea", "text": "It is hot."}\n',
        "queries.jsonl": '{"_id": 1, "text": "hot drinks"}\n',
        "qrels/test.tsv": JUDGED,
    }

    def read(content: bytes, folder: Path) -> None:
        if not (folder / "qrels").exists():
            (folder / "qrels").mkdir()
            for path, text in whole.items():
                put(folder / path, text.encode())
        put(folder / name, content)
        beir.load(folder, "test")

    return Format(lambda draw: as_bytes(make(draw), draw), read)


def stored(content: bytes, folder: Path) -> None:
    """What an index is upgraded from."""
    stored_vectors(put(folder / "a.npy", content))


def of_corpus(path: Path) -> None:
    if not (path.parent / "corpus.json").exists():
        (path.parent / "corpus.json").write_text('["Leek soup.", "Miso soup."]', encoding="utf-8")
    (path.parent / "made.jsonl").unlink(missing_ok=True)
    excluir(path.parent, path.parent / "made.jsonl")


def columns(path: Path) -> None:
    used_up(from_columns(str(path), ["reference"], "candidate"))


def sampled(path: Path) -> None:
    used_up(samples(str(path)))


def anchors(path: Path) -> None:
    used_up(read_sources([str(path)]))


def written(path: Path) -> None:
    """As every command that rewrites or detects reads it."""
    found = Texts((), path)
    used_up(found)
    found.check()


def configuration_of(path: Path) -> None:
    """The two files that say what a saved model is; the one is as damaged as the other."""
    beside = path.parent / "config_sentence_transformers.json"
    beside.unlink(missing_ok=True)
    beside.hardlink_to(path)
    architectures(path.parent)
    saved_as(path.parent)


def in_parquet(read: Callable[[Path], object]) -> Format:
    return Format(partial(damaged_bytes, [PARQUET]), lambda case, folder: read(put(folder / "a.parquet", case)))


ANY_LINES = (CONTRAST, EXCLUDING, TRIPLE, QUADRUPLE, LABELLED, SCORED, GRADED, CLAIMED, ALIKE, REPLAYED)
PROSE = texts('The kettle is on.\n{"text": "It rained."}\n\nShe left.\n', '{ "text": "A \\u00e9 b" }\n')
CSV = texts(TABLE, "text,questions\nThe kettle is on.,Is it?\n")
FORMATS: dict[str, tuple[Format, ...]] = {
    "contrasts": (in_file(lines(CONTRAST, EXCLUDING), "a.jsonl", lambda path: used_up(read_contrasts(path))),),
    "triples": (in_file(lines(TRIPLE), "a.jsonl", lambda path: used_up(read_triples(path))),),
    "quadruples": (Format(lines(QUADRUPLE), lambda case, _: used_up(quadruples(case.split("\n"), "a"))),),
    "training examples": (
        in_file(lines(*ANY_LINES), "a.jsonl", read_examples),
        in_file(lines(LABELLED, SCORED, GRADED), "b.jsonl", read_examples),
        in_file(lines(*ANY_LINES), "a.jsonl.gz", read_examples),
    ),
    "settings": (
        in_file(document(SETTINGS), "a.json", lambda path: configured(TowerTraining, read_settings(path))),
        in_file(document({"settings": SETTINGS}), "run.json", read_settings),
    ),
    "pairs to score": (
        in_file(lines(SCORED, {"reference": ["a", "b"], "candidate": "c"}), "a.jsonl", columns),
        in_file(texts(TABLE), "a.csv", columns),
        in_file(texts(TABLE.replace(",", "\t")), "a.tsv", columns),
        in_file(PROSE, "a.txt", lambda path: used_up(from_lines([path], path))),
    ),
    "texts": (in_file(PROSE, "a.txt", written),),
    "samples": (
        in_file(lines(*ANY_LINES), "a.jsonl", sampled),
        in_file(document([CONTRAST, TRIPLE]), "a.json", sampled),
        in_file(CSV, "a.csv", sampled),
        in_file(texts(STS, TABBED), "a.tsv", sampled),
    ),
    "sources": (
        in_file(lines(ANCHOR), "a.jsonl", anchors),
        in_file(CSV, "a.csv", anchors),
        in_file(texts("text\tid\nThe kettle is on.\t1\n"), "a.tsv", anchors),
        in_file(PROSE, "a.txt", anchors),
    ),
    "tables of data sets": (
        in_file(texts(TABLE), "eval.csv", lambda path: cannot_wmt.load(path.parent, "eval")),
        in_file(texts(STS), "dev.tsv", lambda path: stsb.load(path.parent, "dev")),
        in_file(texts(TABBED), "train.tsv", lambda path: sick.load(path.parent, "train")),
        in_file(texts(UTTERANCES), "test.csv", lambda path: intents.load(path.parent, "test")),
        retrieval("qrels/test.tsv", texts(JUDGED)),
    ),
    "objects of data sets": (
        in_file(lines(CONTRAST), "dev.jsonl", lambda path: nevir.load(path.parent, "dev")),
        in_file(document([PERTURBED]), "minor_id1_repeat2.json", lambda path: demetr.load(path.parent)),
        in_file(lines(COUNTERFACTUAL), "counterfactual.jsonl", lambda path: m3.load(path.parent)),
        in_file(document([{"RQ_rewrite": "no leek", "corpus_sub_index": [0, 1]}]), "test_manual_final.json", of_corpus),
        retrieval("corpus.jsonl", lines({"_id": "2", "title": "Tea", "text": "Tea is hot."})),
    ),
    "CD-SCO": (checked("cdsco", "dev", "cdsco/SEM-2012-SharedTask-CD-SCO-dev-09032012.txt", texts(CUES)),),
    "BioScope": (checked("bioscope", "abstracts", "bioscope/abstracts.xml", texts(SCOPED)),),
    "checksums": (in_file(texts(SUMS), checking.SUMS, lambda path: checking.recorded(path.parent)),),
    "what is built from": (
        in_file(texts(DIAGNOSTIC), "a.csv", lambda path: used_up(cannot.glue_diagnostic(path, Counter()))),
        in_file(lines({"docid": "1"}), "a.jsonl", lambda path: used_up(built_objects(path, ["docid"]))),
    ),
    "annotations": (in_file(document(EXPORTED), "a.json", read_annotations),),
    "lexicon": (Format(texts(LEXICON), lambda case, _: read_table("cues", case)),),
    "logic": (Format(texts(*TERMS), logic), Format(texts(*TYPES), lambda case, _: show_type(parse_type(case)))),
    "a bench's folder": (
        in_file(document([RESULT]), "results.json", lambda path: read_results(path.parent)),
        in_file(lines(ROW), "a.jsonl", read_rows),
        in_file(document([MAXSIM], MAXSIM), "maxsim.json", lambda path: read_maxsims(path.parent)),
    ),
    "results to report": (folder_of("results.json", document([RESULT])),),
    "what else to report": (
        folder_of(f"rows/a--{KEY}.jsonl", lines(ROW), json.dumps([RESULT])),
        folder_of("run.json", document(RECORD), json.dumps([RESULT])),
        folder_of("twins.json", document({"model": "m", "cosines": [0.9, None, 0.8]})),
        folder_of("maxsim.json", document([MAXSIM], MAXSIM)),
        folder_of("exclusions.json", document([LEFT_OUT]), json.dumps([RESULT])),
        folder_of("curves.jsonl", lines(CURVE)),
        folder_of("sweep.json", document(SWEEP)),
    ),
    "answers": (
        in_file(lines({"key": "k", "answer": "yes"}), "a.jsonl", Replay),
        in_file(document({"answer": "yes"}, {"unanswered": "empty", "detail": ""}), "a", kept_answer),
    ),
    "a model's configuration": (in_file(document(CONFIGURATION), "config.json", configuration_of),),
    "vectors": (Format(partial(damaged_bytes, [VECTORS]), stored),),
    "Parquet": (in_parquet(sampled), in_parquet(anchors)),
    "archives": (archives("a.zip"), archives("a.tar"), archives("a.tar.gz")),
}


def held(name: str, number: int, folder: Path) -> None:
    """So many damaged files, shared among the readers of a format, each in a folder of its own."""
    readers = FORMATS[name]
    for place, one in enumerate(readers):
        home = folder / str(place)
        home.mkdir()
        draw = random.Random(f"{name}, {place}")
        whole = 0
        for at in range(-(-number // len(readers))):
            case = one.make(draw)
            where = f"{name}, reader {place}, case {at}"
            start = time.perf_counter()
            try:
                one.read(case, home)
                whole += 1
            except LitotesError:
                pass
            except Exception as error:
                error.add_note(f"{where}: {case[:2000]!r}")
                raise
            assert time.perf_counter() - start < SECONDS, f"{where} takes long: {case[:2000]!r}"
        assert whole, f"{name}, reader {place}: all were refused, so nothing was tested"


@pytest.mark.parametrize("name", FORMATS)
def test_a_damaged_file_gives_a_result_or_an_error_of_ours(name: str, tmp_path: Path) -> None:
    held(name, FEW, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_ten_thousand_damaged_files(name: str, tmp_path: Path) -> None:
    held(name, CASES, tmp_path)
