"""The names of dense encoders: `NAME`, `TOWER@DIAL`, `FOR-QUERIES+FOR-DOCUMENTS`, and `ENCODER+TOWER@DIAL`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from litotes.errors import InputError
from litotes.models.tower.scaling import check_dial


@dataclass(frozen=True, slots=True)
class EncoderName:
    """The parts of a dense encoder's name."""

    parts: tuple[str, ...]
    """a short name, a folder or a hub name each: one or two encoders, and perhaps a tower whose block is beside them"""
    dial: float | None = None


def parse_encoder_name(target: str, dial: float | None = None) -> EncoderName:
    """Parse the name of a dense encoder. `dial` is a dial that was passed separately.

    A folder can have an @ or a + in its own name, so what exists as a folder is taken as it is.
    """
    if Path(target).expanduser().is_dir():
        return EncoderName((target,), dial)
    name, sign, written = target.rpartition("@")
    if sign and _is_number(written):
        if dial is not None and dial != float(written):
            raise InputError(f"{target} names the dial {written}, and dial is {dial}; expected one of the two")
        target, dial = name, check_dial(float(written))
    if "+" not in target or Path(target).expanduser().is_dir():
        return EncoderName((target,), dial)
    parts = tuple(target.split("+"))
    if len(parts) > 3 or not all(parts):
        raise InputError(
            f"{target} is not a folder; expected two encoders joined by a plus, queries first, or one or two encoders "
            "and a tower whose block is put beside their vectors"
        )
    return EncoderName(parts, dial)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
