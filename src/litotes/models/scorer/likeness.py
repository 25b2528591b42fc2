"""How alike the two sides of a pair are below the trained layers, and what a text loses where they are unlike.

How good a translation is shows in the frozen layers and is lost on the way up, where a metric learns whether the
message is kept. So what people think of translations is fitted to these likenesses by itself, and taken off at the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, require
from litotes.models.trunk import mean

if TYPE_CHECKING:
    from torch import Tensor

A_LEVEL = 7
"""numbers each level gives, one of both sides and three of either; the embeddings are a level, and each frozen layer"""
TINY = 1e-6


@dataclass(frozen=True, slots=True)
class Likeness:
    """What unlike sides cost, in points of the score before the sigmoid: nothing where they are alike.

    A short text may be less alike before it costs anything: there little but a cue can go wrong, and a restatement
    changes most words. It is taken from what is above `lowest` alone: below that stands what says another thing, which
    no translation of the same does, however clumsy.
    """

    weights: tuple[float, ...]
    bias: float
    short: float
    """points that a short text is let off"""
    long: float
    """tokens of a reference at which it is let off half of that"""
    long_spread: float
    lowest: float
    """the score it comes down to at most"""

    def applied(self, score: Tensor, alike: Tensor, tokens: Tensor) -> Tensor:
        """The score less the cost; `alike` are the `likenesses` of each pair, `tokens` those of its reference.

        The more has been taken, the less is: a higher score stays higher, and so does a pair that is more alike.
        """
        torch = require("torch", extra="models", why="litotes-score")
        let_off = self.short * torch.sigmoid((self.long - tokens) / self.long_spread)
        unlike = (alike @ alike.new_tensor(self.weights) + self.bias + let_off).clamp(max=0)
        room = (score - self.lowest).clamp(min=0)
        found: Tensor = score - room * -torch.expm1(unlike / room.clamp(min=TINY))
        return found

    def plain(self) -> dict[str, Any]:
        """As a card holds it."""
        return asdict(self) | {"weights": list(self.weights)}

    @classmethod
    def of(cls, card: Any, *, numbers: int) -> Likeness:
        """What a card holds, looked at: it may come from anywhere."""
        names = [field.name for field in fields(cls)]
        if not isinstance(card, Mapping) or set(card) != set(names):
            raise InputError(f"the card's likeness is {card!r}; expected {', '.join(names)}")
        try:
            weights = tuple(float(value) for value in card["weights"])
            found = cls(weights, *(float(card[name]) for name in names[1:]))
        except (TypeError, ValueError):
            raise InputError(f"the card's likeness holds what is no number: {dict(card)}") from None
        if len(weights) != numbers or found.long_spread <= 0:
            raise InputError(f"the card's likeness is {dict(card)}; expected {numbers} weights, a spread above 0")
        return found


def likenesses(below: Sequence[Tensor], reference: Tensor, candidate: Tensor) -> Tensor:
    """How alike the two sides are at each level; the masks are 1 at a side's tokens.

    The cosine of the sides' means, and how well the reference's tokens find their like in the candidate, then the
    candidate's in the reference.
    """
    torch = require("torch", extra="models", why="litotes-score")
    levels = []
    for hidden in (level.float() for level in below):
        levels.append(torch.nn.functional.cosine_similarity(mean(hidden, reference), mean(hidden, candidate)))
        unit = torch.nn.functional.normalize(hidden, dim=-1)
        near = unit @ unit.mT
        levels += [*_matched(near, reference, candidate), *_matched(near, candidate, reference)]
    found: Tensor = torch.stack(levels, dim=-1)
    return found


def _matched(near: Tensor, here: Tensor, there: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """How near a token here has its like there: in the mean (BERTScore's, greedy), in the worst quarter, at worst.

    What was left out or put in shows in the worst ones.
    """
    best = near.masked_fill(there.unsqueeze(1) == 0, -1.0).amax(dim=-1)
    count = here.sum(dim=-1).clamp(min=1)
    return (best * here).sum(dim=-1) / count, *worst(best, here)


def worst(values: Tensor, kept: Tensor) -> tuple[Tensor, Tensor]:
    """The mean of the lowest quarter of what the mask keeps, of one at least, and the lowest; 0 where it keeps none."""
    none = kept.sum(dim=-1) == 0
    quarter = (kept.sum(dim=-1) // 4).clamp(min=1)
    order = values.masked_fill(kept == 0, values.new_tensor(1e4)).sort(dim=-1).values
    least = order.cumsum(dim=-1).gather(-1, (quarter - 1).unsqueeze(-1)).squeeze(-1) / quarter
    return least.masked_fill(none, 0.0), order[:, 0].masked_fill(none, 0.0)
