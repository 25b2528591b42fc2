"""Paraphrase: meaning and polarity stay, the surface changes. One file a way of saying it again."""

from litotes.rewrite.paraphrase.cleft import cleft
from litotes.rewrite.paraphrase.contraction import contraction
from litotes.rewrite.paraphrase.equivalent import equivalent
from litotes.rewrite.paraphrase.fronting import fronting
from litotes.rewrite.paraphrase.synonym import synonym
from litotes.rewrite.paraphrase.voice import voice

PARAPHRASES = {
    "equivalent": equivalent,
    "voice": voice,
    "fronting": fronting,
    "cleft": cleft,
    "synonym": synonym,
    "contraction": contraction,
}

__all__ = ["PARAPHRASES"]
