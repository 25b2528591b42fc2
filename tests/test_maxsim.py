"""Token matrices of late interaction: they add up to the score, they are kept, and the report draws them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import litotes.cli.bench  # noqa: F401  (registers the command)
from litotes.cli.app import app
from litotes.errors import InputError, require
from litotes.evaluation import pair_name, read_maxsims, save_maxsims
from litotes.models import load
from litotes.reporting.figures import ModelComparison, ReportFigure
from litotes.reporting.report_data import read_folders
from litotes.reporting.similarity import maxsim_figure
from litotes.types import Maxsim, Result
from tests.family_models import FamilyModels, family_models, quiet

__all__ = ["family_models"]

PAIRS = [
    ("Which soup is unsalted?", "A broth without salt, and never any peanuts!"),
    ("bread without gluten", "Rye holds gluten; loaves of rice do not. " * 9),
    ("nobody", ""),
]


def variant(family_models: FamilyModels, folder: Path, kind: str) -> Any:
    """The family_models's late model, made to score as others do, saved and loaded again."""
    library = require("sentence_transformers")
    options: dict[str, Any] = {"similarity_fn_name": "meanmaxsim"} if kind == "mean" else {}
    with quiet():
        made = library.MultiVectorEncoder(str(family_models.folder("late")), device="cpu", **options)
        if kind == "colbert":
            made.prompts = {"query": "[unused0] ", "document": "[unused1] "}
            made.tokenizer.add_special_tokens({"additional_special_tokens": ["[unused0]", "[unused1]"]})
            made[0].query_expansion = {"strategy": "fixed", "length": 12}
            made[2].skiplist_words = [",", "!", "."]
        if kind == "pooled":
            made.append(require("sentence_transformers.multi_vector_encoder.modules").HierarchicalTokenPooling(2))
        made.save(str(folder / kind))
    return load(f"late:{folder / kind}")


@pytest.mark.parametrize("kind", ["plain", "colbert", "mean"])
def test_the_best_matches_add_up_to_the_models_own_score(
    family_models: FamilyModels, tmp_path: Path, kind: str
) -> None:
    model = variant(family_models, tmp_path, kind)
    scores = model.score(*map(list, zip(*PAIRS, strict=True)))
    for (query, document), score in zip(PAIRS, scores, strict=True):
        one = model.maxsim(query, document, pair="a name")
        assert one.score == pytest.approx(score, abs=1e-5)
        assert Maxsim.from_line(one.line()).score == pytest.approx(score, abs=1e-5)
        assert [len(row) for row in one.matrix] == [len(one.document_tokens)] * len(one.query_tokens)
        assert (one.model, one.pair, one.fingerprint) == (model.name, "a name", model.fingerprint)


def test_the_tokens_are_the_word_pieces_of_the_texts(family_models: FamilyModels) -> None:
    one = family_models.get("late").maxsim(*PAIRS[0])
    assert one.query_tokens == ("[CLS]", "which", "soup", "is", "un", "##sal", "##ted", "?", "[SEP]")
    words = "[CLS] a bro ##th without salt , and never any peanuts ! [SEP]"
    assert " ".join(one.document_tokens) == words


def test_markers_and_masks_are_scored_and_skipped_words_are_not(family_models: FamilyModels, tmp_path: Path) -> None:
    one = variant(family_models, tmp_path, "colbert").maxsim(*PAIRS[0])
    # twelve query tokens in all: two masks after the ten of the marked query
    assert " ".join(one.query_tokens) == "[CLS] [unused0] which soup is un ##sal ##ted ? [SEP] [MASK] [MASK]"
    assert " ".join(one.document_tokens) == "[CLS] [unused1] a bro ##th without salt and never any peanuts [SEP]"


def test_a_text_past_the_limit_shows_what_is_left_of_it(family_models: FamilyModels) -> None:
    one = family_models.load("late", max_tokens=8).maxsim("a bridge", "The council spoke at length about the bridge.")
    assert " ".join(one.document_tokens) == "[CLS] the council spoke at length about [SEP]"


def test_pieces_of_bytes_read_as_text(tmp_path: Path) -> None:
    """A byte-level vocabulary spells " not" as "Ġnot", and a letter it does not know as bytes."""
    one = byte_level(tmp_path).maxsim("not here", "not café here")
    assert one.query_tokens == ("not", "here")
    assert one.document_tokens == ("not", "caf", "Ã", "©", "here")


def byte_level(folder: Path) -> Any:
    """An untrained two-layer late model over a byte-level vocabulary of three words."""
    tokenizers, transformers = require("tokenizers"), require("transformers")
    bytes_of = tokenizers.pre_tokenizers.ByteLevel
    spelling = tokenizers.Tokenizer(tokenizers.models.BPE())
    spelling.pre_tokenizer, spelling.decoder = bytes_of(add_prefix_space=False), tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=400, special_tokens=["<pad>"], initial_alphabet=bytes_of.alphabet(), show_progress=False
    )
    spelling.train_from_iterator(["not caf here"] * 9, trainer)
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=spelling, pad_token="<pad>", model_max_length=64)
    fast.save_pretrained(folder / "trunk")
    shape = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}
    config = transformers.BertConfig(vocab_size=len(fast), pad_token_id=0, **shape)
    with quiet():
        transformers.BertModel(config).save_pretrained(folder / "trunk")
        made = require("sentence_transformers").MultiVectorEncoder(str(folder / "trunk"), device="cpu")
        made.save(str(folder / "model"))
    return load(f"late:{folder / 'model'}")


def test_a_model_that_pools_its_tokens_has_none_to_show(family_models: FamilyModels, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="pools the tokens of a document"):
        variant(family_models, tmp_path, "pooled").maxsim(*PAIRS[0])
    with pytest.raises(InputError, match="expected text"):
        family_models.get("late").maxsim("a query", None)


def matrix(model: str, pair: str, value: float, fingerprint: str = "1") -> Maxsim:
    return Maxsim(model, pair, ("no",), ("not", "so"), ((value, 0.0),), fingerprint)


def test_the_file_grows_and_what_changed_is_replaced(tmp_path: Path) -> None:
    assert read_maxsims(tmp_path) == []
    first = [matrix("late:old", "a", 0.1), matrix("late:old", "b", 0.2)]
    save_maxsims(tmp_path / "new", first)
    save_maxsims(tmp_path / "new", [matrix("late:new", "a", 0.3)])
    save_maxsims(tmp_path / "new", [matrix("late:old", "b", 0.4)])
    kept = [(one.model, one.pair, one.score) for one in read_maxsims(tmp_path / "new")]
    assert kept == [("late:old", "a", 0.1), ("late:new", "a", 0.3), ("late:old", "b", 0.4)]
    # trained further under the same name: its other pair would be another model's
    save_maxsims(tmp_path / "new", [matrix("late:old", "b", 0.5, fingerprint="2")])
    assert [one.score for one in read_maxsims(tmp_path / "new")] == [0.3, 0.5]


@pytest.mark.parametrize("text", ["{", "[1]", '[{"model": "x"}]', "3"])
def test_a_file_that_is_something_else_is_not_written_over(tmp_path: Path, text: str) -> None:
    path = tmp_path / "maxsim.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"maxsim\.json: .*Remove the file to have it written again"):
        save_maxsims(tmp_path, [matrix("late:old", "a", 0.1)])
    assert path.read_text(encoding="utf-8") == text


def test_a_pair_is_called_by_its_texts() -> None:
    assert pair_name("no\n tea ", "tea is  served") == "no tea / tea is served"
    long = "word " * 30
    one, other = pair_name("tea", f"{long}is so"), pair_name("tea", f"{long}is not so")
    assert one != other
    assert re.fullmatch(r"tea / (word )+word… \([0-9a-f]{6}\)", one)
    assert len(one) < 80


def test_a_line_is_read_back_as_it_was_written() -> None:
    result = Result("m", "t", "dev", "all", "AUC", 50.12344, float("nan"), -0.00001, 9, "s")
    line = result.line()
    assert (line["value"], line["low"], str(line["high"])) == (50.1234, None, "0.0")
    assert Result.from_line(line).line() == line
    with pytest.raises(KeyError, match="task"):
        Result.from_line({"model": "m"})
    one = matrix("late:old", "a", 0.1)
    assert Maxsim.from_line(json.loads(json.dumps(one.line()))) == one


def test_before_and_after_need_the_base_among_the_models() -> None:
    comparison = ModelComparison({}, "late:old", base_is_named=True)
    both = ("late:old", "late:new")
    assert [comparison.stage(model, both) for model in both] == [", before", ", after"]
    assert comparison.stage("late:new", ["late:new", "late:other"]) == ""
    assert comparison.stage("late:old", ["late:old"]) == ""
    assert ModelComparison({}, "late:old").stage("late:old", both) == ""


def test_the_command_keeps_the_matrices_of_its_pairs(family_models: FamilyModels, tmp_path: Path) -> None:
    contrast = {"id": "1", "q1": "is tea served", "q2": None, "doc1": "tea is served", "doc2": "tea is not served"}
    (tmp_path / "one.jsonl").write_text(json.dumps(contrast), encoding="utf-8")
    name = f"late:{family_models.folder('late')}"
    asked = ["bench", name, "--suite", f"contrasts:{tmp_path / 'one.jsonl'}", "--out", str(tmp_path / "out")]
    pairs = [PAIRS[0], ("no \udce9 tea", "tea")]
    done = CliRunner().invoke(app, [*asked, *(part for pair in pairs for part in ("--maxsim", *pair))])
    assert done.exit_code == 0, done.output
    kept = read_maxsims(tmp_path / "out")
    # a byte that is no UTF-8 is shown as a question mark
    assert [one.pair for one in kept] == [pair_name(*PAIRS[0]), "no ? tea / tea"]
    assert kept[0].score == pytest.approx(
        float(family_models.get("late").score(*([text] for text in PAIRS[0]))[0]), abs=1e-5
    )


def test_folders_that_share_a_pair_are_drawn_side_by_side(tmp_path: Path) -> None:
    save_maxsims(tmp_path / "before", [matrix("late:old", "a", 0.1), matrix("late:old", "b, c", 0.2)])
    save_maxsims(tmp_path / "after", [matrix("late:new", "a", 0.3)])
    folders = [tmp_path / "after", tmp_path / "before"]
    data = read_folders(folders)
    labels = {model: model for model in data.models}
    one_pair = maxsim_figure(data, ModelComparison(labels, "late:old", base_is_named=True))
    assert _titles(one_pair) == ["late:old, before: 0.10", "late:new, after: 0.30"]
    assert one_pair.caption.endswith("Drawn: “a”. Other pairs, for --pair: “b, c”.")
    two_pairs = maxsim_figure(data, ModelComparison(labels, "late:old"), ["b, c", "a"])
    assert _titles(two_pairs) == ["1. late:old: 0.20", "2. late:old: 0.10", "2. late:new: 0.30"]
    assert two_pairs.caption.endswith("Drawn: 1. “b, c”, 2. “a”.")


def _titles(figure: ReportFigure) -> list[str]:
    return [title for panel in figure.panels for title in re.findall(r">([^<]*late:[^<]*)</text>", panel)]


@pytest.mark.parametrize(
    ("models", "pair", "said"),
    [
        (["bm25"], ("a", "b"), "maxsim is for late-interaction models, and bm25 is not one"),
        (["late:nowhere", "dense:minilm"], ("a", "b"), "dense:minilm is not one. Measure it without maxsim"),
        (["late:nowhere"], ("a", " "), "maxsim has the pair 'a' and ' '; expected two texts"),
    ],
)
def test_what_has_no_tokens_to_show_is_refused_at_once(
    tmp_path: Path, models: list[str], pair: tuple[str, str], said: str
) -> None:
    out = tmp_path / "out"
    done = CliRunner().invoke(app, ["bench", *models, "--suite", "ladder", "--out", str(out), "--maxsim", *pair])
    assert isinstance(done.exception, InputError)
    assert said in str(done.exception)
    assert not out.exists()
