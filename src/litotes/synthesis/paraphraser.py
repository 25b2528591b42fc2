"""Positives by a sequence-to-sequence paraphraser, such as CANNOT's PEGASUS: candidates that keep the meaning.

Beam search is deterministic: the same texts in the same order give the same candidates.
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
from litotes.parse import Parser, load_parser
from litotes.synthesis.meaning_checks import meaning_change
from litotes.synthesis.sources import Anchor
from litotes.types import Edit, Rewrite

PEGASUS = "tuner007/pegasus_paraphrase"
KIND = "paraphrase"
WINDOW = 16
TIMEOUT = 10.0
NO_CANDIDATE = "the paraphraser gave no candidate"


class Paraphrases(Protocol):
    """Anything that paraphrases texts: for each text, in order, its candidates, best first; possibly none."""

    def paraphrase(self, texts: Iterable[str]) -> Iterator[list[str]]: ...


class Paraphraser:
    """A paraphraser by its hub name or folder. It is loaded, or downloaded, for the first text."""

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
                f"candidates is {candidates}, beams {beams}, max_length {max_length}, batch {batch}: "
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
        """Yield the candidates of each text, in order; none for an empty text or one that is too long for the model."""
        remaining = iter(texts)
        # Texts of similar length are batched together, so that there is little padding.
        while window := list(islice(remaining, WINDOW * self.batch)):
            candidates: list[list[str]] = [[] for _ in window]
            encoded = self._tokenizer([self.prefix + text for text in window])["input_ids"]
            readable = [i for i, text in enumerate(window) if text.strip() and len(encoded[i]) <= self._longest]
            readable.sort(key=lambda i: len(encoded[i]))
            for at in range(0, len(readable), self.batch):
                places = readable[at : at + self.batch]
                for place, generated in zip(places, self._generate([encoded[i] for i in places]), strict=True):
                    candidates[place] = generated
            yield from candidates

    def signature(self) -> dict[str, Any]:
        """Return what the candidates depend on: the settings, and the sha256 or the commit of the weights."""
        options = {name: getattr(self, name) for name in ("prefix", "beams", "candidates", "max_length", "batch")}
        return {"paraphraser": self.name, **self._weights(), **options}

    def _generate(self, encoded: Sequence[Sequence[int]]) -> list[list[str]]:
        torch = require("torch", extra="models", why="a paraphraser")
        padded = self._tokenizer.pad({"input_ids": list(encoded)}, return_tensors="pt").to(self._model.device)
        with torch.inference_mode():
            output = self._model.generate(
                input_ids=padded["input_ids"],
                attention_mask=padded["attention_mask"],
                num_beams=self.beams,
                num_return_sequences=self.candidates,
                do_sample=False,
                # A paraphrase longer than twice the text is rejected anyway.
                max_new_tokens=min(self._longest, 2 * len(encoded[-1]) + 8),
            )
        texts = [" ".join(text.split()) for text in self._tokenizer.batch_decode(output, skip_special_tokens=True)]
        parts = (texts[at : at + self.candidates] for at in range(0, len(texts), self.candidates))
        return [[text for text in dict.fromkeys(part) if text] for part in parts]

    @cached_property
    def _tokenizer(self) -> Any:
        return self._load("AutoTokenizer")

    @cached_property
    def _model(self) -> Any:
        torch = require("torch", extra="models", why="a paraphraser")
        device = self.device or ("cuda" if torch.cuda.is_available() else "cpu")
        # Only safetensors: pickled weights could run code.
        model = self._load("AutoModelForSeq2SeqLM", use_safetensors=True, dtype=torch.float32)
        return model.to(device).eval()

    @cached_property
    def _longest(self) -> int:
        """The largest number of tokens of a text: the lowest of our limit, the model's and the tokenizer's."""
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
        """Check within seconds that the hub has the model; loading would try for half a minute."""
        hub = require("huggingface_hub", extra="models", why="a paraphraser")
        utils = require("huggingface_hub.utils", extra="models", why="a paraphraser")
        try:
            hub.HfApi().model_info(self.name, revision=self.revision, timeout=TIMEOUT)
        except (OSError, ValueError, utils.httpx.HTTPError) as error:
            lines = str(error).strip().splitlines() or [type(error).__name__]
            raise MissingError(
                f"the paraphraser {self.name} is neither a folder nor in the cache, and {hub.constants.ENDPOINT} does "
                f"not provide it ({lines[0]}). On a machine with a network, run: hf download {self.name} --local-dir "
                "FOLDER; then pass FOLDER as the paraphraser"
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
    parser: Parser | None = None,
) -> Iterator[list[Rewrite]]:
    """Yield for each text the first `keep` candidates that keep its meaning, or one row with the reason for none."""
    parser = parser or load_parser()
    counts = counts if counts is not None else Counter()
    for_model, originals = tee(texts)
    for text, candidates in zip(originals, paraphraser.paraphrase(for_model), strict=True):
        before, *after = parser.pipe([text, *candidates])
        good: list[Rewrite] = []
        first_reason = ""
        for document in after:
            if len(good) == keep:
                break
            reason = meaning_change(before, document)
            counts[f"{KIND}, {reason or 'kept'}"] += 1
            first_reason = first_reason or reason
            if not reason:
                good.append(_rewrite(text, document.text))
        if not after:
            counts[f"{KIND}, {NO_CANDIDATE}"] += 1
        yield good or [Rewrite(text, KIND, reason=first_reason or NO_CANDIDATE)]


def extra_positives(
    anchors: Sequence[Anchor], paraphraser: Paraphrases, *, counts: Counter[str], parser: Parser | None = None
) -> list[list[Rewrite]]:
    """Return one paraphrase of each anchor, or a row with the reason for none."""
    return list(positives([anchor.text for anchor in anchors], paraphraser, counts=counts, parser=parser))


def _rewrite(text: str, candidate: str) -> Rewrite:
    """Return a rewrite with one edit: all that is between the common start and the common end."""
    start = Prefix.similarity(text, candidate)
    old, new = text[start:], candidate[start:]
    end = Postfix.similarity(old, new)
    edit = Edit(start, old[: len(old) - end], new[: len(new) - end])
    return Rewrite(text, KIND, candidate, "", (edit,), Levenshtein.distance(text, candidate), "seq2seq")


def _ask_for_sentencepiece(name: str, error: Exception) -> None:
    """Name the missing library: for a SentencePiece vocabulary such as PEGASUS's, transformers names another one."""
    if "`tiktoken` is required" in str(error) and find_spec("sentencepiece") is None:
        raise MissingError(
            f"the vocabulary of {name} needs sentencepiece. Install it with: pip install sentencepiece"
        ) from error


def _unusable(name: str, error: Exception) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return (
        f"{name} cannot be used as a paraphraser ({lines[0].rstrip(' .:')}). Expected a sequence-to-sequence model "
        "with its tokenizer and weights in safetensors; pickled weights are not loaded: save them with save_pretrained"
    )
