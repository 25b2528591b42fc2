"""litotes serve"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from litotes.cli.parameters import FILE, MODEL
from litotes.errors import require

AT_LEAST_1 = click.IntRange(min=1)


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="The port to listen on.")
@click.option(
    "--model",
    "models",
    multiple=True,
    type=MODEL,
    default=("litotes-mini",),
    show_default=True,
    help="An encoder, a reranker or a metric. Can be repeated; the first encoder is the default one.",
)
@click.option(
    "--backend",
    type=click.Choice(["onnx", "torch"]),
    help="What runs the encoders. The default is onnx if onnxruntime is installed and can run the encoder, unless "
    "torch sees a GPU.",
)
@click.option(
    "--api-key-file",
    type=FILE,
    help="A file with the key that requests must have. The default is the environment variable LITOTES_API_KEY.",
)
@click.option(
    "--max-batch-tokens", default=4096, show_default=True, type=AT_LEAST_1, help="Tokens that are computed together."
)
@click.option(
    "--max-queue", default=512, show_default=True, type=AT_LEAST_1, help="Requests that may wait for one model."
)
@click.option("--max-body", default=2_000_000, show_default=True, type=AT_LEAST_1, help="Bytes of a request.")
@click.option(
    "--max-inputs", default=2048, show_default=True, type=AT_LEAST_1, help="Texts, documents or pairs of a request."
)
@click.option("--timeout", default=60.0, show_default=True, help="Seconds that a request may take.")
@click.option("--cors", multiple=True, metavar="ORIGIN", help="Let web pages of this origin call. Can be repeated.")
@click.option("--preload", is_flag=True, help="Load all models at the start, and not at their first use.")
def serve(
    api_key_file: Path | None, models: tuple[str, ...], backend: str | None, cors: tuple[str, ...], **limits: Any
) -> None:
    """Serve embeddings, reranking, the guard and the metric over HTTP.

    The endpoints have the shapes that clients of OpenAI, Cohere, Jina and text-embeddings-inference speak. SIGTERM ends
    the server after all accepted requests are answered, with exit code 0.

    \b
    $ litotes serve --port 8000
    $ curl localhost:8000/v1/embeddings -d '{"model": "litotes-mini", "input": "The drug is not safe."}'
    """
    for library in ("starlette", "uvicorn", "prometheus_client", "orjson"):
        require(library, extra="serve", why="litotes serve")
    from litotes.serve import Settings, read_api_key, run

    run(Settings(models=models, backend=backend or "", api_key=read_api_key(api_key_file), cors=cors, **limits))
