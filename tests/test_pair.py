"""Pair models: low-rank updates, scores, saving and loading, the loss, and training."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from litotes.errors import InputError, require
from litotes.metric import Metric
from litotes.models import load
from litotes.models.pair.build import load_pair_scorer, new_pair_scorer, save_pair_scorer
from litotes.models.pair.card import CARD, find_pair_model
from litotes.models.pair.heads import LABELS, RELEVANCE, SCORE, VERDICT, in_order
from litotes.models.pair.metric import PairMetric
from litotes.models.pair.scorer import PairScorer
from litotes.models.pair_tokens import pair_tokens
from litotes.models.token_batches import batches
from litotes.training import Example
from litotes.training.examples import DIFFERENT, LABEL_OF_KIND, SAME, read_examples
from litotes.training.pair import PairTraining, count, train_pair
from litotes.training.pair_loss import Candidates, PairLoss, Teacher, mirrored_units
from tests.family_models import quiet
from tests.small_base import assert_same, small_base, tiny_base, weights, without_seconds
from tests.small_rankers import HELD_OUT, LESSONS, NEW_THINGS, REPLAY, STATES, THINGS, pairwise_accuracy

torch = require("torch")

SHAPE: dict[str, Any] = {"rank": 4, "scale": 2.0, "layers": 0}
QUERIES = ["Is the bridge open?", "Is the bridge open?", "Where is the museum?"]
DOCUMENTS = ["The bridge is open.", "The bridge is not open, as the guide of the region says.", "By the river."]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return tiny_base(tmp_path_factory.mktemp("base"))


@pytest.fixture
def scorer(base: str) -> PairScorer:
    """A model whose updates are not zero."""
    with quiet():
        made = new_pair_scorer(base, **SHAPE, longest=64, seed=1, device="cpu")
    torch.manual_seed(0)
    with torch.no_grad():
        for name, value in made.model.own_parameters():
            if name.endswith(".up"):
                value.normal_(std=0.1)
    return made


def test_an_update_starts_at_zero_and_every_linear_layer_has_one(base: str) -> None:
    with quiet():
        made = new_pair_scorer(base, **SHAPE, longest=64, device="cpu")
        plain = require("transformers").AutoModel.from_pretrained(Path(base)).eval()
    own = dict(made.model.own_parameters())
    # Two layers, each with query, key, value, output, and two layers of the feed-forward network.
    assert sum(name.endswith(".up") for name in own) == 2 * 6
    tokens = made.tokenizer(QUERIES[0], DOCUMENTS[0], return_tensors="pt")
    expected = plain(**tokens).last_hidden_state.mean(dim=1)
    sides = tokens["token_type_ids"].clone()
    sides[0, -1] = 0
    with torch.no_grad():
        pooled = made.model.pooled(tokens["input_ids"], tokens["attention_mask"], sides)
    assert torch.allclose(pooled, expected, atol=1e-6)


def test_only_the_last_layers_are_updated_if_asked(base: str) -> None:
    with quiet():
        made = new_pair_scorer(base, rank=4, layers=1, longest=64, device="cpu")
    updated = {name for name, _ in made.model.own_parameters() if name.startswith("base.")}
    assert len(updated) == 2 * 6
    assert all(name.startswith("base.encoder.layer.1.") for name in updated)


def test_an_update_adds_the_product_of_its_factors() -> None:
    from litotes.models.updates import LowRankLinear

    linear = torch.nn.Linear(3, 2, bias=False)
    layer = LowRankLinear(linear, rank=1, scale=2.0)
    with torch.no_grad():
        linear.weight.copy_(torch.tensor([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
        layer.down.copy_(torch.tensor([[1.0, 2.0, 3.0]]))
        layer.up.copy_(torch.tensor([[1.0], [-1.0]]))
        # x = (1, 1, 1): W x = (1, 1), down x = 6, 2 · up · 6 = (12, −12)
        assert layer(torch.ones(3)).tolist() == [13.0, -11.0]
        assert layer.merged()(torch.ones(3)).tolist() == [13.0, -11.0]


def test_matrices_are_stored_in_eight_bits(base: str, tmp_path: Path) -> None:
    from litotes.models.eight_bits import restored, stored

    # A row's largest weight is 127 steps: a step is 0.01 here, so 0.004 is rounded to 0 and 0.006 to one step.
    small = stored({"a.change": torch.tensor([[1.27, -0.004, 0.006]])})
    assert small["a.change"].tolist() == [[127, 0, 1]]
    assert small["a.change"].dtype is torch.int8
    assert stored({"bias": torch.tensor([0.5])})["bias"].dtype is torch.float16
    assert restored(small)["a.change"].tolist()[0] == pytest.approx([1.27, 0.0, 0.01], abs=1e-6)
    shape: dict[str, Any] = {"rank": 0, "scale": 1.0, "layers": 0}
    with quiet():
        made = new_pair_scorer(base, **shape, longest=64, device="cpu")
        plain = made.logits(QUERIES, DOCUMENTS, head=RELEVANCE)
        with torch.no_grad():
            for name, value in made.model.own_parameters():
                if name.endswith(".change"):
                    value.add_(0.05 * torch.randn(value.shape, generator=torch.Generator().manual_seed(0)))
        changed = made.logits(QUERIES, DOCUMENTS, head=RELEVANCE)
        loaded = load_pair_scorer(save_pair_scorer(made, tmp_path / "m", base=base, shape=shape), device="cpu")
    assert abs(changed - plain).max() > 1e-2
    assert loaded.logits(QUERIES, DOCUMENTS, head=RELEVANCE) == pytest.approx(changed, abs=5e-3)


def test_a_merged_model_has_the_same_scores_and_the_structure_of_its_base(scorer: PairScorer, base: str) -> None:
    before = scorer.logits(QUERIES, DOCUMENTS, head=RELEVANCE)
    scorer.model.merge()
    assert scorer.logits(QUERIES, DOCUMENTS, head=RELEVANCE) == pytest.approx(before, abs=1e-5)
    with quiet():
        plain = require("transformers").AutoModel.from_pretrained(Path(base))
    assert {name for name in scorer.model.base.state_dict() if not name.startswith("pooler")} == {
        name for name in plain.state_dict() if not name.startswith("pooler")
    }


def test_a_score_does_not_depend_on_the_other_pairs(scorer: PairScorer) -> None:
    together = scorer.logits(QUERIES, DOCUMENTS, head=RELEVANCE)
    alone = [scorer.logits([q], [d], head=RELEVANCE)[0] for q, d in zip(QUERIES, DOCUMENTS, strict=True)]
    small = scorer.logits(QUERIES, DOCUMENTS, head=RELEVANCE, batch_tokens=1)
    assert together == pytest.approx(alone, abs=1e-5)
    assert together == pytest.approx(small, abs=1e-5)
    assert scorer.logits([], [], head=RELEVANCE).shape == (0,)
    assert scorer.logits([""], [""], head=RELEVANCE).shape == (1,)


def test_a_long_document_is_cut_and_a_head_must_exist(scorer: PairScorer) -> None:
    long = "The bridge is open. " * 50
    (row,) = pair_tokens(scorer.tokenizer, [(QUERIES[0], long)], longest=scorer.longest)
    assert len(row.ids) == 64
    assert np.isfinite(scorer.logits([QUERIES[0]], [long], head=RELEVANCE)).all()
    with pytest.raises(InputError, match="has no head 'same'; expected relevance"):
        scorer.logits(QUERIES, DOCUMENTS, head="same")


def test_batches_hold_rows_of_similar_length_up_to_their_tokens() -> None:
    lengths = (3, 10, 4, 20)
    # Padded to the longest: 2 · 4 = 8 fit into 12; 10 and 20 need batches of their own.
    assert list(batches(lengths, 12)) == [[0, 2], [1], [3]]
    assert list(batches(lengths, 1000)) == [[0, 2, 1, 3]]
    assert list(batches([], 12)) == []


def test_a_saved_model_has_its_scores_and_only_its_own_weights(scorer: PairScorer, base: str, tmp_path: Path) -> None:
    with quiet():
        folder = save_pair_scorer(scorer, tmp_path / "model", base=base, shape=SHAPE)
        loaded = load_pair_scorer(folder, device="cpu")
        ranker: Any = load(f"cross:{folder}", device="cpu")
    expected = scorer.logits(QUERIES, DOCUMENTS, head=RELEVANCE)
    # Half precision has eleven bits.
    assert loaded.logits(QUERIES, DOCUMENTS, head=RELEVANCE) == pytest.approx(expected, abs=5e-3)
    assert ranker.score(QUERIES, DOCUMENTS) == pytest.approx(expected, abs=5e-3)
    assert ranker.facts()["longest"] == 64
    assert find_pair_model(str(folder))
    assert not find_pair_model(base)
    parameters = sum(value.numel() for _, value in scorer.model.own_parameters())
    size = sum(path.stat().st_size for path in folder.glob("*.safetensors"))
    assert 2 * parameters < size < 2 * parameters + 10_000
    with pytest.raises(InputError, match="is computed in float32"):
        load(f"cross:{folder}", dtype="float16")
    with pytest.raises(InputError, match="are merged into its base"):
        save_pair_scorer(loaded, tmp_path / "again", base=base, shape=SHAPE)
    with pytest.raises(InputError, match="expected neither a label nor a revision"):
        load(f"cross:{folder}", label="entailment")


def test_damaged_folders_are_refused(scorer: PairScorer, base: str, tmp_path: Path) -> None:
    with quiet():
        folder = save_pair_scorer(scorer, tmp_path / "model", base=base, shape=SHAPE)
    card = json.loads((folder / CARD).read_text(encoding="utf-8"))
    with pytest.raises(InputError, match="is not a pair model"):
        load_pair_scorer(tmp_path)
    (folder / CARD).write_text(json.dumps(card | {"heads": []}), encoding="utf-8")
    with pytest.raises(InputError, match="is not a pair model"):
        load_pair_scorer(folder)
    other = {"base": card["base"] | {"sha256": "0" * 64}}
    (folder / CARD).write_text(json.dumps(card | other), encoding="utf-8")
    with pytest.raises(InputError, match="Pass the folder of the right base"):
        load_pair_scorer(folder)
    (folder / CARD).write_text(json.dumps(card | {"rank": 5}), encoding="utf-8")
    with quiet(), pytest.raises(InputError, match=r"has the shape \(.*4.*\); expected"):
        load_pair_scorer(folder)


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ({"rank": -1}, "rank is -1; expected 1 to 32, the width of the base, or 0 for full rank"),
        ({"layers": 3}, "layers is 3; expected 1 to 2, the layers of the base"),
        ({"longest": 8}, "longest is 8; expected 16 to 512 tokens"),
    ],
)
def test_a_shape_that_does_not_fit_is_refused(shape: dict[str, Any], message: str, base: str) -> None:
    with quiet(), pytest.raises(InputError, match=message):
        new_pair_scorer(base, **shape, device="cpu")


def test_examples_that_mirror_each_other_are_one_unit() -> None:
    first = Example("q1", "a", ("b",))
    second = Example("q2", "b", ("a", "c"))
    other = Example("q3", "a", ("b",))
    ordinary = Example("q4", "d")
    assert mirrored_units([first, ordinary, second, other]) == [(first, second), (ordinary,), (other,)]
    assert count(PairTraining(), [first, second, other], [ordinary]) == 3
    with pytest.raises(InputError, match="ordinary_candidates is 0, so it teaches nothing"):
        train_pair(PairTraining(ordinary_candidates=0), [first], replay=[ordinary])


class FixedLogits(PairLoss):
    """The loss with given logits per pair."""

    def __init__(
        self, units: Sequence[tuple[Example, ...]], logits: dict[tuple[str, str], float], **options: Any
    ) -> None:
        torch.nn.Module.__init__(self)
        self._units, self._fixed, self._seed = units, logits, 0
        self.model = SimpleNamespace(own_parameters=lambda: iter(()), device="cpu")
        self._documents = [example.positive for unit in units for example in unit]
        self._candidates = options.get("candidates", Candidates(0, 0))
        self._mirror_weight = options.get("mirror_weight", 0.0)
        self._teacher, self._teacher_ids, self._taught = options.get("teacher"), {}, {}
        self._scorer: Any = None
        self._ids = {}

    def _logits(self, scorer: Any, known: Any, pairs: Any) -> Any:
        logits = scorer.read(pairs[RELEVANCE]) if scorer else [self._fixed[pair] for pair in pairs[RELEVANCE]]
        return {RELEVANCE: torch.tensor(logits)}


class FixedTeacher:
    """A teacher with given logits, which remembers what it read."""

    heads = (RELEVANCE,)

    def __init__(self, logits: dict[tuple[str, str], float]) -> None:
        self._logits = logits
        self.seen: list[tuple[str, str]] = []

    def read(self, pairs: list[tuple[str, str]]) -> list[float]:
        self.seen += pairs
        return [self._logits[pair] for pair in pairs]


def test_the_loss_of_a_contrast_by_hand() -> None:
    unit = (Example("q1", "a", ("b",)), Example("q2", "b", ("a",)))
    logits = {("q1", "a"): 2.0, ("q1", "b"): 1.0, ("q2", "b"): 3.0, ("q2", "a"): 3.0}
    # Rows: log(1 + e^-1) for q1 and log 2 for q2. Columns: a has 2 (q1) against 3 (q2), b has 3 (q2) against 1 (q1).
    rows = np.log1p(np.exp(-1)) + np.log(2)
    columns = np.log1p(np.exp(1)) + np.log1p(np.exp(-2))
    assert float(FixedLogits([unit], logits).loss([0])) == pytest.approx(rows / 2, abs=1e-6)
    mirrored = FixedLogits([unit], logits, mirror_weight=0.5)
    assert float(mirrored.loss([0])) == pytest.approx((rows + 0.5 * columns) / 2, abs=1e-6)


def test_the_loss_with_a_teacher_by_hand() -> None:
    unit = (Example("q1", "a", ("b",)), Example("q2", "b", ("a",)))
    logits = {("q1", "a"): 2.0, ("q1", "b"): 1.0, ("q2", "b"): 3.0, ("q2", "a"): 3.0}
    # The teacher finds both documents of q1 equally good, and the right one of q2 three times as likely.
    taught: Any = FixedTeacher({("q1", "a"): 0.0, ("q1", "b"): 0.0, ("q2", "b"): np.log(3), ("q2", "a"): 0.0})
    low, high = np.log1p(np.exp(-1)), np.log1p(np.exp(1))
    right = low + np.log(2)
    from_teacher = (low + high) / 2 + np.log(2)
    loss = FixedLogits([unit], logits, teacher=Teacher(taught, 0.25))
    for _ in range(2):
        assert float(loss.loss([0])) == pytest.approx((0.75 * right + 0.25 * from_teacher) / 2, abs=1e-6)
    assert sorted(taught.seen) == sorted(logits), "The teacher reads a pair once."
    # Columns: the student's margins are -1 for a and 2 for b; the teacher's are 0 (one half) and log 3 (3 in 4).
    a = 0.875 * high + 0.125 * low
    b = 0.9375 * np.log1p(np.exp(-2)) + 0.0625 * np.log1p(np.exp(2))
    mirrored = FixedLogits([unit], logits, teacher=Teacher(taught, 0.25), mirror_weight=1.0)
    expected = (0.75 * right + 0.25 * from_teacher + a + b) / 2
    assert float(mirrored.loss([0])) == pytest.approx(expected, abs=1e-6)


def test_ordinary_pairs_are_ranked_against_documents_of_other_examples() -> None:
    units = [(Example(f"q{at}", f"d{at}"),) for at in range(50)]
    loss = FixedLogits(units, {}, candidates=Candidates(0, 2))
    rng = np.random.default_rng(0)
    drawn = [loss._with_others(example, rng) for (example,) in units]
    assert all(pairs[0] == (example.query, example.positive) for pairs, (example,) in zip(drawn, units, strict=True))
    assert all(
        text != example.positive for pairs, (example,) in zip(drawn, units, strict=True) for _, text in pairs[1:]
    )
    assert {len(pairs) for pairs in drawn} <= {1, 2, 3}
    assert sum(len(pairs) == 3 for pairs in drawn) > 40


@pytest.mark.parametrize(("label", "right"), [("opposite", ["opposite"]), (DIFFERENT, list(LABELS[1:]))])
def test_the_loss_of_a_verdict_by_hand(label: str, right: list[str], base: str) -> None:
    units = [(Example("Is the bridge open?", "Is the bridge closed?", label=label),)]
    with quiet():
        scorer = new_pair_scorer(base, rank=4, longest=64, heads=(RELEVANCE, VERDICT), device="cpu")
    loss = PairLoss(
        scorer,
        units,
        max_tokens=64,
        candidates=Candidates(0, 0),
        mirror_weight=0.0,
        seed=0,
    )
    # The shorter text comes first, whichever was the query.
    (logits,) = scorer.logits(["Is the bridge open?"], ["Is the bridge closed?"], head=VERDICT)
    shares = np.exp(logits) / np.exp(logits).sum()
    expected = -np.log(sum(shares[LABELS.index(name)] for name in right))
    assert loss.loss([0]).item() == pytest.approx(expected, abs=1e-5)
    assert in_order("bb", "a") == in_order("a", "bb") == ("a", "bb")


def test_all_heads_read_a_batch_together_as_each_would_alone(base: str) -> None:
    ranked = (Example("Is the bridge open?", "The bridge is open to cars.", ("The bridge is closed to cars.",)),)
    labelled = (Example("Is the bridge open?", "Can I use the bridge?", label=SAME),)
    scored = (Example("The bridge is open.", "The bridge was open.", score=0.7),)
    with quiet():
        scorer = new_pair_scorer(base, rank=4, longest=64, heads=(RELEVANCE, VERDICT, SCORE), device="cpu")
    options: dict[str, Any] = {"max_tokens": 64, "mirror_weight": 0.0, "seed": 0}
    loss = PairLoss(scorer, [ranked, labelled, scored], candidates=Candidates(0, 0), **options)
    alone = [loss.loss([at]).item() for at in (0, 1, 2)]
    assert loss.loss([0, 1, 2]).item() == pytest.approx(sum(alone) / 3, abs=1e-5)
    # The cross-entropy of a score of 0.7 with the logistic function of the logit.
    (logit,) = scorer.logits(["The bridge is open."], ["The bridge was open."], head=SCORE)
    share = 1 / (1 + np.exp(-logit))
    assert alone[2] == pytest.approx(-0.7 * np.log(share) - 0.3 * np.log(1 - share), abs=1e-5)


def test_a_model_of_scored_pairs_is_a_metric(base: str, tmp_path: Path) -> None:
    pairs = [Example("The bridge is open.", "The bridge was open.", score=0.7), Example("Yes.", "No.", score=0.0)]
    settings = PairTraining(base=base, rank=4, max_tokens=32, batch=2)
    with quiet():
        trained = train_pair(settings, pairs, out=tmp_path / "run", device="cpu")
        metric = Metric(str(tmp_path / "run" / "model"), device="cpu")
        (score,) = metric.score(["The bridge was open."], ["The bridge is open."])
    assert list(trained.model.heads) == [SCORE]
    (logit,) = trained.model.logits(["The bridge is open."], ["The bridge was open."], head=SCORE)
    # The saved weights have eight bits.
    assert score.value == pytest.approx(1 / (1 + np.exp(-logit)), abs=0.01)
    assert [one.value for one in metric.score(["", "..."], ["", "Yes."])] == [1.0, 0.0]
    # A long pair is scored in windows; the model by itself refuses it.
    long = "The bridge is open. " * 20
    assert metric.score([long], [long])[0].windows > 1
    with pytest.raises(InputError, match="reads at most 32"):
        metric.scorer.score([long], [long])
    with pytest.raises(InputError, match="has no head 'score', so it is not a metric"):
        PairMetric(new_pair_scorer(base, rank=4, longest=64, device="cpu"))


def test_messages_are_read_as_labelled_pairs(tmp_path: Path) -> None:
    file = tmp_path / "messages.jsonl"
    different = [
        {"text": "Lock the door", "kind": "verb", "words": ["Open", "Lock"]},
        {"text": "Open two doors", "kind": "quantity", "words": ["the door", "two doors"]},
    ]
    same = ["Get the door open", "Don't leave the door shut"]
    line = {"id": "1", "text": "Open the door", "same": same, "different": different}
    file.write_text(json.dumps(line) + "\n", encoding="utf-8")
    assert [(example.query, example.positive, example.label) for example in read_examples(file).examples] == [
        ("Open the door", "Get the door open", "same"),
        ("Open the door", "Don't leave the door shut", "same"),
        ("Get the door open", "Don't leave the door shut", "same"),
        ("Open the door", "Lock the door", "opposite"),
        ("Get the door open", "Lock the door", "opposite"),
        ("Open the door", "Open two doors", "number"),
        ("Don't leave the door shut", "Open two doors", "number"),
    ]
    # The labels of files are those of the head.
    assert {SAME, *LABEL_OF_KIND.values()} == {*LABELS, DIFFERENT}
    different[0]["kind"] = "colour"
    file.write_text(json.dumps(line) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 1: the kind is 'colour'; expected one of negation"):
        read_examples(file)


@pytest.mark.slow
def test_a_second_head_learns_which_texts_say_the_same(tmp_path: Path) -> None:
    base = small_base(tmp_path / "base")

    def labelled(thing: str, state: str) -> list[Example]:
        claim, denial = (f"the {thing} is {word}{state}" for word in ("", "not "))
        again = f"The guide says that {claim}"
        return [Example(claim, again, label="same"), Example(again, denial, label="opposite")]

    lessons = [one for thing in THINGS for state in STATES for one in labelled(thing, state)]
    unseen = [one for thing in NEW_THINGS for state in STATES for one in labelled(thing, state)]
    config = PairTraining(base=base, epochs=5, **SETTINGS | {"lr": 3e-3})
    with quiet():
        train_pair(config, [*lessons, *LESSONS[:20]], out=tmp_path / "run", device="cpu")
        scorer = load_pair_scorer(tmp_path / "run" / "model", device="cpu")
    assert scorer.heads == {RELEVANCE: (), VERDICT: LABELS}
    pairs = [in_order(one.query, one.positive) for one in unseen]
    logits = scorer.logits([first for first, _ in pairs], [second for _, second in pairs], head=VERDICT)
    assert logits.shape == (len(unseen), len(LABELS))
    right = [LABELS[at] == one.label for at, one in zip(logits.argmax(axis=1), unseen, strict=True)]
    # always answering the more frequent label would be right in half of the cases
    assert np.mean(right) > 0.8


SETTINGS: dict[str, Any] = {"rank": 8, "lr": 1e-2, "batch": 8, "max_tokens": 32, "mirror_weight": 0.5}


@pytest.mark.slow
def test_a_pair_model_learns_negation_and_is_loaded_from_its_folder(tmp_path: Path) -> None:
    base = small_base(tmp_path / "base")
    config = PairTraining(base=base, epochs=6, **SETTINGS | {"lr": 3e-3})
    with quiet():
        before = new_pair_scorer(base, rank=8, longest=32, device="cpu")
        trained = train_pair(config, LESSONS, replay=REPLAY, out=tmp_path / "run", device="cpu")
        ranker: Any = load(f"cross:{tmp_path / 'run' / 'model'}", device="cpu")
    losses = [line["loss"] for line in trained.curves if "loss" in line]
    assert losses[-1] < losses[0] / 2

    class Start:
        def score(self, queries: Any, documents: Any) -> np.ndarray:
            return before.logits(queries, documents, head=RELEVANCE)

    assert pairwise_accuracy(ranker, HELD_OUT) >= max(0.8, pairwise_accuracy(Start(), HELD_OUT) + 0.3)


@pytest.mark.slow
def test_a_resumed_run_ends_like_an_uninterrupted_one(base: str, tmp_path: Path) -> None:
    config = PairTraining(base=base, epochs=2, **SETTINGS)

    def interrupt(line: Any) -> None:
        if line.get("step", 0) >= 5:
            raise KeyboardInterrupt

    options: Any = {"replay": REPLAY, "device": "cpu", "checkpoint_every": 2}
    with quiet():
        whole = train_pair(config, LESSONS[:40], out=tmp_path / "whole", **options)
        with pytest.raises(KeyboardInterrupt):
            train_pair(config, LESSONS[:40], out=tmp_path / "cut", progress=interrupt, **options)
        resumed = train_pair(config, LESSONS[:40], out=tmp_path / "cut", **options)
    assert without_seconds(resumed.curves) == without_seconds(whole.curves)
    assert_same(weights(resumed.model.model), weights(whole.model.model))


@pytest.mark.parametrize(
    "settings", [{"hard_candidates": -1}, {"mirror_weight": -0.1}, {"scale": 0}, {"max_tokens": 8}, {"lr": 0}]
)
def test_settings_out_of_range_are_named(settings: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=f"{next(iter(settings))} is .*; expected"):
        PairTraining(**settings)
