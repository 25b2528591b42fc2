"""The paper's sources, by a short name each: HedgeTriple's anchors and what they were sampled from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Preset:
    """One of the paper's sources: where it is, which column the anchors stand in, at which commit."""

    name: str
    config: str
    revision: str
    column: str
    licence: str
    """as the hub's card has it"""
    taken: int | None = None
    """how many the paper took; None where it does not say"""
    files: str = ""
    """set where the repository cannot be read as it stands: which of its files to read"""
    header: tuple[str, ...] = ()
    """the columns of files that may lack a header"""


# The paper took its 50,000 anchors from the first, which was sampled from the other five; how many from each, it does
# not say. Every revision is a commit. The first holds a loading script beside its file, so the file is read alone; the
# commit of sentence-compression is the hub's own conversion to Parquet.
PRESETS = {
    "negation": Preset(
        "jinaai/negation-dataset-v2",
        "",
        "d8111692f7138bb0b0c44a2b15dda08395f0dee0",
        "anchor",
        "not stated",
        50_000,
        "negation_trainingset_50k.tsv.gz",
        ("anchor", "entailment", "negative", "source"),
    ),
    "snli": Preset(
        "stanfordnlp/snli", "plain_text", "cdb5c3d5eed6ead6e5a341c8e56e669bb666725b", "premise", "CC BY-SA 4.0"
    ),
    "multinli": Preset(
        "nyu-mll/multi_nli",
        "",
        "da70db2af9d09693783c3320c4249840212ee221",
        "premise",
        "OANC, CC BY 3.0, CC BY-SA 3.0, MIT (by genre)",
    ),
    "sentence-compression": Preset(
        "sentence-transformers/sentence-compression",
        "",
        "a7b8228411ffebd5edfbb1b2bd5082574128e5d3",
        "text",
        "not stated",
        files="pair/train/*.parquet",
    ),
    "simple-wiki": Preset(
        "sentence-transformers/simple-wiki", "pair", "60fd9b4680642ace0e2604cc2de44d376df419a7", "text", "not stated"
    ),
    "coco": Preset(
        "sentence-transformers/coco-captions",
        "pair",
        "bd2601822b9af9a41656d678ffbd5c80d81e276a",
        "caption1",
        "not stated",
    ),
}
