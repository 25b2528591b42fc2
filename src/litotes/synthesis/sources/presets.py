"""The paper's sources under short names: HedgeTriple's anchors, and the data sets that they were sampled from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Preset:
    """One of the paper's sources: its repository, commit, and the column with the anchors."""

    name: str
    config: str
    revision: str
    column: str
    licence: str
    """As stated on the hub's data card."""
    taken: int | None = None
    """The number of anchors that the paper used; None if it does not say."""
    files: str = ""
    """The files to read, if the repository cannot be loaded as a whole."""
    header: tuple[str, ...] = ()
    """The columns of files that may have no header."""


# The paper's 50,000 anchors come from the first, which was sampled from the other five in unknown proportions. Every
# revision is a commit. The first repository has a loading script, so only its data file is read. The commit of
# sentence-compression is the hub's own conversion to Parquet.
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
