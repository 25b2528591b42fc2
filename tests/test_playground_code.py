"""The code of the playground that was written again in JavaScript does what it does in Python. It runs in chromium."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from scripts.build_playground import PAGE
from tokenizers import Tokenizer

import litotes
from litotes.detection import has_cue_word, linear_splitter
from litotes.detection.exclusion import operators, parted, together
from litotes.models.bases import find_encoder
from litotes.models.splitter.marks import marks_of
from litotes.query import exclude
from litotes.query.splitting import splitter
from litotes.types import Exclusion
from tests.conftest import rows
from tests.playground_visits import chromium, static_server

pytestmark = pytest.mark.slow
Call = Callable[..., Any]
QUERIES = (
    "soups other than borscht",
    "Films with Tom Hanks, excluding “Cast Away” and comedies",
    'hiking boots -leather -"steel toe" site:example.org',
    'jaguar NOT (car OR "football team" | cat)',
    "python AND NOT snake",
    "how NOT to burn rice",
    "SELECT NAME FROM USERS WHERE AGE IS NOT NULL",
    "tar -xzf archive --no-cache -webkit-box",
    "holidays -2019 -inurl:forum, please",
    "🍲 soups without garlic 🧄 or onions",
    "Was für Suppen außer Borschtsch",
    "non-alcoholic drinks",
    "laptops (no Apple, no Dell), thanks",
    "a NOT (b",
    "Besides Paris, what cities hosted the games?",
    "-",
    "NOT x",
    "notebooks that aren't ruled, e.g. plain ones; not spiral-bound!",
)
TEXTS = (
    "",
    " ",
    "Crème brûlée, naïve café — São Paulo’s ŁÓDŹ İstanbul ẞtraße",
    "e\u0301 a\u0308 n\u0303 ﬁ ½ ² Ⅷ ㎏",
    "漢字かな交じり文 と カタカナ。한국어 문장입니다",
    "emoji 🍲👩‍🍳🏽 flags 🇫🇷 and ❤️",
    "tabs\tand\nnewlines\r\nand\u00a0spaces\u2003here\u200b\u200dzero",
    "C++ & C#; $5.00 €3 5% #hash @user a_b x^2 `code` ~tilde |pipe|",
    "don't can't it's rock'n'roll “quotes” ‘single’ …",
    "[CLS] and [MASK] are special, [UNK]nown is too; [sep] is not",
    "x" * 100 + " " + "y" * 101,
    "antidisestablishmentarianism unbelievableness qzxwv",
    "\ufeffmark \ufffd replaced \x00 null \x07 bell \u00ad soft",
    "ΣΊΣΥΦΟΣ Привет мир שלום עולם مرحبا بالعالم नमस्ते ไทย",
    "𝒜𝓁𝑔𝑒𝒷𝓇𝒶 ① ㈱ ｆｕｌｌ ｗｉｄｔｈ",
)


@pytest.fixture(scope="module")
def call() -> Iterator[Call]:
    """Run JavaScript with a module of the page: the module's name, the body of a function, and its argument."""
    with static_server(PAGE) as url, chromium() as browser:
        page = browser.new_page()
        page.goto(f"{url}icon.svg")

        def run(module: str, body: str, argument: Any) -> Any:
            script = f"async (argument) => {{ const module = await import('{url}{module}.js'); {body} }}"
            return page.evaluate(script, argument)

        yield run


def units(text: str, spans: Any) -> list[list[int]]:
    """Return spans in the units in which JavaScript counts."""
    return [[len(text[:place].encode("utf-16-le")) // 2 for place in span] for span in spans]


def line(text: str, parts: Exclusion) -> dict[str, Any]:
    """Return the parts of a query as splitter.js gives them."""
    spans, cues = units(text, parts.excluded_spans), units(text, parts.cue_spans)
    return {"kept": parts.kept, "excluded": list(parts.excluded), "spans": spans, "cues": cues}


def test_the_tokenizer_is_that_of_the_library(call: Call) -> None:
    path = find_encoder("minilm").folder / "tokenizer.json"
    library = Tokenizer.from_file(str(path))
    library.no_padding()
    library.no_truncation()
    texts = [*TEXTS, *QUERIES, *dict.fromkeys(row["text"] for row in rows())][:600]
    assert len(texts) == 600
    expected = []
    for text in texts:
        encoded = library.encode(text, add_special_tokens=False)
        spans = units(text, encoded.offsets)
        expected.append([[number, *span] for number, span in zip(encoded.ids, spans, strict=True)])
    body = (
        "const tokenizer = new module.Tokenizer(argument.card);"
        "return argument.texts.map((text) => tokenizer.tokens(text).map((one) => [one.id, one.start, one.end]));"
    )
    found = call("tokenizer", body, {"card": json.loads(path.read_text(encoding="utf-8")), "texts": texts})
    assert [text for text, mine, theirs in zip(texts, found, expected, strict=True) if mine != theirs] == []


def test_search_operators_are_those_of_python(call: Call) -> None:
    found = call("operators", "return argument.map(module.operators)", list(QUERIES))
    for query, marks in zip(QUERIES, found, strict=True):
        expected = operators(query)
        assert marks == {"cues": units(query, expected.cues), "items": units(query, expected.items)}, query


def test_queries_are_read_if_python_reads_them(call: Call) -> None:
    texts = [*QUERIES, "what is new", "plain words", "NON-alcoholic", "can’t stand"]
    argument = {"texts": texts, "words": sorted(linear_splitter().cue_words)}
    body = "const words = new Set(argument.words); return argument.texts.map((one) => module.hasCueWord(one, words))"
    assert call("splitter", body, argument) == list(map(has_cue_word, texts))


def test_tags_become_the_same_parts(call: Call) -> None:
    # the real tags of the splitter, and random ones, which no model would give
    random = np.random.default_rng(0)
    library = Tokenizer.from_file(str(find_encoder("minilm").folder / "tokenizer.json"))
    library.no_padding()
    cases = []
    for query in QUERIES:
        offsets = library.encode(query, add_special_tokens=False).offsets
        for _ in range(8):
            cases.append((query, offsets, random.dirichlet([0.4] * 4, size=len(offsets))))
    body = (
        "return argument.map(([text, tokens, tags]) =>"
        " module.parted(text, module.marksOf(text, tokens.map(([start, end]) => ({ start, end })), tags)))"
    )
    argument = [[query, units(query, offsets), tags.tolist()] for query, offsets, tags in cases]
    for (query, offsets, tags), found in zip(cases, call("splitter", body, argument), strict=True):
        expected = parted(query, together(operators(query), marks_of(query, offsets, tags)))
        assert found == line(query, expected), query


def test_marks_of_the_splitter_become_the_same_parts(call: Call) -> None:
    split = splitter()
    marks = split.marks(QUERIES)
    argument = [
        [query, {"cues": units(query, one.cues), "items": units(query, one.items)}]
        for query, one in zip(QUERIES, marks, strict=True)
    ]
    found = call("splitter", "return argument.map(([text, marks]) => module.parted(text, marks))", argument)
    for query, one, parts in zip(QUERIES, marks, found, strict=True):
        assert parts == line(query, parted(query, together(operators(query), one))), query


@pytest.mark.parametrize(
    "query", ["soups other than borscht", "soups without garlic or onions", "drugs that are not safe"]
)
def test_scores_are_those_of_encode_query(call: Call, query: str) -> None:
    model = litotes.load("litotes-mini")
    documents = ["borscht with beets", "onion soup", "a safe drug", "an unsafe drug", "garlic bread"]
    parts = exclude(query)
    stored = model.encode_document(documents)
    vectors = model.encode_document([query, parts.kept, *parts.excluded])
    argument = {
        "whole": vectors[0].tolist(),
        "kept": vectors[1].tolist(),
        "excluded": vectors[2:].tolist(),
        "documents": stored.tolist(),
    }
    dials = [None, 0, 0.105, 0.21, 0.6, 1]
    body = (
        "const read = (rows) => rows.map((row) => Float32Array.from(row));"
        "const [whole, kept] = read([argument.vectors.whole, argument.vectors.kept]);"
        "const [excluded, documents] = [read(argument.vectors.excluded), read(argument.vectors.documents)];"
        "const shape = { defaultDial: 0.21, width: 128 };"
        "const comparison = new module.Comparison({ whole, kept, excluded, documents, shape });"
        "return [comparison.base, ...argument.dials.map((dial) => comparison.scores(dial))]"
    )
    base, *found = call("scores", body, {"vectors": argument, "dials": dials})
    assert base == pytest.approx((model.encode_query(query, dial=0, exclude=False) @ stored.T).tolist(), abs=1e-5)
    for dial, scores in zip(dials, found, strict=True):
        expected = model.encode_query(query, dial=dial) @ stored.T
        assert scores == pytest.approx(expected.tolist(), abs=1e-5), dial


def test_equal_scores_keep_the_order_of_the_documents(call: Call) -> None:
    assert call("scores", "return module.ranked(argument)", [0.5, 0.7, 0.5, 0.7, -0.1]) == [1, 3, 0, 2, 4]
