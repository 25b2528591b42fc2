"""Token counts: a tokenizer-free estimate, and what a request used."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

LETTERS_PER_TOKEN = 4.5
MARKS_PER_TOKEN = 1.5
TOKENS_PER_NON_ASCII_LETTER = 1.5
MESSAGE_OVERHEAD = 12
"""Tokens that a chat endpoint adds to every request: roles, and the separators between messages."""


def tokens(text: str) -> int:
    """Estimate the number of tokens in a text without a tokenizer.

    A token holds about 4.5 English letters and spaces, or 1.5 digits, punctuation marks and line ends; a letter beyond
    ASCII takes 1.5 tokens. Compared with SmolLM2's tokenizer this is 4 to 8% high on English prose, up to 15% high on
    JSON, and up to 12% low on formulas.
    """
    letters = sum(1 for letter in text if letter.isascii() and (letter.isalpha() or letter == " "))
    non_ascii = sum(1 for letter in text if not letter.isascii())
    marks = len(text) - letters - non_ascii
    return math.ceil(letters / LETTERS_PER_TOKEN + marks / MARKS_PER_TOKEN + non_ascii * TOKENS_PER_NON_ASCII_LETTER)


def prompt_tokens(system: str, prompt: str, schema_json: dict[str, Any] | None = None) -> int:
    """Estimate how many tokens a request sends: the texts, the schema, and the message overhead."""
    schema = tokens(json.dumps(schema_json)) if schema_json else 0
    return tokens(system) + tokens(prompt) + schema + MESSAGE_OVERHEAD


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens sent and received."""

    tokens_in: int = 0
    tokens_out: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.tokens_in + other.tokens_in, self.tokens_out + other.tokens_out)

    def __sub__(self, other: Usage) -> Usage:
        return Usage(self.tokens_in - other.tokens_in, self.tokens_out - other.tokens_out)

    @property
    def total(self) -> int:
        return self.tokens_in + self.tokens_out

    def cost(self, price_in: float, price_out: float) -> float:
        """Return the cost at these prices per million tokens."""
        return (self.tokens_in * price_in + self.tokens_out * price_out) / 1_000_000
