"""Test the fluency check: its logic with a scripted model, scores of a tiny model, and SmolLM2 itself."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from litotes.cli.app import app
from litotes.errors import InputError, require
from litotes.models.causal import SMOLLM2
from litotes.models.likelihood import TextLikelihood, load_likelihood
from litotes.models.loading import Settings
from litotes.synthesis import Anchor, Generators, SynthesisConfig, synthesise
from litotes.synthesis.by_rule.rewritten_contrasts import contrasts
from litotes.synthesis.by_rule.rewritten_quadruples import quadruples
from litotes.synthesis.by_rule.rewritten_triples import triples
from litotes.synthesis.fluency import LESS_LIKELY, FluencyCheck, by_fluency, checked_rows, losses
from litotes.types import Edit, Rewrite, apply_edits
from tests.tiny_llm import tiny_llm

TEXTS = ("The shop is open .", "He goes home .", "It is not closed")
PLAIN, ODD = -2.0, -12.0


class ScriptedScorer:
    """A language model of words: a word after a certain other word is unlikely, and all others are likely."""

    def __init__(self, *unlikely: tuple[str, str]) -> None:
        self.unlikely = unlikely
        self.asked: list[str] = []

    def token_log_probabilities(self, texts: Sequence[str]) -> list[list[tuple[int, int, float]]]:
        self.asked += texts
        return [self._tokens(text) for text in texts]

    def _tokens(self, text: str) -> list[tuple[int, int, float]]:
        before, tokens = "", []
        # Like those of most language models, a token begins with the space before its word.
        for match in re.finditer(r"\s*(\w+(?:['’]\w+)?|[^\w\s])", text):
            word = match[1].lower()
            tokens.append((match.start(), match.end(), ODD if (before, word) in self.unlikely else PLAIN))
            before = word
        return tokens


def _rewrite(text: str, *edits: Edit, kind: str = "verbal") -> Rewrite:
    return Rewrite(text, kind, apply_edits(text, edits), "not", edits, 4)


GOES = _rewrite("He goes home.", Edit(3, "", "did not "))
GO = _rewrite("He goes home.", Edit(3, "goes", "does not go"))
NONE = Rewrite("He goes home.", "contrary", reason="no quantifier")
SCORER = ScriptedScorer(("not", "goes"))
