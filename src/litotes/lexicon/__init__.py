"""What English words do to a claim: tables as data, one loader, one morphology."""

from litotes.lexicon.tables import Table, table, word_set
from litotes.lexicon.words import WordPair, affix_pairs, antonym_pairs, other_word

__all__ = ["Table", "WordPair", "affix_pairs", "antonym_pairs", "other_word", "table", "word_set"]
