"""Positives by a sequence-to-sequence paraphraser (CANNOT's was a PEGASUS): candidates, and which keep the meaning.

Beam search draws no lots: the same texts in the same order give the same candidates.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from importlib.util import find_spec
from itertools import islice, tee
from pathlib import Path
from typing import Any, Protocol

from rapidfuzz.distance import Levenshtein, Postfix, Prefix

from litotes.errors import InputError, MissingError, require
from litotes.parse import Parser
from litotes.parse import parser as load_parser
from litotes.synth.meaning import change
from litotes.synth.sources import Anchor
from litotes.types import Edit, Rewrite

PEGASUS = "tuner007/pegasus_paraphrase"
KIND = "paraphrase"
WINDOW = 16
TIMEOUT = 10.0
NOTHING = "the paraphraser gave no candidate"


class Paraphrases(Protocol):
    """Anything that says texts again: for each, in order, its candidates, best first; none where it cannot."""

    def paraphrase(self, texts: Iterable[str]) -> Iterator[list[str]]: ...


class Paraphraser:
    """A paraphraser by its hub name or folder; it is loaded, or fetched, when the first text comes."""

    def __init__(
        self,
        name: str = PEGASUS,
        *,
        prefix: str = "",
        beams: int = 5,
        candidates: int = 3,
        max_length: int = 128,
        batch: int = 16,
        device: str | None = None,
        revision: str = "main",
    ) -> None:
        if not (1 <= candidates <= beams and batch > 0 and max_length > 0):
            raise InputError(
                f"{candidates} candidates of {beams} beams, {max_length} tokens, {batch} a batch: "
                "expected at least one of each, and no more candidates than beams"
            )
        self.name = name
        self.prefix = prefix
        self.beams = beams
        self.candidates = candidates
        self.max_length = max_length
        self.batch = batch
        self.device = device
        self.revision = revision

    def paraphrase(self, texts: Iterable[str]) -> Iterator[list[str]]:
        """The candidates for each text, in order; none for one that is empty or longer than the model reads."""
        remaining = iter(texts)
        # neighbours in length go through the model together, so that little of a batch is padding
        while window := list(islice(remaining, WINDOW * self.batch)):
            found: list[list[str]] = [[] for _ in window]
            encoded = self._tokenizer([self.prefix + text for text in window])["input_ids"]
            readable = [i for i, text in enumerate(window) if text.strip() and len(encoded[i]) <= self._longest]
            readable.sort(key=lambda i: len(encoded[i]))
            for at in range(0, len(readable), self.batch):
                places = readable[at : at + self.batch]
                for place, made in zip(places, self._generate([encoded[i] for i in places]), strict=True):
                    found[place] = made
            yield from found

    def signature(self) -> dict[str, Any]:
        """What the candidates depend on; a folder's weights by their sha256, a hub's by its commit."""
        options = {name: getattr(self, name) for name in ("prefix", "beams", "candidates", "max_length", "batch")}
        return {"paraphraser": self.name, **self._weights(), **options}

    def _generate(self, encoded: Sequence[Sequence[int]]) -> list[list[str]]:
        torch = require("torch", extra="models", why="a paraphraser")
        padded = self._tokenizer.pad({"input_ids": list(encoded)}, return_tensors="pt").to(self._model.device)
        with torch.inference_mode():
            made = self._model.generate(
                input_ids=padded["input_ids"],
                attention_mask=padded["attention_mask"],
                num_beams=self.beams,
                num_return_sequences=self.candidates,
                do_sample=False,
                # what is longer than twice the text is refused anyway
                max_new_tokens=min(self._longest, 2 * len(encoded[-1]) + 8),
            )
        texts = [" ".join(text.split()) for text in self._tokenizer.batch_decode(made, skip_special_tokens=True)]
        parts = (texts[at : at + self.candidates] for at in range(0, len(texts), self.candidates))
        return [[text for text in dict.fromkeys(part) if text] for part in parts]

    @cached_property
    def _tokenizer(self) -> Any:
        return self._load("AutoTokenizer")

    @cached_property
    def _model(self) -> Any:
        torch = require("torch", extra="models", why="a paraphraser")
        device = self.device or ("cuda" if torch.cuda.is_available() else "cpu")
        # safetensors only: weights in pickle could run code
        model = self._load("AutoModelForSeq2SeqLM", use_safetensors=True, dtype=torch.float32)
        return model.to(device).eval()

    @cached_property
    def _longest(self) -> int:
        """How many tokens a text may have: our bound, the model's places, the tokenizer's."""
        places = getattr(self._model.config, "max_position_embeddings", None) or self.max_length
        return int(min(self.max_length, places, self._tokenizer.model_max_length))

    def _load(self, part: str, **options: Any) -> Any:
        transformers = require("transformers", extra="models", why="a paraphraser")
        loader = getattr(transformers, part)
        options |= {"revision": self.revision, "trust_remote_code": False}
        try:
            return loader.from_pretrained(self.name, local_files_only=True, **options)
        except (OSError, ValueError) as error:
            _ask_for_sentencepiece(self.name, error)
            if Path(self.name).is_dir():
                raise InputError(_unusable(self.name, error)) from error
        self._ask_hub()
        try:
            return loader.from_pretrained(self.name, **options)
        except (OSError, ValueError) as error:
            _ask_for_sentencepiece(self.name, error)
            raise MissingError(_unusable(self.name, error)) from error

    def _ask_hub(self) -> None:
        """Whether the hub has the model, in seconds; loading would try for half a minute."""
        hub = require("huggingface_hub", extra="models", why="a paraphraser")
        utils = require("huggingface_hub.utils", extra="models", why="a paraphraser")
        try:
            hub.HfApi().model_info(self.name, revision=self.revision, timeout=TIMEOUT)
        except (OSError, ValueError, utils.httpx.HTTPError) as error:
            lines = str(error).strip().splitlines() or [type(error).__name__]
            raise MissingError(
                f"the paraphraser {self.name} is no folder here, not in the cache, and {hub.constants.ENDPOINT} does "
                f"not give it ({lines[0]}). Where there is a network: hf download {self.name} --local-dir FOLDER; "
                "then name FOLDER as the paraphraser"
            ) from error

    def _weights(self) -> dict[str, str]:
        if Path(self.name).is_dir():
            digest = hashlib.sha256()
            for path in sorted(Path(self.name).glob("*.safetensors")):
                with path.open("rb") as stream:
                    while block := stream.read(1 << 20):
                        digest.update(block)
            return {"sha256": digest.hexdigest()}
        hub = require("huggingface_hub", extra="models", why="a paraphraser")
        cached = hub.try_to_load_from_cache(self.name, "config.json", revision=self.revision)
        return {"revision": Path(cached).parent.name if isinstance(cached, str) else self.revision}


def positives(
    texts: Iterable[str],
    paraphraser: Paraphrases,
    *,
    keep: int = 1,
    counts: Counter[str] | None = None,
    reader: Parser | None = None,
) -> Iterator[list[Rewrite]]:
    """For each text the first `keep` candidates that keep its meaning, or one row that says why there is none."""
    reader = reader or load_parser()
    counts = counts if counts is not None else Counter()
    for_model, for_us = tee(texts)
    for text, candidates in zip(for_us, paraphraser.paraphrase(for_model), strict=True):
        before, *after = reader.pipe([text, *candidates])
        kept: list[Rewrite] = []
        reason = ""
        for document in after:
            if len(kept) == keep:
                break
            trouble = change(before, document)
            counts[f"{KIND}, {trouble or 'kept'}"] += 1
            reason = reason or trouble
            if not trouble:
                kept.append(_rewrite(text, document.text))
        if not after:
            counts[f"{KIND}, {NOTHING}"] += 1
        yield kept or [Rewrite(text, KIND, reason=reason or NOTHING)]


def extra_positives(
    anchors: Sequence[Anchor], paraphraser: Paraphrases, *, counts: Counter[str], reader: Parser | None = None
) -> list[list[Rewrite]]:
    """The row of each anchor, for the triples: one paraphrase, or why there is none."""
    return list(positives([anchor.text for anchor in anchors], paraphraser, counts=counts, reader=reader))


def _rewrite(text: str, candidate: str) -> Rewrite:
    """One edit: all between what the two begin and end with."""
    start = Prefix.similarity(text, candidate)
    ours, theirs = text[start:], candidate[start:]
    end = Postfix.similarity(ours, theirs)
    edit = Edit(start, ours[: len(ours) - end], theirs[: len(theirs) - end])
    return Rewrite(text, KIND, candidate, "", (edit,), Levenshtein.distance(text, candidate), "seq2seq")


def _ask_for_sentencepiece(name: str, error: Exception) -> None:
    """PEGASUS keeps its words in a SentencePiece file; where the library lacks, transformers asks for another one."""
    if "`tiktoken` is required" in str(error) and find_spec("sentencepiece") is None:
        raise MissingError(
            f"the words of {name} need sentencepiece. Install it with: pip install sentencepiece"
        ) from error


def _unusable(name: str, error: Exception) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return (
        f"{name} cannot be used as a paraphraser ({lines[0].rstrip(' .:')}). Expected a sequence-to-sequence model "
        "with its tokenizer and weights in safetensors; pickled weights are not loaded: save them with save_pretrained"
    )
