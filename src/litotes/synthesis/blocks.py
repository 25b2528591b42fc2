"""Blocks of anchors: the unit of work that workers, shards and resumed runs share.

A block has some hundred anchors. Its output depends on their texts and the configuration only, and is written to one
file atomically.
"""

from __future__ import annotations

import gc
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import islice, tee
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.detection import non_english_text_reason
from litotes.files import write_atomically
from litotes.synthesis.by_rule.rewritten_contrasts import contrasts, partners_among
from litotes.synthesis.by_rule.rewritten_quadruples import quadruples
from litotes.synthesis.by_rule.rewritten_triples import triples
from litotes.synthesis.by_rule.topics import Partners
from litotes.synthesis.config import RULES, SynthesisConfig
from litotes.synthesis.fluency import FluencyCheck, RewriteCheck, TokenScorer
from litotes.synthesis.instructions import instructions
from litotes.synthesis.labelled_pairs import labelled_pairs
from litotes.synthesis.paraphraser import Paraphrases, extra_positives
from litotes.synthesis.profile import count_lines
from litotes.synthesis.selection.draw import draw_texts
from litotes.synthesis.selection.duplicates import BATCH, Fingerprints, SeenTexts, fingerprint
from litotes.synthesis.sources import Anchor, read
from litotes.types import Contrast, Generator, Triple

if TYPE_CHECKING:
    from litotes.llm.answers import Request

RULE_BLOCK = 200
LLM_BLOCK = 20
"""Anchors per block if each anchor takes a language model's time."""
CHUNK = 4 * BATCH
"""Texts that one process fingerprints at a time."""
PARTNERS = 1000
FROM_TRIPLES = ("triples", "pairs", "instructions")
Rows = list[dict[str, Any]]
Lines = dict[str, Rows]
ParallelMap = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]
"""A function like `map`, which may work in other processes and yields the results in order."""


@dataclass(frozen=True, slots=True)
class Generators:
    """The models that make data besides the rules. They stay in this process."""

    llm: Generator | None = None
    concurrency: int = 1
    """Concurrent requests to the language model."""
    paraphraser: Paraphrases | None = None
    fluency: TokenScorer | None = None
    """The language model of the fluency check."""

    @property
    def check(self) -> RewriteCheck | None:
        """Return the check of rewrites that these models make."""
        return FluencyCheck(self.fluency) if self.fluency is not None else None


def blocks(
    config: SynthesisConfig, skipped: Counter[str], *, parallel_map: ParallelMap = map
) -> Iterator[tuple[int, list[Anchor]]]:
    """Yield the numbered blocks of this shard; count anchors that are skipped by reason."""
    anchors = _drawn(config, skipped, parallel_map) if config.draw else _new(config, skipped, parallel_map)
    part, parts = config.shard
    number = 0
    size = RULE_BLOCK if config.generator == RULES else LLM_BLOCK
    while block := list(islice(anchors, size)):
        if number % parts == part:
            yield number, block
        number += 1


def planned_requests(config: SynthesisConfig) -> Iterator[Request]:
    """Yield the requests that a run sends to its language model at least, for an estimate before it starts."""
    from litotes.synthesis.by_llm import prompted_contrasts, prompted_triples

    for _, block in blocks(config, Counter()):
        if set(config.types) & set(FROM_TRIPLES):
            yield from prompted_triples.requests(block, seed=config.seed)
        if "contrasts" in config.types:
            yield from prompted_contrasts.requests(block, seed=config.seed, mode=config.mode)


def _read(config: SynthesisConfig) -> Iterator[Anchor]:
    return islice(read(config.sources, column=config.column), config.limit or None)


def _with_reasons(config: SynthesisConfig, parallel_map: ParallelMap) -> Iterator[tuple[Anchor, str]]:
    """Yield every anchor with the reason why it is skipped, or ""."""
    seen = SeenTexts.from_files(config.against, threshold=config.duplicate_threshold or None)
    anchors = _read(config)
    chunks, copies = tee(iter(lambda: list(islice(anchors, CHUNK)), []))
    examine = partial(_examine, seen.threshold)
    examined = parallel_map(examine, ([anchor.text for anchor in chunk] for chunk in copies))
    for chunk, batches in zip(chunks, examined, strict=True):
        reasons = [
            duplicate or non_english
            for fingerprints, languages in batches
            for duplicate, non_english in zip(seen.add_fingerprints(fingerprints), languages, strict=True)
        ]
        for anchor, reason in zip(chunk, reasons, strict=True):
            yield anchor, reason if anchor.text else "empty"


def _examine(threshold: float | None, texts: Sequence[str]) -> list[tuple[Fingerprints, list[str]]]:
    """Return the fingerprints of texts, in batches, and for each text why it is not English, or ""."""
    batches = [texts[at : at + BATCH] for at in range(0, len(texts), BATCH)]
    return [
        (fingerprint(batch, threshold=threshold), [non_english_text_reason(text) for text in batch])
        for batch in batches
    ]


def _new(config: SynthesisConfig, skipped: Counter[str], parallel_map: ParallelMap = map) -> Iterator[Anchor]:
    for anchor, reason in _with_reasons(config, parallel_map):
        if reason:
            skipped[reason] += 1
        else:
            yield anchor


def _drawn(config: SynthesisConfig, skipped: Counter[str], parallel_map: ParallelMap) -> Iterator[Anchor]:
    """Yield the drawn anchors in the order of the sources, which are read twice: to draw, and to yield."""
    new: list[int] = []

    def texts() -> Iterator[str]:
        for place, (anchor, reason) in enumerate(_with_reasons(config, parallel_map)):
            if reason:
                skipped[reason] += 1
            else:
                new.append(place)
                yield anchor.text

    drawn = draw_texts(texts(), config.draw, seed=config.seed)
    skipped["not drawn"] += len(new) - len(drawn)
    places = {new[number] for number in drawn}
    return (anchor for place, anchor in enumerate(_read(config)) if place in places)


def process_block(
    config: SynthesisConfig,
    folder: Path,
    number: int,
    block: Sequence[Anchor],
    generators: Generators | None = None,
) -> dict[str, int]:
    """Write one block to its file, unless the file exists. Return the number of lines per type."""
    path = folder / f"{number:06}.json"
    # A file that cannot be read (after a power cut, for example) is written again.
    with suppress(FileNotFoundError, ValueError):
        tables = json.loads(path.read_bytes())["tables"]
        return {name: table["reasons"]["kept"] for name, table in tables.items()}
    # Parses are many small objects without cycles; looking for cycles among them takes a twelfth of the time.
    gc.disable()
    try:
        lines, reasons, rejects = _generate(config, block, generators or Generators())
    finally:
        gc.enable()
    for name in config.types:
        reasons[name]["kept"] = len(lines[name])
    tables = {name: count_lines(name, lines[name], reasons[name]) for name in config.types}
    if config.rejects:
        lines["rejects"] = rejects
    content = {name: "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in lines[name]) for name in lines}
    block_json = json.dumps({"anchors": len(block), "lines": content, "tables": tables}, ensure_ascii=False)
    write_atomically(path, block_json)
    return {name: len(lines[name]) for name in config.types}


def _generate(
    config: SynthesisConfig, block: Sequence[Anchor], generators: Generators
) -> tuple[Lines, dict[str, Counter[str]], Rows]:
    """Return the lines of each type, counts of what was dropped by reason, and the rejects."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in config.types}
    rejects: list[tuple[str, Triple]] = []
    lines: Lines = {name: [] for name in config.types}
    if set(config.types) & set(FROM_TRIPLES):
        triple_rows = list(_triples(config, block, generators, counts.get("triples", Counter()), rejects))
        if "triples" in lines:
            lines["triples"] = [triple.line() for triple in triple_rows]
        if "pairs" in lines:
            lines["pairs"] = [pair.line() for pair in labelled_pairs(triple_rows, counts=counts["pairs"])]
        if "instructions" in lines:
            rows = instructions(triple_rows, counts=counts["instructions"], seed=config.seed)
            lines["instructions"] = [row.line() for row in rows]
    if "contrasts" in lines:
        contrast_rows = _contrasts(config, block, generators, counts["contrasts"])
        lines["contrasts"] = [contrast.line() for contrast in contrast_rows]
    if "quadruples" in lines:
        squares = quadruples(block, seed=config.seed, counts=counts["quadruples"], check=generators.check)
        lines["quadruples"] = [quadruple.line() for quadruple in squares]
    return lines, counts, [{"reason": reason, **triple.line()} for reason, triple in rejects]


def _triples(
    config: SynthesisConfig,
    block: Sequence[Anchor],
    generators: Generators,
    counts: Counter[str],
    rejects: list[tuple[str, Triple]],
) -> Iterable[Triple]:
    if generators.llm is not None:
        from litotes.synthesis.by_llm import prompted_triples

        return prompted_triples.triples(
            block, generator=generators.llm, seed=config.seed, counts=counts, concurrency=generators.concurrency
        )
    extra = extra_positives(block, generators.paraphraser, counts=counts) if generators.paraphraser is not None else ()
    return triples(block, seed=config.seed, counts=counts, rejects=rejects, extra=extra, check=generators.check)


def _contrasts(
    config: SynthesisConfig, block: Sequence[Anchor], generators: Generators, counts: Counter[str]
) -> Iterable[Contrast]:
    if generators.llm is not None:
        from litotes.synthesis.by_llm import prompted_contrasts

        return prompted_contrasts.contrasts(
            block,
            generator=generators.llm,
            seed=config.seed,
            counts=counts,
            concurrency=generators.concurrency,
            mode=config.mode,
        )
    partners = _partners(replace(config, shard=(0, 1)))
    return contrasts(
        block,
        seed=config.seed,
        counts=counts,
        word_rule=config.word_rule,
        partners=partners,
        check=generators.check,
    )


@lru_cache(maxsize=1)
def _partners(config: SynthesisConfig) -> Partners:
    """Return the passages that others are compared with: the first ones of the run, for every block."""
    return partners_among(list(islice(_new(replace(config, draw=0), Counter()), PARTNERS)))
