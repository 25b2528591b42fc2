"""The query splitter: marked queries, marks from the tags of tokens, training, saving and loading."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from scripts.train_splitter import exchanged, measured, write_mean

from litotes.data.marked_queries import EITHER, EXCLUSION, KINDS, MarkedQuery, marked_query, read_queries
from litotes.data.written import written_file
from litotes.detection.exclusion import parted
from litotes.errors import InputError
from litotes.models.base_encoder import find_base
from litotes.models.splitter.build import load_splitter, new_splitter, save_splitter
from litotes.models.splitter.marks import marks_of
from litotes.models.splitter.tagger import Tagger
from litotes.query_marks import TAGS, Marks
from litotes.training.splitter import SplitterTraining, train_splitter
from litotes.training.splitter_loss import SplitterLoss, token_tags
from tests.family_models import quiet
from tests.small_base import small_base

WANTED = ("lamp", "rug", "tent", "desk", "kettle", "scarf")
REJECTED = ("white", "wool", "blue", "pine", "steel", "silk")


def parts(query: MarkedQuery) -> tuple[list[str], list[str]]:
    def texts(spans: tuple[tuple[int, int], ...]) -> list[str]:
        return [query.text[start:end] for start, end in spans]

    return texts(query.cues), texts(query.items)


def lessons() -> list[MarkedQuery]:
    pairs = [(wanted, rejected) for wanted in WANTED for rejected in REJECTED]
    return [
        *(marked_query(f"{wanted} {{not}} [{rejected}]") for wanted, rejected in pairs),
        *(MarkedQuery(f"{rejected} {wanted}") for wanted, rejected in pairs),
    ]


def test_marks_are_read_and_removed() -> None:
    query = marked_query("cheese {except} [brie], [camembert ] and [blue cheese] for a picnic")
    assert query.text == "cheese except brie, camembert  and blue cheese for a picnic"
    cues, items = parts(query)
    assert (cues, items) == (["except"], ["brie", "camembert", "blue cheese"])
    assert [query.text[start:end] for start, end in query.connectives] == [", ", "  and "]
    assert len(query.cut) == 6


def test_words_between_two_exclusions_are_no_connectives() -> None:
    query = marked_query("shoes {not} [nike] size 10 {no} [laces]")
    assert query.connectives == ()


@pytest.mark.parametrize(
    ("marked", "kind", "problem"),
    [
        ("soup {not [leek]}", EXCLUSION, "not in pairs"),
        ("soup {not} [leek", EXCLUSION, "has no ']'"),
        ("soup not leek", EXCLUSION, "only exclusions have an excluded item, and all do"),
        ("soup {not} [leek]", "ordinary", "only exclusions have an excluded item"),
        ("soup", "soup", "the kind is 'soup'; expected exclusion"),
    ],
)
def test_wrong_marks_are_refused(marked: str, kind: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        marked_query(marked, kind=kind)


def test_a_file_of_queries(tmp_path: Path) -> None:
    file = tmp_path / "queries.jsonl"
    row = {"id": "1", "register": "shop", "kind": EXCLUSION, "query": "strap {not} [leather]"}
    file.write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert read_queries(file)[0] == MarkedQuery("strap not leather", EXCLUSION, ((6, 9),), ((10, 17),), "shop", "1")
    file.write_text(json.dumps(row | {"query": 5}) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"queries\.jsonl.*1: expected query, kind, register and id as texts"):
        read_queries(file)


def test_the_written_queries() -> None:
    queries = read_queries(written_file("written:queries"))
    assert len(queries) == 36023
    assert {query.kind for query in queries} == set(KINDS)
    assert len({query.text for query in queries}) == len(queries)
    excluding = sum(query.kind == EXCLUSION for query in queries)
    assert 0.4 < excluding / len(queries) < 0.5


def test_pieces_of_a_word_are_marked_together() -> None:
    # soup | - | bor | scht | and | chili: "borscht" has two pieces, of which only the first looks like an item
    text = "soup -borscht and chili"
    offsets = [(0, 4), (5, 6), (6, 9), (9, 13), (14, 17), (18, 23)]
    tags = np.eye(len(TAGS))[[0, 1, 2, 0, 1, 2]] * 0.8 + 0.05
    tags[3] = [0.4, 0.0, 0.1, 0.5]
    found = marks_of(text, offsets, tags)
    assert [text[start:end] for start, end in found.items] == ["borscht", "chili"]
    assert [text[start:end] for start, end in found.cues] == ["-", "and"]


def test_items_side_by_side_and_the_rest_of_a_long_query() -> None:
    text = "maps no rivers lakes please"
    offsets = [(0, 4), (5, 7), (8, 14), (15, 20)]
    found = marks_of(text, offsets, np.eye(len(TAGS))[[0, 1, 2, 2]])
    assert [text[start:end] for start, end in found.items] == ["rivers", "lakes"]
    found = marks_of(text, offsets, np.eye(len(TAGS))[[0, 1, 2, 3]])
    assert [text[start:end] for start, end in found.items] == ["rivers lakes"]
    assert not Marks(cues=((0, 4),))


def test_tags_of_tokens() -> None:
    query = marked_query("strap {not} [fake leather]")
    #           [CLS]   strap   not     fake     leather  [SEP]
    offsets = [(0, 0), (0, 5), (6, 9), (10, 14), (15, 22), (0, 0)]
    assert token_tags(query, offsets).tolist() == [-100, 0, 1, 2, 3, -100]


def test_a_splitter_learns_and_is_loaded_as_it_was_saved(tmp_path: Path) -> None:
    base = small_base(tmp_path / "base")
    config = SplitterTraining(base=base, rank=8, lr=1e-2, batch=8, epochs=4, max_tokens=32)
    with quiet():
        trained = train_splitter(config, lessons(), out=tmp_path / "run", device="cpu")
        loaded = load_splitter(tmp_path / "run" / "model", base=base, device="cpu")
    assert trained.curves[-1]["loss"] < trained.curves[0]["loss"] / 3
    fresh = [marked_query("vase {not} [grey]"), MarkedQuery("grey vase")]
    assert measured(trained.model, fresh) == {"negation.items": 100, "negation.splits": 100, "negation.silent": 100}
    texts = ["vase not grey", "grey vase", "vase not grey", "sofa not green", ""]
    assert loaded.marks(texts) == trained.model.marks(texts)
    assert [
        text[start:end] for text, marks in zip(texts, loaded.marks(texts), strict=True) for start, end in marks.items
    ]
    assert loaded.marks([]) == []


def test_a_second_step_starts_from_a_splitter_and_leaves_the_lowest_layers(tmp_path: Path) -> None:
    base = small_base(tmp_path / "base")
    config = SplitterTraining(base=base, rank=8, lr=1e-2, batch=8, epochs=1, max_tokens=32)
    with quiet():
        train_splitter(config, lessons(), out=tmp_path / "first", device="cpu")
        start = str(tmp_path / "first" / "model")
        second = replace(config, start=start, frozen=1)
        trained = train_splitter(second, lessons(), out=tmp_path / "second", device="cpu").model
        before = dict(load_splitter(start, base=base, device="cpu", merged=False).model.own_parameters())
    changed = {name for name, value in trained.model.own_parameters() if not torch.equal(value, before[name])}
    lowest = {name for name in before if ".layer.0." in name}
    assert lowest
    assert changed == before.keys() - lowest
    with pytest.raises(InputError, match=r"has .*'rank': 8.*; expected .*'rank': 4"):
        train_splitter(replace(second, rank=4), lessons(), device="cpu")


def test_the_parts_of_a_batch_do_not_change_its_loss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    splitter = new_splitter(small_base(tmp_path), rank=8, longest=32, device="cpu")
    queries = [*lessons()[:5], MarkedQuery("a much longer query about a grey vase and a green sofa")]
    loss = SplitterLoss(splitter, queries, judgement_weight=0.5)
    in_parts = loss.loss(range(6))
    monkeypatch.setattr("litotes.training.splitter_loss._PARTS", 1)
    assert in_parts.item() == pytest.approx(loss.loss(range(6)).item(), abs=1e-6)


def test_the_mean_of_two_splitters(tmp_path: Path) -> None:
    base = find_base(small_base(tmp_path / "base"))
    for name, value in (("low", 0.0), ("high", 1.0)):
        splitter = new_splitter(base, rank=8, longest=32, device="cpu")
        for _, weights in splitter.model.own_parameters():
            torch.nn.init.constant_(weights, value)
        save_splitter(splitter, tmp_path / name, base=base, rank=8, scale=2.0)
    write_mean(str(tmp_path / "low"), str(tmp_path / "high"), tmp_path / "mean", weight=0.25, base=base)
    mean = load_splitter(tmp_path / "mean", base=base, device="cpu", merged=False)
    for _, weights in mean.model.own_parameters():
        assert weights.detach().numpy() == pytest.approx(0.25, abs=0.01)


def test_what_cannot_be_learned_or_loaded(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no query excludes anything"):
        train_splitter(SplitterTraining(), [MarkedQuery("a lamp"), marked_query("lamp {not} [red]", kind=EITHER)])
    with pytest.raises(InputError, match="judgement_weight is -1"):
        SplitterTraining(judgement_weight=-1)
    (tmp_path / "splitter.json").write_text('{"rank": 8}', encoding="utf-8")
    with pytest.raises(InputError, match="is not the card of a splitter"):
        load_splitter(tmp_path)


@pytest.mark.parametrize(
    ("probability", "agrees", "short", "long"),
    [
        (0.95, False, 1, 1),
        (0.85, False, 1, 0),
        (0.85, True, 1, 1),
        (0.5, True, 1, 1),
        (0.5, False, 0, 0),
        (0.2, True, 0, 0),
    ],
)
def test_a_doubtful_query_needs_two_models(probability: float, agrees: bool, short: int, long: int) -> None:
    class Doubtful(Tagger):
        def read(self, texts: Sequence[str]) -> Iterator[tuple[float, list[tuple[int, int]], np.ndarray]]:
            # tent | no | poles: kept, cue, item
            yield from ((probability, [(0, 4), (5, 7), (8, 13)], np.eye(len(TAGS))[[0, 1, 2]]) for _ in texts)

    splitter = Doubtful(None, None, longest=16, threshold=0.9, facts={})
    # Of up to ten words, a query needs a probability of 0.8, and above it the threshold of the splitter.
    queries = ["tent no poles", "tent no poles that two of us could pitch alone after dark"]
    found = splitter.marks(queries, likely=lambda query: agrees)
    assert [len(marks.items) for marks in found] == [short, long]


def test_an_item_without_a_name_is_no_item() -> None:
    text, cue = "work not the one in town", (5, 8)
    assert not parted(text, Marks(cues=(cue,), items=((9, 16),)))
    assert parted(text, Marks(cues=(cue,), items=((9, 24),)))


def test_items_are_exchanged_within_a_register() -> None:
    queries = [
        marked_query("lamps {not} [white] or [grey], tall", register="shop"),
        marked_query("soup {no} [leek]", register="recipe"),
        marked_query("stew {minus} [barley]", register="recipe"),
    ]
    for query in exchanged(queries, 5):
        cues, items = parts(query)
        assert len(cues) == 1
        # a typing error exchanges two letters, so only the letters are compared
        known = {"".join(sorted(item)) for one in queries if one.register == query.register for item in parts(one)[1]}
        assert {"".join(sorted(item)) for item in items} <= known
