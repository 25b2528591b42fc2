r"""Build ``src/litotes/lexicon/antonyms.tsv`` from WordNet and the verdict file.

WordNet 3.0 gives the candidates (its "!" pointers between word senses); the curated
verdicts in ``antonym_verdicts.tsv`` decide which stay, with which mark and direction,
and add pairs that are not among the candidates (source ``ours``).  The order of the
verdict file is the order of the table, so a word's best antonym stands first there.
A candidate without a verdict is dropped and counted on stderr.

Run from the repository root::

    python scripts/build_antonyms.py --wordnet /usr/share/wordnet \
        --verdicts scripts/antonym_verdicts.tsv --out src/litotes/lexicon/antonyms.tsv

``--candidates FILE`` also writes every candidate pair, for reading before a verdict.
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
    """One word sense: its rank among the word's senses and how often it was tagged."""

    lemma: str
    rank: int
    tags: int


@dataclass(frozen=True)
class Verdict:
    """One line of the verdict file."""

    word: str
    antonym: str
    pos: str
    keep: bool
    mark: str
    direction: str
    source: str

    @property
    def key(self) -> Key:
        """The pair without regard to its direction."""
        return pair_key(self.word, self.antonym, self.pos)

    @property
    def steps(self) -> list[Key]:
        """The steps from word to antonym that the line judges."""
        there = (self.word, self.antonym, self.pos)
        back = (self.antonym, self.word, self.pos)
        return [there] if self.direction == "one" else [there, back]


Candidates = dict[Key, list[tuple[Sense, Sense]]]


def pair_key(first: str, second: str, pos: str) -> Key:
    """The unordered key of a pair."""
    low, high = sorted((first.lower(), second.lower()))
    return low, high, pos


def read_ranks(wordnet: Path, pos: str) -> dict[tuple[str, str], int]:
    """Sense rank by (lemma, synset offset), from ``index.pos``."""
    ranks: dict[tuple[str, str], int] = {}
    for line in wordnet_lines(wordnet / f"index.{pos}"):
        fields = line.split()
        offsets = fields[len(fields) - int(fields[2]) :]
        for rank, offset in enumerate(offsets, start=1):
            ranks[fields[0], offset] = rank
    return ranks


def read_tags(wordnet: Path) -> Tags:
    """Tag count by (lemma, part of speech, sense rank), from ``cntlist.rev``."""
    tags: Counter[tuple[str, str, int]] = Counter()
    for line in wordnet_lines(wordnet / "cntlist.rev"):
        sense_key, rank, count = line.split()
        lemma, rest = sense_key.rsplit("%", 1)
        tags[lemma, SENSE_KEY_POS[rest[0]], int(rank)] += int(count)
    return tags


def wordnet_lines(path: Path) -> Iterator[str]:
    """The lines of a WordNet file after its licence, which is indented."""
    with path.open(encoding="utf-8") as handle:
        for line in handle:
            if not line.startswith(" "):
                yield line


def bare(word: str) -> str:
    """A word without the adjective position marker, as in ``awake(p)``."""
    return word.split("(", maxsplit=1)[0]


def read_synsets(wordnet: Path, pos: str) -> dict[str, list[str]]:
    """The fields of each synset of a part of speech, by offset."""
    lines = wordnet_lines(wordnet / f"data.{pos}")
    return {line[:8]: line.split(" | ")[0].split() for line in lines}


def words_of(fields: list[str]) -> list[str]:
    """The words of a synset in their stored spelling."""
    count = int(fields[3], 16)
    return [bare(word) for word in fields[4 : 4 + 2 * count : 2]]


def antonym_links(fields: list[str]) -> Iterator[tuple[int, str, int]]:
    """Each "!" pointer: own word number, other synset's offset, its word number."""
    start = 4 + 2 * int(fields[3], 16)
    for i in range(start + 1, start + 1 + 4 * int(fields[start]), 4):
        symbol, offset, _, numbers = fields[i : i + 4]
        if symbol == "!":
            yield int(numbers[:2], 16) - 1, offset, int(numbers[2:4], 16) - 1


def read_candidates(wordnet: Path) -> Candidates:
    """Every antonym pair of WordNet with the sense pairs that bear it."""
    tags = read_tags(wordnet)
    found: Candidates = defaultdict(list)
    for pos in POS:
        for left, right in sense_pairs(wordnet, pos, tags):
            if left.lemma.lower() < right.lemma.lower():
                found[pair_key(left.lemma, right.lemma, pos)].append((left, right))
    return found


def sense_pairs(wordnet: Path, pos: str, tags: Tags) -> Iterator[tuple[Sense, Sense]]:
    """The two senses of each "!" pointer of a part of speech, in both directions."""
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
    """Whether one word is the other with a negative prefix, or with -less."""
    first, second = first.replace("-", ""), second.replace("-", "")
    return negates(first, second) or negates(second, first)


def negates(word: str, base: str) -> bool:
    """Whether ``word`` is formed from ``base`` by a negative affix."""
    if any(word == prefix + base for prefix in NEGATIVE_PREFIXES):
        return True
    stems = [word.removesuffix(end) for end in LESS_ENDINGS if word.endswith(end)]
    return any(len(stem) > 1 and base.startswith(stem) for stem in stems)


def is_rare(senses: Iterable[Sense]) -> str:
    """Why one side of a pair is rare, or the empty string."""
    held = list(senses)
    if not any(sense.tags for sense in held):
        return "no tag count"
    return "" if min(sense.rank for sense in held) <= MAX_RANK else "sense rank"


def reason_to_drop(pairs: list[tuple[Sense, Sense]]) -> str:
    """Why WordNet's pair is no candidate, or the empty string."""
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
    """The verdict file, checked line by line."""
    with path.open(encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [verdict_of(row) for row in rows]


def verdict_of(row: dict[str, str]) -> Verdict:
    """One verdict; a ValueError names the line that is malformed."""
    keep = row["verdict"] == "keep"
    good = row["pos"] in POS and row["verdict"] in ("keep", "drop") and row["source"] in ("wordnet", "ours")
    if keep:
        good = good and row["mark"] in MARKS and row["direction"] in DIRECTIONS
    if not good:
        raise ValueError(f"malformed verdict: {row}")
    return Verdict(row["word"], row["antonym"], row["pos"], keep, row["mark"], row["direction"], row["source"])


def check(verdicts: list[Verdict], candidates: set[Key]) -> None:
    """Refuse a step from word to antonym given twice, and a source that is not the true one."""
    seen: Counter[Key] = Counter(step for verdict in verdicts for step in verdict.steps)
    doubled = [step for step, count in seen.items() if count > 1]
    if doubled:
        raise ValueError(f"more than one verdict: {doubled}")
    wrong = [v for v in verdicts if (v.source == "wordnet") != (v.key in candidates)]
    if wrong:
        raise ValueError(f"source is not the true one: {wrong}")


def write_table(path: Path, verdicts: list[Verdict]) -> None:
    """Write the pairs kept, by part of speech, in the verdict file's order."""
    lines = ["word\tantonym\tpos\tmark\tdirection"]
    for pos in POS:
        for v in verdicts:
            if v.keep and v.pos == pos:
                lines.append(f"{v.word}\t{v.antonym}\t{pos}\t{v.mark}\t{v.direction}")
    path.write_text(HEADER + "\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def write_candidates(path: Path, candidates: Candidates) -> None:
    """Write the candidates with each side's best rank and tag count."""
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
    """Say on stderr how many pairs were seen, dropped and kept."""
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
    """The command line."""
    parser = argparse.ArgumentParser(description="Build the antonym table.")
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument("--verdicts", type=Path, default=VERDICTS)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--candidates", type=Path, help="also write the candidates")
    return parser.parse_args()


def main() -> None:
    """Read WordNet, apply the verdicts, write the table."""
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
