"""Cross-encoders: they read a query and a document together. NLI models score by their entailment label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, require
from litotes.models.adapter import Adapter, check_pairs, model_facts, open_model, source_facts
from litotes.models.loading import Settings, Source, architectures, find, saved_as
from litotes.models.pair.adapter import PairRanker
from litotes.models.pair.card import find_pair_model

if TYPE_CHECKING:
    import numpy as np

_HEADS = ("ForSequenceClassification", "ForCausalLM")


class Cross(Adapter):
    """A CrossEncoder. Scores are logits or log-probabilities of a label; a sigmoid would round large ones to ties."""

    family = "cross"
    libraries = ("sentence-transformers", "transformers", "torch")

    def __init__(self, name: str, source: Source, settings: Settings, *, label: str = "") -> None:
        super().__init__(name)
        _refuse_untrained(name, source)
        self._source, self._settings = source, settings
        self._torch = require("torch", extra="models", why="cross models")
        self._model = open_model("CrossEncoder", source, settings, family=self.family)
        self.label = _label(name, self._model, label)

    @property
    def model(self) -> Any:
        """Return the CrossEncoder, which training changes."""
        return self._model

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """Return the score of each query with the document at the same position."""
        import numpy as np

        left, right = check_pairs(queries, documents)
        if not left:
            return np.zeros(0)
        pairs = list(dict.fromkeys(zip(left, right, strict=True)))
        logits = self._model.predict(
            pairs,
            batch_size=self._settings.batch,
            show_progress_bar=False,
            activation_fn=self._torch.nn.Identity(),
            convert_to_tensor=True,
        ).double()
        if self.label is not None:
            logits = self._torch.log_softmax(logits, dim=-1)[:, self.label]
        position = {pair: at for at, pair in enumerate(pairs)}
        scores: np.ndarray = logits.cpu().numpy()[[position[pair] for pair in zip(left, right, strict=True)]]
        return scores

    def details(self) -> dict[str, Any]:
        label = None if self.label is None else self._model.config.id2label[self.label]
        return source_facts(self._source) | model_facts(self._model) | {"label": label}


def _label(name: str, model: Any, chosen: str) -> int | None:
    """Return the index of the label whose log-probability is the score; None if the head has a single output."""
    if model.num_labels == 1:
        return None
    labels = {at: str(label) for at, label in model.config.id2label.items()}
    for at, label in labels.items():
        plain = label.lower()
        if plain == chosen.lower() or (not chosen and plain.startswith("entail")):
            return int(at)
    raise InputError(
        f"{name} has the labels {', '.join(labels.values())}; expected a single score or an entailment label. "
        "Choose one of them with the option label"
    )


def _refuse_untrained(name: str, source: Source) -> None:
    """Refuse an encoder without a trained head: the library would add one with random weights."""
    saved = saved_as(source.folder)
    if saved != "CrossEncoder" and not any(kind.endswith(_HEADS) for kind in architectures(source.folder)):
        raise InputError(f"{name} is not a cross-encoder. Expected a saved CrossEncoder or a sequence classifier")


def build(name: str, settings: Settings, *, label: str = "", revision: str = "") -> Cross | PairRanker:
    """Load `cross:NAME-OR-PATH`. `label` names the label whose log-probability is the score."""
    family, _, target = name.partition(":")
    if find_pair_model(target):
        if label or revision:
            raise InputError(f"{name} has one score and is pinned; expected neither a label nor a revision")
        return PairRanker(name, target, settings)
    source = find(target, family=family, organisation="cross-encoder", revision=revision)
    return Cross(name, source, settings, label=label)
