"""Translations there and back, for litotes-score's ear: python -m scripts.score_round_trips --data DIR --pairs PAIRS

Long sentences go through Apertium into another language and back, and come out as clumsy as translations are. PAIRS is
what score_data.py wrote; it gets round_trips.jsonl.gz, pairs of a sentence, or of one that it restates, and what came
back, which nobody rated. Needs `apertium` and the pairs of PIVOTS on the path (in Debian apertium-eng-spa,
apertium-eng-cat, apertium-en-gl, apertium-eo-en, apertium-hbs-eng). About ten minutes on two cores.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import Any

from litotes.data.lines import json_objects, text_lines
from litotes.data.sets import stsb
from litotes.errors import InputError, LitotesError
from scripts.score_surprise import ROUND_TRIPS, ROUND_TRIPS_FILE, rows

PIVOTS = {
    "spa": ("eng-spa", "spa-eng"),
    "cat": ("eng-cat", "cat-eng"),
    "gl": ("en-gl", "gl-en"),
    "eo": ("en-eo", "eo-en"),
    "hbs": ("eng-hbs", "hbs-eng"),
}
WAYS = 3
"""languages an ordinary sentence goes through; WMT's references and our translations' go through all"""
ALL_WAYS = ("wmt", "translated")
RESTATED, RESTATEMENTS = 0.85, 9_000
"""from this worth a candidate restates its reference; so many of them go through one language each"""
CHUNK, PIECES, SECONDS = 200, 8, 60
BREAK = re.compile(r'(?<=[a-z0-9")][.?!])\s+(?=[A-Z"])')
MARKS = frozenset("*#@\t")
"""what Apertium writes at words it does not know"""
UNMARKED = str.maketrans(dict.fromkeys("*#@"))
LETTERS = 0.88
WIKITEXT = "wikitext_paragraphs.jsonl"
SEED = 1


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True, help="holds anchors/, squad/ and stsb/")
    options.add_argument("--pairs", type=Path, required=True, help="the folder score_data.py wrote")
    given = options.parse_args()
    try:
        _refuse_without_apertium()
        made = list(round_trips(planned(given.data, given.pairs)))
    except LitotesError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    with gzip.open(given.pairs / ROUND_TRIPS_FILE, "wt", encoding="utf-8") as stream:
        stream.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in made)
    print(f"{len(made):,} round trips")
    return 0


def _refuse_without_apertium() -> None:
    """Apertium says of a language it has not what it says of a sentence it stumbles over: nothing."""
    if shutil.which("apertium") is None:
        raise InputError("apertium is not on the path; expected it with the languages that this script names")
    listed = subprocess.run(["apertium", "-l"], capture_output=True, text=True, check=False)
    missing = sorted(set(chain.from_iterable(PIVOTS.values())) - set(listed.stdout.split()))
    if missing:
        raise InputError(f"apertium has no {', '.join(missing)}; expected the packages that this script names")


def planned(data: Path, pairs: Path) -> list[tuple[str, str, str]]:
    """References, what is translated in their place (most often themselves), and the language; same every time."""
    draw, known = random.Random(SEED), list(rows(pairs, round_trips=False))
    found = []
    for source, sentences in _sentences(data, known, draw).items():
        for text in sentences:
            ways = list(PIVOTS) if source in ALL_WAYS else draw.sample(list(PIVOTS), WAYS)
            found += [(text, text, way) for way in ways]
    restated = [
        (row["reference"], row["candidate"])
        for row in known
        if row["source"] in ("translated", "graded", "wmt")
        and row["score"] >= RESTATED
        and row["reference"] != row["candidate"]
        and len(row["candidate"].split()) >= 9
        and not MARKS & set(row["candidate"])
    ]
    restated = list(dict.fromkeys(restated))
    draw.shuffle(restated)
    return found + [(one, other, draw.choice(list(PIVOTS))) for one, other in restated[:RESTATEMENTS]]


def _sentences(data: Path, known: Sequence[dict[str, Any]], draw: random.Random) -> dict[str, list[str]]:
    anchors = data / "anchors"
    passages = _field(data / "squad" / "passages.jsonl", "passage")
    paragraphs = (text.replace(" , ", ", ").replace(" .", ".") for text in _field(anchors / WIKITEXT, "text"))
    graded = ((pair.first, pair.second) for pair in stsb.load(data / "stsb", split="train"))
    wanted: dict[str, tuple[Iterable[str], int, int]] = {
        "wikisplit": (text_lines(anchors / "wikisplit.txt"), 11, 9_000),
        "ud_ewt": (text_lines(anchors / "ud_ewt.txt"), 9, 3_500),
        "tatoeba": (text_lines(anchors / "tatoeba.txt"), 11, 1_500),
        "squad": (chain.from_iterable(map(BREAK.split, passages)), 11, 3_500),
        "wikitext": (chain.from_iterable(map(BREAK.split, paragraphs)), 11, 2_000),
        "stsb": (chain.from_iterable(graded), 11, 1_500),
        "translated": ((row["reference"] for row in known if row["source"] == "translated"), 8, 750),
        "graded": ((row["reference"] for row in known if row["source"] == "graded"), 11, 2_500),
    }
    found = {}
    for source, (texts, least, most) in wanted.items():
        kept = [text for text in dict.fromkeys(text.strip() for text in texts) if _fits(text, least, 48)]
        draw.shuffle(kept)
        found[source] = kept[:most]
    news = {row["reference"] for row in known if row["source"] == "wmt"}
    return found | {"wmt": sorted(text for text in news if len(text.split()) >= 4 and not MARKS & set(text))}


def _field(path: Path, name: str) -> Iterator[str]:
    return (line[name] for *_, line in json_objects(text_lines(path), str(path)))


def _fits(text: str, least: int, most: int) -> bool:
    """Whether it is a whole sentence of so many words, mostly letters, without Apertium's marks."""
    if not text or not least <= len(text.split()) <= most or MARKS & set(text):
        return False
    letters = sum(letter.isalpha() or letter == " " for letter in text) / len(text)
    return text[0].isupper() and text[-1] in ".?!" and letters > LETTERS


def round_trips(plan: Sequence[tuple[str, str, str]]) -> Iterator[dict[str, Any]]:
    """A line for each that came back as another text of like length, once."""
    back: dict[tuple[str, str], str] = {}
    for way, modes in PIVOTS.items():
        texts = list(dict.fromkeys(text for _, text, by in plan if by == way))
        chunks = [texts[start : start + CHUNK] for start in range(0, len(texts), CHUNK)]
        with ThreadPoolExecutor(2) as workers:
            came = chain.from_iterable(workers.map(lambda chunk, modes=modes: _translated(chunk, modes), chunks))
            back |= {
                (text, way): " ".join(other.translate(UNMARKED).split())
                for text, other in zip(texts, came, strict=True)
            }
        print(f"{len(texts):,} sentences through {modes[0]}", flush=True)
    found = dict.fromkeys((reference, back[text, way]) for reference, text, way in plan)
    for reference, candidate in found:
        if candidate != reference and 3 <= len(candidate.split()) <= 2 * len(reference.split()) + 4:
            yield {"reference": reference, "candidate": candidate, "score": None, "source": ROUND_TRIPS}


def _translated(lines: Sequence[str], modes: Sequence[str]) -> list[str]:
    """The lines there and back; one that Apertium stumbles over comes back empty, and keeps no other from it."""
    text = "".join(line + "\n" for line in lines)
    for mode in modes:
        try:
            done = subprocess.run(
                ["apertium", "-u", mode], input=text, capture_output=True, text=True, timeout=SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            text = ""
            break
        text = done.stdout
    found = text.split("\n")[:-1]
    if len(found) == len(lines) and all(found):
        return found
    if len(lines) == 1:
        return [""]
    size = max(1, len(lines) // PIECES)
    pieces = (lines[start : start + size] for start in range(0, len(lines), size))
    return list(chain.from_iterable(_translated(piece, modes) for piece in pieces))


if __name__ == "__main__":
    raise SystemExit(main())
