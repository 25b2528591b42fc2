"""Small valid files of every format, which the fuzz tests damage."""

from __future__ import annotations

import io
from hashlib import sha256

import numpy as np
import pyarrow.parquet

CONTRAST = {"id": 3, "q1": "dry roads", "q2": "wet roads", "doc1": "It is dry.", "doc2": "It is wet.", "kind": "polar"}
EXCLUDING = {"id": "e", "query": "soups without leek", "positive": "Miso soup.", "negative": "Leek soup."}
TRIPLE = {
    "id": "t", "anchor": "It rains.", "positive": "Rain falls.", "negative": "It never rains.",
    "positive_kind": "synonym", "negative_kind": "absolute", "cues": ["", "never"],
}  # fmt: skip
QUADRUPLE = {
    "id": "q", "a1": "It is open.", "a2": "It is not shut.", "b1": "It is shut.", "b2": "It is not open.",
    "cues": [0, 1, 0, 1], "mechanism": "antonym",
}  # fmt: skip
LABELLED = {"premise": "It rains.", "hypothesis": "It does not rain.", "label": 0, "kind": "verbal"}
SCORED = {"reference": "We left early.", "candidate": "We left.", "score": 0.5, "source": "ours"}
GRADED = {"reference": "We left early.", "candidates": [["We left.", 0.5], ["We stayed.", 0]]}
CLAIMED = {"text": "Tea is hot.", "claims": ["There is hot tea."]}
ALIKE = {"texts": ["my card is lost", "I cannot find my card", "where is my card"]}
REPLAYED = {"query": "hot drinks", "positive": "Tea is hot.", "negatives": ["Snow is cold."]}
ANCHOR = {"id": "a", "text": "The kettle is on.", "questions": ["Is the kettle on?"]}
TABLE = 'candidate,reference,source,score\nA cat naps.,"A cat, asleep.",cannot,1\n"A ""no"".",He said no.,wmt_x,-0.5\n'
TABBED = 'pair_ID\tsentence_A\tsentence_B\trelatedness_score\n1\tA cat naps.\tA "cat" sleeps.\t4.5\n'
STS = "main\tours\t2012\t1\t4.5\tA cat sleeps.\tA cat naps.\n"
JUDGED = "query-id\tcorpus-id\tscore\n1\tdocument-about-tea\t1\n1\tdocument-about-milk\t0\n"
RESULT = {
    "model": "dense:minilm", "task": "series", "split": "dev", "slice": "all", "measure": "drop", "value": 7.5,
    "low": 4.5, "high": None, "n": 200, "signature": "litotes:0|task:series",
}  # fmt: skip
KEY = sha256(str(RESULT["signature"]).encode()).hexdigest()[:8]
ROW = {"id": "1", "value": 0.5, "groups": {"series": "negation"}, "numbers": {"impaired": 0.9}}
MAXSIM = {
    "model": "late:x", "pair": "soup", "query_tokens": ["no", "salt"], "document_tokens": ["salt"],
    "matrix": [[0.1], [0.9]], "fingerprint": "f",
}  # fmt: skip
LEFT_OUT = {
    "task": "excluir", "queries": 3, "fired": 1,
    "examples": [{"query": "a not b", "kept": "a", "excluded": ["b"], "cues": ["not"], "rules": ["r"]}],
}  # fmt: skip
SWEEP = {
    "sweep": "size=100,200",
    "points": [{"name": "100", "at": 100, "before": {"nevir": 7.0}, "scores": {"nevir": 9.5}}],
}
CURVE = {"step": 1, "epoch": 0.1, "loss": 0.7, "seconds": 2, "scores": {"nevir": 9.5}}
RECORD = {"dense:minilm": {"fingerprint": "1", "facts": {}, "skipped": {"banking77": "no vectors"}}}
ANSWERED = [
    {"from_name": name, "value": {"choices": [choice]}}
    for name, choice in (
        ("relevance_1", "Document 1"), ("relevance_2", "Document 2"), ("negation", "Query 1"),
        ("naturalness", "3: fine"), ("coherence", "2: so so"), ("consistency", "1: no"),
    )
]  # fmt: skip
EXPORTED = [
    {
        "data": {"id": "1", "kind": "polar", "documents_swapped": False, "queries_swapped": True},
        "annotations": [{"completed_by": 7, "result": ANSWERED}],
    }
]
SETTINGS = {"lr": 0.0002, "epochs": 2, "positive_kinds": ["synonym"], "in_batch": True, "max_general_loss": None}
PERTURBED = {
    "id": 1, "severity": "minor", "eng_sent": "Tea.", "mt_sent": "Tea!", "pert_sent": "Te.", "pert_check": True,
}  # fmt: skip
CUES = "SEM\t0\t0\tNo\tno\tDT\t(S*\t_\t***\nSEM\t0\t1\ttea\ttea\tNN\t*)\t***\n\nSEM\t1\t0\tYes\tyes\tUH\t*\t***\n"
SCOPED = (
    '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE a [<!ENTITY b "tea">]><a><sentence id="1">'
    '<xcope id="x"><cue type="negation">No</cue> &b;</xcope> &amp; <!-- so --> milk</sentence></a>'
)
TERMS = (
    "λx:e. Organism(x) ∧ ¬Cyanobacteria(x)",
    "forall x. (Seat(x) -> not Taken(x)) or exists y. Free(y)",
    "(λP Q. ∀x(P(x) → Q(x)))(Bird)(λz. ¬Flies(z, wings))",
    "\\f:<e,t>. \\x. f(f)(x)",
)
TYPES = ("e", "(e->t)->t", "<<e,t>,<e,t>>", "et→e")
UTTERANCES = "text,category\nWhere is it?,card_arrival\n"
COUNTERFACTUAL = {"id": "1", "sentence1": "a", "sentence2": "b", "score": -1, "kind": "negated", "cue": "no"}
SUMS = f"{'0' * 64}  nevir/dev.jsonl\n{'a' * 64}  sick/a b.tsv\n"
DIAGNOSTIC = "Premise,Hypothesis,Label\nIt rains.,It does not rain.,contradiction\n"
CONFIGURATION = {"architectures": ["BertModel"], "model_type": "SentenceTransformer"}
LEXICON = "# cues\nword\tkind\tuse\nnot\tverbal\tboth\nnever\tabsolute\tdetect\n"


def saved_vectors() -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, np.eye(3, dtype=np.float32))
    return buffer.getvalue()


def saved_table() -> bytes:
    buffer = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table({"text": ["The kettle is on.", "It rained."], "id": ["a", "b"]}), buffer)
    return buffer.getvalue()


VECTORS, PARQUET = saved_vectors(), saved_table()
