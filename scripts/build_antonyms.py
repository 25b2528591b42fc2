r"""Build ``src/litotes/lexicon/antonyms.tsv`` from WordNet and the verdict file.

The candidates are the antonym pointers ("!") between word senses of WordNet 3.0. The curated verdicts in
``antonym_verdicts.tsv`` decide which candidates are kept, with which mark and direction. They also add pairs that are
not candidates (source ``ours``). The table has the order of the verdict file, which lists a word's best antonym first.
A candidate without a verdict is dropped and counted on stderr.

Run from the repository root::

    python scripts/build_antonyms.py --wordnet /usr/share/wordnet \
        --verdicts scripts/antonym_verdicts.tsv --out src/litotes/lexicon/antonyms.tsv

``--candidates FILE`` also writes every candidate pair, so that you can judge new ones.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
VERDICTS = HERE / "antonym_verdicts.tsv"
OUT = HERE.parent / "src" / "litotes" / "lexicon" / "antonyms.tsv"
POS = ("adj", "adv", "verb", "noun")
MARKS = ("immediate", "polar", "mid")
DIRECTIONS = ("both", "one")
MAX_RANK = 2
SENSE_KEY_POS = {"1": "noun", "2": "verb", "3": "adj", "4": "adv", "5": "adj"}
NEGATIVE_PREFIXES = ("un", "in", "il", "im", "ir", "dis", "non")
LESS_ENDINGS = ("less", "lessly", "lessness")
HEADER = """\
# Antonym pairs from WordNet 3.0, Princeton University (its antonym pointers), and our additions;
# scripts/antonym_verdicts.tsv says which are which.
# Built by: python scripts/build_antonyms.py --wordnet /usr/share/wordnet \
--verdicts scripts/antonym_verdicts.tsv --out src/litotes/lexicon/antonyms.tsv
# A word's best antonym comes first; direction "one" means word -> antonym only.
"""

Tags = dict[tuple[str, str, int], int]  # by lemma, part of speech, sense rank
Key = tuple[str, str, str]  # two lemmas, part of speech


@dataclass(frozen=True)
class Sense:
    """A word sense: its rank among the senses of the word, and its tag count."""

    lemma: str
    rank: int
    tags: int


@dataclass(frozen=True)
class Verdict:
    """A line of the verdict file."""

    word: str
    antonym: str
    pos: str
    keep: bool
    mark: str
    direction: str
    source: str

    @property
    def key(self) -> Key:
        """The pair, ignoring its direction."""
        return pair_key(self.word, self.antonym, self.pos)

    @property
    def steps(self) -> list[Key]:
        """The pairs (word, antonym) that the line judges, in one or both directions."""
        there = (self.word, self.antonym, self.pos)
        back = (self.antonym, self.word, self.pos)
        return [there] if self.direction == "one" else [there, back]


Candidates = dict[Key, list[tuple[Sense, Sense]]]


def pair_key(first: str, second: str, pos: str) -> Key:
    """Return the key of a pair, which ignores its order."""
    low, high = sorted((first.lower(), second.lower()))
    return low, high, pos


def read_ranks(wordnet: Path, pos: str) -> dict[tuple[str, str], int]:
    """Return the sense rank by (lemma, synset offset), from ``index.pos``."""
    ranks: dict[tuple[str, str], int] = {}
    for line in wordnet_lines(wordnet / f"index.{pos}"):
        fields = line.split()
        offsets = fields[len(fields) - int(fields[2]) :]
        for rank, offset in enumerate(offsets, start=1):
            ranks[fields[0], offset] = rank
    return ranks


def read_tags(wordnet: Path) -> Tags:
    """Return the tag count by (lemma, part of speech, sense rank), from ``cntlist.rev``."""
    tags: Counter[tuple[str, str, int]] = Counter()
    for line in wordnet_lines(wordnet / "cntlist.rev"):
        sense_key, rank, count = line.split()
        lemma, rest = sense_key.rsplit("%", 1)
        tags[lemma, SENSE_KEY_POS[rest[0]], int(rank)] += int(count)
    return tags


def wordnet_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a WordNet file after the licence, which is indented."""
    with path.open(encoding="utf-8") as handle:
        for line in handle:
            if not line.startswith(" "):
                yield line


def bare(word: str) -> str:
    """Return a word without the adjective position marker, as in ``awake(p)``."""
    return word.split("(", maxsplit=1)[0]


def read_synsets(wordnet: Path, pos: str) -> dict[str, list[str]]:
    """Return the fields of each synset of a part of speech, by offset."""
    lines = wordnet_lines(wordnet / f"data.{pos}")
    return {line[:8]: line.split(" | ")[0].split() for line in lines}


def words_of(fields: list[str]) -> list[str]:
    """Return the words of a synset as they are spelled in the file."""
    count = int(fields[3], 16)
    return [bare(word) for word in fields[4 : 4 + 2 * count : 2]]


def antonym_links(fields: list[str]) -> Iterator[tuple[int, str, int]]:
    """Yield each "!" pointer: own word number, offset of the other synset, word number there."""
    start = 4 + 2 * int(fields[3], 16)
    for i in range(start + 1, start + 1 + 4 * int(fields[start]), 4):
        symbol, offset, _, numbers = fields[i : i + 4]
        if symbol == "!":
            yield int(numbers[:2], 16) - 1, offset, int(numbers[2:4], 16) - 1


def read_candidates(wordnet: Path) -> Candidates:
    """Return every antonym pair of WordNet with the pairs of senses behind it."""
    tags = read_tags(wordnet)
    candidates: Candidates = defaultdict(list)
    for pos in POS:
        for left, right in sense_pairs(wordnet, pos, tags):
            if left.lemma.lower() < right.lemma.lower():
                candidates[pair_key(left.lemma, right.lemma, pos)].append((left, right))
    return candidates


def sense_pairs(wordnet: Path, pos: str, tags: Tags) -> Iterator[tuple[Sense, Sense]]:
    """Yield the two senses of each "!" pointer of a part of speech, in both directions."""
    ranks = read_ranks(wordnet, pos)
    synsets = read_synsets(wordnet, pos)

    def sense(offset: str, number: int) -> Sense:
        word = words_of(synsets[offset])[number]
        rank = ranks[word.lower(), offset]
        return Sense(word, rank, tags.get((word.lower(), pos, rank), 0))

    for offset, fields in synsets.items():
        for own, other, number in antonym_links(fields):
            yield sense(offset, own), sense(other, number)


def is_affixal(first: str, second: str) -> bool:
    """Return whether one word is the other with a negative prefix or with -less."""
    first, second = first.replace("-", ""), second.replace("-", "")
    return negates(first, second) or negates(second, first)


def negates(word: str, base: str) -> bool:
    """Return whether ``word`` is formed from ``base`` by a negative affix."""
    if any(word == prefix + base for prefix in NEGATIVE_PREFIXES):
        return True
    stems = [word.removesuffix(end) for end in LESS_ENDINGS if word.endswith(end)]
    return any(len(stem) > 1 and base.startswith(stem) for stem in stems)


def is_rare(senses: Iterable[Sense]) -> str:
    """Return why one side of a pair is rare, or an empty string."""
    senses = list(senses)
    if not any(sense.tags for sense in senses):
        return "no tag count"
    return "" if min(sense.rank for sense in senses) <= MAX_RANK else "sense rank"


def reason_to_drop(pairs: list[tuple[Sense, Sense]]) -> str:
    """Return why a pair of WordNet is not a candidate, or an empty string."""
    first, second = pairs[0][0].lemma, pairs[0][1].lemma
    if "_" in first + second:
        return "multi-word"
    if not (first + second).islower():
        return "proper"
    if is_affixal(first, second):
        return "affixal"
    sides = [left for left, _ in pairs], [right for _, right in pairs]
    return is_rare(sides[0]) or is_rare(sides[1])


def read_verdicts(path: Path) -> list[Verdict]:
    """Read the verdict file and check each line."""
    with path.open(encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [verdict_of(row) for row in rows]


def verdict_of(row: dict[str, str]) -> Verdict:
    """Return the verdict of a row. Raise a ValueError that names a malformed row."""
    keep = row["verdict"] == "keep"
    good = row["pos"] in POS and row["verdict"] in ("keep", "drop") and row["source"] in ("wordnet", "ours")
    if keep:
        good = good and row["mark"] in MARKS and row["direction"] in DIRECTIONS
    if not good:
        raise ValueError(f"The verdict {row} is malformed. Expected known values for pos, verdict, mark and direction.")
    return Verdict(row["word"], row["antonym"], row["pos"], keep, row["mark"], row["direction"], row["source"])


def check(verdicts: list[Verdict], candidates: set[Key]) -> None:
    """Refuse a pair (word, antonym) with two verdicts, and a wrong source."""
    seen: Counter[Key] = Counter(step for verdict in verdicts for step in verdict.steps)
    doubled = [step for step, count in seen.items() if count > 1]
    if doubled:
        raise ValueError(f"These pairs have more than one verdict: {doubled}. Keep one.")
    wrong = [v for v in verdicts if (v.source == "wordnet") != (v.key in candidates)]
    if wrong:
        raise ValueError(f"These verdicts have the wrong source: {wrong}. Use wordnet for candidates, else ours.")


def write_table(path: Path, verdicts: list[Verdict]) -> None:
    """Write the kept pairs by part of speech, in the order of the verdict file."""
    lines = ["word\tantonym\tpos\tmark\tdirection"]
    for pos in POS:
        for v in verdicts:
            if v.keep and v.pos == pos:
                lines.append(f"{v.word}\t{v.antonym}\t{pos}\t{v.mark}\t{v.direction}")
    path.write_text(HEADER + "\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def write_candidates(path: Path, candidates: Candidates) -> None:
    """Write the candidates with the best rank and the tag count of each side."""
    lines = []
    for (_, _, pos), pairs in candidates.items():
        sides = []
        for side in (0, 1):
            senses = {pair[side] for pair in pairs}
            rank = min(sense.rank for sense in senses)
            count = sum(sense.tags for sense in senses)
            sides += [pairs[0][side].lemma, str(rank), str(count)]
        lines.append("\t".join([pos, *sides]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def report(dropped: Counter[str], verdicts: list[Verdict], candidates: set[Key]) -> None:
    """Print on stderr how many pairs were read, dropped and kept."""
    judged = {v.key for v in verdicts}
    refused = sum(1 for v in verdicts if not v.keep)
    kept = Counter((v.pos, v.mark) for v in verdicts if v.keep)
    out = [f"WordNet pairs: {dropped.total() + len(candidates)}"]
    out += [f"  dropped, {reason}: {n}" for reason, n in sorted(dropped.items())]
    out += [f"candidates: {len(candidates)}"]
    out += [f"  dropped, no verdict: {len(candidates - judged)}"]
    out += [f"verdicts: {len(verdicts)}, of which drop: {refused}"]
    for source in ("wordnet", "ours"):
        number = sum(1 for v in verdicts if v.keep and v.source == source)
        out += [f"  kept, source {source}: {number}"]
    out += [f"  kept, {pos} {mark}: {n}" for (pos, mark), n in sorted(kept.items())]
    print("\n".join(out), file=sys.stderr)


def parse_args() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="Build the antonym table.")
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument("--verdicts", type=Path, default=VERDICTS)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--candidates", type=Path, help="also write the candidates")
    return parser.parse_args()


def main() -> None:
    """Read WordNet, apply the verdicts and write the table."""
    args = parse_args()
    dropped: Counter[str] = Counter()
    candidates: Candidates = {}
    for key, pairs in read_candidates(args.wordnet).items():
        reason = reason_to_drop(pairs)
        if reason:
            dropped[reason] += 1
        else:
            candidates[key] = pairs
    if args.candidates:
        write_candidates(args.candidates, candidates)
    verdicts = read_verdicts(args.verdicts)
    check(verdicts, set(candidates))
    write_table(args.out, verdicts)
    report(dropped, verdicts, set(candidates))


if __name__ == "__main__":
    main()
