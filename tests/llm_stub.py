"""A real HTTP server with an OpenAI-compatible API that follows the script of a test."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, slots=True)
class Reply:
    """How the server responds to one request."""

    text: str | None = '{"rewrite": "The lake is not deep."}'
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    finish: str = "stop"
    refusal: str | None = None
    never: bool = False
    """Keep the request waiting until the server stops."""
    together: int = 0
    """Respond only when this many requests are waiting at the same time."""
    usage: tuple[int, int] | None = (30, 10)
    raw: bytes | None = None
    content_type: str = "application/json"
    hang_up: bool = False
    no_structure: bool = False
    """Refuse a request with response_format, as an endpoint without structured output does."""


def error(status: int, message: str, *, code: str | None = None, headers: dict[str, str] | None = None) -> Reply:
    """Return an error in OpenAI's format."""
    raw = json.dumps({"error": {"message": message, "type": "error", "code": code}}).encode()
    return Reply(status=status, raw=raw, headers=headers or {})


@dataclass
class Stub:
    """The script of a server, and the requests that it received."""

    script: Sequence[Reply]
    """One reply per request; the last one is repeated."""
    base_url: str = ""
    bodies: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    stopped: threading.Event = field(default_factory=threading.Event)
    barriers: dict[int, threading.Barrier] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.bodies)

    def enter(self, path: str, key: str, body: dict[str, Any]) -> Reply:
        with self.lock:
            self.paths.append(path)
            self.keys.append(key)
            self.bodies.append(body)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
            return self.script[min(len(self.bodies), len(self.script)) - 1]

    def hold(self, reply: Reply) -> None:
        """Return when the reply may be sent."""
        if reply.never:
            self.stopped.wait()
        if reply.together:
            with self.lock:
                barrier = self.barriers.setdefault(reply.together, threading.Barrier(reply.together))
            barrier.wait(timeout=60)

    def leave(self) -> None:
        with self.lock:
            self.at_once -= 1


class Handler(BaseHTTPRequestHandler):
    """Sends the replies of a script."""

    protocol_version = "HTTP/1.1"
    stub: Stub

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        reply = self.stub.enter(self.path, self.headers.get("authorization", ""), body)
        try:
            self.stub.hold(reply)
        finally:
            self.stub.leave()
        if reply.hang_up:
            self.close_connection = True
            return
        if reply.no_structure and "response_format" in body:
            reply = error(400, "response_format is not supported by this server")
        payload = reply.raw if reply.raw is not None else _completion(self.path, reply)
        try:
            self.send_response(reply.status)
            for name, value in {"content-type": reply.content_type, **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # The client stopped waiting, as the test intends.

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""


def _completion(path: str, reply: Reply) -> bytes:
    choice: dict[str, Any] = {"index": 0, "finish_reason": reply.finish}
    if path.endswith("/chat/completions"):
        choice["message"] = {"role": "assistant", "content": reply.text, "refusal": reply.refusal}
    else:
        choice["text"] = reply.text
    completion: dict[str, Any] = {"id": "1", "object": "completion", "created": 0, "model": "stub", "choices": [choice]}
    if reply.usage is not None:
        sent, received = reply.usage
        completion["usage"] = {"prompt_tokens": sent, "completion_tokens": received, "total_tokens": sent + received}
    return json.dumps(completion).encode()


@contextmanager
def stub(*script: Reply) -> Iterator[Stub]:
    """Run a scripted server on a free loopback port until the block ends."""
    scripted = Stub(script or (Reply(),))
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("ScriptedHandler", (Handler,), {"stub": scripted}))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    scripted.base_url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield scripted
    finally:
        scripted.stopped.set()
        server.shutdown()
        server.server_close()
        thread.join()
