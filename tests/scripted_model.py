"""A model that answers from a table, and its answers about one sentence."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

Rule = tuple[str, str, Any]
"""Words in the task, words in the material, and the answer: an object or raw text."""


class Scripted:
    """A model that answers from a table, with the first row whose words are in the task and in the material."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = rules
        self.asked: list[tuple[str, str]] = []

    def generate(self, system: str, prompt: str) -> str:
        self.asked.append((system, prompt))
        for task, material, answer in self.rules:
            if task in system and material in prompt:
                return answer if isinstance(answer, str) else json.dumps(answer)
        raise KeyError(f"no answer to {prompt!r}")


NEGATE, HEDGE, RESTATE, RELATE, COMPARE = (
    "say the opposite",
    "less certainly",
    "in other words",
    "judge search results",
    "Can both be true",
)
LAMP = "The lamp in the hall is safe for guests."
LAMP_NEGATIONS = {
    "verbal": "The lamp in the hall isn't safe for guests.",
    "absolute": "The lamp in the hall is never safe for guests.",
    "affixal": "The lamp in the hall is unsafe for guests.",
    "lexical": "The lamp in the hall is dangerous for guests.",
}
LAMP_HEDGES = {
    "word": "The lamp in the hall is probably safe for guests.",
    "phrase": "It seems like the lamp in the hall is safe for guests.",
}


def lamp_rules() -> list[Rule]:
    """Return the rules for four negations and two hedges of one sentence."""
    return [(NEGATE, LAMP, LAMP_NEGATIONS), (HEDGE, LAMP, LAMP_HEDGES)]
