"""The server as an ASGI application: its routes, and the models behind them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from litotes.serve.embeddings import embeddings
from litotes.serve.endpoint import Endpoint, Handler, Service
from litotes.serve.errors import RequestError, json_response
from litotes.serve.exclusion import exclude
from litotes.serve.fields import Fields
from litotes.serve.models import Models, not_ready
from litotes.serve.monitoring import Monitor
from litotes.serve.openapi import document
from litotes.serve.pairs import guard, score, similarity
from litotes.serve.playground import playground_routes
from litotes.serve.reranking import rerank
from litotes.serve.settings import Settings

POSTS: dict[str, Handler] = {
    "/v1/embeddings": embeddings,
    "/v1/rerank": rerank,
    "/rerank": rerank,
    "/similarity": similarity,
    "/score": score,
    "/guard": guard,
    "/exclude": exclude,
}


async def health(service: Service, _: Fields) -> Response:
    """Say whether the models are loaded."""
    if not service.models.ready:
        raise not_ready()
    return json_response({"status": "ok"})


async def metrics(service: Service, _: Fields) -> Response:
    """Return the metrics."""
    return service.monitor.response()


async def model_list(service: Service, _: Fields) -> Response:
    """List the models, as OpenAI does, each with its kind, and a loaded tower with its shape."""
    rows = [
        {"id": name, "object": "model", "created": 0, "owned_by": "litotes", "kind": kind}
        | service.models.shape(kind, name)
        for kind, names in service.models.names.items()
        for name in names
    ]
    return json_response({"object": "list", "data": rows})


async def openapi(service: Service, _: Fields) -> Response:
    """Return the description of the endpoints."""
    return json_response(document())


GETS: dict[str, Handler] = {"/health": health, "/metrics": metrics, "/v1/models": model_list, "/openapi.json": openapi}
OPEN = ("/health", "/openapi.json")
"""paths that need no API key"""


def create_app(settings: Settings, *, models: Models | None = None) -> Starlette:
    """Return the application. The models are loaded by `app.state.service.models.load()`, which `run` calls."""
    monitor = Monitor()
    service = Service(settings, models or Models(settings, monitor), monitor)
    routes = [Route(path, Endpoint(path, post, service), methods=["POST"]) for path, post in POSTS.items()]
    for path, get in GETS.items():
        endpoint = Endpoint(path, get, service, has_body=False, open_to_all=path in OPEN)
        routes.append(Route(path, endpoint, methods=["GET"]))
    cors = Middleware(
        CORSMiddleware,
        allow_origins=list(settings.cors),
        allow_methods=["GET", "POST"],
        allow_headers=["authorization", "content-type"],
    )

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        service.models.close()

    async def no_route(request: Request, error: Exception) -> Response:
        return _no_route(service, request, error)

    app = Starlette(
        routes=[*routes, *playground_routes()],
        middleware=[cors] if settings.cors else [],
        exception_handlers={HTTPException: no_route},
        lifespan=lifespan,
    )
    app.state.service = service
    return app


def _no_route(service: Service, request: Request, error: Exception) -> Response:
    """Answer a request for a path or a method that does not exist."""
    path = request.url.path[:60]
    # The playground is mounted at /, so a wrong method for one of our paths ends up there.
    if path in (*POSTS, *GETS, "/"):
        allowed = "POST" if path in POSTS else "GET"
        message = f"{path} takes {allowed}, and the request is {request.method[:10]}"
        found = RequestError(405, message, code="wrong_method", headers={"allow": allowed})
    else:
        found = RequestError(
            404, f"there is nothing at {path!r}; expected {', '.join([*POSTS, *GETS])}", code="unknown_path"
        )
    service.monitor.rejected(found.code)
    return found.response()
