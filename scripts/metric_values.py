"""Texts for the metric with another weekday, month or number, or with a number that is written in another way."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

SAME, OTHER = 0.97, 0.15
"""The scores of a text with the same value, and with another one."""
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = ("January", "February", "April", "June", "July", "August", "September", "October", "November", "December")
"""Without March and May, which have other meanings."""
FIGURES = {"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9"}
FIGURES |= {"ten": "10", "eleven": "11", "twelve": "12", "fifteen": "15", "twenty": "20", "thirty": "30"}
FIGURES |= {"forty": "40", "fifty": "50", "sixty": "60"}
LARGER = "hundred|thousand|million|billion"
"""Before one of these words or a hyphen, a number word is part of a longer number."""
UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def changed_values(text: str) -> Iterator[tuple[str, float]]:
    """Yield the text with another weekday, month or number, and with the same number in figures or in words.

    "The two ships left on Friday." → "… left on Monday.", "The seven ships …", and "The 2 ships …".
    """
    rng = random.Random(text)
    for words in (WEEKDAYS, MONTHS, tuple(FIGURES)):
        found = re.search(rf"(?<!-)\b({'|'.join(words)})\b(?!-| (?:{LARGER}))", text)
        if found:
            other = rng.choice([word for word in words if word != found.group()])
            yield text[: found.start()] + other + text[found.end() :], OTHER
            if found.group() in FIGURES:
                yield text[: found.start()] + FIGURES[found.group()] + text[found.end() :], SAME
    number = re.search(r"(?<![\w.,:/-])\d+(?![.,:/-]?\w)", text)
    if number and int(number.group()) < 100:
        yield text[: number.start()] + in_words(int(number.group())) + text[number.end() :], SAME
    if number and len(number.group()) < 4:
        yield f"{text[: number.end()]}0{text[number.end() :]}", OTHER
    if number and len(number.group()) > 1:
        at = number.end() - rng.choice((1, 2))
        yield text[:at] + rng.choice(sorted(set("123456789") - {text[at]})) + text[at + 1 :], OTHER


def in_words(number: int) -> str:
    """Write a number from 0 to 99 in words."""
    if number < len(UNITS):
        return UNITS[number]
    tens, unit = divmod(number, 10)
    return TENS[tens - 2] + (f"-{UNITS[unit]}" if unit else "")
