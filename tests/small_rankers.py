"""Contrasts to train on, and a tiny untrained ranker of each family that has a recipe."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from litotes.errors import require
from litotes.training import Example

torch = require("torch")

THINGS = ["bridge", "library", "pool", "museum", "market", "chapel", "harbour", "garden", "theatre", "tunnel"]
STATES = ["open", "crowded", "famous", "safe", "heated"]
NEW_THINGS = ["airport", "bakery", "castle", "station", "stadium"]
NEW_STATES = ["clean", "expensive"]
PROMPT_WORDS = "Query: Document: Relevant: true false Where stands by the river"


def contrast(thing: str, state: str) -> list[Example]:
    """A claim and its denial, each with its own query."""
    claim, denial = (f"The guide says that the {thing} is {word}{state} in summer." for word in ("", "not "))
    return [
        Example(f"Is there a {thing} that is {state}?", claim, (denial,)),
        Example(f"Is there a {thing} that is not {state}?", denial, (claim,)),
    ]


CONTRASTS = [contrast(thing, state) for thing in THINGS for state in STATES]
LESSONS = [example for pair in CONTRASTS for example in pair]
HELD_OUT = [example for thing in NEW_THINGS for state in NEW_STATES for example in contrast(thing, state)]
REPLAY = [Example(f"Where is the {thing}?", f"The {thing} stands by the river.") for thing in NEW_THINGS]


def pairwise_accuracy(ranker: Any, examples: Sequence[Example]) -> float:
    """Return how often both queries of a contrast rank their own document first."""
    queries = [example.query for example in examples]
    right = ranker.score(queries, [example.positive for example in examples])
    wrong = ranker.score(queries, [example.negatives[0] for example in examples])
    return float((right > wrong).reshape(-1, 2).all(axis=1).mean())


def small_tokenizer() -> Any:
    """Return a tokenizer with one token per word of this file."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

    transformers = require("transformers")
    words = Tokenizer(models.WordLevel(unk_token="[UNK]"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    texts = [text for one in [*LESSONS, *HELD_OUT] for text in (one.query, one.positive)]
    words.train_from_iterator([PROMPT_WORDS, *texts], trainers.WordLevelTrainer(special_tokens=special))
    words.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    return transformers.PreTrainedTokenizerFast(tokenizer_object=words, mask_token="[MASK]", eos_token="[SEP]", **names)


def small_bert(folder: Path, kind: str) -> Path:
    """Save an untrained BERT of one narrow layer."""
    transformers = require("transformers")
    tokenizer = small_tokenizer()
    torch.manual_seed(0)
    shape = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64}
    config = transformers.BertConfig(vocab_size=len(tokenizer), max_position_embeddings=64, num_labels=1, **shape)
    getattr(transformers, kind)(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def small_late(folder: Path) -> Path:
    small_bert(folder / "trunk", "BertModel")
    torch.manual_seed(0)
    made = require("sentence_transformers").MultiVectorEncoder(str(folder / "trunk"), device="cpu")
    made.save_pretrained(str(folder / "model"), create_model_card=False)
    return folder / "model"


def small_cross(folder: Path) -> Path:
    return small_bert(folder / "model", "BertForSequenceClassification")


def small_t5(folder: Path) -> Path:
    """Save an untrained T5 of two narrow encoder layers and one decoder layer."""
    transformers = require("transformers")
    tokenizer = small_tokenizer()
    torch.manual_seed(0)
    shape = {"d_model": 64, "d_kv": 16, "d_ff": 128, "num_layers": 2, "num_decoder_layers": 1, "num_heads": 4}
    ends = {"decoder_start_token_id": 0, "pad_token_id": 0, "eos_token_id": 3}
    config = transformers.T5Config(vocab_size=len(tokenizer), dropout_rate=0.1, **shape, **ends)
    transformers.T5ForConditionalGeneration(config).save_pretrained(folder / "model")
    tokenizer.save_pretrained(folder / "model")
    return folder / "model"


MAKERS: dict[str, Callable[[Path], Path]] = {"late": small_late, "cross": small_cross, "seq2seq": small_t5}
