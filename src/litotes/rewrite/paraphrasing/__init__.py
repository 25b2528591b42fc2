"""Paraphrase: meaning and polarity stay, the surface changes. One file a way of saying it again."""

from litotes.rewrite.paraphrasing.cleft import cleft
from litotes.rewrite.paraphrasing.contraction import contraction
from litotes.rewrite.paraphrasing.equivalent import equivalent
from litotes.rewrite.paraphrasing.fronting import fronting
from litotes.rewrite.paraphrasing.synonym import synonym
from litotes.rewrite.paraphrasing.voice import voice

PARAPHRASES = {
    "equivalent": equivalent,
    "voice": voice,
    "fronting": fronting,
    "cleft": cleft,
    "synonym": synonym,
    "contraction": contraction,
}

__all__ = ["PARAPHRASES"]
