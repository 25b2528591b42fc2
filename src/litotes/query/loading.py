"""`litotes.load`: load an encoder by name, ready for queries."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from litotes.errors import InputError, require
from litotes.models import FAMILIES, NAMELESS, suggested_model
from litotes.models.backends import ONNX, choose_backend
from litotes.models.bases import METRICS, MINI, find_encoder
from litotes.models.dense import pair_similarity, refuse_other_kinds
from litotes.models.encoder_names import parse_encoder_name
from litotes.models.loading import Source, loading
from litotes.models.tower.scaling import check_default_dial
from litotes.models.tower.shape import TOWER_CARD, is_tower

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from litotes.query.encoder import Encoder
    from litotes.query.onnx_encoder import OnnxEncoder

SET_BY_LOAD = {
    *("self", "model_name_or_path", "modules", "device", "local_files_only", "revision"),
    *("cache_folder", "token", "use_auth_token", "model_card_data"),
}
"""parameters of SentenceTransformer that `load` sets itself, or that have no effect on files that are already here"""


@overload
def load(name: str = MINI, *, backend: Literal["onnx"], dial: float | None = None) -> OnnxEncoder: ...


@overload
def load(
    name: str = MINI,
    *,
    device: str | None = None,
    dial: float | None = None,
    revision: str = "",
    backend: Literal["torch"] | None = None,
    **options: Any,
) -> Encoder: ...


def load(
    name: str = MINI,
    *,
    device: str | None = None,
    dial: float | None = None,
    revision: str = "",
    backend: str | None = None,
    **options: Any,
) -> Encoder | OnnxEncoder:
    """Load an encoder as a SentenceTransformer whose queries respect negation and exclusion.

    `name` is every dense name that `litotes.models.load` accepts, with or without "dense:" in front: "litotes-mini",
    which comes with the package, "minilm", "mpnet", a folder, a name on the Hugging Face hub, "TOWER@0.3" with a dial,
    or "FOR-QUERIES+FOR-DOCUMENTS". Encoders without a tower have no dial. Models of the other families are loaded by
    `litotes.models.load`, the metric by `litotes.Metric`.

    `dial` sets the model's default dial, at which documents are encoded and stored. A query can have its own; one that
    excludes something has half the default. `revision` is a commit on the hub. `backend` is "torch", or "onnx", which
    runs litotes-mini, MiniLM and the folder of `litotes export onnx` without torch; the result is then a
    `litotes.query.OnnxEncoder`. The default is torch if it is installed. `options` are those of
    SentenceTransformer, such as `model_kwargs`; one that would have no effect raises an InputError.
    """
    if choose_backend(backend) == ONNX:
        return _load_onnx(name, device, dial, {"revision": revision, **options} if revision else options)
    library = require("sentence_transformers", extra="models", why="loading an encoder")
    from litotes.models.tower.build import tower_of
    from litotes.models.tower.delta import load_tower
    from litotes.query.encoder import Encoder

    parsed = parse_encoder_name(_dense_name(name), dial)
    sources = [find_encoder(part, revision=revision) for part in parsed.parts]
    if len(sources) > 1 and is_tower(sources[-1].folder):
        raise InputError(
            f"{name!r} is an encoder with a polarity block beside it. Load it with "
            f"litotes.beside(litotes.load({'+'.join(parsed.parts[:-1])!r}), block={parsed.parts[-1]!r})"
        )
    for source in sources:
        refuse_other_kinds(source)
    if len(sources) > 1:
        _refuse_options(name, options if parsed.dial is None else {"dial": parsed.dial, **options}, ("device",))
        return Encoder.of(_load_pair(library, sources, device))
    if (sources[0].folder / TOWER_CARD).is_file():
        _refuse_options(name, options, ("device", "dial"))
        return Encoder.of(load_tower(sources[0].folder, device=device, default_w=parsed.dial))
    known = set(inspect.signature(library.SentenceTransformer.__init__).parameters) - SET_BY_LOAD
    _refuse_options(name, {option: value for option, value in options.items() if option not in known}, sorted(known))
    model = _load_one(library, sources[0], device, options)
    if parsed.dial is not None:
        tower_of(model).config.default_w = check_default_dial(parsed.dial)
    return Encoder.of(model)


def _load_onnx(name: str, device: str | None, dial: float | None, options: Mapping[str, Any]) -> OnnxEncoder:
    from litotes.query.onnx_encoder import load_onnx

    parsed = parse_encoder_name(_dense_name(name), dial)
    _refuse_options(f"{name} on onnxruntime", options, ("dial", "backend"))
    if device not in (None, "cpu"):
        raise InputError(f"the device is {device!r}; expected cpu, on which onnxruntime runs")
    return load_onnx(parsed.parts, name=name, dial=parsed.dial)


def _dense_name(name: str) -> str:
    """Return the name without "dense:"; for models of other families, say which function loads them."""
    if Path(name).expanduser().is_dir():
        return name
    family, colon, target = name.partition(":")
    if name in METRICS or family == "score":
        raise InputError(f"{name!r} is a metric, not an encoder. Load it with litotes.Metric({target or name!r})")
    if name in NAMELESS or (colon and family in FAMILIES and family != "dense"):
        raise InputError(f"{name!r} is not a dense encoder. Load it with litotes.models.load({name!r})")
    if colon and family != "dense":
        raise InputError(f"unknown model {name!r}.{suggested_model(name)} Expected dense:…, a folder or a hub name")
    return target if colon else name


def _refuse_options(name: str, options: Mapping[str, Any], known: Iterable[str]) -> None:
    if options:
        raise InputError(f"{name!r} cannot use {', '.join(sorted(options))}; expected only {', '.join(known)}")


def _load_one(library: Any, source: Source, device: str | None, options: Mapping[str, Any]) -> SentenceTransformer:
    with loading(source, "dense"):
        model: SentenceTransformer = library.SentenceTransformer(
            str(source.folder), device=device, local_files_only=True, **options
        )
    return model


def _load_pair(library: Any, sources: Sequence[Source], device: str | None) -> SentenceTransformer:
    """Put an encoder for queries and one for documents behind a router, which also sends other texts to the second."""
    router = require("sentence_transformers.models", extra="models", why="two encoders").Router
    queries, documents = (_load_one(library, source, device, {}) for source in sources)
    prompts = {**documents.prompts, "query": queries.prompts.get("query", "")}
    model: SentenceTransformer = library.SentenceTransformer(
        modules=[router.for_query_document(list(queries), list(documents))],
        prompts=prompts,
        default_prompt_name=documents.default_prompt_name,
        similarity_fn_name=pair_similarity(sources[0]),
        device=device,
    )
    return model
