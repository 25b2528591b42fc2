"""A reranker for LlamaIndex, which accepts only subclasses of its own class.

Importing this module needs llama-index-core; the rest of litotes does not.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field, PrivateAttr

from litotes.errors import InputError, require
from litotes.query.adapters.ranking import check_top, reranker_of, retrieval_scores
from litotes.query.reranker import Reranker

_library: Any = require("llama_index.core", extra="frameworks", why="LlamaIndex's reranker")
_events: Any = require("llama_index.core.callbacks", extra="frameworks", why="LlamaIndex's reranker")
_base: Any = require(
    "llama_index.core.postprocessor.types", extra="frameworks", why="LlamaIndex's reranker"
).BaseNodePostprocessor


class LlamaIndexReranker(_base):  # type: ignore[misc]
    """LlamaIndex's `BaseNodePostprocessor`, for the `node_postprocessors` of a query engine.

    `model` is a name, a folder or a `Reranker`; the default is that of `Reranker`. `top_n` is how many nodes are kept;
    the default is all. With `use_scores`, a pair model uses the retriever's scores as its first stage if every node has
    one. An encoder has no first stage.
    """

    model: str | Reranker | None = Field(default=None, frozen=True)
    top_n: int | None = None
    use_scores: bool = True
    _reranker: Reranker = PrivateAttr()

    def __init__(
        self,
        model: str | Reranker | None = None,
        *,
        top_n: int | None = None,
        use_scores: bool = True,
        callback_manager: Any = None,
    ) -> None:
        check_top("top_n", top_n)
        reranker = reranker_of(model)
        given = {} if callback_manager is None else {"callback_manager": callback_manager}
        super().__init__(model=model, top_n=top_n, use_scores=use_scores, **given)
        self._reranker = reranker

    @classmethod
    def class_name(cls) -> str:
        """Return the class name that LlamaIndex writes into its files."""
        return "LlamaIndexReranker"

    def _postprocess_nodes(self, nodes: list[Any], query_bundle: Any = None) -> list[Any]:
        """Return the nodes, best first, with their new scores. The given nodes keep theirs."""
        if query_bundle is None:
            raise InputError("there is no query; expected query_bundle or query_str, which the nodes are compared with")
        if not nodes:
            return []
        query = query_bundle.query_str
        with self.callback_manager.event(_events.CBEventType.RERANKING, payload=self._payload(nodes, query)) as event:
            chosen = self._ranked(nodes, query)
            event.on_end(payload={_events.EventPayload.NODES: chosen})
        return chosen

    def _ranked(self, nodes: list[Any], query: str) -> list[Any]:
        # LlamaIndex's own rerankers read this text too: the content with the metadata that is meant for embedding.
        texts = [node.node.get_content(metadata_mode=_library.schema.MetadataMode.EMBED) for node in nodes]
        scores = retrieval_scores(self._reranker, [node.score for node in nodes]) if self.use_scores else None
        rows = self._reranker.rerank(query, texts, self.top_n, scores=scores)
        return [_library.schema.NodeWithScore(node=nodes[row.place].node, score=row.score) for row in rows]

    def _payload(self, nodes: list[Any], query: str) -> dict[Any, Any]:
        """Return what LlamaIndex tells the handlers of a reranking event."""
        keys = _events.EventPayload
        return {
            keys.NODES: nodes,
            keys.MODEL_NAME: self.model if isinstance(self.model, str) else "litotes",
            keys.QUERY_STR: query,
            keys.TOP_K: self.top_n,
        }
