"""Test positives by a paraphraser: a tiny untrained model, and hand-made candidates for the checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from litotes.errors import InputError, MissingError
from litotes.parse import load_parser
from litotes.synthesis import Anchor
from litotes.synthesis.meaning_checks import meaning_change
from litotes.synthesis.paraphraser import NO_CANDIDATE, Paraphraser, extra_positives, positives

TEXTS = [
    "The lamp is on.",
    "The ferry does not run in winter.",
    "",
    "A dog runs in the park.",
]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Save a T5 of one layer with random weights, and a tokenizer trained on a few texts."""
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from torch import manual_seed

    words = Tokenizer(models.Unigram())
    words.pre_tokenizer = pre_tokenizers.Metaspace()
    words.decoder = decoders.Metaspace()
    special = ["<pad>", "</s>", "<unk>"]
    words.train_from_iterator(
        TEXTS * 4, trainers.UnigramTrainer(vocab_size=120, special_tokens=special, unk_token="<unk>")
    )
    words.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    )
    manual_seed(0)
    sizes = {"d_model": 16, "d_kv": 8, "d_ff": 32, "num_layers": 1, "num_heads": 2}
    ends = {"decoder_start_token_id": 0, "pad_token_id": 0, "eos_token_id": 1}
    folder = tmp_path_factory.mktemp("tiny")
    model = transformers.T5ForConditionalGeneration(transformers.T5Config(vocab_size=len(tokenizer), **sizes, **ends))
    # Untrained, it would only generate padding.
    model.generation_config.update(min_new_tokens=4, suppress_tokens=[0, 2])
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def test_a_model_gives_candidates_in_the_order_of_the_texts(tiny: Path) -> None:
    options: dict[str, Any] = {"beams": 3, "candidates": 2, "batch": 2, "max_length": 40}
    paraphraser = Paraphraser(str(tiny), device="cpu", **options)
    rows = list(paraphraser.paraphrase(TEXTS))
    assert len(rows) == len(TEXTS)
    assert rows[2] == []
    assert all(1 <= len(row) <= 2 for place, row in enumerate(rows) if place != 2)
    assert all(text == " ".join(text.split()) != "" for row in rows for text in row)
    assert rows == list(Paraphraser(str(tiny), device="cpu", **options).paraphrase(TEXTS))
    # Texts are sorted by length within a batch, and the results are put back in order.
    assert [next(paraphraser.paraphrase([text]))[0] for text in TEXTS[:2]] == [rows[0][0], rows[1][0]]


def test_texts_are_read_lazily(tiny: Path) -> None:
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield TEXTS[0]

    assert next(Paraphraser(str(tiny), beams=1, candidates=1, batch=2, max_length=20).paraphrase(endless()))
    assert taken == 32


def test_a_text_that_is_too_long_for_the_model_gets_no_candidate(tiny: Path) -> None:
    short = Paraphraser(str(tiny), beams=1, candidates=1, max_length=20, device="cpu")
    assert next(short.paraphrase(["A dog runs. " * 20])) == []
    row = next(positives(["A dog runs. " * 20], short))
    assert [rewrite.reason for rewrite in row] == [NO_CANDIDATE]


def test_the_signature_names_the_weights(tiny: Path) -> None:
    signature = Paraphraser(str(tiny), beams=2, candidates=1).signature()
    assert len(signature["sha256"]) == 64
    assert signature["beams"] == 2
    assert signature["paraphraser"] == str(tiny)


@pytest.mark.parametrize("options", [{"beams": 2, "candidates": 3}, {"batch": 0}, {"candidates": 0}])
def test_invalid_options(options: dict[str, int]) -> None:
    with pytest.raises(InputError, match="no more candidates than beams"):
        Paraphraser("somewhere", **options)  # type: ignore[arg-type]


def test_a_folder_without_a_model_or_with_pickled_weights_is_refused(tiny: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be used as a paraphraser"):
        next(Paraphraser(str(tmp_path)).paraphrase(["A dog runs."]))
    for path in tiny.iterdir():
        name = "pytorch_model.bin" if path.suffix == ".safetensors" else path.name
        (tmp_path / name).write_bytes(path.read_bytes())
    with pytest.raises(InputError, match="pickled weights are not loaded"):
        next(Paraphraser(str(tmp_path)).paraphrase(["A dog runs."]))


@pytest.mark.skipif(find_spec("sentencepiece") is not None, reason="sentencepiece is installed")
def test_the_library_that_pegasus_needs_is_named(tmp_path: Path) -> None:
    pytest.importorskip("transformers").PegasusConfig().save_pretrained(tmp_path)
    (tmp_path / "spiece.model").write_bytes(b"")
    with pytest.raises(MissingError, match="pip install sentencepiece"):
        next(Paraphraser(str(tmp_path)).paraphrase(["A dog runs."]))


def test_the_error_for_a_missing_model_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(MissingError, match="hf download litotes-tests/none --local-dir FOLDER"):
        next(Paraphraser("litotes-tests/none").paraphrase(["A dog runs."]))


@pytest.mark.parametrize(
    ("text", "candidate", "reason"),
    [
        ("The shop failed to open on time.", "The store did not open on time.", ""),
        ("The lid is not open.", "The lid is closed.", ""),
        ("The committee approved the plan in May.", "The plan was approved by the committee in May.", ""),
        ("He has few friends in town.", "He does not have many friends in town.", ""),
        ("Nobody came to the meeting.", "No one came to that meeting at all.", ""),
        ("She is unhappy with the flat.", "She is not happy with the flat.", ""),
        ("The lamp is on.", "the lamp is on", "a copy of the text"),
        ("The lamp is on.", "The lamps is on.", "fewer than 3 characters changed"),
        ("The lamp is on.", "...", "the paraphrase has no words"),
        ("The old boats run in winter, even in snow.", "Old boats run.", "shorter than half the text"),
        ("Boats run.", "The boats run in the winter.", "longer than twice the text"),
        ("He is in the house.", "Is he inside the house?", "a question and a statement"),
        ("The ferry takes 40 cars.", "The ferry carries 14 cars.", "a number changed"),
        ("A dog runs in the park.", "A cat sleeps on the sofa.", "about something else"),
        ("The shop is open on Sundays.", "The shop is closed on Sundays.", "a word was replaced by its opposite"),
        ("The drug is safe for children.", "The drug isn't safe for a child.", "the polarity changed"),
        ("He is married to a teacher.", "He is unmarried to a teacher.", "the polarity changed"),
        ("They are listed with their ends.", "They are all listed without their ends.", "the polarity changed"),
        ("She bought it from the baker.", "She sold it to the baker.", "a word was replaced by its opposite"),
        ("The film was not good at all.", "The film was bad, all of it.", "a word was replaced by its opposite"),
    ],
)
def test_the_reasons_for_a_change_of_meaning(text: str, candidate: str, reason: str) -> None:
    before, after = load_parser().pipe([text, candidate])
    assert meaning_change(before, after) == reason


def test_a_candidate_with_a_large_edit_distance_is_rejected() -> None:
    text = "The committee of the old town approved the plan for a new bridge over the river in May."
    other = "In May a plan that would put a bridge, a new one, across the river won the old town committee's approval."
    before, after = load_parser().pipe([text, other])
    assert meaning_change(before, after) == "more than 60 characters away"


class Scripted:
    """A paraphraser with scripted candidates."""

    def __init__(self, **candidates: list[str]) -> None:
        self._candidates = candidates

    def paraphrase(self, texts: Iterable[str]) -> Iterator[list[str]]:
        for text in texts:
            yield self._candidates[text.split()[1]]


LAMP, DOOR, BOAT = "The lamp is safe.", "The door is open.", "The boat is fast."
SCRIPTED = Scripted(
    lamp=["The lamp isn't safe.", "The lamp is quite safe.", "That lamp is a safe one."],
    door=["The door is open!"],
    boat=[],
)


def test_the_first_good_candidate_is_kept_and_the_others_are_counted() -> None:
    counts: Counter[str] = Counter()
    lamp, door, boat = positives([LAMP, DOOR, BOAT], SCRIPTED, counts=counts)
    assert [str(rewrite) for rewrite in lamp] == ["The lamp is quite safe."]
    assert lamp[0].undo() == LAMP
    assert (lamp[0].kind, lamp[0].distance, lamp[0].rule) == ("paraphrase", 6, "seq2seq")
    assert [rewrite.reason for rewrite in door] == ["a copy of the text"]
    assert [rewrite.reason for rewrite in boat] == [NO_CANDIDATE]
    assert counts == {
        "paraphrase, the polarity changed": 1,
        "paraphrase, kept": 1,
        "paraphrase, a copy of the text": 1,
        f"paraphrase, {NO_CANDIDATE}": 1,
    }
    both = next(positives([LAMP], SCRIPTED, keep=2))
    assert [str(rewrite) for rewrite in both] == ["The lamp is quite safe.", "That lamp is a safe one."]
    assert all(rewrite.undo() == LAMP for rewrite in both)
    assert list(positives([], SCRIPTED)) == []


def test_extra_positives_have_one_row_per_anchor(tiny: Path) -> None:
    counts: Counter[str] = Counter()
    anchors = [Anchor("a", LAMP), Anchor("b", DOOR)]
    rows = extra_positives(anchors, SCRIPTED, counts=counts)
    assert [[bool(rewrite) for rewrite in row] for row in rows] == [[True], [False]]
    model = Paraphraser(str(tiny), beams=2, candidates=2, max_length=20, device="cpu")
    rows = extra_positives(anchors, model, counts=counts)
    # An untrained model does not keep the meaning.
    assert [rewrite.reason != "" for row in rows for rewrite in row] == [True, True]
