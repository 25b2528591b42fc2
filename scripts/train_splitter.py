"""Train the query splitter on written:queries: python -m scripts.train_splitter --out RUN [--hold e]

RUN/model is the splitter: an adapter on all-MiniLM-L6-v2 that marks what a query excludes. Training takes a few
minutes on a GPU and hours on two CPU cores. The same command resumes an interrupted run. With --hold, the queries of
some writers, or a share of them, are held out and measured after every epoch, so that settings can be chosen.

The shipped splitter was trained in steps: from the base, on the queries of all writers but the last ones, and then from
the result, on a share of them and on the queries of the last writers. The second step was made on a CPU:

python -m scripts.train_splitter --out FIRST --first
HELD="--hold s3,s5,s6 --share 0.25 --set epochs=1 --set frozen=3"
python -m scripts.train_splitter --out SECOND --start FIRST/model $HELD --set lr=5e-4
python -m scripts.train_splitter --out THIRD --start SECOND/model $HELD --set lr=4e-4 --set order=1 --others 0.15
python -m scripts.train_splitter --out RUN --mean FIRST/model THIRD/model --weight 0.7
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from litotes.data.lines import json_objects, text_lines
from litotes.data.marked_queries import EITHER, EXCLUSION, MarkedQuery, read_queries
from litotes.data.written import written_file
from litotes.detection import has_cue_word
from litotes.errors import LitotesError
from litotes.models.base_encoder import Base, find_base
from litotes.models.loading import configuration
from litotes.models.splitter.build import load_splitter, save_splitter
from litotes.models.splitter.tagger import CARD
from litotes.query_marks import Marks
from litotes.training.splitter import SplitterTraining, train_splitter

SETTINGS = SplitterTraining()
TIMES = 2
"""How often an exclusion is repeated with the items of another one."""
ORDINARY = {
    "written:contrasts": 1,
    "written:kinds": 1,
    "written:searches": 1,
    "written:utterances": 1,
    "written:abstracts": 1,
    "written:quadruples": 0.3,
    "written:messages": 1,
}
"""Sets whose queries, claims and messages exclude nothing, and the share of them that is used."""
_ORDINARY_FIELDS = ("q1", "q2", "a1", "a2", "b1", "b2", "claims", "texts", "same", "different")
LAST_WRITERS = frozenset({"lo", "ch", "s3", "s5", "s6"})
"""Those who wrote after the first step of the shipped splitter."""
REPEATED = 2
"""How often their queries are used in the second step."""
OTHERS = 0.1
"""The default of --others."""
TYPOS = 0.1
"""The share of the repeated exclusions that gets a typing error."""


class Splitter(Protocol):
    """What marks queries."""

    def marks(self, queries: Sequence[str]) -> list[Marks]:
        """Return the marks on each query."""
        ...


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--base", default=SETTINGS.base, help="minilm, or the folder of a copy of it")
    parser.add_argument("--hold", default="", metavar="WRITERS", help="such as e or s3,s5: measure on their queries")
    parser.add_argument("--share", type=float, default=1.0, help="hold out this share of their queries (default: all)")
    steps = parser.add_mutually_exclusive_group()
    steps.add_argument("--first", action="store_true", help="the first step: without the queries of the last writers")
    steps.add_argument("--mean", nargs=2, metavar="FOLDER", help="write the mean of two splitters, no training")
    parser.add_argument("--weight", type=float, default=0.5, help="the weight of the second of them")
    steps.add_argument("--start", default="", metavar="FOLDER", help="the second step: start from this splitter")
    help_others = "the share of all other examples that is used in a second step (default: %(default)s)"
    parser.add_argument("--others", type=float, default=OTHERS, metavar="SHARE", help=help_others)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="another setting")
    parser.add_argument("--device")
    options = parser.parse_args()
    try:
        if options.mean:
            first, second = options.mean
            write_mean(first, second, options.out / "model", weight=options.weight, base=options.base)
        else:
            train(options)
    except LitotesError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def train(options: argparse.Namespace) -> None:
    """Train, and print the curves."""
    queries = read_queries(written_file("written:queries"))
    settings = replace(SETTINGS, base=options.base, start=options.start, **dict(map(_setting, options.set)))
    writers = options.hold.split(",")
    held = [query for query in queries if is_held(query, writers, options.share)]
    kept = [
        query
        for query in queries
        if not is_held(query, writers, options.share) and not (options.first and writer(query) in LAST_WRITERS)
    ]
    examples = (
        second_step(kept, options.others, seed=int(settings.order))
        if options.start
        else [*kept, *exchanged(kept, TIMES), *ordinary(ORDINARY)]
    )
    # Other queries are never read.
    examples = [query for query in examples if has_cue_word(query.text)]
    random.Random(0).shuffle(examples)
    print(f"{len(examples)} queries, {len(held)} held out", flush=True)
    run: Any = {"out": options.out, "device": options.device}
    run["progress"] = lambda line: print(json.dumps(line), flush=True)
    if held:
        run["evaluate"] = lambda splitter: measured(splitter, held)
    train_splitter(settings, examples, **run)


def write_mean(first: str, second: str, out: Path, *, weight: float, base: str | Base) -> None:
    """Write the mean of the factors and heads of two splitters, one of which was trained from the other."""
    import torch

    base = base if isinstance(base, Base) else find_base(base)
    one, other = (load_splitter(folder, base=base, device="cpu", merged=False) for folder in (first, second))
    card = configuration(Path(first), CARD)
    with torch.no_grad():
        for mine, theirs in zip(one.model.parameters(), other.model.parameters(), strict=True):
            mine.lerp_(theirs, weight)
    save_splitter(one, out, base=base, rank=card["rank"], scale=card["scale"])


def writer(query: MarkedQuery) -> str:
    return query.id.split("-")[1]


def is_held(query: MarkedQuery, writers: Collection[str], share: float) -> bool:
    """Return whether a query is held out: those of some writers are, or a share of them, by the hash of their ids."""
    number = int(hashlib.sha256(query.id.encode()).hexdigest()[:8], 16)
    return writer(query) in writers and number < share * 2**32


def second_step(queries: Sequence[MarkedQuery], share: float, *, seed: int = 0) -> list[MarkedQuery]:
    """Return the queries of the last writers several times, the last time with other items, and some of all others."""
    last = [query for query in queries if writer(query) in LAST_WRITERS]
    rng = random.Random(seed)
    others = [*(query for query in queries if writer(query) not in LAST_WRITERS), *ordinary(ORDINARY)]
    return [*last * (REPEATED - 1), *exchanged(last, 1, seed=seed), *rng.sample(others, int(share * len(others)))]


def _setting(text: str) -> tuple[str, Any]:
    name, _, value = text.partition("=")
    return name, json.loads(value)


def exchanged(queries: Sequence[MarkedQuery], times: int, *, seed: int = 0) -> Iterator[MarkedQuery]:
    """Yield exclusions with items of other exclusions of the same register, some of them with a typing error."""
    rng = random.Random(seed)
    excluding = [query for query in queries if query.kind == EXCLUSION]
    items: dict[str, list[str]] = {}
    for query in excluding:
        items.setdefault(query.register, []).extend(query.text[start:end] for start, end in query.items)
    for _ in range(times):
        for query in excluding:
            new = [rng.choice(items[query.register]) for _ in query.items]
            changed = _with_items(query, new)
            yield _with_typo(changed, rng) if rng.random() < TYPOS else changed


def _with_items(query: MarkedQuery, items: Sequence[str]) -> MarkedQuery:
    text, at = "", 0
    moved: dict[tuple[int, int], tuple[int, int]] = {}
    parts = sorted([*((span, None) for span in query.cues), *zip(query.items, items, strict=True)])
    for (start, end), item in parts:
        text += query.text[at:start]
        begin = len(text)
        text += query.text[start:end] if item is None else item
        moved[start, end] = begin, len(text)
        at = end
    cues, places = (tuple(moved[span] for span in spans) for spans in (query.cues, query.items))
    return replace(query, text=text + query.text[at:], cues=cues, items=places)


def _with_typo(query: MarkedQuery, rng: random.Random) -> MarkedQuery:
    """Exchange two neighbouring letters of a word: no span changes."""
    places = [match.start() for match in re.finditer(r"[a-z](?=[a-z]{2})", query.text)]
    if not places:
        return query
    at = rng.choice(places)
    text = query.text
    return replace(query, text=text[:at] + text[at + 1] + text[at] + text[at + 2 :])


def ordinary(shares: Mapping[str, float], *, seed: int = 0) -> Iterator[MarkedQuery]:
    """Yield texts of written data sets that exclude nothing."""
    rng = random.Random(seed)
    for name, share in shares.items():
        for _, _, row in json_objects(text_lines(written_file(name)), name):
            # The queries of exceptors do exclude something.
            if row.get("kind") != "exceptor":
                yield from (MarkedQuery(text) for text in _texts(row) if rng.random() < share)


def _texts(row: Mapping[str, Any]) -> Iterator[str]:
    values = [row["text"]] if "same" in row else []
    for name in _ORDINARY_FIELDS:
        value = row.get(name, ())
        values += [value] if isinstance(value, str) else value
    yield from (value["text"] if isinstance(value, Mapping) else value for value in values)


def measured(splitter: Splitter, queries: Sequence[MarkedQuery]) -> dict[str, float]:
    """Return the shares of exclusions with the right items and the right rest, and of others that stay whole."""
    judged = [query for query in queries if query.kind != EITHER]
    read = [query.text if has_cue_word(query.text) else "" for query in judged]
    found = splitter.marks(read)
    right: dict[str, list[bool]] = {"items": [], "splits": [], "silent": []}
    for query, marks in zip(judged, found, strict=True):
        if query.kind != EXCLUSION:
            right["silent"].append(not marks)
            continue
        items = sorted(_words(query.text, marks.items)) == sorted(_words(query.text, query.items))
        left = rest(query.text, (*marks.cues, *marks.items)) == rest(query.text, query.cut)
        right["items"].append(items)
        right["splits"].append(items and left)
    return {f"negation.{name}": 100 * sum(one) / len(one) for name, one in right.items() if one}


def _words(text: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    return [content(text[start:end]) for start, end in spans]


def rest(text: str, cut: Sequence[tuple[int, int]]) -> str:
    return content("".join(" " if any(start <= at < end for start, end in cut) else one for at, one in enumerate(text)))


def content(text: str) -> str:
    """Return the words of a text without articles and marks, which do not count."""
    words = re.findall(r"[^\W_]+", text.lower().replace("'", "").replace("’", ""))
    return " ".join(word for word in words if word not in {"the", "a", "an", "any", "some", "my", "your", "of"})


if __name__ == "__main__":
    raise SystemExit(main())
