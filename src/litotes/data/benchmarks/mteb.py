"""Tasks of mteb: the library loads their data from its hub."""

from __future__ import annotations

from litotes.data.records import GENERAL, Benchmark

PREFIX = "mteb:"
LITE = {
    "classification": ("Banking77Classification", "EmotionClassification", "MassiveIntentClassification"),
    "pair classification": ("SprintDuplicateQuestions",),
    "reranking": ("StackOverflowDupQuestions", "SciDocsRR"),
    "clustering": ("BiorxivClusteringS2S", "MedrxivClusteringS2S", "TwentyNewsgroupsClustering"),
    "retrieval": ("ArguAna", "NFCorpus", "SciFact"),
    "STS": ("SICK-R", "STS17", "STSBenchmark"),
    "summarisation": ("SummEval",),
}
"""HedgeTriple's lite set by mteb's types of task: the fifteen on which LLM2Vec found a model's mean close to that on
all of MTEB, and SummEval, the only one of its type. The average of Table 2 is the mean of the means of the types."""

BENCHMARKS = (
    Benchmark("mteb:NAME", "mteb", "an English task of mteb, from its hub", "main_score", ability=GENERAL),
    *(
        Benchmark(f"{PREFIX}{name}", "mteb", f"{kind}, by mteb", "main_score", suites=("mteb-lite",), ability=GENERAL)
        for kind, names in LITE.items()
        for name in names
    ),
)
