"""Anchors in blocks, and a block's work: the unit that workers, shards and a resumed run share.

A block is some hundred anchors, turned into output by nothing but their texts and the configuration. A finished block
is a file that appears whole or not at all.
"""

from __future__ import annotations

import gc
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import islice, tee
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.detection import foreign_text
from litotes.synth.by_rule.contrasts import contrasts, partners_among
from litotes.synth.by_rule.quadruples import quadruples
from litotes.synth.by_rule.topics import Partners
from litotes.synth.by_rule.triples import triples
from litotes.synth.config import RULES, Config
from litotes.synth.instructions import instructions
from litotes.synth.pairs import pairs
from litotes.synth.profile import counted
from litotes.synth.selection.draw import drawn
from litotes.synth.selection.duplicates import BATCH, Look, against, look
from litotes.synth.seq2seq import Paraphrases, extra_positives
from litotes.synth.sources import Anchor, read
from litotes.types import Contrast, Generator, Triple

if TYPE_CHECKING:
    from litotes.llm.answers import Request

BLOCK = 200
ASKED_BLOCK = 20
"""anchors of a block where each costs a language model's time"""
READ = 4 * BATCH
"""texts that are looked at together, by whichever process is free"""
PARTNERS = 1000
FROM_TRIPLES = ("triples", "pairs", "instructions")
Rows = list[dict[str, Any]]
Lines = dict[str, Rows]
Spread = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]
"""as `map`, which does the work here; others have it done elsewhere and give the same in the same order"""


@dataclass(frozen=True, slots=True)
class Hands:
    """What works a block besides the rules: objects that stay in this process."""

    generator: Generator | None = None
    concurrency: int = 1
    paraphraser: Paraphrases | None = None


def blocks(config: Config, counts: Counter[str], *, spread: Spread = map) -> Iterator[tuple[int, list[Anchor]]]:
    """The blocks of this shard with their numbers; what is not taken from the sources is counted by its reason."""
    anchors = _drawn(config, counts, spread) if config.draw else _new(config, counts, spread)
    part, parts = config.shard
    number = 0
    size = BLOCK if config.generator == RULES else ASKED_BLOCK
    while block := list(islice(anchors, size)):
        if number % parts == part:
            yield number, block
        number += 1


def requests(config: Config) -> Iterator[Request]:
    """What a run will ask its language model at the least: for an estimate before it starts."""
    from litotes.synth.by_llm import contrasts as about_passages
    from litotes.synth.by_llm import triples as about_sentences

    for _, block in blocks(config, Counter()):
        if set(config.make) & set(FROM_TRIPLES):
            yield from about_sentences.requests(block, seed=config.seed)
        if "contrasts" in config.make:
            yield from about_passages.requests(block, seed=config.seed, mode=config.mode)


def _read(config: Config) -> Iterator[Anchor]:
    return islice(read(config.sources, column=config.column), config.limit or None)


def _reasons(config: Config, spread: Spread) -> Iterator[tuple[Anchor, str]]:
    """Every anchor, and why it is not taken or ""."""
    seen = against(config.against, threshold=config.near or None)
    anchors = _read(config)
    some, same = tee(iter(lambda: list(islice(anchors, READ)), []))
    looks = spread(partial(_looks, seen.threshold), ([anchor.text for anchor in batch] for batch in same))
    for batch, looked in zip(some, looks, strict=True):
        reasons = [
            reason or foreign
            for one, others in looked
            for reason, foreign in zip(seen.decide(one), others, strict=True)
        ]
        for anchor, reason in zip(batch, reasons, strict=True):
            yield anchor, reason if anchor.text else "empty"


def _looks(threshold: float | None, texts: Sequence[str]) -> list[tuple[Look, list[str]]]:
    """At some texts: what duplicates are known by, and why each is not English or ""."""
    parts = [texts[at : at + BATCH] for at in range(0, len(texts), BATCH)]
    return [(look(part, threshold=threshold), [foreign_text(text) for text in part]) for part in parts]


def _new(config: Config, counts: Counter[str], spread: Spread = map) -> Iterator[Anchor]:
    for anchor, reason in _reasons(config, spread):
        if reason:
            counts[reason] += 1
        else:
            yield anchor


def _drawn(config: Config, counts: Counter[str], spread: Spread) -> Iterator[Anchor]:
    """The drawn ones, in the order of the sources, which are read twice: to draw, and to take."""
    new: list[int] = []

    def texts() -> Iterator[str]:
        for place, (anchor, reason) in enumerate(_reasons(config, spread)):
            if reason:
                counts[reason] += 1
            else:
                new.append(place)
                yield anchor.text

    taken = drawn(texts(), config.draw, seed=config.seed)
    counts["not drawn"] += len(new) - len(taken)
    places = {new[number] for number in taken}
    return (anchor for place, anchor in enumerate(_read(config)) if place in places)


def work(
    config: Config, folder: Path, number: int, block: Sequence[Anchor], hands: Hands | None = None
) -> dict[str, int]:
    """One block into its file, and how many lines of each make it has; a file that is there is not made again."""
    path = folder / f"{number:06}.json"
    if path.exists():
        done = json.loads(path.read_text(encoding="utf-8"))
        return {make: tables["reasons"]["kept"] for make, tables in done["tables"].items()}
    # parses are many small objects without cycles: looking for cycles among them costs a twelfth of the time
    gc.disable()
    try:
        lines, reasons, rejects = _made(config, block, hands or Hands())
    finally:
        gc.enable()
    for make in config.make:
        reasons[make]["kept"] = len(lines[make])
    tables = {make: counted(make, lines[make], reasons[make]) for make in config.make}
    if config.rejects:
        lines["rejects"] = rejects
    written = {name: "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines[name]) for name in lines}
    write_whole(path, json.dumps({"anchors": len(block), "lines": written, "tables": tables}, ensure_ascii=False))
    return {make: len(lines[make]) for make in config.make}


def _made(config: Config, block: Sequence[Anchor], hands: Hands) -> tuple[Lines, dict[str, Counter[str]], Rows]:
    """The lines of each make, what was dropped on the way by its reason, and the rejects themselves."""
    counts: dict[str, Counter[str]] = {make: Counter() for make in config.make}
    rejects: list[tuple[str, Triple]] = []
    lines: Lines = {make: [] for make in config.make}
    if set(config.make) & set(FROM_TRIPLES):
        found = list(_triples(config, block, hands, counts.get("triples", Counter()), rejects))
        if "triples" in lines:
            lines["triples"] = [triple.line() for triple in found]
        if "pairs" in lines:
            lines["pairs"] = [pair.line() for pair in pairs(found, counts=counts["pairs"])]
        if "instructions" in lines:
            asked = instructions(found, counts=counts["instructions"], seed=config.seed)
            lines["instructions"] = [one.line() for one in asked]
    if "contrasts" in lines:
        lines["contrasts"] = [one.line() for one in _contrasts(config, block, hands, counts["contrasts"])]
    if "quadruples" in lines:
        made = quadruples(block, seed=config.seed, counts=counts["quadruples"])
        lines["quadruples"] = [one.line() for one in made]
    return lines, counts, [{"reason": reason, **triple.line()} for reason, triple in rejects]


def _triples(
    config: Config, block: Sequence[Anchor], hands: Hands, counts: Counter[str], rejects: list[tuple[str, Triple]]
) -> Iterable[Triple]:
    if hands.generator is not None:
        from litotes.synth.by_llm.triples import triples as asked

        return asked(block, generator=hands.generator, seed=config.seed, counts=counts, concurrency=hands.concurrency)
    extra = extra_positives(block, hands.paraphraser, counts=counts) if hands.paraphraser is not None else ()
    return triples(block, seed=config.seed, counts=counts, rejects=rejects, extra=extra)


def _contrasts(config: Config, block: Sequence[Anchor], hands: Hands, counts: Counter[str]) -> Iterable[Contrast]:
    if hands.generator is not None:
        from litotes.synth.by_llm.contrasts import contrasts as asked

        return asked(
            block,
            generator=hands.generator,
            seed=config.seed,
            counts=counts,
            concurrency=hands.concurrency,
            mode=config.mode,
        )
    partners = _partners(replace(config, shard=(0, 1)))
    return contrasts(block, seed=config.seed, counts=counts, word_rule=config.word_rule, partners=partners)


@lru_cache(maxsize=1)
def _partners(config: Config) -> Partners:
    """The passages that others are set against: the first of the run, whichever block is worked."""
    return partners_among(list(islice(_new(replace(config, draw=0), Counter()), PARTNERS)))


def write_whole(path: Path, text: str) -> None:
    """Whole or not at all."""
    partial = path.with_suffix(path.suffix + ".partial")
    with partial.open("w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    partial.replace(path)
