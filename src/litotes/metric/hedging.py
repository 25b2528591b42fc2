"""Compare the hedging of two texts: whether words such as "may" or "possibly" weaken only one of them."""

from __future__ import annotations

from collections.abc import Iterable

from litotes.detection.detector import detect_all
from litotes.metric.results import HedgeDifference

HEDGED = 0.5
"""the factor of a score if hedging counts and only one of the two texts is hedged"""


def hedge_differences(pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], HedgeDifference]:
    """Return the pairs of a reference and a candidate of which only one text is hedged, with its hedges.

    A text that is not English, or too long to be parsed, has no hedges.
    """
    wanted = list(pairs)
    texts = sorted({text for pair in wanted for text in pair})
    detections = zip(texts, detect_all(texts), strict=True)
    hedges = {text: tuple(hedge.cue for hedge in detection.hedges) for text, detection in detections}
    found = {pair: HedgeDifference(hedges[pair[0]], hedges[pair[1]]) for pair in wanted}
    return {pair: one for pair, one in found.items() if bool(one.reference) != bool(one.candidate)}
