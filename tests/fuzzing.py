"""Seeded damage: what a careless hand, a broken copy or an enemy makes of a good file."""

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
"""how deep lists are nested: as some do it, where Python gives up, and where every parser does"""


def damaged_text(seeds: Sequence[str], draw: random.Random) -> str:
    """A seed with a few characters changed, cut, doubled, or another seed spliced in."""
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
    """A seed with values exchanged, keys lost or doubled; now and then a value that is nested beyond reason."""
    tree = draw.choice(seeds)
    for _ in range(draw.randint(1, 3)):
        tree = _changed(tree, draw)
    text = json.dumps(tree, ensure_ascii=draw.random() < 0.5)
    if draw.random() < 0.02:
        depth = draw.choice(DEEP)
        text = text.replace(draw.choice(["0", '"x"', "null", '""']), "[" * depth + "]" * depth, 1)
    return text


def _changed(tree: Any, draw: random.Random) -> Any:
    """The tree with one place changed, each level with the same chance to be it."""
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
    """A seed with bytes flipped, cut out, doubled, or cut off."""
    found = bytearray(draw.choice(seeds))
    for _ in range(draw.randint(1, 4)):
        at = draw.randint(0, len(found))
        end = min(len(found), at + draw.randint(0, 12))
        match draw.randrange(5):
            case 0 if at < len(found):
                found[at] = draw.randrange(256)
            case 1:
                found[at:at] = draw.randbytes(draw.randint(1, 4))
            case 2:
                del found[at:end]
            case 3:
                del found[at:]
            case _:
                found[at:at] = found[at:end]
    return bytes(found)


def json_lines(seeds: Sequence[Any], draw: random.Random) -> str:
    """JSON lines, of which one is damaged in its structure, or any in their characters."""
    if draw.random() < 0.4:
        return damaged_text(["".join(json.dumps(seed, ensure_ascii=False) + "\n" for seed in seeds)], draw)
    lines = [json.dumps(draw.choice(seeds)) for _ in range(draw.randint(0, 2))]
    lines.insert(draw.randint(0, len(lines)), damaged_json(seeds, draw))
    return "\n".join(lines) + "\n"


def whole_json(seeds: Sequence[Any], draw: random.Random) -> str:
    """One JSON document, damaged in its structure or in its characters."""
    if draw.random() < 0.3:
        return damaged_text([json.dumps(seed, ensure_ascii=False) for seed in seeds], draw)
    return damaged_json(seeds, draw)


def as_bytes(text: str, draw: random.Random) -> bytes:
    """A text as a file has it: mostly UTF-8, now and then not."""
    content = text.encode("utf-8", "surrogatepass")
    return damaged_bytes([content], draw) if content and draw.random() < 0.1 else content
