"""What the adapters of all families share: a name, facts for signatures, and checks of their input."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, require
from litotes.models.loading import Settings, Source, device_of, digest, fingerprint, loading

if TYPE_CHECKING:
    import numpy as np

# Where a model is stored and which library versions run it do not make it a different model.
_NOT_IN_FINGERPRINT = ("origin", "revision", "libraries")


class Adapter:
    """Base class of the models of all families. The name is "family:name"."""

    family: str
    libraries: tuple[str, ...] = ()
    """packages whose versions are part of the facts"""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def details(self) -> dict[str, Any]:
        """Return everything that determines the model's output."""
        raise NotImplementedError

    def facts(self) -> dict[str, Any]:
        """Return what a signature needs to reproduce the model, as plain JSON."""
        return {"family": self.family, **self.details(), "libraries": versions(self.libraries)}

    @property
    def fingerprint(self) -> str:
        """Return a hash that changes with the weights, the vocabulary, the parameters and how they are used."""
        return fingerprint(_identifying(self.facts()))


def _identifying(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts that identify a model, at every depth."""
    return {
        key: _identifying(value) if isinstance(value, dict) else value
        for key, value in facts.items()
        if key not in _NOT_IN_FINGERPRINT
    }


def versions(packages: Sequence[str]) -> dict[str, str]:
    """Return the installed version of each package, or "" if it is not installed."""
    installed = {}
    for package in packages:
        try:
            installed[package] = version(package)
        except PackageNotFoundError:
            installed[package] = ""
    return installed


def check_texts(texts: Sequence[str], what: str = "texts") -> list[str]:
    """Return the texts as a list; refuse a single text and anything that is not text."""
    if isinstance(texts, str):
        raise InputError(f"got a single text ({texts[:40]!r}); expected a list of {what}")
    checked = list(texts)
    for number, text in enumerate(checked):
        if not isinstance(text, str):
            raise InputError(f"{what}[{number}] is {type(text).__name__}; expected text")
    return checked


def check_pairs(queries: Sequence[str], documents: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return queries and documents as lists; refuse lists of different length."""
    left, right = check_texts(queries, "queries"), check_texts(documents, "documents")
    if len(left) != len(right):
        raise InputError(f"{len(left)} queries and {len(right)} documents; expected one document per query")
    return left, right


def distinct(texts: Sequence[str]) -> tuple[list[str], np.ndarray]:
    """Return the distinct texts, and the index of each text among them, so that repeated texts are encoded once."""
    import numpy as np

    positions: dict[str, int] = {}
    indices = [positions.setdefault(text, len(positions)) for text in texts]
    return list(positions), np.array(indices, dtype=np.intp)


def open_model(kind: str, source: Source, settings: Settings, *, family: str, **options: Any) -> Any:
    """Load a saved sentence-transformers model of the class `kind`. Code in its folder is never run."""
    library = require("sentence_transformers", extra="models", why=f"{family} models")
    torch = require("torch", extra="models", why=f"{family} models")
    device = device_of(settings.device, torch)
    with loading(source, family):
        model = getattr(library, kind)(
            str(source.folder),
            device=device,
            local_files_only=True,
            model_kwargs={"dtype": getattr(torch, settings.dtype)},
            **options,
        )
        limit = model.max_seq_length
        model.max_seq_length = min(limit, settings.max_tokens) if limit else settings.max_tokens
    model.eval()
    return model


def model_facts(model: Any) -> dict[str, Any]:
    """Return how a sentence-transformers model is built and run."""
    return {
        "dtype": str(model.dtype).removeprefix("torch."),
        "max_tokens": model.max_seq_length,
        "modules": [type(module).__name__ for module in model],
        "prompts": {name: prompt for name, prompt in model.prompts.items() if prompt},
    }


def source_facts(source: Source) -> dict[str, Any]:
    """Return where saved weights came from, and their hash."""
    return {"origin": source.origin, "revision": source.revision, "files": digest(source.folder)}
