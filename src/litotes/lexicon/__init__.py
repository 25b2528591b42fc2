"""What English words do to a claim: tables as data files, one loader, and inflection."""

from litotes.lexicon.cue_words import exceptor_words, negators
from litotes.lexicon.tables import Table, table, word_set
from litotes.lexicon.word_pairs import WordPair, affix_pairs, antonym_pairs, other_word

__all__ = [
    "Table",
    "WordPair",
    "affix_pairs",
    "antonym_pairs",
    "exceptor_words",
    "negators",
    "other_word",
    "table",
    "word_set",
]
