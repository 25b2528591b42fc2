"""A correction of the score for dissimilar texts, from similarities in the frozen layers.

The quality of a translation is visible in the frozen layers, but the trained layers lose it while they learn whether
the message is kept. So human ratings of translations are fitted to these similarities separately, and the result is
subtracted from the score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, require
from litotes.models.encoder_layers import masked_mean

if TYPE_CHECKING:
    from torch import Tensor

A_LEVEL = 7
"""features per level (the embeddings, and each frozen layer): one for both texts together and three for each"""
TINY = 1e-6


@dataclass(frozen=True, slots=True)
class Likeness:
    """The correction in points of the score before the sigmoid: nothing for similar texts.

    Short texts may be less similar before it applies, because a restatement changes most of their words. It never
    lowers a score below `lowest`, where texts with another meaning are.
    """

    weights: tuple[float, ...]
    bias: float
    short: float
    """points of allowance for a short text"""
    long: float
    """number of tokens of a reference at which the allowance is half of that"""
    long_spread: float
    lowest: float
    """the lowest score that the correction can lead to"""

    def applied(self, score: Tensor, alike: Tensor, tokens: Tensor) -> Tensor:
        """Return the corrected score. `alike` are the `likenesses` of each pair, `tokens` the lengths of references.

        The correction is monotonic: of two pairs, a higher score or a higher similarity stays higher.
        """
        torch = require("torch", extra="models", why="litotes-score")
        allowance = self.short * torch.sigmoid((self.long - tokens) / self.long_spread)
        unlike = (alike @ alike.new_tensor(self.weights) + self.bias + allowance).clamp(max=0)
        room = (score - self.lowest).clamp(min=0)
        corrected: Tensor = score - room * -torch.expm1(unlike / room.clamp(min=TINY))
        return corrected

    def plain(self) -> dict[str, Any]:
        """Return the values as plain JSON, for the card."""
        return asdict(self) | {"weights": list(self.weights)}

    @classmethod
    def of(cls, card: Any, *, numbers: int) -> Likeness:
        """Read the values of a card, and check them."""
        names = [field.name for field in fields(cls)]
        if not isinstance(card, Mapping) or set(card) != set(names):
            raise InputError(f"the card's likeness is {card!r}; expected {', '.join(names)}")
        try:
            weights = tuple(float(value) for value in card["weights"])
            likeness = cls(weights, *(float(card[name]) for name in names[1:]))
        except (TypeError, ValueError):
            raise InputError(f"the card's likeness is {dict(card)}; expected only numbers") from None
        if len(weights) != numbers or likeness.long_spread <= 0:
            raise InputError(f"the card's likeness is {dict(card)}; expected {numbers} weights, a spread above 0")
        return likeness


def likenesses(below: Sequence[Tensor], reference: Tensor, candidate: Tensor) -> Tensor:
    """Return the similarity features of each level. The masks are 1 for the tokens of a text.

    They are the cosine of the mean vectors, and how well the tokens of the reference match tokens of the candidate, and
    the other way round.
    """
    torch = require("torch", extra="models", why="litotes-score")
    levels = []
    for hidden in (level.float() for level in below):
        levels.append(
            torch.nn.functional.cosine_similarity(masked_mean(hidden, reference), masked_mean(hidden, candidate))
        )
        unit = torch.nn.functional.normalize(hidden, dim=-1)
        near = unit @ unit.mT
        levels += [*_matched(near, reference, candidate), *_matched(near, candidate, reference)]
    features: Tensor = torch.stack(levels, dim=-1)
    return features


def _matched(near: Tensor, here: Tensor, there: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return the mean best match of the tokens (as in BERTScore), that of the worst quarter, and the worst.

    Omissions and additions show in the worst matches.
    """
    best = near.masked_fill(there.unsqueeze(1) == 0, -1.0).amax(dim=-1)
    count = here.sum(dim=-1).clamp(min=1)
    return (best * here).sum(dim=-1) / count, *worst(best, here)


def worst(values: Tensor, kept: Tensor) -> tuple[Tensor, Tensor]:
    """Return the mean of the lowest quarter of the masked values, and the lowest; 0 if the mask is empty."""
    none = kept.sum(dim=-1) == 0
    quarter = (kept.sum(dim=-1) // 4).clamp(min=1)
    order = values.masked_fill(kept == 0, values.new_tensor(1e4)).sort(dim=-1).values
    least = order.cumsum(dim=-1).gather(-1, (quarter - 1).unsqueeze(-1)).squeeze(-1) / quarter
    return least.masked_fill(none, 0.0), order[:, 0].masked_fill(none, 0.0)
