"""Make round-trip translations for litotes-score: python -m scripts.score_round_trips --data DIR --pairs PAIRS

Apertium translates long sentences into another language and back, which makes them as clumsy as machine translations.
PAIRS is the output of score_data.py. The script adds round_trips.jsonl.gz: pairs of a reference and a round trip of it,
or of a restatement of it, without a score. It needs `apertium` and the language pairs in PIVOTS (in Debian:
apertium-eng-spa, apertium-eng-cat, apertium-en-gl, apertium-eo-en, apertium-hbs-eng), and takes about ten minutes on
two cores.
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

from litotes.data.benchmarks import stsb
from litotes.data.lines import json_objects, text_lines
from litotes.errors import InputError, LitotesError
from litotes.files import replacing
from scripts.score_surprise import ROUND_TRIPS, ROUND_TRIPS_FILE, rows

PIVOTS = {
    "spa": ("eng-spa", "spa-eng"),
    "cat": ("eng-cat", "cat-eng"),
    "gl": ("en-gl", "gl-en"),
    "eo": ("en-eo", "eo-en"),
    "hbs": ("eng-hbs", "hbs-eng"),
}
PIVOTS_PER_SENTENCE = 3
"""The number of languages for an ordinary sentence; the sources in ALL_PIVOTS use all of them."""
ALL_PIVOTS = ("wmt", "translated")
RESTATED, RESTATEMENTS = 0.85, 9_000
"""The lowest score of a restatement, and how many restatements are translated, through one language each."""
CHUNK, PIECES, SECONDS = 200, 8, 60
BREAK = re.compile(r'(?<=[a-z0-9")][.?!])\s+(?=[A-Z"])')
MARKS = frozenset("*#@\t")
"""Apertium's marks for unknown words."""
UNMARKED = str.maketrans(dict.fromkeys("*#@"))
LETTERS = 0.88
"""The smallest share of letters and spaces in a sentence."""
WIKITEXT = "wikitext_paragraphs.jsonl"
SEED = 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="a folder with anchors/, squad/ and stsb/")
    parser.add_argument("--pairs", type=Path, required=True, help="the folder that score_data.py wrote")
    options = parser.parse_args()
    try:
        _check_apertium()
        lines = list(round_trips(planned(options.data, options.pairs)))
    except LitotesError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    with (
        replacing(options.pairs / ROUND_TRIPS_FILE) as temporary,
        gzip.open(temporary, "wt", encoding="utf-8") as stream,
    ):
        stream.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    print(f"{len(lines):,} round trips")
    return 0


def _check_apertium() -> None:
    """Raise InputError if a language is missing. Apertium itself prints nothing, as for a sentence that it fails on."""
    if shutil.which("apertium") is None:
        raise InputError("apertium is not on the path; install it with the languages that this script names")
    listed = subprocess.run(["apertium", "-l"], capture_output=True, text=True, check=False)
    missing = sorted(set(chain.from_iterable(PIVOTS.values())) - set(listed.stdout.split()))
    if missing:
        raise InputError(f"apertium has no {', '.join(missing)}; install the packages that this script names")


def planned(data: Path, pairs: Path) -> list[tuple[str, str, str]]:
    """Return references, the texts that are translated for them (mostly themselves), and the languages."""
    draw, known = random.Random(SEED), list(rows(pairs, round_trips=False))
    plan = []
    for source, sentences in _sentences(data, known, draw).items():
        for text in sentences:
            pivots = list(PIVOTS) if source in ALL_PIVOTS else draw.sample(list(PIVOTS), PIVOTS_PER_SENTENCE)
            plan += [(text, text, pivot) for pivot in pivots]
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
    return plan + [(reference, text, draw.choice(list(PIVOTS))) for reference, text in restated[:RESTATEMENTS]]


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
    sentences = {}
    for source, (texts, fewest_words, most) in wanted.items():
        fitting = [text for text in dict.fromkeys(text.strip() for text in texts) if _fits(text, fewest_words, 48)]
        draw.shuffle(fitting)
        sentences[source] = fitting[:most]
    news = {row["reference"] for row in known if row["source"] == "wmt"}
    return sentences | {"wmt": sorted(text for text in news if len(text.split()) >= 4 and not MARKS & set(text))}


def _field(path: Path, name: str) -> Iterator[str]:
    return (line[name] for *_, line in json_objects(text_lines(path), str(path)))


def _fits(text: str, fewest: int, most: int) -> bool:
    """Whether it is a complete sentence with this many words, mostly letters, without Apertium's marks."""
    if not text or not fewest <= len(text.split()) <= most or MARKS & set(text):
        return False
    letters = sum(letter.isalpha() or letter == " " for letter in text) / len(text)
    return text[0].isupper() and text[-1] in ".?!" and letters > LETTERS


def round_trips(plan: Sequence[tuple[str, str, str]]) -> Iterator[dict[str, Any]]:
    """Yield a line for each round trip that differs from its reference and has a similar length."""
    translations: dict[tuple[str, str], str] = {}
    for pivot, modes in PIVOTS.items():
        texts = list(dict.fromkeys(text for _, text, language in plan if language == pivot))
        chunks = [texts[start : start + CHUNK] for start in range(0, len(texts), CHUNK)]
        with ThreadPoolExecutor(2) as workers:
            results = chain.from_iterable(workers.map(lambda chunk, modes=modes: _translate(chunk, modes), chunks))
            translations |= {
                (text, pivot): " ".join(result.translate(UNMARKED).split())
                for text, result in zip(texts, results, strict=True)
            }
        print(f"{len(texts):,} sentences through {modes[0]}", flush=True)
    pairs = dict.fromkeys((reference, translations[text, pivot]) for reference, text, pivot in plan)
    for reference, candidate in pairs:
        if candidate != reference and 3 <= len(candidate.split()) <= 2 * len(reference.split()) + 4:
            yield {"reference": reference, "candidate": candidate, "score": None, "source": ROUND_TRIPS}


def _translate(lines: Sequence[str], modes: Sequence[str]) -> list[str]:
    """Translate lines there and back. A line that Apertium fails on becomes empty, without affecting the others."""
    text = "".join(line + "\n" for line in lines)
    for mode in modes:
        try:
            process = subprocess.run(
                ["apertium", "-u", mode], input=text, capture_output=True, text=True, timeout=SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            text = ""
            break
        text = process.stdout
    results = text.split("\n")[:-1]
    if len(results) == len(lines) and all(results):
        return results
    if len(lines) == 1:
        return [""]
    size = max(1, len(lines) // PIECES)
    pieces = (lines[start : start + size] for start in range(0, len(lines), size))
    return list(chain.from_iterable(_translate(piece, modes) for piece in pieces))


if __name__ == "__main__":
    raise SystemExit(main())
