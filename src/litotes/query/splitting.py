"""The splitters of queries: litotes-splitter, the linear one, which needs no torch, and others in folders."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from litotes.detection import has_cue_word, linear_splitter
from litotes.detection.exclusion import LONGEST, operators, parted, together
from litotes.errors import InputError
from litotes.models.backends import choose_backend, is_installed
from litotes.models.bases import SPLITTER, has_minilm, shipped
from litotes.query_marks import Marks
from litotes.types import Exclusion

LINEAR = "linear"


@dataclass(frozen=True, slots=True)
class Splitter:
    """Splits queries into what they ask for and what they exclude: call it with queries."""

    name: str
    fingerprint: str
    """a hash of the weights"""
    marks: Callable[[Sequence[str]], Sequence[Marks]]
    """marks what each query excludes, apart from search operators"""

    def __call__(self, queries: Sequence[str]) -> Iterator[Exclusion]:
        """Split queries: one result per query, in order. Only queries with a word that can exclude are read."""
        queries = list(queries)
        read = [query for query in dict.fromkeys(queries) if len(query) <= LONGEST and has_cue_word(query)]
        marks = dict(zip(read, self.marks(read), strict=True)) if read else {}
        for query in queries:
            found = operators(query) if len(query) <= LONGEST else Marks()
            yield parted(query, together(found, marks.get(query, Marks())))


def splitter(name: str = "") -> Splitter:
    """Return a splitter: "litotes-splitter", "linear", or a folder that scripts/train_splitter.py wrote.

    The default is litotes-splitter if its packages are installed, and otherwise the linear one.
    """
    return _loaded(name or (SPLITTER if _is_installed() else LINEAR))


@cache
def _loaded(name: str) -> Splitter:
    if name == LINEAR:
        linear = linear_splitter()
        return Splitter(LINEAR, linear.fingerprint, lambda queries: [linear.marks(query) for query in queries])
    if name != SPLITTER and not Path(name).is_dir():
        expected = f"{SPLITTER!r}, {LINEAR!r}, or the folder of a trained splitter"
        raise InputError(f"the splitter is {name!r}; expected {expected}")
    from litotes.models.splitter.build import load_splitter

    # Queries are short and few: a GPU would take longer to start than the CPU to answer.
    tagger = load_splitter(shipped(SPLITTER).folder if name == SPLITTER else name, device="cpu")
    linear = linear_splitter()

    def marks(queries: Sequence[str]) -> Sequence[Marks]:
        # Queries of which the tagger is not sure count if both models agree.
        return tagger.marks(queries, likely=lambda query: bool(linear.marks(query)))

    return Splitter(name, f"{tagger.facts['weights sha256']} {linear.fingerprint}", marks)


def _is_installed() -> bool:
    return is_installed(choose_backend()) and find_spec("litotes_weights") is not None and has_minilm()
