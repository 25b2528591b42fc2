"""Search distinct texts for pairs that say the same: vectors, candidates, verdicts, and what is merged into what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from litotes.guard.normalising import normalised
from litotes.workflows.dedup_parts import (
    Loader,
    Part,
    encode_part,
    load_array,
    neighbour_part,
    read_verdicts,
    verdict_part,
)
from litotes.workflows.progress import Progress, Step


@dataclass(frozen=True, slots=True)
class Distinct:
    """The texts that differ after normalising, without empty ones. A place is a position among them."""

    texts: list[str]
    rows: list[int]
    """the first row of each"""
    copies: dict[int, int]
    """further row → the place of its text"""

    @classmethod
    def of(cls, texts: Sequence[str]) -> Distinct:
        """Group rows by their normalised text; a capital at the start does not count."""
        places: dict[str, int] = {}
        rows: list[int] = []
        copies: dict[int, int] = {}
        for row, text in enumerate(texts):
            if not text.strip():
                continue
            plain = normalised(text)
            # of a text such as "Thanks!", nothing is left
            key = plain[:1].casefold() + plain[1:] if plain else f"\0{text}"
            if key in places:
                copies[row] = places[key]
            else:
                places[key] = len(rows)
                rows.append(row)
        # lone surrogates cannot be tokenised or written
        shown = [texts[row].encode("utf-8", "replace").decode("utf-8") for row in rows]
        return cls(shown, rows, copies)


class Opposed(NamedTuple):
    """A pair of places whose texts contradict each other."""

    pair: tuple[int, int]
    score: float
    reason: str
    words: tuple[str, str]


@dataclass(slots=True)
class Verdicts:
    """The verdicts on pairs of places, the smaller one first."""

    accepted: dict[tuple[int, int], float] = field(default_factory=dict)
    """pair → score"""
    contradicting: list[Opposed] = field(default_factory=list)
    rejected: Counter[str] = field(default_factory=Counter)
    first_error: str = ""

    def add(self, line: Mapping[str, Any]) -> None:
        """Add one line of a part."""
        pair = (int(line["pair"][0]), int(line["pair"][1]))
        if line["same"]:
            self.accepted[pair] = float(line["score"])
            return
        self.rejected[str(line["reason"])] += 1
        self.first_error = self.first_error or str(line.get("error", ""))
        # Only pairs that surely differ have words.
        if "words" in line:
            found = Opposed(pair, float(line["score"]), str(line["reason"]), (line["words"][0], line["words"][1]))
            self.contradicting.append(found)

    def merged(self) -> dict[int, int]:
        """Return each merged place with the earliest kept one that the guard accepted for it."""
        earlier: dict[int, list[int]] = {}
        for one, other in sorted(self.accepted):
            earlier.setdefault(other, []).append(one)
        into: dict[int, int] = {}
        for place in sorted(earlier):
            kept = next((one for one in earlier[place] if one not in into), None)
            if kept is not None:
                into[place] = kept
        return into

    def open_questions(self) -> set[tuple[int, int]]:
        """Return pairs of kept places that an accepted pair connects; they may be no nearest neighbours."""
        into = self.merged()
        connected = ((into.get(one, one), into.get(other, other)) for one, other in self.accepted)
        return {(min(pair), max(pair)) for pair in connected if pair[0] != pair[1]}


@dataclass(frozen=True, slots=True)
class Search:
    """The stages of a search over distinct texts: vectors, candidates, verdicts."""

    folder: Path
    texts: Sequence[str]
    models: Loader
    size: int
    """texts or pairs per part"""
    run: Callable[[Iterable[Part]], Iterator[Path]]
    progress: Progress

    def candidates(self, neighbours: int, min_cosine: float) -> np.ndarray:
        """Return the pairs of near texts as integers: the smaller place times the number of texts, plus the larger."""
        starts = range(0, len(self.texts), self.size)
        vectors = [self.folder / "vectors" / f"{number:06}.npy" for number in range(len(starts))]
        encoding = (
            Part(path, partial(encode_part, self.models, path, self.texts[start : start + self.size]))
            for path, start in zip(vectors, starts, strict=True)
        )
        self._run("encoding", encoding, len(self.texts))
        near = [self.folder / "neighbours" / path.name for path in vectors]
        comparing = (
            Part(path, partial(neighbour_part, path, vectors, number, neighbours, min_cosine))
            for number, path in enumerate(near)
        )
        self._run("finding neighbours", comparing, len(self.texts))
        codes = [_codes(load_array(path), len(self.texts)) for path in near]
        return np.unique(np.concatenate([np.zeros(0, np.int64), *codes]))

    def verdicts(self, codes: np.ndarray) -> Verdicts:
        """Judge the candidates, and then what is open between the places that are kept."""
        found, judged, turn = Verdicts(), codes, 0
        while len(codes):
            for path in self._judged(codes, turn):
                for line in read_verdicts(path):
                    found.add(line)
            pairs = np.array(sorted(found.open_questions()), dtype=np.int64).reshape(-1, 2)
            codes, turn = np.setdiff1d(_codes(pairs, len(self.texts)), judged), turn + 1
            judged = np.union1d(judged, codes)
        return found

    def _judged(self, codes: np.ndarray, turn: int) -> list[Path]:
        def parts() -> Iterator[Part]:
            for number, start in enumerate(range(0, len(codes), self.size)):
                pairs = [divmod(code, len(self.texts)) for code in codes[start : start + self.size].tolist()]
                texts = [(self.texts[one], self.texts[other]) for one, other in pairs]
                path = self.folder / "verdicts" / f"{turn:03}-{number:06}.jsonl"
                yield Part(path, partial(verdict_part, self.models, path, pairs, texts))

        return self._run(f"judging further pairs, round {turn}" if turn else "judging pairs", parts(), len(codes))

    def _run(self, what: str, parts: Iterable[Part], total: int) -> list[Path]:
        """Make the parts, report each, and return their files in order."""
        paths = []
        for path in self.run(parts):
            paths.append(path)
            self.progress(Step(what, min(len(paths) * self.size, total), total))
        return sorted(paths)


def _codes(pairs: np.ndarray, places: int) -> np.ndarray:
    codes: np.ndarray = pairs.min(axis=1, initial=places) * places + pairs.max(axis=1, initial=0)
    return codes
