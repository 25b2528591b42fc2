"""Build a new tower on a base, as a SentenceTransformer of standard modules."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, require
from litotes.models.base_encoder import Base, find_base
from litotes.models.encoder_layers import BASE_TYPES
from litotes.models.loading import Source, device_of, loading
from litotes.models.tower.config import TowerConfig
from litotes.models.tower.model import TowerModel
from litotes.models.tower.registration import register
from litotes.models.tower.scaling import DEFAULT_W, WIDTH
from litotes.models.updates import add_updates

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

# Entries of a configuration that depend on how and where it was loaded.
_NOT_SAVED = ("architectures", "dtype", "transformers_version")


def new_tower(
    base: str | Base = "minilm",
    *,
    shared_layers: int = 3,
    own_layers: int = 3,
    width: int = WIDTH,
    default_w: float = DEFAULT_W,
    rank: int = 0,
    seed: int = 0,
    device: str | None = None,
) -> SentenceTransformer:
    """Build an untrained tower on a BERT, RoBERTa, XLM-RoBERTa, CamemBERT or MPNet encoder.

    The first `shared_layers` of the base run once for both blocks. The tower's `own_layers` start as copies of the
    base's last layers; with a `rank`, they stay copies, and updates of this rank are trained. The projection to `width`
    columns is random, with the given seed.
    """
    resolved = base if isinstance(base, Base) else find_base(base)
    library = require("sentence_transformers", extra="models", why="the tower")
    with loading(resolved.source, "dense"):
        # A base may be saved in half precision; a tower is built and trained in full precision.
        full_precision = {"dtype": require("torch", extra="models", why="the tower").float32}
        folder = str(resolved.source.folder)
        whole = library.SentenceTransformer(folder, device="cpu", local_files_only=True, model_kwargs=full_precision)
    encoder, pooling = _parts(whole, resolved.source)
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
    model = wrap(tower, whole, device=device)
    if rank:
        _add_updates(tower_of(model), rank, seed)
    return model


def _add_updates(tower: TowerModel, rank: int, seed: int) -> None:
    hidden = tower.config.base["hidden_size"]
    if not 1 <= rank <= hidden:
        raise InputError(f"rank is {rank}; expected 1 to {hidden}, the width of the base, or 0 for whole layers")
    torch = require("torch", extra="models", why="the tower")
    device = tower.device
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        add_updates(tower.own, rank=rank)
    tower.own.to(device)


def tower_of(model: SentenceTransformer) -> TowerModel:
    """Return the tower inside a loaded SentenceTransformer; raise an InputError if there is none."""
    inner = model.transformers_model
    if not isinstance(inner, TowerModel):
        raise InputError(f"the model is a {type(inner).__name__}; expected a tower, such as litotes-mini")
    return inner


def wrap(tower: TowerModel, base: Any, *, device: str | None = None) -> SentenceTransformer:
    """Wrap a tower as a SentenceTransformer with the tokenizer, prompts and maximum length of its base."""
    library = require("sentence_transformers", extra="models", why="the tower")
    modules = require("sentence_transformers.models", extra="models", why="the tower")
    torch = require("torch", extra="models", why="the tower")
    register()
    # The library loads a transformers model only from a folder.
    with tempfile.TemporaryDirectory() as folder, loading(Source(Path(folder), "memory"), "dense"):
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
    """Return the base's encoder and its pooling; refuse a base with other modules."""
    names = [type(module).__name__ for module in base]
    if names not in (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"]):
        raise InputError(
            f"{source.folder} has the modules {', '.join(names)}; expected Transformer, Pooling and Normalize"
        )
    encoder, pooling = base.transformers_model, base[1]
    kind = encoder.config.model_type
    if kind not in BASE_TYPES:
        raise InputError(f"{source.folder} is a {kind} model; expected {', '.join(BASE_TYPES)}")
    if not pooling.include_prompt:
        raise InputError(f"{source.folder} excludes its prompt from pooling; expected a base that pools all tokens")
    return encoder, str(pooling.pooling_mode)


def _plain(config: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in config.items() if name not in _NOT_SAVED and not name.startswith("_")}
