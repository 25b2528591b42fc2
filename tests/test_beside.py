"""Test litotes.beside, litotes.polarity and litotes.combine: a polarity block beside encoders of other origins."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.request import Request, urlopen

import numpy as np
import pytest

import litotes
from litotes.errors import InputError
from litotes.models import Polarity, TowerShape, load
from litotes.models.beside import dial_by_spread, sample_passages, spread
from litotes.models.tower import save_delta
from litotes.query.exclusion import BETA, EXCLUSION_DIAL_SHARE
from litotes.workflows import DialFit
from tests.small_tower import small_encoder, small_tower

TEXTS = ["The drug is safe.", "The drug is not safe.", "Bananas are yellow."]
EXCLUDING = "soups other than borscht"


def letters(texts: Sequence[str]) -> np.ndarray:
    """Encode texts as counts of the letters a to z, plus 1: not of unit length, and always above 0."""
    return np.array([[text.lower().count(chr(97 + at)) + 1.0 for at in range(26)] for text in texts])


class Asymmetric:
    """An encoder with different vectors for queries and documents."""

    def encode_query(self, texts: Sequence[str]) -> np.ndarray:
        return letters([f"q{text}" for text in texts])

    def encode_document(self, texts: Sequence[str]) -> np.ndarray:
        return letters(texts)


class LangChainLike:
    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[float(value) for value in row] for row in letters(texts)]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([f"q{text}"])[0]


@pytest.fixture(scope="module")
def block() -> Polarity:
    return Polarity(small_tower(), name="small")


def unit(rows: Any) -> np.ndarray:
    values = np.asarray(rows, dtype=np.float64)
    divided: np.ndarray = values / np.linalg.norm(values, axis=-1, keepdims=True)
    return divided


def test_combining_by_hand() -> None:
    # f = (3, 4) has the unit vector (0.6, 0.8). At a dial of 0.36 the blocks have the lengths 0.8 and 0.6.
    combined = litotes.combine([3.0, 4.0], [0.0, 2.0], 0.36)
    assert combined == pytest.approx([0.48, 0.64, 0.0, 0.6], abs=1e-6)
    # A query at dial 0.5 for documents at 0.36: 0.5 / 0.8 and 0.5 / 0.6.
    query = litotes.combine([[3.0, 4.0]], [[0.0, 2.0]], 0.5, stored=0.36)
    assert query[0] == pytest.approx([0.6 * 0.625, 0.8 * 0.625, 0.0, 0.5 / 0.6], abs=1e-6)
    assert float(query[0] @ combined) == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("dial", [None, 0.0, 0.3, 1.0])
def test_a_score_is_the_weighted_sum_of_both_cosines(block: Polarity, dial: float | None) -> None:
    encoder = litotes.beside(letters, block=block, dial=0.2)
    scores = encoder.similarity(encoder.encode_query(TEXTS, dial=dial), encoder.encode_document(TEXTS))
    f, g, w = unit(letters(TEXTS)), unit(block.encode(TEXTS)), 0.2 if dial is None else dial
    assert scores == pytest.approx((1 - w) * f @ f.T + w * g @ g.T, abs=1e-5)


def test_a_single_text_has_one_vector(block: Polarity) -> None:
    encoder = litotes.beside(letters, block=block, dial=0.2)
    assert encoder.encode_document(TEXTS[0]).tolist() == encoder.encode([TEXTS[0]])[0].tolist()
    assert encoder.encode_query(TEXTS[0]).shape == (26 + block.width,)
    assert encoder.encode_document([]).shape == (0, 26 + block.width)
    assert block.encode(TEXTS[0]).shape == (block.width,)
    assert np.linalg.norm(block.encode(TEXTS), axis=1) == pytest.approx(1.0, abs=1e-5)


def test_queries_can_have_an_encoder_or_a_prompt_of_their_own(block: Polarity) -> None:
    expected = unit(letters(["q" + TEXTS[0]]))[0]
    both = [
        litotes.beside(Asymmetric(), block=block, dial=0.2),
        litotes.beside(LangChainLike(), block=block, dial=0.2),
        litotes.beside(letters, query_prompt="q", block=block, dial=0.2),
        litotes.beside(letters, queries=lambda texts: letters([f"q{text}" for text in texts]), block=block, dial=0.2),
    ]
    for encoder in both:
        query, document = encoder.encode_query([TEXTS[0]])[0], encoder.encode_document([TEXTS[0]])[0]
        assert query[:26] / math.sqrt(0.8) == pytest.approx(expected, abs=1e-5)
        assert document[:26] / math.sqrt(0.8) == pytest.approx(unit(letters([TEXTS[0]]))[0], abs=1e-5)
        # The block reads the text without its prompt.
        assert query[26:] == pytest.approx(document[26:], abs=1e-6)


def test_excluded_parts_are_subtracted(block: Polarity) -> None:
    encoder = litotes.beside(letters, block=block, dial=0.2)
    kept, excluded = encoder.encode_query(["soups", "borscht"], dial=EXCLUSION_DIAL_SHARE * 0.2, exclude=False)
    difference = kept - BETA * excluded
    length = np.linalg.norm(encoder.encode_query(EXCLUDING, exclude=False))
    expected = difference * length / np.linalg.norm(difference)
    assert encoder.encode_query(EXCLUDING) == pytest.approx(expected, abs=1e-5)
    plain = encoder.encode_query(TEXTS[0])
    assert plain.tobytes() == encoder.encode_query(TEXTS[0], exclude=False).tobytes()


def test_our_own_encoders_do_not_split_queries_twice(block: Polarity) -> None:
    mine = litotes.load("minilm")
    encoder, plain = (litotes.beside(each, block=block, dial=0.2) for each in (mine, mine.encode))
    for exclude in ("auto", False):
        assert encoder.encode_query([EXCLUDING, TEXTS[0]], exclude=exclude) == pytest.approx(
            plain.encode_query([EXCLUDING, TEXTS[0]], exclude=exclude), abs=1e-5
        )


def test_a_text_is_sent_once(block: Polarity) -> None:
    sent: list[str] = []

    def remember(texts: list[str]) -> np.ndarray:
        sent.extend(texts)
        return letters(texts)

    encoder = litotes.beside(remember, block=block, dial=0.2)
    rows = encoder.encode_query([EXCLUDING, TEXTS[0], TEXTS[0]])
    assert sorted(sent) == sorted([TEXTS[0], "soups", "borscht"])
    assert rows[1].tolist() == rows[2].tolist()
    assert repr(encoder) == f"<encoder with a polarity block of {block.width} columns, dial 0.2>"


def test_a_loaded_tower_can_be_the_block(block: Polarity) -> None:
    rows = litotes.beside(letters, block=small_encoder(), dial=float(np.float32(0.2))).encode_document(TEXTS)
    assert rows == pytest.approx(litotes.beside(letters, block=block, dial=0.2).encode_document(TEXTS), abs=1e-5)


def test_the_dial_follows_the_spread_of_the_cosines(block: Polarity) -> None:
    # The tower's own base needs the tower's own dial.
    assert dial_by_spread(block.base_vectors, block) == pytest.approx(block.shape.default_dial, abs=0.005)
    # The four cosines of (1, 0), (0, 1) and (1, 1) are 0, 1/√2 and 1/√2.
    three = np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]])
    assert spread(three) == pytest.approx(np.std([0, math.sqrt(0.5), math.sqrt(0.5)]))
    # Vectors with a large common part have narrow cosines, and get a small dial.
    narrow = dial_by_spread(lambda texts: np.hstack([block.base_vectors(texts), np.full((len(texts), 1), 2.0)]), block)
    assert narrow < block.shape.default_dial
    assert len(set(sample_passages())) == 250


def test_the_dial_can_come_from_a_file(block: Polarity, tmp_path: Path) -> None:
    file = tmp_path / "dial.json"
    DialFit("letters", "small", 0.17, 0.17, 0.2, 2.5, ()).save(file)
    assert litotes.beside(letters, block=block, dial=file).dial == 0.17
    fitted = json.loads(file.read_text())
    others: list[Any] = [[], {"dial": 0.17}, fitted | {"format": "litotes dial 9"}, {"format": fitted["format"]}]
    for content in others:
        file.write_text(json.dumps(content))
        with pytest.raises(InputError, match="is not a file of `litotes dial fit`"):
            litotes.beside(letters, block=block, dial=str(file))
    file.write_text(json.dumps(fitted | {"dial": "0.17"}))
    with pytest.raises(InputError, match=r"the default dial is '0\.17'"):
        litotes.beside(letters, block=block, dial=file)


@pytest.mark.parametrize(
    ("encode", "message"),
    [
        (lambda texts: letters(texts)[:-1], "returned 2 vectors for 3 texts; expected one per text"),
        (lambda texts: letters(texts) * np.nan, "vector 0 of the encoder has the length nan"),
        (lambda texts: letters(texts) * 0, "vector 0 of the encoder has the length 0.0"),
        (lambda texts: letters(texts).astype(np.int8), "returned int8 vectors; expected floats"),
        (lambda texts: [[1.0] * (at + 1) for at in range(len(texts))], "vectors of different widths"),
        (lambda texts: letters(texts)[0], "an array of the shape"),
        (lambda texts: [f"{text}" for text in texts], "an array of the shape"),
    ],
)
def test_bad_vectors_are_refused(encode: Any, message: str, block: Polarity) -> None:
    with pytest.raises(InputError, match=message):
        litotes.beside(encode, block=block, dial=0.2).encode_document(TEXTS)


def test_a_changed_width_is_refused(block: Polarity) -> None:
    widths = iter((26, 25))
    encoder = litotes.beside(lambda texts: letters(texts)[:, : next(widths)], block=block, dial=0.2)
    encoder.encode_document(TEXTS)
    with pytest.raises(InputError, match="with 25 columns; expected 26, as before"):
        encoder.encode_document(TEXTS)


@pytest.mark.parametrize("dial", [0, 1, -0.1, 1.5, True, math.nan])
def test_a_dial_of_documents_is_between_0_and_1(dial: float, block: Polarity) -> None:
    with pytest.raises(InputError, match="the default dial is"):
        litotes.beside(letters, block=block, dial=dial)


def test_other_bad_options_are_refused(block: Polarity) -> None:
    encoder = litotes.beside(letters, block=block, dial=0.2)
    with pytest.raises(InputError, match="the dial is 2; expected a number from 0"):
        encoder.encode_query(TEXTS, dial=2)
    with pytest.raises(InputError, match="exclude is 'yes'"):
        encoder.encode_query(TEXTS, exclude="yes")
    with pytest.raises(InputError, match="queries\\[0\\] is int; expected text"):
        encoder.encode_query([3])  # type: ignore[list-item]
    with pytest.raises(InputError, match="the encoder is int; expected an object with encode"):
        litotes.beside(3, block=block)
    with pytest.raises(InputError, match="the vectors are compared by 'euclidean'; expected similarity='cosine'"):
        litotes.beside(letters, block=block, similarity="euclidean")
    with pytest.raises(InputError, match="the encoder is the text 'minilm'; expected a loaded one"):
        litotes.beside("minilm", block=block)
    with pytest.raises(InputError, match="the encoder has a polarity block of its own"):
        litotes.beside(small_encoder(), block=block)
    with pytest.raises(InputError, match="the block is NoneType; expected 'litotes-mini'"):
        litotes.beside(letters, block=None)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="minilm has no polarity block"):
        litotes.polarity("minilm")
    with pytest.raises(InputError, match="batch is 0; expected 1 or more"):
        block.encode(TEXTS, batch=0)
    other = litotes.beside(letters, queries=lambda texts: letters(texts)[:, :25], block=block, dial=0.2)
    other.encode_document(TEXTS)
    with pytest.raises(InputError, match="queries have 25 columns and documents 26"):
        other.encode_query(TEXTS)
    with pytest.raises(InputError, match="is not the name of a tower"):
        litotes.polarity("litotes-mini@0.3")
    with pytest.raises(InputError, match="returned 2 vectors for 3 texts"):
        litotes.combine(letters(TEXTS), block.encode(TEXTS[:2]), 0.2)


def test_a_raw_dot_product_needs_unit_vectors(block: Polarity) -> None:
    with pytest.raises(InputError, match="compared by dot product, in which the length counts"):
        litotes.beside(letters, block=block, dial=0.2, similarity="dot").encode_document(TEXTS)
    encoder = litotes.beside(lambda texts: unit(letters(texts)), block=block, dial=0.2, similarity="dot")
    assert np.linalg.norm(encoder.encode_document(TEXTS), axis=1) == pytest.approx(1.0, abs=1e-5)


def test_an_index_of_another_dial_is_refused(block: Polarity) -> None:
    stored = litotes.beside(letters, block=block, dial=0.36).encode_document(TEXTS)
    encoder = litotes.beside(letters, block=block, dial=0.2)
    with pytest.raises(InputError, match=r"have the dial 0\.3600; expected the length 1 and the dial 0\.2\. Pass the"):
        encoder.similarity(encoder.encode_query(TEXTS), stored)
    with pytest.raises(InputError, match=r"have the length 2\.000; expected the length 1"):
        encoder.check_stored(2 * encoder.encode_document(TEXTS))
    with pytest.raises(InputError, match="have 26 columns; expected more than"):
        encoder.check_stored(letters(TEXTS)[:, : block.width])


def _rounded(rows: np.ndarray) -> np.ndarray:
    """Round to eight bits, with one step for all columns."""
    step = np.abs(rows).max() / 127
    rounded: np.ndarray = np.round(rows / step) * step
    return rounded


@pytest.mark.parametrize("dial", [0.05, 0.21, 0.5])
@pytest.mark.parametrize("stored_as", [lambda rows: rows.astype(np.float16), lambda rows: rows, _rounded])
def test_a_dial_that_differs_by_a_hundredth_or_less_is_noticed(stored_as: Any, dial: float) -> None:
    draw = np.random.default_rng(0)
    f, g = draw.standard_normal((400, 384)), draw.standard_normal((400, 128))
    encoder = litotes.beside(letters, block=TowerShape(dial, 128))
    encoder.check_stored(stored_as(litotes.combine(f, g, dial)))
    # One vector is enough for a hundredth; 400 vectors show a difference of a thousandth.
    for other, count in ((dial + 0.01, 1), (dial - 0.01, 1), (dial + 0.001, 400), (dial - 0.001, 400)):
        with pytest.raises(InputError, match="the stored vectors have the dial"):
            encoder.check_stored(stored_as(litotes.combine(f, g, other))[:count])
    mixed = np.concatenate([litotes.combine(f[:399], g[:399], dial), litotes.combine(f[399:], g[399:], dial + 0.01)])
    with pytest.raises(InputError, match="the stored vectors have the dial"):
        encoder.check_stored(stored_as(mixed))


def test_stored_vectors_of_any_encoder_can_be_upgraded(block: Polarity, tmp_path: Path) -> None:
    encoder = litotes.beside(letters, block=block, dial=0.2)
    expected = encoder.encode_document(TEXTS)
    assert litotes.upgrade(letters(TEXTS), TEXTS, model=encoder) == pytest.approx(expected, abs=1e-6)
    assert litotes.upgrade(letters(TEXTS), TEXTS, model=block, dial=0.2) == pytest.approx(expected, abs=1e-6)
    with pytest.raises(InputError, match=r"expected 1\. Check that the vectors come from this encoder"):
        litotes.upgrade(letters(TEXTS[::-1]), TEXTS, model=encoder)
    with pytest.raises(InputError, match="the dial is missing"):
        litotes.upgrade(letters(TEXTS), TEXTS, model=block)
    with pytest.raises(InputError, match="has a dial of its own"):
        litotes.upgrade(letters(TEXTS), TEXTS, model=encoder, dial=0.3)
    with pytest.raises(InputError, match="have 25 columns, and the encoder gives 26"):
        litotes.upgrade(letters(TEXTS)[:, :25], TEXTS, model=encoder)
    with pytest.raises(InputError, match="the vectors are <U"):
        litotes.upgrade(letters(TEXTS).astype(str), TEXTS, model=encoder)
    with pytest.raises(InputError, match="the vectors have different widths"):
        litotes.upgrade([[1.0], [1.0, 2.0], [1.0]], TEXTS, model=encoder)
    with pytest.raises(InputError, match="minilm has no polarity block; expected a tower, or model="):
        litotes.upgrade(letters(TEXTS), TEXTS, model="minilm")
    old, new = tmp_path / "old.npy", tmp_path / "new.npy"
    np.save(old, letters(TEXTS))
    half = litotes.query.upgrade_file(old, TEXTS, new, model=block, dial=0.3, at_once=2)
    assert next(half) == 2
    half.close()
    with pytest.raises(InputError, match="is of another run"):
        list(litotes.query.upgrade_file(old, TEXTS, new, model=encoder, at_once=2))
    (tmp_path / "new.npy.done").unlink()
    assert list(litotes.query.upgrade_file(old, TEXTS, new, model=encoder, at_once=2)) == [2, 3]
    assert np.load(new) == pytest.approx(expected, abs=1e-6)


class Embeddings(BaseHTTPRequestHandler):
    """An endpoint with OpenAI's embeddings interface."""

    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        rows = [{"index": at, "embedding": row.tolist()} for at, row in enumerate(letters(sent["input"]))]
        body = json.dumps({"data": rows}).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: Any) -> None:
        """Print nothing."""


def test_an_api_over_http(block: Polarity) -> None:
    server = HTTPServer(("127.0.0.1", 0), Embeddings)
    Thread(target=server.serve_forever, daemon=True).start()
    asked: list[int] = []

    def embed(texts: list[str]) -> list[list[float]]:
        asked.append(len(texts))
        body = json.dumps({"model": "small", "input": texts}).encode()
        request = Request(f"http://127.0.0.1:{server.server_port}/v1/embeddings", data=body)
        with urlopen(request) as answer:
            return [row["embedding"] for row in json.load(answer)["data"]]

    try:
        encoder = litotes.beside(embed, block=block, dial=0.2, batch=2)
        assert encoder.encode_document(TEXTS) == pytest.approx(
            litotes.beside(letters, block=block, dial=0.2).encode_document(TEXTS), abs=1e-6
        )
        assert asked == [2, 1]
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def tower(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_delta(small_tower(), tmp_path_factory.mktemp("beside") / "tower", dtype="float32")


def test_the_bench_has_a_name_for_a_block_beside_an_encoder(tower: Path) -> None:
    models: list[Any] = [load(f"dense:minilm+{tower}{dial}") for dial in ("@0.3", "@0", "")]
    base, small = load("dense:minilm").encode(TEXTS), litotes.polarity(str(tower)).encode(TEXTS)  # type: ignore[union-attr]
    for model, dial in zip(models, (0.3, 0.0, models[2].shape.default_dial), strict=True):
        f, g, rows = unit(base), unit(small), model.encode(TEXTS)
        assert rows @ rows.T == pytest.approx((1 - dial) * f @ f.T + dial * g @ g.T, abs=1e-5)
    # One cache serves all dials; the models themselves differ.
    assert len({model.at_default_dial.fingerprint for model in models}) == 1
    assert len({model.fingerprint for model in models}) == 3
    assert models[0].encode([]).shape == (0, base.shape[1] + small.shape[1])


def test_a_block_needs_an_encoder_without_one(tower: Path) -> None:
    with pytest.raises(InputError, match="has a tower of its own"):
        load(f"dense:{tower}+{tower}@0.3")
    with pytest.raises(InputError, match="minilm is not a tower; expected one, such as litotes-mini, at the end"):
        load("dense:minilm+minilm+minilm")
    with pytest.raises(InputError, match=r"Load it with litotes.beside\(litotes.load\('minilm'\)"):
        litotes.load(f"minilm+{tower}")


def test_exclusions_work_in_the_bench(tower: Path) -> None:
    from litotes.query.benchmark_models import ExcludingEncoder

    model: Any = load(f"dense:minilm+{tower}")
    encoder = litotes.beside(load("dense:minilm"), block=litotes.polarity(str(tower)), dial=model.shape.default_dial)
    row = ExcludingEncoder(model).encode([EXCLUDING], role="query")[0]
    assert unit(row) == pytest.approx(unit(encoder.encode_query(EXCLUDING)), abs=1e-5)
