"""The queue in front of a model: what shares a batch, what is refused, what is dropped, what survives a crash.

The encoder is a gate that the tests open, so nothing here depends on time.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import httpx
import pytest

from litotes.serve import Settings
from tests.serving import Gate, Served, gated, wait_until


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(32) as executor:
        yield executor


def waiting(server: Served) -> int:
    """The number of requests in the queue, as /metrics shows it."""
    lines = server.client.get("/metrics").text.splitlines()
    return int(float(next(line for line in lines if line.startswith('litotes_queue{model="litotes-mini"}')).split()[1]))


def send(pool: ThreadPoolExecutor, server: Served, texts: str | list[str], **fields: object) -> Future[httpx.Response]:
    return pool.submit(httpx.post, f"{server.url}/v1/embeddings", json={"input": texts, **fields}, timeout=120)


def first_columns(answer: httpx.Response) -> list[list[float]]:
    assert answer.status_code == 200, answer.text
    return [row["embedding"][:2] for row in answer.json()["data"]]


def test_requests_that_wait_share_a_batch_and_get_their_own_vectors(
    monkeypatch: pytest.MonkeyPatch, pool: ThreadPoolExecutor
) -> None:
    with gated(monkeypatch) as (server, gate):
        first = send(pool, server, "first")
        assert gate.wait_for_batch() == ["first"]
        others = [send(pool, server, [f"{letter} {'x' * place}", letter]) for place, letter in enumerate("abcd")]
        wait_until(lambda: waiting(server) == 4)
        gate.let_through.release()
        assert sorted(gate.wait_for_batch()) == ["a", "a ", "b", "b x", "c", "c xx", "d", "d xxx"]
        gate.let_through.release()
        assert first_columns(first.result()) == [[5.0, ord("f")]]
        for place, (letter, answer) in enumerate(zip("abcd", others, strict=True)):
            assert first_columns(answer.result()) == [[2 + place, ord(letter)], [1, ord(letter)]]


def test_a_batch_is_full_by_tokens_and_a_large_request_does_not_hold_up_a_small_one(
    monkeypatch: pytest.MonkeyPatch, pool: ThreadPoolExecutor
) -> None:
    with gated(monkeypatch, Settings(max_batch_tokens=6)) as (server, gate):
        blocker = send(pool, server, "blocker")
        gate.wait_for_batch()
        large = send(pool, server, ["one two"] * 6)
        wait_until(lambda: waiting(server) == 1)
        small = send(pool, server, "small text")
        wait_until(lambda: waiting(server) == 2)
        gate.let_through.release()
        # Texts of two tokens: three fit, taken in turn from both requests.
        assert sorted(gate.wait_for_batch()) == ["one two", "one two", "small text"]
        gate.let_through.release()
        assert first_columns(small.result()) == [[10, ord("s")]]
        assert not large.done()
        for _ in range(2):
            assert len(gate.wait_for_batch()) <= 3
            gate.let_through.release()
        assert first_columns(large.result()) == [[7, ord("o")]] * 6
        assert blocker.result().status_code == 200


def test_of_many_requests_those_of_similar_length_share_a_batch(
    monkeypatch: pytest.MonkeyPatch, pool: ThreadPoolExecutor
) -> None:
    long, short = "word " * 30, "word"
    with gated(monkeypatch) as (server, gate):
        blocker = send(pool, server, "blocker")
        gate.wait_for_batch()
        answers = [send(pool, server, f"{long}first")]
        wait_until(lambda: waiting(server) == 1)
        texts = [short] * 14 + [long] * 5
        answers += [send(pool, server, text) for text in texts]
        wait_until(lambda: waiting(server) == 20)
        gate.let_through.release()
        # Sixteen share a batch: the first one, the five that are as long, and ten of the others.
        batch = gate.wait_for_batch()
        assert sorted(map(len, batch), reverse=True)[:6] == [len(f"{long}first"), *[len(long)] * 5]
        assert len(batch) == 16
        gate.let_through.release()
        assert gate.wait_for_batch() == [short] * 4
        gate.let_through.release()
        assert all(answer.result().status_code == 200 for answer in [blocker, *answers])


def test_queries_at_another_dial_have_a_batch_of_their_own_and_their_turn(
    monkeypatch: pytest.MonkeyPatch, pool: ThreadPoolExecutor
) -> None:
    with gated(monkeypatch, Settings(max_batch_tokens=2)) as (server, gate):
        send(pool, server, "blocker")
        gate.wait_for_batch()
        large = send(pool, server, ["d"] * 6)
        wait_until(lambda: waiting(server) == 1)
        query = send(pool, server, "query", input_type="query", dial=0.3)
        wait_until(lambda: waiting(server) == 2)
        gate.let_through.release(3)
        assert first_columns(query.result()) == [[5, ord("q")]]
        assert not large.done()
        gate.let_through.release(2)
        assert large.result().status_code == 200
        assert [(batch, key.dial) for batch, key in zip(gate.batches, gate.keys, strict=True)] == [
            (["blocker"], None),
            (["d", "d"], None),
            (["query"], 0.3),
            (["d", "d"], None),
            (["d", "d"], None),
        ]


def test_a_full_queue_refuses_and_a_client_that_hangs_up_frees_its_place(
    monkeypatch: pytest.MonkeyPatch, pool: ThreadPoolExecutor
) -> None:
    with gated(monkeypatch, Settings(max_queue=2)) as (server, gate):
        blocker = send(pool, server, "blocker")
        gate.wait_for_batch()
        kept = send(pool, server, "kept")
        wait_until(lambda: waiting(server) == 1)
        gone = httpx.Client(base_url=server.url, timeout=httpx.Timeout(120, read=0.2))
        with pytest.raises(httpx.ReadTimeout):
            gone.post("/v1/embeddings", json={"input": "gone"})
        gone.close()
        wait_until(lambda: waiting(server) == 1)
        late = send(pool, server, "late")
        wait_until(lambda: waiting(server) == 2)
        refused = server.post("/v1/embeddings", {"input": "refused"})
        assert refused.status_code == 429
        assert refused.headers["retry-after"] == "1"
        assert refused.json()["error"]["code"] == "queue_full"
        gate.let_through.release()
        assert sorted(gate.wait_for_batch()) == ["kept", "late"]
        gate.let_through.release()
        assert [answer.result().status_code for answer in (blocker, kept, late)] == [200] * 3


def test_a_crash_answers_its_own_requests_and_the_next_batch_is_computed(
    monkeypatch: pytest.MonkeyPatch, pool: ThreadPoolExecutor, caplog: pytest.LogCaptureFixture
) -> None:
    with gated(monkeypatch) as (server, gate):
        blocker = send(pool, server, "blocker")
        gate.wait_for_batch()
        crashing = [send(pool, server, text) for text in ("crash", "beside it")]
        wait_until(lambda: waiting(server) == 2)
        gate.let_through.release()
        gate.wait_for_batch()
        after = send(pool, server, "after")
        wait_until(lambda: waiting(server) == 1)
        gate.let_through.release()
        for answer in crashing:
            assert answer.result().status_code == 500
            assert answer.result().json()["error"]["code"] == "batch_failed"
        gate.wait_for_batch()
        gate.let_through.release()
        assert first_columns(after.result()) == [[5, ord("a")]]
        assert blocker.result().status_code == 200
        assert "RuntimeError" in caplog.text
        assert "beside it" not in caplog.text


def test_a_request_that_takes_too_long_is_answered_and_frees_its_place(
    monkeypatch: pytest.MonkeyPatch, pool: ThreadPoolExecutor
) -> None:
    with gated(monkeypatch, Settings(timeout=1.0)) as (server, gate):
        slow = send(pool, server, "slow")
        gate.wait_for_batch()
        queued = send(pool, server, "queued")
        for answer in (slow, queued):
            assert answer.result().status_code == 504
            assert answer.result().json()["error"]["code"] == "timeout"
        assert waiting(server) == 0


def test_a_model_that_cannot_be_loaded_says_why_and_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from litotes.errors import MissingError
    from litotes.serve import runners

    answers = iter([MissingError("tea needs milk. Install it with: pip install milk"), None])

    class Guarding:
        def run(self, key: object, items: list[tuple[str, str]]) -> list[object]:
            raise ValueError("loaded")

        def count(self, items: list[object]) -> list[int]:
            return [1] * len(items)

    def load(name: str) -> Guarding:
        error = next(answers)
        if error:
            raise error
        return Guarding()

    monkeypatch.setitem(runners.LOADERS, "guard", load)
    with gated(monkeypatch) as (server, _):
        status, code, message = server.error("/guard", {"new": "a", "cached": "b"})
        assert (status, code) == (503, "model_not_loaded")
        assert "pip install milk" in message
        assert server.error("/guard", {"new": "a", "cached": "b"})[:2] == (500, "batch_failed")


def test_requests_wait_for_the_models_with_503(monkeypatch: pytest.MonkeyPatch) -> None:
    from litotes.serve import runners
    from tests.serving import served

    gate, loading = Gate(), threading.Event()
    monkeypatch.setitem(runners.LOADERS, "encoder", lambda name, backend: gate if loading.wait(120) else None)
    with served(ready=False) as server:
        assert server.client.get("/health").status_code == 503
        assert server.error("/v1/embeddings", {"input": "a"})[:2] == (503, "loading")
        loading.set()
        wait_until(lambda: server.client.get("/health").status_code == 200)
        gate.open = True
        assert server.post("/v1/embeddings", {"input": "a"}).status_code == 200
