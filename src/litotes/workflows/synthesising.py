"""Make training data from sentences and passages."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError
from litotes.workflows.language_model import LanguageModel, LanguageModelOptions, open_language_model
from litotes.workflows.progress import Progress, Step

if TYPE_CHECKING:
    from litotes.models.likelihood import TextLikelihood
    from litotes.synthesis import Generators, SynthesisConfig, SynthesisProgress, SynthesisResult

ANSWERS = "answers"
RULES, LLM = "rules", "llm"
LOCAL, RAY = "local", "ray"
SUMMARY = ("kept", "by negative kind", "by kind", "dropped")

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Synthesis:
    """What a synthesis made."""

    out: Path
    anchors: int
    made: dict[str, dict[str, Any]]
    """per type of data: how many were kept, by kind, and how many were dropped for which reason"""
    manifest: dict[str, Any]
    """OUT/manifest.json"""

    def line(self) -> dict[str, Any]:
        """Return the JSON object that `litotes synth` prints."""
        return {"anchors": self.anchors, "made": self.made}


def synth(
    sources: str | Sequence[str] = (),
    *,
    out: str | Path,
    types: str | Sequence[str] = ("triples",),
    column: str = "text",
    seed: int = 0,
    limit: int = 0,
    draw: int = 0,
    duplicate_threshold: float = 0.8,
    against: Sequence[str] = (),
    word_rule: bool = False,
    keep_rejects: bool = False,
    format: str = "jsonl",
    shard: tuple[int, int] = (0, 1),
    generator: str = RULES,
    mode: str = "free",
    paraphraser: str = "",
    fluency: bool = False,
    topics: str = "",
    pages: int = 20,
    workers: int = 1,
    engine: str = LOCAL,
    shards: int = 0,
    resume: bool = False,
    language_model: LanguageModelOptions | None = None,
    progress: Progress | None = None,
) -> Synthesis:
    """Make training data from sources and write it to `out`, with a manifest and a data card.

    Args:
        sources: Files, folders, "hf:NAME" (a data set of the hub), "wikipedia:TITLE", "seed:sentences" or
            "seed:passages". Without sources the papers' own are read if the hub answers, else "seed:sentences".
        out: The folder of the data.
        types: What to make: "triples", "contrasts", "pairs", "instructions", "quadruples".
        column: The column of JSON lines, CSV and Parquet files that holds the text.
        seed: The seed of all random choices.
        limit: Read at most this many anchors; 0 for all.
        draw: Draw this many of the anchors, so that rare kinds get a share; 0 for all.
        duplicate_threshold: Drop anchors that overlap by this much or more; 0 drops only equal ones.
        against: Files whose texts no anchor may contain, such as benchmarks.
        word_rule: Keep only contrasts that obey NevIR's rule on the words of queries.
        keep_rejects: Write what was dropped, with the reason, to OUT/rejects.jsonl.
        format: "jsonl" or "parquet".
        shard: (I, N) works on part I of N, counted from 0.
        generator: "rules" or "llm".
        mode: How a language model makes contrasts: "free" or "controlled".
        paraphraser: A sequence-to-sequence model that makes further positives.
        fluency: Drop rewrites by rule that SmolLM2, a small language model, finds much less likely than their source.
        topics: Read Wikipedia pages of this domain, which the language model names.
        pages: The number of pages to ask for with `topics`.
        workers: The number of processes. The output does not depend on it.
        engine: "local", or "ray" for a Ray cluster.
        shards: The number of parts that Ray schedules. The default is one per CPU of the cluster.
        resume: Resume an interrupted run.
        language_model: Which language model to ask, for `generator="llm"`.
        progress: Called after each block of anchors.
    """
    names = [sources] if isinstance(sources, str) else list(sources)
    folder = Path(out)
    with _language_model(generator, language_model, folder) as model:
        config = make_config(
            names or _topic_pages(topics, pages, model),
            model,
            types=tuple([types] if isinstance(types, str) else types),
            column=column,
            seed=seed,
            limit=limit,
            draw=draw,
            duplicate_threshold=duplicate_threshold,
            against=tuple(against),
            word_rule=word_rule,
            rejects=keep_rejects,
            format=format,
            shard=shard,
            mode=mode,
            paraphraser=paraphraser,
            fluency=fluency,
        )
        return _finish(_run(config, folder, model, _Running(workers, engine, shards, resume), progress))


def merge_shards(folders: Sequence[str | Path], *, out: str | Path) -> Synthesis:
    """Merge the folders of all shards of one run into `out`."""
    from litotes.synthesis import merge_shards as merge

    return _finish(merge([Path(folder) for folder in folders], Path(out)))


def estimate_cost(
    sources: Sequence[str],
    *,
    out: str | Path,
    language_model: LanguageModelOptions,
    topics: str = "",
    pages: int = 20,
    **settings: Any,
) -> str:
    """Say what a language model would be asked and what that would cost. Nothing is asked."""
    from litotes.llm import estimate
    from litotes.synthesis import planned_requests

    with open_language_model(language_model, Path(out) / ANSWERS) as model:
        config = make_config(list(sources) or _topic_pages(topics, pages, model), model, **settings)
        made = estimate(
            planned_requests(config),
            price_in=language_model.price_in,
            price_out=language_model.price_out,
            cached=model.generator,
        )
        return str(made)


def make_config(sources: Sequence[str], model: LanguageModel | None, **settings: Any) -> SynthesisConfig:
    """Make the configuration of a run; sources of the hub are pinned to a revision."""
    from litotes.synthesis import SynthesisConfig
    from litotes.synthesis.sources import default_sources, pinned

    generator = model.name if model is not None else RULES
    return SynthesisConfig(sources=pinned(tuple(sources) or default_sources()), generator=generator, **settings)


@contextmanager
def _language_model(generator: str, options: LanguageModelOptions | None, out: Path) -> Iterator[LanguageModel | None]:
    if generator == RULES:
        yield None
    elif generator == LLM:
        with open_language_model(options or LanguageModelOptions(), out / ANSWERS) as model:
            yield model
    else:
        raise InputError(f"there is no generator {generator!r}; expected {RULES} or {LLM}")


def _topic_pages(domain: str, pages: int, model: LanguageModel | None) -> list[str]:
    """Ask the model for Wikipedia pages of a domain; return those that exist as sources."""
    from litotes.synthesis.sources import WIKIPEDIA
    from litotes.synthesis.sources.wikipedia import topics, usable_titles

    if not domain:
        return []
    if model is None:
        raise InputError("topics are named by a language model: set the generator to llm and name a model")
    refused: Counter[str] = Counter()
    titles = usable_titles(topics(model.generator, domain, pages), counts=refused)
    for reason, count in refused.items():
        logger.warning("%d pages were not used: %s", count, reason)
    if not titles:
        raise InputError(f"none of the pages named for {domain!r} can be used")
    return [WIKIPEDIA + title for title in titles]


@dataclass(frozen=True, slots=True)
class _Running:
    """How the work is distributed."""

    workers: int
    engine: str
    shards: int
    resume: bool


def _run(
    config: SynthesisConfig,
    out: Path,
    model: LanguageModel | None,
    running: _Running,
    progress: Progress | None,
) -> SynthesisResult:
    from litotes.synthesis import synthesise, synthesise_on_ray

    generators = _generators(config, model)
    report = _synthesis_progress(config, progress)
    if running.engine == RAY:
        if generators is not None:
            raise InputError("the engine ray runs the rules only; a language model is asked from one process")
        return synthesise_on_ray(config, out, shards=running.shards, resume=running.resume, progress=report)
    if running.engine != LOCAL:
        raise InputError(f"there is no engine {running.engine!r}; expected {LOCAL} or {RAY}")
    try:
        return synthesise(
            config, out, workers=running.workers, resume=running.resume, progress=report, generators=generators
        )
    finally:
        if model is not None:
            logger.info("%s", model.spent())


def _generators(config: SynthesisConfig, model: LanguageModel | None) -> Generators | None:
    from litotes.synthesis import Generators
    from litotes.synthesis.paraphraser import Paraphraser

    if model is None and not config.paraphraser and not config.fluency:
        return None
    paraphraser = Paraphraser(config.paraphraser) if config.paraphraser else None
    return Generators(
        model.generator if model else None,
        model.options.concurrency if model else 1,
        paraphraser,
        _fluency_model() if config.fluency else None,
    )


def _fluency_model() -> TextLikelihood:
    from litotes.models.causal import SMOLLM2
    from litotes.models.likelihood import load_likelihood

    return load_likelihood(SMOLLM2)


def _synthesis_progress(config: SynthesisConfig, progress: Progress | None) -> Any:
    if progress is None:
        return None

    def report(step: SynthesisProgress) -> None:
        counts = ", ".join(f"{count:,} {name}" for name, count in step.counts.items())
        progress(Step("anchors", step.anchors, config.draw or config.limit or None, counts))

    return report


def _finish(result: SynthesisResult) -> Synthesis:
    """Write the data card, unless this is one shard of several."""
    from litotes.reporting.data_card import data_card

    if not result.manifest:
        made = {name: {"kept": count} for name, count in result.counts.items()}
        return Synthesis(result.out, result.anchors, made, {})
    data_card(result.manifest, result.out)
    made = {
        name: {part: profile[part] for part in SUMMARY if part in profile}
        for name, profile in result.manifest["made"].items()
    }
    return Synthesis(result.out, result.anchors, made, result.manifest)
