"""A new tower on a base: as a SentenceTransformer, made of the library's own modules alone."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, require
from litotes.models.bases import MINILM_PINS, MPNET_PINS
from litotes.models.dense import source_of
from litotes.models.loading import Source, device_of, reading, sha256
from litotes.models.tower.config import TowerConfig
from litotes.models.tower.dial import DEFAULT_W, WIDTH
from litotes.models.tower.model import TowerModel
from litotes.models.tower.registration import register
from litotes.models.trunk import BASE_TYPES

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

WEIGHTS = "model.safetensors"
_KNOWN = {MINILM_PINS[WEIGHTS]: "minilm", MPNET_PINS[WEIGHTS]: "mpnet"}
# What a configuration holds of the machine and the moment it was loaded on.
_PASSING = ("architectures", "dtype", "transformers_version")


@dataclass(frozen=True, slots=True)
class Base:
    """A base encoder: a name by which others find it, and the hash of its weights."""

    name: str
    sha256: str
    source: Source


def find_base(target: str) -> Base:
    """The base of that short name, folder or hub name; a folder with weights we know is known by their short name."""
    source = source_of(target, "dense")
    weights = source.folder / WEIGHTS
    if not weights.is_file():
        raise InputError(f"{source.folder} has no {WEIGHTS}; expected a saved SentenceTransformer in safetensors")
    found = sha256(weights)
    return Base(_KNOWN.get(found, target), found, source)


def grow(
    base: str | Base = "minilm",
    *,
    shared_layers: int = 3,
    own_layers: int = 3,
    width: int = WIDTH,
    default_w: float = DEFAULT_W,
    seed: int = 0,
    device: str | None = None,
) -> SentenceTransformer:
    """An untrained tower on a base. Stands on BERT, RoBERTa, XLM-RoBERTa, CamemBERT and MPNet encoders.

    The first `shared_layers` of the base run once for both blocks; the tower's `own_layers` start as copies of the
    base's topmost layers; the seed draws the projection to `width` columns.
    """
    found = base if isinstance(base, Base) else find_base(base)
    library = require("sentence_transformers", extra="models", why="the tower")
    with reading(found.source, "dense"):
        # A base may be saved in half precision; the tower is made and trained in full.
        full = {"dtype": require("torch", extra="models", why="the tower").float32}
        folder = str(found.source.folder)
        whole = library.SentenceTransformer(folder, device="cpu", local_files_only=True, model_kwargs=full)
    encoder, pooling = _parts(whole, found.source)
    config = TowerConfig(
        base=_plain(encoder.config.to_dict()),
        shared_layers=shared_layers,
        own_layers=own_layers,
        width=width,
        default_w=default_w,
        pooling=pooling,
    )
    tower = TowerModel(config)
    weights = {name: value for name, value in encoder.state_dict().items() if not name.startswith("pooler.")}
    tower.base.load_state_dict(weights)
    tower.start_from_base(seed=seed)
    return wrap(tower, whole, device=device)


def tower_of(model: SentenceTransformer) -> TowerModel:
    """The tower inside a loaded SentenceTransformer; InputError where it is none."""
    inner = model.transformers_model
    if not isinstance(inner, TowerModel):
        raise InputError(f"expected a tower; this model is a {type(inner).__name__}")
    return inner


def wrap(tower: TowerModel, base: Any, *, device: str | None = None) -> SentenceTransformer:
    """The tower with its base's tokenizer, prompts and longest text, as a SentenceTransformer."""
    library = require("sentence_transformers", extra="models", why="the tower")
    modules = require("sentence_transformers.models", extra="models", why="the tower")
    torch = require("torch", extra="models", why="the tower")
    register()
    # The library reads a transformers model from a folder only.
    with tempfile.TemporaryDirectory() as folder, reading(Source(Path(folder), "memory"), "dense"):
        tower.save_pretrained(folder)
        base.tokenizer.save_pretrained(folder)
        text = modules.Transformer(folder, max_seq_length=base.max_seq_length, do_lower_case=base[0].do_lower_case)
    vector = modules.Pooling(tower.config.hidden_size, pooling_mode="cls")
    model: SentenceTransformer = library.SentenceTransformer(
        modules=[text, vector],
        prompts=base.prompts,
        default_prompt_name=base.default_prompt_name,
        similarity_fn_name="dot",
        device=device_of(device, torch),
    )
    model.module_kwargs = {"0": ["dial", "task"]}
    model.eval()
    return model


def _parts(base: Any, source: Source) -> tuple[Any, str]:
    """The base's encoder, and how it pools; InputError where there is more to it than that."""
    names = [type(module).__name__ for module in base]
    if names not in (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"]):
        raise InputError(
            f"{source.folder} is made of {', '.join(names)}; a tower stands on Transformer, Pooling and Normalize"
        )
    encoder, pooling = base.transformers_model, base[1]
    kind = encoder.config.model_type
    if kind not in BASE_TYPES:
        raise InputError(f"{source.folder} is a {kind} model; a tower stands on {', '.join(BASE_TYPES)}")
    if not pooling.include_prompt:
        raise InputError(f"{source.folder} leaves its prompt out of the mean; a tower's base reads all of the text")
    return encoder, str(pooling.pooling_mode)


def _plain(config: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in config.items() if name not in _PASSING and not name.startswith("_")}
