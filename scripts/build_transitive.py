"""Write the verbs that need an object: python scripts/build_transitive.py --wordnet /usr/share/wordnet --out FILE

WordNet gives the sentence frames of each sense. A verb is transitive if none of its frequent senses has a frame without
an object. The result is src/litotes/lexicon/transitive.tsv.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

WITHOUT_OBJECT = {1, 2, 3, 4, 6, 7, 12, 13, 22, 23, 27}
"""Frames such as "Somebody ----s" and "Something ----s to somebody", by their numbers in WordNet."""
SENSES = 4
"""At most so many senses count, those that are most frequent. Of a verb without counts, all senses do."""


def frames_of(wordnet: Path) -> dict[str, dict[str, set[int]]]:
    """Return the frames of each word of each set of synonyms, by the set's offset."""
    frames: dict[str, dict[str, set[int]]] = {}
    for line in (wordnet / "data.verb").read_text(encoding="latin-1").splitlines():
        if line.startswith(" "):
            continue
        fields = line.split(" | ")[0].split()
        count = int(fields[3], 16)
        words = [fields[4 + 2 * place].lower() for place in range(count)]
        start = 4 + 2 * count + 1 + 4 * int(fields[4 + 2 * count])
        found: dict[str, set[int]] = defaultdict(set)
        for place in range(int(fields[start])):
            _, frame, word = fields[start + 1 + 3 * place : start + 4 + 3 * place]
            for name in words if word == "00" else [words[int(word, 16) - 1]]:
                found[name].add(int(frame))
        frames[fields[0]] = dict(found)
    return frames


def transitive(wordnet: Path) -> list[str]:
    """Return the verbs that need an object."""
    frames = frames_of(wordnet)
    verbs = []
    for line in (wordnet / "index.verb").read_text(encoding="latin-1").splitlines():
        fields = line.split()
        if line.startswith(" ") or not fields[0].isalpha():
            continue
        counted, senses = int(fields[5 + int(fields[3])]), fields[6 + int(fields[3]) :]
        frequent = senses[: min(counted, SENSES)] or senses
        if not any(frames[sense].get(fields[0], set()) & WITHOUT_OBJECT for sense in frequent):
            verbs.append(fields[0])
    return verbs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wordnet", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    head = (
        "# Verbs that need an object, from the sentence frames of WordNet 3.0, Princeton University.\n"
        "# Built by scripts/build_transitive.py.\n"
        "verb\n"
    )
    options.out.write_text(head + "\n".join(transitive(options.wordnet)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
