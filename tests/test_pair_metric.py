"""The model of the metric: scores of pairs, pairs that are too long, and folders that are refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.errors import InputError, require
from litotes.metric import Metric
from litotes.models import load
from litotes.models.encoder_layers import masked_mean
from litotes.models.pair.build import new_pair_scorer, save_pair_scorer
from litotes.models.pair.heads import SCORE
from litotes.models.pair.metric import PairMetric, load_metric
from litotes.models.pair_tokens import Tokens, _truncate, padded, pair_tokens
from litotes.models.weight_files import load_weights, read_weights, write_weights
from tests.family_models import minilm, quiet
from tests.small_base import tiny_base

torch = require("torch")

SHAPE: dict[str, Any] = {"rank": 4, "scale": 2.0, "layers": 0}
PAIRS = [
    ("The bridge is open.", "The bridge is not open."),
    ("The bridge is open.", "The bridge is open."),
    ("Cats sleep.", "In the old house by the river the cats of the miller sleep all day."),
    ("Nobody knew his name.", "No villager knew his name."),
    ("The bridge is open.", ""),
    ("", "The bridge is open."),
]
REFERENCES, CANDIDATES = [pair[0] for pair in PAIRS], [pair[1] for pair in PAIRS]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return tiny_base(tmp_path_factory.getbasetemp() / "tiny-base")


@pytest.fixture(scope="module")
def saved(base: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a metric whose updates are not zero."""
    with quiet():
        scorer = new_pair_scorer(base, **SHAPE, longest=32, heads=(SCORE,), seed=1, device="cpu")
    torch.manual_seed(0)
    with torch.no_grad():
        for name, value in scorer.model.own_parameters():
            if not name.endswith(".down"):
                value.normal_(std=0.3)
    return save_pair_scorer(scorer, tmp_path_factory.mktemp("metric") / "model", base=base, shape=SHAPE)


@pytest.fixture(scope="module")
def metric(saved: Path) -> PairMetric:
    with quiet():
        return load_metric(saved, device="cpu")


def test_a_score_does_not_depend_on_the_other_pairs(metric: PairMetric) -> None:
    together = metric.score(CANDIDATES, REFERENCES)
    alone = [metric.score([candidate], [reference])[0] for reference, candidate in PAIRS]
    assert np.all((together[:4] > 0) & (together[:4] < 1))
    # An empty text scores 0 by definition.
    assert together[4] == together[5] == 0
    assert np.abs(together - alone).max() < 1e-5
    assert np.abs(together - metric.score(CANDIDATES[::-1], REFERENCES[::-1])[::-1]).max() < 1e-5
    assert np.ptp(together[:4]) > 0.01


def test_the_order_of_the_two_texts_matters(metric: PairMetric) -> None:
    there, back = metric.score(CANDIDATES[:1], REFERENCES[:1]), metric.score(REFERENCES[:1], CANDIDATES[:1])
    assert abs(float(there[0] - back[0])) > 1e-4


def test_empty_texts_unequal_lengths_and_counts(metric: PairMetric) -> None:
    assert metric.score([], []).shape == (0,)
    assert metric.score(["", "A cat.", "…"], [".", "—", ""]).tolist() == [1, 0, 1]
    with pytest.raises(InputError, match="expected one document per query"):
        metric.score(["a", "b"], ["a"])
    # Each of these words, and the full stop, is one token of MiniLM.
    assert metric.counts(["The bridge is open.", "cats", ""]) == [5, 1, 0]
    assert metric.counts([]) == []


def test_a_long_pair_is_refused_or_cut(metric: PairMetric) -> None:
    long = "The cats of this old house sleep. " * 6
    # 6 times 8 tokens, 3 of the candidate, 3 special tokens
    with pytest.raises(InputError, match=r"a pair has 54 tokens, and .*model reads at most 32: 'The cats .*\.Metric"):
        metric.score(["The cats.", "Cats sleep."], ["The cats.", long])
    cut = metric.score(["Cats sleep."], [long], cut=True)
    # 32 tokens minus 3 special tokens and 3 of the candidate are 26: three sentences of 8, and "The cats".
    kept = "The cats of this old house sleep. " * 3 + "The cats"
    assert cut == pytest.approx(metric.score(["Cats sleep."], [kept]), abs=1e-6)


def test_a_metric_is_also_a_ranker(saved: Path, metric: PairMetric) -> None:
    with quiet():
        ranker: Any = load(f"score:{saved}", device="cpu")
        as_cross: Any = load(f"cross:{saved}", device="cpu")
    assert np.array_equal(ranker.score(REFERENCES, CANDIDATES), metric.score(CANDIDATES, REFERENCES))
    assert ranker.score(["cats " * 50], ["Cats sleep."]).shape == (1,)
    assert ranker.facts()["weights sha256"] == metric.facts()["weights sha256"]
    order = np.argsort(metric.score(CANDIDATES[:4], REFERENCES[:4]))
    assert np.array_equal(np.argsort(as_cross.score(REFERENCES[:4], CANDIDATES[:4])), order)


def copy_of(saved: Path, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    for path in saved.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    return folder


def test_changed_or_missing_weights_are_refused(saved: Path, tmp_path: Path) -> None:
    folder = copy_of(saved, tmp_path / "model")
    (file,) = folder.glob("*.safetensors")
    file.write_bytes(file.read_bytes()[:-1] + b"\x00")
    with quiet(), pytest.raises(InputError, match="is not the file the model was saved with: expected sha256"):
        Metric(str(folder)).score(["a"], ["b"])
    file.unlink()
    with quiet(), pytest.raises(InputError, match="got no file"):
        Metric(str(folder)).score(["a"], ["b"])


def test_another_base_is_refused(saved: Path, base: str) -> None:
    message = rf"was trained on {base} with sha256 .*Pass the folder of the right base as base="
    with quiet(), pytest.raises(InputError, match=message):
        load_metric(saved, base=minilm())
    with quiet():
        assert load_metric(saved, base=base).longest == 32


def test_a_folder_without_a_metric_is_refused(saved: Path, tmp_path: Path) -> None:
    message = r"is not a metric; expected litotes-score, litotes-score-mini, or a folder with a pair\.json"
    with pytest.raises(InputError, match=message):
        Metric(str(tmp_path)).score(["a"], ["b"])
    with pytest.raises(InputError, match=rf"{message} from training\. Did you mean 'litotes-score-mini'\?"):
        load_metric("litotes-score-min")
    folder = copy_of(saved, tmp_path / "odd")
    card = json.loads((saved / "pair.json").read_text(encoding="utf-8"))
    (folder / "pair.json").write_text('{"base": {"name": "minilm"}', encoding="utf-8")
    with pytest.raises(InputError, match=r"pair\.json is not valid JSON"):
        load_metric(folder)
    for missing in ("longest", "files", "base", "heads"):
        kept = {name: value for name, value in card.items() if name != missing}
        (folder / "pair.json").write_text(json.dumps(kept), encoding="utf-8")
        with pytest.raises(InputError, match="is not a pair model"):
            load_metric(folder)


def test_a_metric_of_an_older_version_is_named(tmp_path: Path) -> None:
    (tmp_path / "score.json").write_text('{"shared_layers": 3, "own_layers": 3}', encoding="utf-8")
    message = "written by an older version of litotes.* Use litotes-score or litotes-score-mini, or train it again"
    with pytest.raises(InputError, match=message):
        Metric(str(tmp_path)).score(["a"], ["b"])
    with pytest.raises(InputError, match=message):
        load(f"score:{tmp_path}")


def test_only_tokens_of_the_second_text_are_marked(metric: PairMetric) -> None:
    tokenizer = require("transformers").AutoTokenizer.from_pretrained(minilm())
    rows = pair_tokens(tokenizer, [("cats sleep", "dogs bark now"), ("cats", "")])
    pieces = [tokenizer.convert_ids_to_tokens(row.ids.tolist()) for row in rows]
    assert pieces[0] == ["[CLS]", "cats", "sleep", "[SEP]", "dogs", "bark", "now", "[SEP]"]
    assert (rows[0].start, rows[0].end) == (4, 7)
    assert pieces[1] == ["[CLS]", "cats", "[SEP]", "[SEP]"]
    assert rows[1].start == rows[1].end == 3
    ids, mask, sides = padded(rows, 99, "cpu")
    assert ids[1].tolist()[4:] == [99] * 4
    assert mask.tolist() == [[1] * 8, [1, 1, 1, 1, 0, 0, 0, 0]]
    assert sides.tolist() == [[0, 0, 0, 0, 1, 1, 1, 0], [0] * 8]
    assert rows[0].ids.tolist() == tokenizer("cats sleep", "dogs bark now")["input_ids"]


@pytest.mark.parametrize(
    ("first", "second", "limit", "expected"),
    [
        (3, 4, None, (3, 4)),
        (3, 4, 7, (3, 4)),
        # the short text stays whole, and the long one gets the rest
        (3, 9, 8, (3, 5)),
        (9, 3, 8, (5, 3)),
        (0, 9, 8, (0, 8)),
        # both are long: half each, and an odd token for the first
        (9, 9, 8, (4, 4)),
        (9, 9, 7, (4, 3)),
        (4, 9, 8, (4, 4)),
        (4, 9, 7, (4, 3)),
    ],
)
def test_texts_are_truncated_to_the_limit(
    first: int, second: int, limit: int | None, expected: tuple[int, int]
) -> None:
    left, right = np.arange(first), np.arange(100, 100 + second)
    cut = _truncate(left, right, limit)
    assert [part.tolist() for part in cut] == [left[: expected[0]].tolist(), right[: expected[1]].tolist()]


def test_the_masked_mean_by_hand() -> None:
    hidden = torch.tensor([[[1.0, 2.0], [3.0, 6.0], [50.0, 50.0]], [[7.0, 7.0]] * 3])
    found = masked_mean(hidden, torch.tensor([[1, 1, 0], [0, 0, 0]]))
    assert found.tolist() == [[2.0, 4.0], [0.0, 0.0]]


def test_weights_of_another_shape_are_refused(tmp_path: Path) -> None:
    own = {"layer.weight": torch.ones(3), "layer.bias": torch.zeros(1)}
    files = write_weights(own, tmp_path, prefix="own", shard_bytes=250)
    assert list(files) == ["own-01-of-02.safetensors", "own-02-of-02.safetensors"]
    there = {name: torch.full_like(value, 7.0) for name, value in own.items()}
    load_weights(there, read_weights(tmp_path, files), tmp_path)
    assert there["layer.weight"].tolist() == [1, 1, 1]
    assert there["layer.bias"].tolist() == [0]
    with pytest.raises(InputError, match=r"do not fit the model: layer\.bias in only one of the two"):
        load_weights({"layer.weight": torch.ones(3)}, read_weights(tmp_path, files), tmp_path)
    with pytest.raises(InputError, match=r"layer\.weight takes 212 bytes"):
        write_weights(own, tmp_path, prefix="own", shard_bytes=211)


@pytest.mark.parametrize("kind", ["bert", "roberta", "xlm-roberta", "camembert", "mpnet"])
def test_supported_architectures(kind: str) -> None:
    from litotes.models.pair.model import TextPairModel

    transformers = require("transformers")
    small = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 24}
    config = transformers.AutoConfig.for_model(kind, vocab_size=60, max_position_embeddings=40, **small)
    encoder = transformers.AutoModel.from_config(config)
    model = TextPairModel(encoder, rank=2, scale=2.0, layers=2, heads={SCORE: ()}).eval()
    rows = [Tokens(np.array([5, 6, 7, 8, 9]), 3, 4), Tokens(np.array([5, 9, 8]), 1, 2)]
    with torch.no_grad():
        both = model(*padded(rows, config.pad_token_id, "cpu"), head=SCORE)
        alone = torch.cat([model(*padded([row], config.pad_token_id, "cpu"), head=SCORE) for row in rows])
    assert both.shape == (2,)
    assert (both - alone).abs().max() < 1e-5
