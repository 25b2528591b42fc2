"""Seeded damage to good files: typing errors, broken copies and malicious edits."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

ODD = (
    '"', "'", "{", "}", "[", "]", ",", ":", "\t", "\n", "\r", "\0", "\\", "\\ud800", "\ud800", "\ufeff", "\u2028",
    "\x1c", "\x85", "é", "😀", "0", "-", "1e999", "NaN", "null", "λ", "¬", "(", ")", ".", "→", "#", "=", "<", ">", "&",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 2**63, 10**400, 0.5, -0.0, float("nan"), float("inf"), "", " ", "x", "\ud800", "1", "nan",
    "inf", [], {}, [None], [[]], ["a", "b"], {"a": 1}, {"": ""}, "y" * 3000, [1, [2, [3]]],
)  # fmt: skip
DEEP = (200, 990, 20_000)
"""How deep lists are nested: unusually deep, just below Python's recursion limit, and deeper than any parser allows."""


def damaged_text(seeds: Sequence[str], draw: random.Random) -> str:
    """Return a seed with a few characters changed, removed or repeated, or with another seed spliced in."""
    text = draw.choice(seeds)
    for _ in range(draw.randint(1, 4)):
        at = draw.randint(0, len(text))
        end = min(len(text), at + draw.randint(0, 12))
        match draw.randrange(6):
            case 0:
                text = text[:at] + draw.choice(ODD) + text[at:]
            case 1:
                text = text[:at] + draw.choice(ODD) + text[end:]
            case 2:
                text = text[:at] + text[end:]
            case 3:
                text = text[:at]
            case 4:
                text = text[:end] + text[at:]
            case _:
                other = draw.choice(seeds)
                text = text[:at] + other[draw.randint(0, len(other)) :]
    return text


def damaged_json(seeds: Sequence[Any], draw: random.Random) -> str:
    """Return a seed with values replaced and keys removed or renamed; rarely, with an extremely nested value."""
    tree = draw.choice(seeds)
    for _ in range(draw.randint(1, 3)):
        tree = _changed(tree, draw)
    text = json.dumps(tree, ensure_ascii=draw.random() < 0.5)
    if draw.random() < 0.02:
        depth = draw.choice(DEEP)
        text = text.replace(draw.choice(["0", '"x"', "null", '""']), "[" * depth + "]" * depth, 1)
    return text


def _changed(tree: Any, draw: random.Random) -> Any:
    """Return the tree with one change, at a random depth."""
    if isinstance(tree, dict) and tree and draw.random() < 0.85:
        key = draw.choice(list(tree))
        match draw.randrange(4):
            case 0:
                return {name: value for name, value in tree.items() if name != key}
            case 1:
                return {name + "s" * (name == key): value for name, value in tree.items()}
            case _:
                return tree | {key: _changed(tree[key], draw)}
    if isinstance(tree, list) and tree and draw.random() < 0.85:
        place = draw.randrange(len(tree))
        match draw.randrange(4):
            case 0:
                return tree[:place] + tree[place + 1 :]
            case 1:
                return [*tree[: place + 1], *tree[place:]]
            case _:
                return [*tree[:place], _changed(tree[place], draw), *tree[place + 1 :]]
    return draw.choice(VALUES)


def damaged_bytes(seeds: Sequence[bytes], draw: random.Random) -> bytes:
    """Return a seed with bytes changed, inserted, removed or repeated, or with its end cut off."""
    content = bytearray(draw.choice(seeds))
    for _ in range(draw.randint(1, 4)):
        at = draw.randint(0, len(content))
        end = min(len(content), at + draw.randint(0, 12))
        match draw.randrange(5):
            case 0 if at < len(content):
                content[at] = draw.randrange(256)
            case 1:
                content[at:at] = draw.randbytes(draw.randint(1, 4))
            case 2:
                del content[at:end]
            case 3:
                del content[at:]
            case _:
                content[at:at] = content[at:end]
    return bytes(content)


def json_lines(seeds: Sequence[Any], draw: random.Random) -> str:
    """Return JSON lines: the structure of one line is damaged, or characters of any line."""
    if draw.random() < 0.4:
        return damaged_text(["".join(json.dumps(seed, ensure_ascii=False) + "\n" for seed in seeds)], draw)
    lines = [json.dumps(draw.choice(seeds)) for _ in range(draw.randint(0, 2))]
    lines.insert(draw.randint(0, len(lines)), damaged_json(seeds, draw))
    return "\n".join(lines) + "\n"


def whole_json(seeds: Sequence[Any], draw: random.Random) -> str:
    """Return one JSON document with damage to its structure or its characters."""
    if draw.random() < 0.3:
        return damaged_text([json.dumps(seed, ensure_ascii=False) for seed in seeds], draw)
    return damaged_json(seeds, draw)


def as_bytes(text: str, draw: random.Random) -> bytes:
    """Return a text as UTF-8, and sometimes with damaged bytes."""
    content = text.encode("utf-8", "surrogatepass")
    return damaged_bytes([content], draw) if content and draw.random() < 0.1 else content
