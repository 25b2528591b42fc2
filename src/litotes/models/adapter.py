"""What the adapters of all families share: a name, the facts that reproduce them, and checked input."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, require
from litotes.models.loading import Settings, Source, device_of, digest, fingerprint, reading

if TYPE_CHECKING:
    import numpy as np

# Where a model lies and what runs it do not make it another model.
_CIRCUMSTANCE = ("origin", "revision", "libraries")


class Adapter:
    """A model of one family under its "family:name"."""

    family: str
    libraries: tuple[str, ...] = ()
    """the packages whose versions stand in the facts"""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def details(self) -> dict[str, Any]:
        """What decides the model's answers."""
        raise NotImplementedError

    def facts(self) -> dict[str, Any]:
        """What a signature needs to reproduce the model, as plain JSON."""
        return {"family": self.family, **self.details(), "libraries": versions(self.libraries)}

    @property
    def fingerprint(self) -> str:
        """Changes when the model changes: weights, vocabulary, parameters, or how they are used."""
        return fingerprint(_lasting(self.facts()))


def _lasting(facts: dict[str, Any]) -> dict[str, Any]:
    """The facts without the circumstances, at every depth."""
    return {
        key: _lasting(value) if isinstance(value, dict) else value
        for key, value in facts.items()
        if key not in _CIRCUMSTANCE
    }


def versions(packages: Sequence[str]) -> dict[str, str]:
    """The installed versions; "" where a package is not there under its own name."""
    found = {}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = ""
    return found


def texts_of(texts: Sequence[str], what: str = "texts") -> list[str]:
    """The texts as a list; InputError where they are one text, or not all of them are text."""
    if isinstance(texts, str):
        raise InputError(f"expected a list of {what}, got one text ({texts[:40]!r}). Put it in brackets")
    found = list(texts)
    for number, text in enumerate(found):
        if not isinstance(text, str):
            raise InputError(f"{what}[{number}] is {type(text).__name__}; expected text")
    return found


def pairs_of(queries: Sequence[str], documents: Sequence[str]) -> tuple[list[str], list[str]]:
    """Queries and the documents beside them; InputError where one list is longer."""
    left, right = texts_of(queries, "queries"), texts_of(documents, "documents")
    if len(left) != len(right):
        raise InputError(f"{len(left)} queries and {len(right)} documents; expected one document beside each query")
    return left, right


def distinct(texts: Sequence[str]) -> tuple[list[str], np.ndarray]:
    """Each text once, and for every text given its place among them: what is repeated is encoded once."""
    import numpy as np

    places: dict[str, int] = {}
    at = [places.setdefault(text, len(places)) for text in texts]
    return list(places), np.array(at, dtype=np.intp)


def open_model(kind: str, source: Source, settings: Settings, *, family: str, **options: Any) -> Any:
    """A saved sentence-transformers model of the class `kind`, ready to run; it never runs code of the folder."""
    library = require("sentence_transformers", extra="models", why=f"{family} models")
    torch = require("torch", extra="models", why=f"{family} models")
    device = device_of(settings.device, torch)
    with reading(source, family):
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
    """How a sentence-transformers model is built and run."""
    return {
        "dtype": str(model.dtype).removeprefix("torch."),
        "max_tokens": model.max_seq_length,
        "modules": [type(module).__name__ for module in model],
        "prompts": {name: prompt for name, prompt in model.prompts.items() if prompt},
    }


def source_facts(source: Source) -> dict[str, Any]:
    """Where saved weights came from, and which they are."""
    return {"origin": source.origin, "revision": source.revision, "files": digest(source.folder)}
