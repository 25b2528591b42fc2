"""Test local language models: answers, log-probabilities of labels, adapters, and invalid models."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from litotes.errors import InputError, require
from litotes.llm.local import LocalServer, shipped_weights
from litotes.models import load
from litotes.models.causal import MAX_ANSWER_TOKENS, CausalModel, find_causal, is_local, load_causal
from tests.tiny_llm import tiny_llm

TEXTS = ("Is the shop open ? Answer Yes or No . It is not closed , 12 % never sad", "You judge sentences .")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_llm(tmp_path_factory.mktemp("tiny"), TEXTS)


@pytest.fixture(scope="module")
def tiny(folder: Path) -> CausalModel:
    return load_causal(str(folder))


def summed_log_probabilities(model: CausalModel, ids: list[int], ending: list[int]) -> float:
    """Return the sum of the log-probabilities of the ending's tokens, from the logits of the whole text."""
    torch = require("torch")
    with torch.no_grad():
        log_probabilities = model.model(torch.tensor([ids + ending])).logits[0].log_softmax(-1)
    return sum(float(log_probabilities[len(ids) - 1 + place, token]) for place, token in enumerate(ending))


def test_the_log_probability_of_a_label_is_the_sum_over_its_tokens(tiny: CausalModel) -> None:
    ids = tiny.tokens("You judge sentences.", "Is the shop open?")
    assert tiny.tokenizer.decode(ids).split()[0] == "<system>"
    assert tiny.tokenizer.decode(ids).split()[-1] == "<assistant>"
    labels = ("Yes", "not closed")
    endings = [tiny.tokenizer(label, add_special_tokens=False)["input_ids"] for label in labels]
    assert [len(ending) for ending in endings] == [1, 2]
    values = tiny.log_probabilities("You judge sentences.", "Is the shop open?", labels)
    assert values == pytest.approx([summed_log_probabilities(tiny, ids, ending) for ending in endings], abs=1e-4)


def test_log_probabilities_do_not_depend_on_the_batch(tiny: CausalModel) -> None:
    prompts = [("", "Is the shop open?"), ("You judge sentences.", "It is never sad, is it?"), ("", "Yes?")]
    together = tiny.log_probability_rows(prompts, ("Yes", "No"))
    for row, prompt in zip(together, prompts, strict=True):
        assert row == pytest.approx(tiny.log_probabilities(*prompt, ("Yes", "No")), abs=1e-4)


def test_an_answer_consists_of_the_most_likely_tokens(tiny: CausalModel) -> None:
    """Compare with greedy decoding, token by token, up to the end token or the limit."""
    torch = require("torch")
    ids = tiny.tokens("", "Is the shop open?")
    answer: list[int] = []
    while len(answer) < MAX_ANSWER_TOKENS and (not answer or answer[-1] != tiny.tokenizer.eos_token_id):
        with torch.no_grad():
            answer.append(int(tiny.model(torch.tensor([ids + answer])).logits[0, -1].argmax()))
    expected = tiny.tokenizer.decode(answer, skip_special_tokens=True).strip()
    assert expected
    assert tiny.generate("", "Is the shop open?") == expected


def test_the_family_llm_loads_a_folder(folder: Path, tiny: CausalModel) -> None:
    model: Any = load(f"llm:{folder}")
    margin = model.opposed(["The shop is open."], ["The shop is closed."])
    assert margin.shape == (1,)
    assert margin[0] != 0
    assert model.causal.tokenizer.get_vocab() == tiny.tokenizer.get_vocab()
    chosen = model.choose(["open shop"], ["The shop is open."], ["The shop is closed."])
    assert chosen.shape == (1, 2)


def test_a_model_without_a_chat_template_is_refused(tmp_path: Path) -> None:
    folder = tiny_llm(tmp_path, TEXTS, template=None)
    with pytest.raises(InputError, match="no chat template"):
        load_causal(str(folder))


def test_invalid_language_models_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no file .*gone\.gguf"):
        find_causal(str(tmp_path / "gone.gguf"))
    with pytest.raises(InputError, match="is not a folder"):
        load(f"llm:{tmp_path / 'gone'}")
    (tmp_path / "config.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be read as a language model"):
        load_causal(str(tmp_path))


def test_invalid_adapters_are_refused(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "adapter_config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="names no base"):
        find_causal(str(tmp_path))
    facts = {"base_model_name_or_path": str(folder), "peft_type": "LORA", "r": 4, "target_modules": ["q_proj"]}
    (tmp_path / "adapter_config.json").write_text(json.dumps(facts), encoding="utf-8")
    (tmp_path / "adapter_model.safetensors").write_bytes(b"no weights")
    with pytest.raises(InputError, match="cannot be read as a LoRA adapter"):
        load_causal(str(tmp_path))


def test_local_names_differ_from_names_of_endpoints(folder: Path) -> None:
    assert is_local("smollm2")
    assert is_local(str(folder))
    assert is_local("weights.gguf")
    assert is_local("./gone")
    assert not is_local("owner/model")
    assert not is_local("gpt-5")
    assert not is_local("local")


@pytest.mark.slow
def test_smollm2_has_the_same_tokens_as_in_llama_cpp(local_llm: LocalServer) -> None:
    """Its tokenizer is rebuilt from the GGUF file. The 200 sentences have digits, quotes and other scripts."""
    httpx = require("httpx")
    tokenizer = require("transformers").AutoTokenizer.from_pretrained(
        str(shipped_weights().parent), gguf_file=shipped_weights().name
    )
    seeds = files("litotes.data").joinpath("seed", "sentences.jsonl").read_text(encoding="utf-8").splitlines()
    odd = [
        "In 2031, 12,500 of 3.7 million — “none” of them?",
        "naïve café\t№5\n\nzwei Zeilen",
        "не закрыто, 没有",
        "I'd've",
    ]
    sentences = [*odd, *(json.loads(line)["text"] for line in seeds)][:200]
    with httpx.Client(trust_env=False) as client:
        address = local_llm.base_url.removesuffix("/v1") + "/tokenize"
        for sentence in sentences:
            expected = client.post(address, json={"content": sentence, "add_special": False}).json()["tokens"]
            assert tokenizer(sentence, add_special_tokens=False)["input_ids"] == expected, sentence
    assert len(sentences) == 200
