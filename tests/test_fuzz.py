"""Every reader of user files, on damaged files: it returns a result or raises a LitotesError, and does nothing else.

LITOTES_FUZZ_CASES is the number of files per format. `make soak` sets it to 10,000.
"""

from __future__ import annotations

import gzip
import io
import json
import math
import os
import random
import sys
import tarfile
import zipfile
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from litotes.cli.text import Texts
from litotes.data import beir, checking, fetching
from litotes.data.annotation import read_annotations
from litotes.data.benchmarks import banking77, cannot_wmt, demetr, m3, nevir, sick, stsb
from litotes.data.benchmarks.excluir import convert
from litotes.data.builders import cannot
from litotes.data.builders.source_files import objects as built_objects
from litotes.data.catalogue import data_set
from litotes.data.contrast_files import read_contrasts
from litotes.data.quadruples import parse_quadruples
from litotes.data.result_files import read_rows
from litotes.data.samples import read_samples
from litotes.data.triple_files import read_triples
from litotes.errors import LitotesError
from litotes.evaluation import read_maxsims, read_results
from litotes.lexicon.tables import read_table
from litotes.llm import CachedGenerator
from litotes.llm.replay import Replay
from litotes.logic import infer, parse, quantifiers, reduce, show, show_type
from litotes.models.loading import architectures, saved_as
from litotes.query.upgrading import stored_vectors
from litotes.reporting.report_data import read_folders as read_report
from litotes.synthesis.sources.reading import read as read_sources
from litotes.training.config import TowerTraining
from litotes.training.examples import read_examples
from litotes.training.settings import make_settings, read_settings
from litotes.workflows.text_pairs import from_columns, from_lines
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

# NumPy and Python warn about damaged .npy headers
pytestmark = pytest.mark.filterwarnings("ignore:Reading `.npy`", "ignore:invalid escape sequence")
CASES = int(os.environ.get("LITOTES_FUZZ_CASES", "200"))
CALLS = 1_000_000
"""The most function calls that reading one small file may take, imports included. Unlike a time limit, this does not
depend on the machine."""


@dataclass(frozen=True, slots=True)
class Format:
    """How damaged files of a format are made and read. `read` gets a case, and a folder for files on disk."""

    make: Callable[[random.Random], Any]
    read: Callable[[Any, Path], object]


def exhaust(items: Iterable[Any]) -> None:
    """Read an iterable to its end and keep nothing."""
    deque(items, maxlen=0)


def put(path: Path, content: bytes) -> Path:
    """Write a new file and return its path. Overwriting an existing file would be five times slower."""
    path.unlink(missing_ok=True)
    path.write_bytes(content)
    return path


def in_file(make: Callable[[random.Random], str], name: str, read: Callable[[Path], object]) -> Format:
    """Return a format that is read from a file of this name."""

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
    """Do everything that can be done with a formula from a user."""
    term = parse(text)
    show(term)
    quantifiers(term)
    typed = infer(term)
    show_type(typed.type)
    show(reduce(typed.term, steps=200))


def folder_of(name: str, make: Callable[[random.Random], str], beside: str = "") -> Format:
    """Return a bench or training folder with one damaged file; `beside` is the results.json that the file needs."""

    def read(path: Path) -> None:
        home = path.parent.parent if path.parent.name == "rows" else path.parent
        if beside and not (home / "results.json").exists():
            (home / "results.json").write_text(beside, encoding="utf-8")
        read_report([home])

    return in_file(make, name, read)


def archives(name: str) -> Format:
    """Return an archive as passed to `litotes data get --from`; its first members are read."""
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
        for member in sorted(fetching.archive_members(path, name))[:3]:
            with fetching.open_origin(path, fetching.Origin(name, member)) as stream:
                stream.read()

    # without the current time, so that the damage is the same on every day
    content = gzip.compress(packed.getvalue(), mtime=0) if name.endswith(".gz") else packed.getvalue()
    return Format(partial(damaged_bytes, [content]), read)


def cached_answer(path: Path) -> None:
    """Read an answer from the cache; a damaged one counts as missing."""

    class Echo:
        signature = "echo"

        def generate(self, system: str, prompt: str) -> str:
            return prompt

    home = path.parent / "cache"
    cache = CachedGenerator(Echo(), home)
    if not home.is_dir():
        cache.generate("", "x")
    (answer,) = home.glob("*/*.json")
    answer.unlink()
    answer.hardlink_to(path)
    if cache.holds("", "x"):
        cache.generate("", "x")


def checked(name: str, split: str, path: str, make: Callable[[random.Random], str]) -> Format:
    """Return a file of the catalogue, as `litotes data verify` reads it."""

    def read(content: bytes, folder: Path) -> None:
        (folder / path).parent.mkdir(exist_ok=True)
        put(folder / path, content)
        checking.count_rows(data_set(name), folder, split)

    return Format(lambda draw: as_bytes(make(draw), draw), read)


def retrieval(name: str, make: Callable[[random.Random], str]) -> Format:
    """Return a folder in BEIR's layout with one damaged file."""
    undamaged = {
        "corpus.jsonl": '{"_id": "2", "title": "Tea", "text": "It is hot."}\n',
        "queries.jsonl": '{"_id": 1, "text": "hot drinks"}\n',
        "qrels/test.tsv": JUDGED,
    }

    def read(content: bytes, folder: Path) -> None:
        if not (folder / "qrels").exists():
            (folder / "qrels").mkdir()
            for path, text in undamaged.items():
                put(folder / path, text.encode())
        put(folder / name, content)
        beir.load(folder, "test")

    return Format(lambda draw: as_bytes(make(draw), draw), read)


def index_vectors(content: bytes, folder: Path) -> None:
    """Read the vectors of an index, as `litotes upgrade` does."""
    stored_vectors(put(folder / "a.npy", content))


def convert_excluir(path: Path) -> None:
    if not (path.parent / "corpus.json").exists():
        (path.parent / "corpus.json").write_text('["Leek soup.", "Miso soup."]', encoding="utf-8")
    (path.parent / "made.jsonl").unlink(missing_ok=True)
    convert(path.parent, path.parent / "made.jsonl")


def columns(path: Path) -> None:
    exhaust(from_columns(str(path), ["reference"], "candidate"))


def sampled(path: Path) -> None:
    exhaust(read_samples(str(path)))


def anchors(path: Path) -> None:
    exhaust(read_sources([str(path)]))


def command_input(path: Path) -> None:
    """Read texts as the commands that rewrite or detect do."""
    inputs = Texts((), path)
    exhaust(inputs)
    inputs.check()


def model_configuration(path: Path) -> None:
    """Read both configuration files of a saved model, with the same damage in each."""
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
    "contrasts": (in_file(lines(CONTRAST, EXCLUDING), "a.jsonl", lambda path: exhaust(read_contrasts(path))),),
    "triples": (in_file(lines(TRIPLE), "a.jsonl", lambda path: exhaust(read_triples(path))),),
    "quadruples": (Format(lines(QUADRUPLE), lambda case, _: exhaust(parse_quadruples(case.split("\n"), "a"))),),
    "training examples": (
        in_file(lines(*ANY_LINES), "a.jsonl", read_examples),
        in_file(lines(LABELLED, SCORED, GRADED), "b.jsonl", read_examples),
        in_file(lines(*ANY_LINES), "a.jsonl.gz", read_examples),
    ),
    "settings": (
        in_file(document(SETTINGS), "a.json", lambda path: make_settings(TowerTraining, read_settings(path))),
        in_file(document({"settings": SETTINGS}), "run.json", read_settings),
    ),
    "pairs to score": (
        in_file(lines(SCORED, {"reference": ["a", "b"], "candidate": "c"}), "a.jsonl", columns),
        in_file(texts(TABLE), "a.csv", columns),
        in_file(texts(TABLE.replace(",", "\t")), "a.tsv", columns),
        in_file(PROSE, "a.txt", lambda path: exhaust(from_lines([path], path))),
    ),
    "texts": (in_file(PROSE, "a.txt", command_input),),
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
        in_file(texts(UTTERANCES), "test.csv", lambda path: banking77.load(path.parent, "test")),
        retrieval("qrels/test.tsv", texts(JUDGED)),
    ),
    "objects of data sets": (
        in_file(lines(CONTRAST), "dev.jsonl", lambda path: nevir.load(path.parent, "dev")),
        in_file(document([PERTURBED]), "minor_id1_repeat2.json", lambda path: demetr.load(path.parent)),
        in_file(lines(COUNTERFACTUAL), "counterfactual.jsonl", lambda path: m3.load(path.parent)),
        in_file(
            document([{"RQ_rewrite": "no leek", "corpus_sub_index": [0, 1]}]), "test_manual_final.json", convert_excluir
        ),
        retrieval("corpus.jsonl", lines({"_id": "2", "title": "Tea", "text": "Tea is hot."})),
    ),
    "CD-SCO": (checked("cdsco", "dev", "cdsco/SEM-2012-SharedTask-CD-SCO-dev-09032012.txt", texts(CUES)),),
    "BioScope": (checked("bioscope", "abstracts", "bioscope/abstracts.xml", texts(SCOPED)),),
    "checksums": (in_file(texts(SUMS), checking.CHECKSUMS, lambda path: checking.read_checksums(path.parent)),),
    "source files of builders": (
        in_file(texts(DIAGNOSTIC), "a.csv", lambda path: exhaust(cannot.glue_diagnostic(path, Counter()))),
        in_file(lines({"docid": "1"}), "a.jsonl", lambda path: exhaust(built_objects(path, ["docid"]))),
    ),
    "annotations": (in_file(document(EXPORTED), "a.json", read_annotations),),
    "lexicon": (Format(texts(LEXICON), lambda case, _: read_table("cues", case)),),
    "logic": (Format(texts(*TERMS), logic), Format(texts(*TYPES), lambda case, _: show(parse(f"λx:{case}. P")))),
    "results of a bench": (
        in_file(document([RESULT]), "results.json", lambda path: read_results(path.parent)),
        in_file(lines(ROW), "a.jsonl", read_rows),
        in_file(document([MAXSIM], MAXSIM), "maxsim.json", lambda path: read_maxsims(path.parent)),
    ),
    "results to report": (folder_of("results.json", document([RESULT])),),
    "other files to report": (
        folder_of(f"rows/a--{KEY}.jsonl", lines(ROW), json.dumps([RESULT])),
        folder_of("run.json", document(RECORD), json.dumps([RESULT])),
        folder_of("minimal_pairs.json", document({"model": "m", "cosines": [0.9, None, 0.8]})),
        folder_of("maxsim.json", document([MAXSIM], MAXSIM)),
        folder_of("exclusions.json", document([LEFT_OUT]), json.dumps([RESULT])),
        folder_of("curves.jsonl", lines(CURVE)),
        folder_of("sweep.json", document(SWEEP)),
    ),
    "answers": (
        in_file(lines({"key": "k", "answer": "yes"}), "a.jsonl", Replay),
        in_file(document({"answer": "yes"}, {"unanswered": "empty", "detail": ""}), "a", cached_answer),
    ),
    "a model's configuration": (in_file(document(CONFIGURATION), "config.json", model_configuration),),
    "vectors": (Format(partial(damaged_bytes, [VECTORS]), index_vectors),),
    "Parquet": (in_parquet(sampled), in_parquet(anchors)),
    "archives": (archives("a.zip"), archives("a.tar"), archives("a.tar.gz")),
}


class TooManyCallsError(Exception):
    """Reading one file took more function calls than CALLS."""


@contextmanager
def limited_calls() -> Iterator[None]:
    """Raise TooManyCallsError when the block makes more than CALLS function calls."""
    calls = 0

    def count(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}
        if calls > CALLS:
            sys.setprofile(None)
            raise TooManyCallsError(f"more than {CALLS:,} calls")

    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(None)


@pytest.mark.parametrize("name", FORMATS)
def test_a_damaged_file_gives_a_result_or_a_litotes_error(name: str, tmp_path: Path) -> None:
    readers = FORMATS[name]
    for number, reader in enumerate(readers):
        folder = tmp_path / str(number)
        folder.mkdir()
        draw = random.Random(f"{name}, {number}")
        accepted = 0
        for case_number in range(math.ceil(CASES / len(readers))):
            case = reader.make(draw)
            try:
                with limited_calls():
                    reader.read(case, folder)
                accepted += 1
            except LitotesError:
                pass
            except Exception as error:
                error.add_note(f"{name}, reader {number}, case {case_number}: {case[:2000]!r}")
                raise
        assert accepted, f"{name}, reader {number}: every file was refused, so nothing was tested"
