"""The guard inside LlamaIndex and semantic-router, with the real libraries if they are installed; the fact memory."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from litotes.errors import InputError, MissingError
from litotes.guard import Guard
from litotes.guard.memory import CONTRADICTS, KEPT, KNOWN, UPDATED, Addition, FactMemory
from tests.guard_tiers import WordTier

LIBRARIES = ("llama_index", "semantic_router")


class TableTier(WordTier):
    """A tier whose verdicts are in a table; a pair that is not in it has another topic."""

    name = "table"

    def __init__(self, *rows: tuple[str, str, str], score: float = 0.1) -> None:
        self.table = {frozenset((one, other)): label for one, other, label in rows}
        self.score = score
        """the probability of "same" for a pair that differs"""

    def probabilities(self, new: Sequence[str], cached: Sequence[str]) -> np.ndarray:
        rows = np.zeros((len(new), len(self.labels)))
        for row, one, other in zip(rows, new, cached, strict=True):
            label = self.table.get(frozenset((one, other)), "topic")
            row[self.labels.index("same")] = self.score
            row[self.labels.index(label)] = 1 - self.score
        return rows


def guard_with(*rows: tuple[str, str, str], **options: Any) -> Guard:
    return Guard(TableTier(*rows), threshold=0.5, log=False, **options)


def words_of(texts: Sequence[str]) -> list[list[float]]:
    """Return vectors of letter pairs: texts with common words are near each other."""
    rows = np.full((len(texts), 26 * 26), 1e-6)
    for row, text in zip(rows, texts, strict=True):
        letters = [ord(letter) - 97 for letter in text.lower() if "a" <= letter <= "z"]
        for one, other in pairwise(letters):
            row[26 * one + other] += 1
    vectors: list[list[float]] = rows.tolist()
    return vectors


def test_importing_the_guard_loads_no_framework() -> None:
    code = "import sys, litotes.guard, litotes.guard.adapters, litotes.guard.memory; print('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(LIBRARIES) & {name.split(".")[0] for name in done.stdout.splitlines()}


def test_the_module_for_llama_index_names_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    hide("llama_index", monkeypatch)
    monkeypatch.delitem(sys.modules, "litotes.guard.adapters.llama_index", raising=False)
    with pytest.raises(MissingError, match=r"needs llama_index.*Install it with: pip install 'litotes\[frameworks\]'"):
        import_module("litotes.guard.adapters.llama_index")


def test_a_guarded_router_names_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    hide("semantic_router", monkeypatch)
    kind = import_module("litotes.guard.adapters.semantic_router").GuardedRouter
    with pytest.raises(MissingError, match=r"GuardedRouter needs semantic_router.*pip install"):
        kind(object(), Guard(WordTier()))


def hide(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == library]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, library, None)


@pytest.mark.parametrize("kind", ["GuardEvaluator", "GuardPostprocessor", "GuardedRouter", "FactMemory"])
def test_a_guard_is_an_object_or_the_name_of_a_tier(kind: str) -> None:
    def make(guard: Any) -> Any:
        if kind == "FactMemory":
            return FactMemory(guard, words_of)
        if kind == "GuardedRouter":
            return guarded({"book": ["book a flight"]}, guard)
        return getattr(llama_index(), kind)(guard)

    make(Guard(WordTier()))
    with pytest.raises(InputError, match="guard is int; expected a Guard, the name of a tier, or None"):
        make(7)
    with pytest.raises(InputError, match=r"there is no tier 'mimi'.* Did you mean 'mini'\?"):
        make("mimi")


OPEN, CLOSED, OPEN_TOO = "The pool is open today.", "The pool is not open today.", "Today the pool is open."


def llama_index() -> Any:
    pytest.importorskip("llama_index.core")
    return import_module("litotes.guard.adapters.llama_index")


def evaluator(guard: Guard | None = None) -> Any:
    return llama_index().GuardEvaluator(guard or Guard(WordTier(), log=False))


def test_the_evaluator_passes_a_response_that_says_the_same() -> None:
    result = evaluator().evaluate(query="Is it open?", response=OPEN_TOO, contexts=["Open all week."], reference=OPEN)
    assert (result.passing, result.score, result.invalid_result) == (True, 0.9, False)
    assert result.feedback == "The response says the same as the reference."
    assert (result.query, result.response, result.contexts) == ("Is it open?", OPEN_TOO, ["Open all week."])


def test_the_evaluator_says_why_a_response_fails() -> None:
    result = evaluator().evaluate(response=CLOSED, reference=OPEN)
    assert (result.passing, result.score) == (False, 0.1)
    assert result.feedback == (
        "The response does not say the same as the reference: one says the opposite of the other. "
        "The response has “not”, and the reference has nothing in its place."
    )


@pytest.mark.parametrize("reason", ["opposite", "direction", "number", "name", "scope", "modality", "topic"])
def test_the_feedback_has_no_labels(reason: str) -> None:
    result = evaluator(guard_with((OPEN, CLOSED, reason), explain=False)).evaluate(response=CLOSED, reference=OPEN)
    assert result.feedback.startswith("The response does not say the same as the reference: ")
    assert f": {reason}." not in result.feedback


def test_an_answer_that_cannot_be_judged_is_an_invalid_result() -> None:
    for decision, passing in (("reject", False), ("accept", True)):
        result = evaluator(Guard(WordTier(), on_error=decision)).evaluate(response=" ", reference=OPEN)
        assert (result.passing, result.score, result.invalid_result) == (passing, 0.0, True)
        assert result.invalid_reason == "the new text is empty"
        assert result.feedback == "The response and the reference could not be compared: the new text is empty."


def test_the_evaluator_needs_both_answers() -> None:
    with pytest.raises(InputError, match="the response is None; expected a text"):
        evaluator().evaluate(query="Is it open?", reference=OPEN)
    with pytest.raises(InputError, match="the reference is None; expected a text"):
        asyncio.run(evaluator().aevaluate(query="Is it open?", response=OPEN))


def test_the_evaluator_runs_in_a_batch_and_on_a_response_object() -> None:
    made = evaluator()
    library = import_module("llama_index.core.evaluation")
    runner = library.BatchEvalRunner({"guard": made}, workers=2)
    results = runner.evaluate_response_strs(
        queries=["Is it open?", "Is it closed?"], response_strs=[OPEN_TOO, CLOSED], reference=[OPEN, OPEN]
    )
    assert [result.passing for result in results["guard"]] == [True, False]
    response = import_module("llama_index.core.base.response.schema").Response(response=OPEN_TOO)
    assert made.evaluate_response(response=response, reference=OPEN).passing is True
    assert made.get_prompts() == {}


ON, OFF, ON_TOO = "How do I turn roaming on?", "How do I turn roaming off?", "How do I turn on roaming?"


def nodes_of(texts: Sequence[str], **metadata: Any) -> list[Any]:
    schema = import_module("llama_index.core.schema")
    return [
        schema.NodeWithScore(
            node=schema.TextNode(text=text, id_=f"n{number}", metadata=metadata), score=1 - number / 10
        )
        for number, text in enumerate(texts)
    ]


def test_nodes_with_another_answer_are_removed() -> None:
    made = llama_index().GuardPostprocessor(Guard(WordTier(), log=False))
    nodes = nodes_of([OFF, ON])
    assert made.postprocess_nodes(nodes, query_str=ON_TOO) == nodes[1:]
    assert asyncio.run(made.apostprocess_nodes(nodes, query_str=ON_TOO)) == nodes[1:]
    assert made.postprocess_nodes([], query_str=ON_TOO) == []
    with pytest.raises(InputError, match="there is no query; expected query_bundle or query_str"):
        made.postprocess_nodes(nodes)


def test_nodes_can_stay_and_be_marked() -> None:
    made = llama_index().GuardPostprocessor(Guard(WordTier(), log=False), remove=False)
    mode = import_module("llama_index.core.schema").MetadataMode
    nodes = nodes_of([OFF, ON], source="help")
    marked = made.postprocess_nodes(nodes, query_str=ON_TOO)
    verdicts = [node.metadata["litotes_guard"] for node in marked]
    assert [verdict["same"] for verdict in verdicts] == [False, True]
    assert verdicts[0] == {
        "new": ON_TOO, "cached": OFF, "same": False, "score": 0.1, "reason": "opposite", "words": ["on", "off"]
    }  # fmt: skip
    assert [(node.node_id, node.score) for node in marked] == [(node.node_id, node.score) for node in nodes]
    assert all(node.metadata == {"source": "help"} for node in nodes)
    for kind in (mode.EMBED, mode.LLM):
        assert [one.node.get_content(kind) for one in marked] == [one.node.get_content(kind) for one in nodes]
    again = made.postprocess_nodes(marked, query_str=ON_TOO)
    assert again == marked


def test_the_question_can_stand_in_the_metadata() -> None:
    made = llama_index().GuardPostprocessor(Guard(WordTier(), log=False), question_key="question")
    nodes = nodes_of(["Open the settings."], question=ON) + nodes_of(["Pull the plug."], question=OFF)
    assert made.postprocess_nodes(nodes, query_str=ON_TOO) == nodes[:1]
    with pytest.raises(InputError, match="'question' in the metadata of node n0 is None; expected a question"):
        made.postprocess_nodes(nodes_of([ON]), query_str=ON_TOO)


def test_a_retriever_over_questions_finds_only_the_same_question() -> None:
    made = llama_index().GuardPostprocessor(Guard(WordTier(), log=False))
    core = import_module("llama_index.core")

    class Pairs(import_module("llama_index.core.embeddings").BaseEmbedding):  # type: ignore[misc]
        def _get_text_embedding(self, text: str) -> list[float]:
            return words_of([text])[0]

        _get_query_embedding = _get_text_embedding

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return words_of([query])[0]

    index = core.VectorStoreIndex([node.node for node in nodes_of([OFF, ON, "Where is my bill?"])], embed_model=Pairs())
    engine = import_module("llama_index.core.query_engine").RetrieverQueryEngine.from_args(
        index.as_retriever(similarity_top_k=3), llm=core.llms.MockLLM(), node_postprocessors=[made]
    )
    assert [node.text for node in engine.retrieve(core.QueryBundle(ON_TOO))] == [ON]


BOOK, CANCEL, WEATHER = "book a flight", "cancel my flight", "what is the weather like"
DENIED = "don't book a flight"
ROUTES = {"book": [BOOK], "cancel": [CANCEL], "weather": [WEATHER]}


def guarded(routes: dict[str, list[str]], guard: Any, /, *, threshold: float | None = None, **options: Any) -> Any:
    """Return a guarded router over a local index."""
    library = pytest.importorskip("semantic_router")
    encoders = import_module("semantic_router.encoders")

    class Pairs(encoders.DenseEncoder):  # type: ignore[misc, name-defined]
        def __call__(self, docs: list[Any]) -> list[list[float]]:
            return words_of(docs)

    router = library.IndexedRouter(
        Pairs(name="pairs"),
        [library.Route(name=name, utterances=utterances) for name, utterances in routes.items()],
        index=import_module("semantic_router.index").LocalIndex(),
        confidence_threshold=threshold,
    )
    return import_module("litotes.guard.adapters.semantic_router").GuardedRouter(router, guard, **options)


def test_a_denied_route_is_not_taken() -> None:
    router = guarded(ROUTES, guard_with((DENIED, BOOK, "opposite")), threshold=0.5)
    assert router.router(DENIED).name == "book"
    choice = router(DENIED)
    assert (choice.name, choice.confidence, choice.calibrated) == (None, None, False)
    assert asyncio.run(router.acall(DENIED)).name is None
    assert router(BOOK) == router.router(BOOK)
    verdict = router.denial(DENIED, "book")
    assert (verdict.new, verdict.cached, verdict.reason) == (DENIED, BOOK, "opposite")
    assert router.denial(DENIED, "weather") is None
    assert router.denial(DENIED, "no such route") is None


def test_the_next_route_takes_the_place_of_a_denied_one() -> None:
    query = "cancel the flight that I had them book"
    router = guarded({"book": ["the flight that I had them book"], "cancel": [CANCEL]}, guard_with(), threshold=0.1)
    assert router(query).name == "book"
    table = ("the flight that I had them book", query, "opposite"), (CANCEL, query, "same")
    router = guarded({"book": ["the flight that I had them book"], "cancel": [CANCEL]}, guard_with(*table))
    assert router(query).name == "cancel"
    assert asyncio.run(router.acall(query)).name == "cancel"


@pytest.mark.parametrize("reason", ["topic", "name", "number", "scope", "modality"])
def test_another_wording_does_not_block_a_route(reason: str) -> None:
    query = "book a flight to Oslo for 3"
    router = guarded(ROUTES, guard_with((query, BOOK, reason)))
    assert router(query).name == "book"


def test_a_pair_that_is_probably_the_same_does_not_block_a_route() -> None:
    sure, unsure = (Guard(TableTier((DENIED, BOOK, "opposite"), score=score), threshold=0.9) for score in (0.4, 0.6))
    assert guarded(ROUTES, sure, threshold=0.5)(DENIED).name is None
    assert guarded(ROUTES, unsure, threshold=0.5)(DENIED).name == "book"


def test_a_route_with_both_polarities_is_not_denied() -> None:
    on, off, query = "turn the light on", "turn the light off", "light off in the kitchen, turn it"
    routes = {"light": [on, off], "weather": [WEATHER]}
    opposed = (query, on, "opposite"), (on, off, "opposite")
    assert guarded(routes, guard_with(*opposed), threshold=0.3)(query).name == "light"
    assert guarded({"light": [on]}, guard_with(*opposed), threshold=0.3)(query).name is None
    # the same answer to one utterance settles it, whatever the others are
    settled = (query, on, "opposite"), (query, off, "same")
    assert guarded(routes, guard_with(*settled), threshold=0.3)(query).name == "light"
    # another utterance that is denied, too, does not save the route
    both = (*opposed, (query, off, "opposite"))
    assert guarded(routes, guard_with(*both), threshold=0.3)(query).name is None


def test_routes_that_answer_questions_need_not_be_guarded() -> None:
    dry, rain = "will it stay dry tomorrow", "will it rain tomorrow"
    guard, routes = guard_with((dry, rain, "opposite"), (DENIED, BOOK, "opposite")), {"book": [BOOK], "weather": [rain]}
    assert guarded(routes, guard, threshold=0.5)(dry).name is None
    router = guarded(routes, guard, threshold=0.5, routes=["book"])
    assert (router(dry).name, router(DENIED).name) == ("weather", None)


def test_the_reasons_that_count_are_an_option() -> None:
    query, utterance = "convert euros to dollars", "convert dollars to euros"
    guard = guard_with((query, utterance, "direction"))
    assert guarded({"money": [utterance]}, guard)(query).name == "money"
    assert guarded({"money": [utterance]}, guard, reasons=["opposite", "direction"])(query).name is None


def test_only_the_utterances_that_are_most_alike_are_read() -> None:
    guard = guard_with((DENIED, BOOK, "opposite"))
    router = guarded({"book": ["two seats to Rome", "get me on a plane", BOOK]}, guard, utterances=1)
    assert router(DENIED).name is None
    assert guard.counts.calls == 1
    assert router.denial("two seats to Rome please", "book") is None


def test_limits_and_thresholds_are_those_of_the_router() -> None:
    router = guarded(ROUTES, guard_with((DENIED, BOOK, "opposite")))
    kept = [choice for choice in router.router(DENIED, limit=None) if choice.name != "book"]
    assert len(kept) == 2
    assert router(DENIED, limit=None) == kept
    assert router(DENIED, limit=2) == kept
    assert router(DENIED) == kept[0]
    assert router(DENIED, limit=None, threshold=0.99) == []
    assert asyncio.run(router.acall(DENIED, limit=None, threshold=kept[0].confidence)) == kept[:1]
    with pytest.raises(InputError, match="limit is 0; expected 1 or more, or None for all routes"):
        router(DENIED, limit=0)


def test_what_cannot_be_judged_does_not_block_a_route() -> None:
    query = "book a flight " * 100
    assert guarded(ROUTES, guard_with())(query).name == "book"


def test_other_routers_of_the_library_can_be_guarded() -> None:
    guard = guard_with((DENIED, BOOK, "opposite"))
    library = pytest.importorskip("semantic_router")
    first, second = guarded(ROUTES, guard, threshold=0.5), guarded(ROUTES, guard)
    for kind in (library.Chain, library.Merge):
        router = type(first)(kind([first.router, second.router], confidence_threshold=0.4), guard)
        assert router.router(DENIED).name == "book"
        assert router(DENIED).name != "book"


def test_a_guarded_router_refuses_bad_options() -> None:
    kind = type(guarded(ROUTES, guard_with()))
    with pytest.raises(InputError, match="router is dict; expected a router of semantic-router"):
        kind({}, guard_with())
    for reasons, message in ((["denial"], "denial"), ([], "nothing"), ("opposite", "opposite")):
        with pytest.raises(InputError, match=f"reasons has {message}; expected a list of same, opposite"):
            guarded(ROUTES, guard_with(), reasons=reasons)
    for names in (["boo"], "book"):
        with pytest.raises(InputError, match=r"routes has 'boo.*; expected a list of names .* Did you mean 'book'\?"):
            guarded(ROUTES, guard_with(), routes=names)
    with pytest.raises(InputError, match="utterances is 0; expected 1 or more"):
        guarded(ROUTES, guard_with(), utterances=0)


PHONE, NEW_PHONE = "My phone number ends in 41.", "My phone number ends in 77."
MEAT, NO_MEAT = "I eat meat.", "I do not eat meat."
ANNA, BEN, MOVED = "Anna lives in Turin.", "Ben lives in Turin.", "Anna lives in Genoa."
TABLE = (
    (PHONE, NEW_PHONE, "number"),
    (MEAT, NO_MEAT, "opposite"),
    (ANNA, BEN, "name"),
    (ANNA, MOVED, "name"),
    (ANNA, "Ben does not live in Turin.", "opposite"),
    ("I can swim.", "I could swim.", "modality"),
    ("I lent Ben a book.", "Ben lent me a book.", "direction"),
    ("Room 12 has a window.", "Room 14 has a window.", "number"),
    ("All my cats are black.", "Some of my cats are black.", "scope"),
    ("I live in Rome.", "Rome is where I live.", "same"),
)


def memory(**options: Any) -> FactMemory:
    return FactMemory(guard_with(*TABLE), words_of, **options)


@pytest.mark.parametrize(
    ("old", "new", "outcome", "facts"),
    [
        ("I live in Rome.", "Rome is where I live.", KNOWN, ["I live in Rome."]),
        (PHONE, "  my phone number ends in 41", KNOWN, [PHONE]),
        (PHONE, PHONE, KNOWN, [PHONE]),
        (PHONE, NEW_PHONE, UPDATED, [NEW_PHONE]),
        (ANNA, MOVED, UPDATED, [MOVED]),
        ("I can swim.", "I could swim.", KEPT, None),
        ("Room 12 has a window.", "Room 14 has a window.", KEPT, None),
        (MEAT, NO_MEAT, CONTRADICTS, [MEAT, NO_MEAT]),
        ("I lent Ben a book.", "Ben lent me a book.", CONTRADICTS, ["I lent Ben a book.", "Ben lent me a book."]),
        (ANNA, BEN, KEPT, [ANNA, BEN]),
        (ANNA, "Ben does not live in Turin.", KEPT, None),
        ("All my cats are black.", "Some of my cats are black.", KEPT, None),
        (PHONE, MEAT, KEPT, [PHONE, MEAT]),
    ],
)
def test_what_becomes_of_a_fact(old: str, new: str, outcome: str, facts: list[str] | None) -> None:
    made = memory()
    assert made.add(old) == Addition(old, KEPT)
    addition = made.add(new)
    assert (addition.fact, addition.outcome) == (new, outcome)
    assert addition.stored == (None if outcome == KEPT else old)
    assert (addition.verdict is None) == (outcome == KEPT or old == new)
    assert made.facts() == (facts or [old, new])
    assert made.history() == ([addition] if outcome == UPDATED else [])
    assert made.conflicts() == ([addition] if outcome == CONTRADICTS else [])


def test_a_conflict_ends_when_a_fact_is_removed() -> None:
    made = memory()
    for fact in (MEAT, PHONE, NO_MEAT):
        made.add(fact)
    assert [(one.stored, one.fact) for one in made.conflicts()] == [(MEAT, NO_MEAT)]
    # both are known now, although each contradicts the other
    assert made.add("I eat meat").outcome == KNOWN
    made.remove(MEAT)
    assert made.conflicts() == []
    assert made.facts() == [PHONE, NO_MEAT]
    with pytest.raises(InputError, match=r"'I eat meat.' is not stored; expected one of `facts\(\)`"):
        made.remove(MEAT)


def test_only_near_facts_are_compared() -> None:
    made = memory(nearest=1)
    for fact in (MEAT, PHONE):
        made.add(fact)
    assert made.add(NEW_PHONE).outcome == UPDATED
    assert made.add(NO_MEAT).outcome == CONTRADICTS
    distant = memory(similarity=0.999)
    for fact in (PHONE, NEW_PHONE):
        # their letters are the same, so the cosine is 1
        distant.add(fact)
    assert distant.facts() == [NEW_PHONE]
    assert [distant.add(fact).outcome for fact in (MEAT, NO_MEAT)] == [KEPT, KEPT]


def test_what_cannot_be_judged_is_kept_once() -> None:
    made = FactMemory(guard_with(*TABLE, on_error="accept"), words_of)
    french = "Je ne mange pas de viande, mais je mange du poisson avec mes amis."
    for fact in (MEAT, french, french):
        made.add(fact)
    assert made.facts() == [MEAT, french]


def test_a_pair_that_the_guard_is_not_sure_of_is_kept() -> None:
    for score, outcome in ((0.4, CONTRADICTS), (0.6, KEPT)):
        made = FactMemory(Guard(TableTier(*TABLE, score=score), threshold=0.9, log=False), words_of)
        assert [made.add(fact).outcome for fact in (MEAT, NO_MEAT)] == [KEPT, outcome]
        assert made.facts() == [MEAT, NO_MEAT]


def test_a_memory_refuses_bad_input() -> None:
    for bad in ("", "  ", None):
        with pytest.raises(InputError, match=r"the fact is .*; expected a text"):
            memory().add(bad)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="nearest is 0; expected 1 or more"):
        memory(nearest=0)
    with pytest.raises(InputError, match="similarity is 2; expected a cosine, from -1 to 1"):
        memory(similarity=2)
    for rows in ([1.0, 2.0], [[1.0], [2.0]], [[float("nan"), 1.0]]):
        with pytest.raises(InputError, match=r"encode returned an array of shape .* for one text; expected \(1, "):
            FactMemory(guard_with(), lambda texts, rows=rows: rows).add(MEAT)  # type: ignore[misc]
    sizes = iter((2, 3))
    changing = FactMemory(guard_with(), lambda texts: np.ones((1, next(sizes))))
    changing.add(MEAT)
    with pytest.raises(InputError, match=r"shape \(1, 3\) for one text; expected \(1, 2\), all finite"):
        changing.add(PHONE)
