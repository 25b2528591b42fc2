"""What a query excludes, as filters of search engines: no document that contains an excluded term is returned.

Each engine has a method of `Filters`. The terms come from a user's query, so they are escaped, quoted or bound as
parameters. The names of fields, columns and tables are the developer's; they are checked and quoted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from litotes.errors import InputError
from litotes.lexicon.variants import clean, variants
from litotes.query.exclusion import exclude
from litotes.types import Exclusion

_SPECIAL = frozenset(r"\.+*?()|[]{}^$")
_LOOSE = {" ": r"\s+", "-": "[-‐‑–]", "'": "['’]", "’": "['’]"}
"""What stands for a sign in a pattern: words may be on two lines, and hyphens and apostrophes have several forms."""


@dataclass(frozen=True, slots=True)
class SqlCondition:
    """A condition for the WHERE of a SQL statement, and the parameters that are bound to its placeholders."""

    sql: str
    parameters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Filters:
    """The parts of a query, with one method per engine. If there are no terms, its filters let every document through.

    A document without the field is never removed.
    """

    kept: str
    """what the query asks for: the text to encode, or to search for"""
    excluded: tuple[str, ...] = ()
    """what it excludes, as it is written in the query"""
    terms: tuple[tuple[str, ...], ...] = ()
    """per excluded item, the ways in which documents may write it"""

    def __post_init__(self) -> None:
        for item in self.terms:
            if isinstance(item, str):
                raise InputError(f"terms has the text {item!r}; expected one tuple of texts per excluded item")
            for term in item:
                if not isinstance(term, str) or not term.strip():
                    raise InputError(f"a term is {term!r}; expected a text that is not empty")

    def __bool__(self) -> bool:
        return any(self.terms)

    def elasticsearch(self, field: str) -> dict[str, Any]:
        """Return a query of Elasticsearch and OpenSearch, for the `filter` of your own query."""
        _check_name("field", field)
        return {"bool": {"must_not": [{"match_phrase": {field: term}} for term in self._every()]}}

    def qdrant(self, field: str) -> dict[str, Any]:
        """Return a filter of Qdrant: JSON for its REST API, or the arguments of `models.Filter`.

        Qdrant compares words in lower case and ignores other signs, so fewer terms are needed. One word is looked for
        as text, several words as a phrase.
        """
        _check_name("field", field)
        phrases: list[list[str]] = []
        for words in sorted((_words(term) for term in self._every()), key=len):
            if words and not any(_contains(words, phrase) for phrase in phrases):
                phrases.append(words)
        matches = [{"phrase" if len(words) > 1 else "text": " ".join(words)} for words in phrases]
        return {"must_not": [{"key": field, "match": match} for match in matches]}

    def sqlite(self, table: str, column: str = "") -> SqlCondition:
        """Return a condition for a table of SQLite's FTS5, or for one that has the same rowids. Placeholders are `?`.

        The default column is all columns of the FTS5 table.
        """
        source = _quoted("table", table)
        searched = f"{source}.{_quoted('column', column)}" if column else source.rpartition(".")[2]
        if not self:
            return SqlCondition("TRUE")
        # A phrase in double quotes has no operators; FTS5 takes no NOT without something before it.
        phrases = " OR ".join('"' + term.replace('"', '""') + '"' for term in self._every())
        return SqlCondition(f"rowid NOT IN (SELECT rowid FROM {source} WHERE {searched} MATCH ?)", (phrases,))

    def postgres(self, column: str, *, config: str = "simple") -> SqlCondition:
        """Return a condition with the full-text search of PostgreSQL. Placeholders are `%s`, as in psycopg.

        `config` is the text search configuration. The default, "simple", compares whole words. "english" compares
        their stems and ignores words such as "the".
        """
        name = _quoted("column", column).replace("%", "%%")
        if not isinstance(config, str) or not re.fullmatch(r"[A-Za-z_][\w.]*", config):
            raise InputError(f"config is {config!r}; expected a text search configuration, such as 'english'")
        if not self:
            return SqlCondition("TRUE")
        terms = self._every()
        phrases = " || ".join([f"phraseto_tsquery('{config}', %s)"] * len(terms))
        return SqlCondition(f"(to_tsvector('{config}', {name}) @@ ({phrases})) IS NOT TRUE", terms)

    def lancedb(self, column: str) -> str:
        """Return a condition for LanceDB's `where`."""
        name = _quoted("column", column, quote="`")
        if not self:
            return "TRUE"
        pattern = self.pattern().replace("'", "''")
        return f"regexp_like({name}, '{pattern}') IS NOT TRUE"

    def chroma(self) -> dict[str, Any] | None:
        """Return Chroma's `where_document`, or None, which is Chroma's default, if there are no terms."""
        return {"$not_regex": self.pattern()} if self else None

    def pattern(self) -> str:
        """Return a regular expression that finds any of the terms as whole words in any letter case.

        It is valid in Rust, whose syntax LanceDB and Chroma use, and in Python. If there are no terms, it finds
        nothing.
        """
        patterns = dict.fromkeys(_term_pattern(term) for term in self._every())
        return f"(?i)(?:{'|'.join(patterns)})" if patterns else r"[^\s\S]"

    def _every(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(term for item in self.terms for term in item))


def filters(query: str | Exclusion) -> Filters:
    """Return the kept text of a query and filters for what it excludes.

    A query that is already split can be passed as an `Exclusion`. A single word that stands in nearly every document,
    such as "it", gets no terms, because filtering by it would remove nearly everything.
    """
    split = query if isinstance(query, Exclusion) else exclude(query)
    if isinstance(split.excluded, str):
        raise InputError(f"excluded is a single text ({split.excluded[:40]!r}); expected a tuple of texts")
    for number, item in enumerate(split.excluded, start=1):
        if not isinstance(item, str) or not clean(item):
            raise InputError(f"excluded part {number} is {item!r}; expected a text that is not empty")
    return Filters(split.kept, tuple(split.excluded), tuple(variants(item) for item in split.excluded))


def _words(term: str) -> list[str]:
    """Return the words of a term as Qdrant's word tokenizer does: “T-shirt’s” → t, shirt, s."""
    return [word.lower() for word in re.findall(r"[^\W_]+", term)]


def _contains(words: list[str], phrase: list[str]) -> bool:
    return any(words[at : at + len(phrase)] == phrase for at in range(len(words) - len(phrase) + 1))


def _term_pattern(term: str) -> str:
    r"""Return the pattern of one term: “t-shirt” → \bt[-‐‑–]shirt\b."""
    signs = "".join(_LOOSE.get(sign, f"\\{sign}" if sign in _SPECIAL else sign) for sign in term)
    # There is no word boundary beside a sign such as “+”. LanceDB would turn a pattern of mere signs into a LIKE, and
    # read “\” and “%” in it as wildcards; \s* prevents that.
    before = r"\b" if re.match(r"\w", term) else r"\s*"
    after = r"\b" if re.search(r"\w\Z", term) else ""
    return before + signs + after


def _check_name(what: str, name: str) -> None:
    if not isinstance(name, str) or not name.strip() or "\0" in name:
        raise InputError(f"the {what} is {name!r}; expected its name")


def _quoted(what: str, name: str, quote: str = '"') -> str:
    """Return a name in quotes, with a dot between the parts of a qualified name."""
    _check_name(what, name)
    parts = name.split(".")
    if not all(parts):
        raise InputError(f"the {what} is {name!r}; expected a name, or names with a dot between them")
    if quote == "`" and quote in name:
        raise InputError(f"the {what} is {name!r}; LanceDB has no names with a backtick")
    return ".".join(quote + part.replace(quote, quote * 2) + quote for part in parts)
