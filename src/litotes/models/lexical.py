"""Bags of words: TF-IDF and BM25. The collection, from which a word's weight comes, is the documents of the call."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from litotes.errors import require
from litotes.models.adapter import Adapter, distinct, pairs_of, texts_of
from litotes.models.loading import Settings, fingerprint

if TYPE_CHECKING:
    import numpy as np

# "doesn't" is one word: cut at the apostrophe, as the libraries cut it, it would no longer deny.
_WORD = re.compile(r"\w+(?:'\w+)*")
# What a list of stop words must never take away, whoever wrote it.
KEPT = frozenset(_WORD.findall("but cannot except neither never no nobody none nor not nothing nowhere without"))


def words(text: str) -> list[str]:
    """The words of a text as BM25 counts them: lower case, contractions whole."""
    return _WORD.findall(text.lower().replace("’", "'"))


class Weights(Protocol):
    """How words weigh: a table of queries by words and one of documents by words, whose dot products are the scores."""

    def rows(self, queries: list[str], documents: list[str]) -> tuple[Any, Any]: ...

    def facts(self) -> dict[str, Any]: ...


class Lexical(Adapter):
    """TF-IDF or BM25, as its weights say."""

    def __init__(self, name: str, weights: Weights, *, libraries: tuple[str, ...]) -> None:
        super().__init__(name)
        self.family, self.libraries = name, libraries
        self._weights = weights

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """The score of each query with the document beside it."""
        import numpy as np

        left, right = pairs_of(queries, documents)
        if not left:
            return np.zeros(0)
        (asked, query_at), (collection, document_at) = distinct(left), distinct(right)
        query_rows, document_rows = self._weights.rows(asked, collection)
        found = query_rows[query_at].multiply(document_rows[document_at]).sum(axis=1)
        return np.asarray(found, dtype=np.float64).reshape(-1)

    def matrix(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """The score of every query with every document; a document given twice counts once in the collection."""
        import numpy as np

        left, right = texts_of(queries, "queries"), texts_of(documents, "documents")
        if not left or not right:
            return np.zeros((len(left), len(right)))
        collection, document_at = distinct(right)
        query_rows, document_rows = self._weights.rows(left, collection)
        return np.asarray((query_rows @ document_rows.T).toarray(), dtype=np.float64)[:, document_at]

    def details(self) -> dict[str, Any]:
        return {**self._weights.facts(), "collection": "the documents of the call"}


class Tfidf:
    """Cosine of TF-IDF vectors, by scikit-learn with its words and its English stop words, “not” among them.

    The NevIR paper names scikit-learn but no settings; of those tried on part of its test set these came nearest its
    figure, so they were chosen with that set in view. `stop_words=()` lets every word count.
    """

    def __init__(self, *, stop_words: Sequence[str] | None = None) -> None:
        self._text = require("sklearn.feature_extraction.text", extra="models", why="tfidf")
        given = self._text.ENGLISH_STOP_WORDS if stop_words is None else texts_of(stop_words, "stop words")
        self._stop_words = sorted(given)

    def rows(self, queries: list[str], documents: list[str]) -> tuple[Any, Any]:
        table = self._text.TfidfVectorizer(stop_words=self._stop_words or None)
        if not any(map(table.build_analyzer(), documents)):
            return _wordless(len(queries)), _wordless(len(documents))
        document_rows = table.fit_transform(documents)
        return table.transform(queries), document_rows

    def facts(self) -> dict[str, Any]:
        return {"words": self._text.TfidfVectorizer().token_pattern, "stop_words": _named(self._stop_words)}


class Bm25:
    """BM25 as Lucene computes it, by bm25s. Its stop words, or those given, are left out, but never one that denies."""

    def __init__(self, *, k1: float = 1.5, b: float = 0.75, stop_words: Sequence[str] | None = None) -> None:
        self._library = require("bm25s", extra="models", why="bm25")
        self._k1, self._b = k1, b
        given = self._library.stopwords.STOPWORDS_EN if stop_words is None else texts_of(stop_words, "stop words")
        self._stop_words = frozenset(word for word in given if not _denies(word))

    def rows(self, queries: list[str], documents: list[str]) -> tuple[Any, Any]:
        counted = [self._words(document) for document in documents]
        vocabulary = {word: at for at, word in enumerate(sorted(set().union(*counted)))}
        if not vocabulary:
            return _wordless(len(queries)), _wordless(len(documents))
        index = self._library.BM25(method="lucene", k1=self._k1, b=self._b, dtype="float64")
        ids = self._library.tokenization.Tokenized(
            [[vocabulary[word] for word in found] for found in counted], vocabulary
        )
        index.index(ids, create_empty_token=False, show_progress=False)
        # bm25s keeps each word's finished score in each document, as compressed columns
        kept = index.scores
        shape = (len(documents), len(vocabulary))
        columns = _sparse().csc_array((kept["data"], kept["indices"], kept["indptr"]), shape=shape)
        return self._counts(queries, vocabulary), columns.tocsr()

    def _counts(self, queries: list[str], vocabulary: dict[str, int]) -> Any:
        """How often each query asks for each word of the collection."""
        cells = [
            (count, row, vocabulary[word])
            for row, query in enumerate(queries)
            for word, count in Counter(self._words(query)).items()
            if word in vocabulary
        ]
        counts, rows, columns = zip(*cells, strict=True) if cells else ((), (), ())
        shape = (len(queries), len(vocabulary))
        return _sparse().csr_array((counts, (rows, columns)), shape=shape, dtype="float64")

    def _words(self, text: str) -> list[str]:
        return [word for word in words(text) if word not in self._stop_words]

    def facts(self) -> dict[str, Any]:
        return {
            "method": "lucene",
            "k1": self._k1,
            "b": self._b,
            "words": _WORD.pattern,
            "stop_words": _named(sorted(self._stop_words)),
        }


def _denies(word: str) -> bool:
    return word in KEPT or word.endswith("n't")


def _named(stop_words: list[str]) -> str:
    """A list of stop words in a signature: how many, and which by their hash."""
    return f"{len(stop_words)} ({fingerprint({'words': stop_words})[:12]})"


def _wordless(rows: int) -> Any:
    """A table without a word in it."""
    return _sparse().csr_array((rows, 1), dtype="float64")


def _sparse() -> Any:
    return require("scipy.sparse", extra="models", why="lexical models")


def tfidf(name: str, settings: Settings, *, stop_words: Sequence[str] | None = None) -> Lexical:
    """`tfidf`."""
    return Lexical(name, Tfidf(stop_words=stop_words), libraries=("scikit-learn",))


def bm25(
    name: str, settings: Settings, *, k1: float = 1.5, b: float = 0.75, stop_words: Sequence[str] | None = None
) -> Lexical:
    """`bm25`."""
    return Lexical(name, Bm25(k1=k1, b=b, stop_words=stop_words), libraries=("bm25s",))
