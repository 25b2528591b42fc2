"""Sweeps by hand, settings from texts and files, data files with shares, and the model card."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from litotes.errors import InputError
from litotes.training import Example, FinetuneTraining, TowerTraining, read_examples
from litotes.training.card import CardFigure, CardRow, CardSubject, model_card
from litotes.training.recipes import RECIPES, recipe_of
from litotes.training.sets import read_sets
from litotes.training.settings import make_settings, parse_assignment, read_settings, setting_names
from litotes.training.sweeps import sweep_points

KINDS = {"verbal": 4, "affixal": 2, "lexical": 3}


def numbered(kind: str, negative_kind: str, count: int) -> list[Example]:
    return [
        Example(f"{negative_kind} {kind} {at}", f"yes {at}", (f"no {at}",), kind, negative_kind) for at in range(count)
    ]


BY_KIND = [example for kind, count in KINDS.items() for example in numbered("word", kind, count)]


def test_smaller_sizes_are_parts_of_larger_ones() -> None:
    points = sweep_points("size=2,5,9", [BY_KIND], seed=3)
    assert [(point.name, point.at, len(point.examples)) for point in points] == [
        ("size-2", 2, 2),
        ("size-5", 5, 5),
        ("size-9", 9, 9),
    ]
    assert points[0].examples == points[1].examples[:2] == points[2].examples[:2]
    assert set(points[2].examples) == set(BY_KIND)
    assert sweep_points("size=2", [BY_KIND], seed=3)[0].examples == points[0].examples
    assert sweep_points("size=9", [BY_KIND], seed=4)[0].examples != points[2].examples


def test_each_kind_is_left_out_once_and_alone_once() -> None:
    nameless = Example("which?", "this", ("that",))
    points = {point.name: point for point in sweep_points("kind", [BY_KIND, [nameless]])}
    assert {name: len(point.examples) for name, point in points.items()} == {
        "all": 10,
        "without-affixal": 8,
        "without-lexical": 7,
        "without-verbal": 6,
        "only-affixal": 2,
        "only-lexical": 3,
        "only-verbal": 4,
    }
    assert points["without-verbal"].at == "without verbal"
    assert nameless in points["without-verbal"].examples
    assert nameless not in points["only-verbal"].examples


def test_positives_are_compared_at_one_size() -> None:
    hedges, paraphrases = numbered("phrase", "verbal", 3), numbered("equivalent", "verbal", 5)
    points = {point.name: point.examples for point in sweep_points("positives", [hedges, paraphrases])}
    assert {name: len(those) for name, those in points.items()} == {"hedges": 3, "paraphrases": 3, "both": 3}
    assert sorted(example.kind for example in points["both"]) == ["equivalent", "equivalent", "phrase"]
    with pytest.raises(InputError, match="3 examples have a hedge as their positive and 0 a paraphrase"):
        sweep_points("positives", [hedges])


def test_one_kind_is_set_against_all_kinds_at_one_size() -> None:
    points = {point.name: point.examples for point in sweep_points("diversity", [BY_KIND])}
    assert {name: len(those) for name, those in points.items()} == dict.fromkeys(
        ("only-affixal", "only-lexical", "only-verbal", "all-kinds"), 2
    )
    points = {point.name: point.examples for point in sweep_points("diversity=3", [BY_KIND])}
    assert set(points) == {"only-lexical", "only-verbal", "all-kinds"}
    assert sorted(example.negative_kind for example in points["all-kinds"]) == ["lexical", "lexical", "verbal"]
    with pytest.raises(InputError, match="1 kinds have 4 examples; expected two kinds, so at most diversity=3"):
        sweep_points("diversity=4", [BY_KIND])


def test_shares_of_two_files_are_mixed_at_one_size() -> None:
    first, second = numbered("word", "verbal", 8), numbered("word", "affixal", 4)
    # At 0.2 the second file runs dry at 4 / 0.8 = 5, at 0.5 at 8, at 0.8 the first does at 10: 5 is the size of all.
    points = sweep_points("shares=0.2,0.5,0.8", [first, second])
    counts = [sum(example.negative_kind == "verbal" for example in point.examples) for point in points]
    assert [point.name for point in points] == ["shares-0.2", "shares-0.5", "shares-0.8"]
    assert counts == [1, 2, 4]
    assert [len(point.examples) for point in points] == [5, 4, 5]  # halves of 5 are rounded to even: 2 and 2
    rest = numbered("word", "lexical", 3)
    assert [len(point.examples) for point in sweep_points("shares=1", [first, second, rest])] == [8 + 3]


def test_any_setting_can_be_swept() -> None:
    points = sweep_points("lr=1e-4,3e-4", [BY_KIND], settings=setting_names(TowerTraining))
    assert [(point.name, point.at, point.settings) for point in points] == [
        ("lr-1e-4", 1e-4, {"lr": "1e-4"}),
        ("lr-3e-4", 3e-4, {"lr": "3e-4"}),
    ]
    assert [point.at for point in sweep_points("base=minilm,a/b", [BY_KIND], settings=["base"])] == ["minilm", "a/b"]
    assert sweep_points("base=a/b", [BY_KIND], settings=["base"])[0].name == "base-a-b"


@pytest.mark.parametrize(
    ("sweep", "said"),
    [
        ("size", "has no sizes"),
        ("size=0,3", "expected 1 to 9"),
        ("size=10", "expected 1 to 9"),
        ("size=many", "expected comma-separated whole numbers"),
        ("size=1.5", "expected comma-separated whole numbers"),
        ("size=inf", "expected comma-separated whole numbers"),
        ("size=3,3", "the point size-3 twice"),
        ("shares=0.5", "expected at least two for a sweep"),
        ("diversity=1,2", "has 2 sizes; expected one"),
        (
            "colour=red",
            "no sweep over 'colour'; expected size, kind, sources, positives, diversity, shares or a setting: lr",
        ),
        ("lr", "has no values"),
    ],
)
def test_a_sweep_that_cannot_be_is_refused(sweep: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        sweep_points(sweep, [BY_KIND], settings=["lr"])


def test_kinds_must_be_there_to_be_swept() -> None:
    with pytest.raises(InputError, match="these kinds of negatives: none; expected at least two"):
        sweep_points("kind", [[Example("a", "b", ("c",))]])
    with pytest.raises(InputError, match="expected numbers from 0 to 1"):
        sweep_points("shares=1.5", [BY_KIND, BY_KIND])


def test_settings_are_read_as_their_fields_want_them() -> None:
    given = {
        "lr": "2e-4",
        "epochs": "3",
        "in_batch": "False",
        "positive_kinds": "word, phrase",
        "width": 64,
        "scale": 5,
    }
    found = make_settings(TowerTraining, given)
    assert (found.lr, found.epochs, found.in_batch, found.width, found.scale) == (2e-4, 3, False, 64, 5.0)
    assert found.positive_kinds == ("word", "phrase")
    assert make_settings(TowerTraining, {"positive_kinds": ["word"]}).positive_kinds == ("word",)
    assert make_settings(FinetuneTraining, {"max_general_loss": "none"}).max_general_loss is None
    assert make_settings(FinetuneTraining, {"max_general_loss": "0.5"}).max_general_loss == 0.5
    assert parse_assignment("base=a=b") == ("base", "a=b")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"learning_rate": 1}, r"no setting 'learning_rate'\. .*Expected one of base, shared_layers"),
        ({"epoch": 2}, r"no setting 'epoch'\. Did you mean 'epochs'\?"),
        ({"epochs": "2.5"}, "epochs is '2.5'; expected a whole number"),
        ({"lr": "high"}, "lr is 'high'; expected a number"),
        ({"lr": True}, "lr is True; expected a number"),
        ({"in_batch": "maybe"}, "in_batch is 'maybe'; expected true or false"),
        ({"base": 3}, "base is 3; expected a text"),
        ({"positive_kinds": 3}, "positive_kinds is 3; expected a list"),
        ({"epochs": "0"}, "epochs is 0; expected 1 or more"),
    ],
)
def test_a_wrong_setting_is_named(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        make_settings(TowerTraining, given)


def test_settings_come_from_a_file_or_another_run(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text('{"lr": 0.001}', encoding="utf-8")
    assert read_settings(file) == {"lr": 0.001}
    file.write_text('{"run": "1", "settings": {"epochs": 2}}', encoding="utf-8")
    assert read_settings(file) == {"epochs": 2}
    for text, said in (("[1]", "is not a JSON object"), ("{", "cannot be read as JSON")):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=said):
            read_settings(file)
    with pytest.raises(InputError, match="cannot be read"):
        read_settings(tmp_path / "none.json")
    with pytest.raises(InputError, match="is not a setting"):
        parse_assignment("lr")


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


TRIPLE = {"anchor": "It rains.", "positive": "It may rain.", "negative": "It does not rain.", "negative_kind": "verbal"}
CONTRAST = {"q1": "Who came?", "q2": "Who stayed?", "doc1": "Ann came.", "doc2": "Ann stayed.", "kind": "polar"}


def test_folders_and_shares_are_read(tmp_path: Path) -> None:
    made = tmp_path / "made"
    write(made / "triples.jsonl", [TRIPLE | {"anchor": f"It rains on {day}."} for day in range(10)])
    write(made / "contrasts.jsonl", [CONTRAST])
    write(made / "pairs.jsonl", [{"premise": "a", "hypothesis": "b", "label": 1}])
    (made / "manifest.json").write_text(json.dumps({"config": {"sources": ["seed:sentences"]}}), encoding="utf-8")
    triples, contrasts = read_sets([str(made)])
    assert (len(triples.examples), len(contrasts.examples)) == (10, 2)
    assert {example.negative_kind for example in triples.examples} == {"verbal"}
    assert {example.negative_kind for example in contrasts.examples} == {"polar"}
    assert triples.line["sources"] == ["seed:sentences"]
    (some,) = read_sets([f"{made / 'triples.jsonl'}=0.3"], seed=1, role="replay")
    assert (some.line["kept"], some.line["used"], some.line["role"]) == (10, 3, "replay")
    assert set(some.examples) < set(triples.examples)
    assert read_sets([f"{made / 'triples.jsonl'}=0.3"], seed=1)[0].examples == some.examples
    odd = write(tmp_path / "a=b.jsonl", [TRIPLE])
    assert len(read_sets([str(odd)])[0].examples) == 1


def test_labelled_pairs_are_put_together_by_premise(tmp_path: Path) -> None:
    rows = [
        {"premise": "It rains.", "hypothesis": "Rain is falling.", "label": 1, "kind": "synonym"},
        {"premise": "It rains.", "hypothesis": "It does not rain.", "label": 0, "kind": "verbal"},
        {"premise": "We left.", "hypothesis": "We didn't leave.", "label": 0, "kind": "verbal"},
    ]
    found = read_examples(write(tmp_path / "pairs.jsonl", rows))
    assert found.examples == (
        Example("It rains.", "Rain is falling.", ("It does not rain.",), "synonym", "verbal"),
    )  # fmt: skip
    assert found.dropped == {"no positive": 1}
    bad = write(tmp_path / "bad.jsonl", [rows[0], rows[1] | {"label": 2}])
    with pytest.raises(InputError, match="line 2: expected the texts premise and hypothesis, and a label of 0 or 1"):
        read_examples(bad)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("empty.jsonl", r"gives no examples \(it is empty\)"),
        ("copies.jsonl", r"gives no examples \(1 the query is its own positive\)"),
        ("triples.jsonl=0", "the share of .* is '0'; expected a number above 0"),
        ("triples.jsonl=101", "the share of .* is '101'; expected .* up to 100"),
        ("triples.jsonl=half", "is 'half'"),
        ("none.jsonl", "there is no file"),
        ("folder", "has none of triples.jsonl, contrasts.jsonl, quadruples.jsonl, pairs.jsonl"),
    ],
)
def test_data_that_cannot_be_used_is_named(tmp_path: Path, name: str, said: str) -> None:
    write(tmp_path / "triples.jsonl", [TRIPLE])
    write(tmp_path / "empty.jsonl", [])
    write(tmp_path / "copies.jsonl", [TRIPLE | {"positive": "It rains."}])
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match=said):
        read_sets([str(tmp_path / name)])


def test_every_recipe_has_its_settings_and_its_function() -> None:
    for recipe in RECIPES.values():
        assert callable(recipe.train())
        assert {"base", "epochs", "batch", "seed"} <= set(setting_names(recipe.config()))
        assert recipe.help
    with pytest.raises(
        InputError,
        match=r"unknown recipe 'towr'\. Did you mean 'tower'\? Expected tower, finetune, late, cross, pair, seq",
    ):
        recipe_of("towr")


RUN = {
    "run": "0123456789abcdef0123",
    "settings": {"base": "minilm", "lr": 1e-4, "width": 128, "default_w": 0.1, "positive_kinds": []},
    "base": {"name": "minilm", "sha256": "ff"},
    "examples": {"count": 1200, "sha256": "aa" * 32},
    "replay": {"count": 50, "sha256": "bb" * 32},
    "files": [
        {"file": "a|b.jsonl", "sha256": "cc" * 32, "kept": 2000, "used": 1200, "dropped": {"an empty text": 3}},
        {"file": "r.jsonl", "sha256": "dd" * 32, "kept": 50, "role": "replay", "sources": ["wikipedia:Harp"]},
    ],
    "device": "cpu",
    "python": "3.12.1",
    "libraries": {"litotes": "1.0", "torch": ""},
}


def test_the_card_says_what_was_measured_and_from_what() -> None:
    measured = [
        CardRow(
            "negation.taxonomy dev", "pairwise accuracy", 352, CardFigure(19.89, 15.6, 24.1), CardFigure(41.2, 36, 46)
        ),
        CardRow("minimal-pair cosine", "", 352, CardFigure(0.9177, 0.91, 0.92), CardFigure(0.7, 0.6, 0.8)),
        CardRow("general.mini pairs", "Spearman", 370, None, CardFigure(68.04, 61.07, 74.36)),
    ]
    card = model_card(RUN, measured, CardSubject("tower", "dense", "tower", "my-run"))
    lines = card.splitlines()
    assert lines[0] == "---"
    assert "base_model: sentence-transformers/all-MiniLM-L6-v2" in lines
    assert "# my-run" in lines
    assert "on 1,200 examples" in card
    assert "50 ordinary pairs for replay" in card
    assert "| negation.taxonomy dev, pairwise accuracy | 352 | 19.9 (15.6 – 24.1) | 41.2 (36.0 – 46.0) |" in lines
    assert "| minimal-pair cosine | 352 | 0.918 (0.910 – 0.920) | 0.700 (0.600 – 0.800) |" in lines
    assert "| general.mini pairs, Spearman | 370 | – | 68.0 (61.1 – 74.4) |" in lines
    assert "| a\\|b.jsonl | 2,000 | 1,200 | 3 an empty text | – | `cccccccccccccccc` |" in lines
    assert "| r.jsonl (replay) | 50 | 50 | – | wikipedia:Harp | `dddddddddddddddd` |" in lines
    assert "| lr | 0.0001 |" in lines
    assert "| positive_kinds | – |" in lines
    assert "Dial 0 searches as the base does, 0.1 is the default" in card
    assert "Apache-2.0, as its authors state" in card
    assert "CC BY-SA 4.0" in card
    assert "Python 3.12.1, litotes 1.0, on cpu" in card


def test_the_card_of_a_metric_speaks_of_references_and_candidates() -> None:
    run = RUN | {"settings": {"base": "minilm", "lr": 3e-4}}
    card = model_card(run, [], CardSubject("pair", "score", "model", "mine"))
    assert "how much of a reference a candidate keeps" in card
    assert 'metric = litotes.Metric("PATH/model")' in card
    assert "dial" not in card


def test_the_card_of_another_family_has_no_dial() -> None:
    run = RUN | {"settings": {"base": "/models/mine", "lr": 1e-5}, "base": {"name": "/models/mine", "sha256": "1"}}
    card = model_card(run, [], CardSubject("cross", "cross", "model", "mine"))
    assert "dial" not in card
    assert "base_model" not in card
    assert "A cross model based on `/models/mine`" in card
    assert "Nothing was measured" in card
    assert 'model.score(["hotels without a pool"]' in card
    assert "see its own card" in card
