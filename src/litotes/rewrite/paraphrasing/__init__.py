"""Paraphrases: meaning and polarity stay the same, the wording changes. One file per kind.

`verbs` and `patterns` are parts of `equivalent`.
"""

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
