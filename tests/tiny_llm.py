"""A language model small enough for tests: a Llama of two layers with random weights and one token per word."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from litotes.errors import require

TEMPLATE = (
    "{% for turn in messages %}<{{ turn['role'] }}> {{ turn['content'] }} <end> {% endfor %}"
    "{% if add_generation_prompt %}<assistant> {% endif %}"
)
MARKS = ("<pad>", "<unk>", "<end>", "<system>", "<user>", "<assistant>")


def tiny_llm(folder: Path, texts: Iterable[str], *, template: str | None = TEMPLATE) -> Path:
    """Save a model whose vocabulary is the words of the texts."""
    torch, transformers, tokenizers = (require(name) for name in ("torch", "transformers", "tokenizers"))
    split = tokenizers.pre_tokenizers.Sequence(
        [tokenizers.pre_tokenizers.WhitespaceSplit(), tokenizers.pre_tokenizers.Punctuation()]
    )
    words = dict.fromkeys((*MARKS, *(word for text in texts for word, _ in split.pre_tokenize_str(text))))
    inner = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({word: at for at, word in enumerate(words)}, unk_token="<unk>")
    )
    inner.pre_tokenizer = split
    inner.add_special_tokens(list(MARKS))
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=inner, eos_token="<end>", unk_token="<unk>", pad_token="<pad>"
    )
    tokenizer.chat_template = template
    torch.manual_seed(0)
    shape = {"hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 2, "max_position_embeddings": 256}
    heads = {"num_attention_heads": 2, "num_key_value_heads": 2, "initializer_range": 0.3, "pad_token_id": 0}
    config = transformers.LlamaConfig(vocab_size=len(words), eos_token_id=2, bos_token_id=None, **shape, **heads)
    transformers.LlamaForCausalLM(config).save_pretrained(str(folder))
    tokenizer.save_pretrained(str(folder))
    return folder
