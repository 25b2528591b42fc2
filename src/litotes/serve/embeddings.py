"""POST /v1/embeddings, in the shape of OpenAI's."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
from starlette.responses import Response

from litotes.serve.endpoint import Service
from litotes.serve.errors import bad_request, json_response
from litotes.serve.fields import Fields
from litotes.serve.model_names import QUERY, Encoding, ModelName, read_encoding
from litotes.serve.models import Models

FLOAT, BASE64 = FORMATS = ("float", "base64")


async def embeddings(service: Service, fields: Fields) -> Response:
    """Answer with one vector per text."""
    models = service.models
    model = models.encoder_name(fields.text("model", ""))
    texts = fields.texts("input", single=True)
    encoding_format = fields.choice("encoding_format", FORMATS, FLOAT)
    base_alone = reads_base_alone(models, model, fields.count("dimensions"))
    encoding = read_encoding(fields, model)
    fields.finish(ignored=("user",))
    if base_alone:
        encoding = at_dial_0(encoding)
    answer = await models.encode(model.name, encoding, texts)
    vectors = np.asarray(answer.results, dtype=np.float32)
    if base_alone:
        vectors = base_vectors(vectors, models.encoder(model.name).base_width)
    rows = [
        {"object": "embedding", "index": number, "embedding": encoded}
        for number, encoded in enumerate(map(_base64, vectors) if encoding_format == BASE64 else vectors)
    ]
    usage = {"prompt_tokens": answer.tokens, "total_tokens": answer.tokens}
    return json_response({"object": "list", "data": rows, "model": model.name, "usage": usage})


def reads_base_alone(models: Models, model: ModelName, dimensions: int | None) -> bool:
    """Return whether `dimensions` asks for the base's vector, without the tower."""
    encoder = models.encoder(model.name)
    if dimensions is None or dimensions == encoder.width:
        return False
    if dimensions == encoder.base_width:
        return True
    options = f"{encoder.base_width} (the base alone) or {encoder.width}" if encoder.base_width else str(encoder.width)
    raise bad_request(f"dimensions is {dimensions}; {model.name} has {options}", "dimensions")


def at_dial_0(encoding: Encoding) -> Encoding:
    """Return the encoding of a base's vector: for a query, at dial 0, since the tower is left out."""
    if encoding.role != QUERY:
        return encoding
    if encoding.dial:
        raise bad_request(
            f"dial is {encoding.dial}, and the base's vector has no dial; leave dial or dimensions out", "dimensions"
        )
    return Encoding(encoding.role, 0.0, encoding.exclude)


def base_vectors(vectors: np.ndarray, width: int | None) -> np.ndarray:
    """Return the base's unit vectors, with which the vectors of a tower begin."""
    base = vectors[:, :width]
    unit: np.ndarray = base / np.maximum(np.linalg.norm(base, axis=1, keepdims=True), 1e-12)
    return np.ascontiguousarray(unit, dtype=np.float32)


def _base64(vector: Any) -> str:
    return base64.b64encode(np.asarray(vector, dtype="<f4").tobytes()).decode("ascii")
