"""Bag-of-words models: TF-IDF and BM25. Document frequencies are counted over the documents of each call."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from litotes.errors import require
from litotes.lexicon import exceptor_words, negators
from litotes.models.adapter import Adapter, check_pairs, check_texts, distinct
from litotes.models.loading import Settings, fingerprint

if TYPE_CHECKING:
    import numpy as np

# "doesn't" is one word: split at the apostrophe, as the libraries do, it would no longer be a negation.
_WORD = re.compile(r"\w+(?:'\w+)*")


def words(text: str) -> list[str]:
    """Return the words of a text as BM25 counts them: in lower case, with contractions as one word."""
    return _WORD.findall(text.lower().replace("’", "'"))


class WordWeights(Protocol):
    """Word weights: one matrix of queries by words and one of documents by words. Their dot products are the scores."""

    def rows(self, queries: list[str], documents: list[str]) -> tuple[Any, Any]: ...

    def facts(self) -> dict[str, Any]: ...


class Lexical(Adapter):
    """A model with the word weights of TF-IDF or BM25."""

    def __init__(self, name: str, weights: WordWeights, *, libraries: tuple[str, ...]) -> None:
        super().__init__(name)
        self.family, self.libraries = name, libraries
        self._weights = weights

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """Return the score of each query with the document at the same position."""
        import numpy as np

        left, right = check_pairs(queries, documents)
        if not left:
            return np.zeros(0)
        (unique_queries, query_at), (collection, document_at) = distinct(left), distinct(right)
        query_rows, document_rows = self._weights.rows(unique_queries, collection)
        scores = query_rows[query_at].multiply(document_rows[document_at]).sum(axis=1)
        return np.asarray(scores, dtype=np.float64).reshape(-1)

    def matrix(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """Return the score of every query with every document. Repeated documents count once in the collection."""
        import numpy as np

        left, right = check_texts(queries, "queries"), check_texts(documents, "documents")
        if not left or not right:
            return np.zeros((len(left), len(right)))
        collection, document_at = distinct(right)
        query_rows, document_rows = self._weights.rows(left, collection)
        return np.asarray((query_rows @ document_rows.T).toarray(), dtype=np.float64)[:, document_at]

    def details(self) -> dict[str, Any]:
        return {**self._weights.facts(), "collection": "the documents of the call"}


class Tfidf:
    """The cosine of TF-IDF vectors by scikit-learn, with its tokens and its English stop words, which include “not”.

    The NevIR paper names scikit-learn but no settings. Of the settings tried on part of its test set, these came
    closest to its figure. `stop_words=()` counts every word.
    """

    def __init__(self, *, stop_words: Sequence[str] | None = None) -> None:
        self._text = require("sklearn.feature_extraction.text", extra="models", why="tfidf")
        listed = self._text.ENGLISH_STOP_WORDS if stop_words is None else check_texts(stop_words, "stop words")
        self._stop_words = sorted(listed)

    def rows(self, queries: list[str], documents: list[str]) -> tuple[Any, Any]:
        vectorizer = self._text.TfidfVectorizer(stop_words=self._stop_words or None)
        if not any(map(vectorizer.build_analyzer(), documents)):
            return _zeros(len(queries)), _zeros(len(documents))
        document_rows = vectorizer.fit_transform(documents)
        return vectorizer.transform(queries), document_rows

    def facts(self) -> dict[str, Any]:
        return {"words": self._text.TfidfVectorizer().token_pattern, "stop_words": _digest(self._stop_words)}


class Bm25:
    """BM25 as Lucene computes it, by bm25s. Its stop words, or the given ones, are removed, except for negations."""

    def __init__(self, *, k1: float = 1.5, b: float = 0.75, stop_words: Sequence[str] | None = None) -> None:
        self._library = require("bm25s", extra="models", why="bm25")
        self._k1, self._b = k1, b
        listed = self._library.stopwords.STOPWORDS_EN if stop_words is None else check_texts(stop_words, "stop words")
        self._stop_words = frozenset(word for word in listed if not _is_negation(word))

    def rows(self, queries: list[str], documents: list[str]) -> tuple[Any, Any]:
        tokens = [self._words(document) for document in documents]
        vocabulary = {word: at for at, word in enumerate(sorted(set().union(*tokens)))}
        if not vocabulary:
            return _zeros(len(queries)), _zeros(len(documents))
        index = self._library.BM25(method="lucene", k1=self._k1, b=self._b, dtype="float64")
        ids = self._library.tokenization.Tokenized(
            [[vocabulary[word] for word in document] for document in tokens], vocabulary
        )
        index.index(ids, create_empty_token=False, show_progress=False)
        # bm25s stores the score of each word in each document as a matrix of compressed columns.
        scores = index.scores
        shape = (len(documents), len(vocabulary))
        columns = _sparse().csc_array((scores["data"], scores["indices"], scores["indptr"]), shape=shape)
        return self._counts(queries, vocabulary), columns.tocsr()

    def _counts(self, queries: list[str], vocabulary: dict[str, int]) -> Any:
        """Return how often each query contains each word of the collection."""
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
            "stop_words": _digest(sorted(self._stop_words)),
        }


def _is_negation(word: str) -> bool:
    """Return whether a word negates or excludes, so that no list of stop words may remove it."""
    return word in negators() or word in exceptor_words() or word == "cannot" or word.endswith("n't")


def _digest(stop_words: list[str]) -> str:
    """Return the number and the hash of the stop words, for a signature."""
    return f"{len(stop_words)} ({fingerprint({'words': stop_words})[:12]})"


def _zeros(rows: int) -> Any:
    """Return a matrix for texts without any word."""
    return _sparse().csr_array((rows, 1), dtype="float64")


def _sparse() -> Any:
    return require("scipy.sparse", extra="models", why="lexical models")


def tfidf(name: str, settings: Settings, *, stop_words: Sequence[str] | None = None) -> Lexical:
    """Build `tfidf`."""
    return Lexical(name, Tfidf(stop_words=stop_words), libraries=("scikit-learn",))


def bm25(
    name: str, settings: Settings, *, k1: float = 1.5, b: float = 0.75, stop_words: Sequence[str] | None = None
) -> Lexical:
    """Build `bm25`."""
    return Lexical(name, Bm25(k1=k1, b=b, stop_words=stop_words), libraries=("bm25s",))
