"""How a language model is asked, in training, whether two sentences are opposites; and which pairs are asked about."""

from __future__ import annotations

HEDGES = frozenset({"word", "phrase"})
ONLY = ("", "negation", "hedging")
# "All but one voted" contradicts "All voted", but nobody would call it the opposite
NOT_OPPOSITE = frozenset({"exceptor"})
# what a data set without our kinds of negation has: the verb denied, or a denied verb affirmed
PLAIN = frozenset({"verbal", "affirm"})
SYSTEMS = (
    "You compare the meaning of sentences. Reply with one word.",
    "You are a careful reader. Decide on the meaning alone, and answer Yes or No.",
    "Judge whether statements deny one another. Your whole reply is Yes or No.",
)
QUESTIONS = (
    "Do these two sentences have opposite meanings? Answer Yes or No.",
    "Is what one sentence says denied by the other? Answer Yes or No.",
    "Does the second sentence mean the opposite of the first? Answer Yes or No.",
    "Do the sentences contradict each other? Answer Yes or No.",
    "Would the one sentence have to be false if the other is true? Answer Yes or No.",
)
LAYOUTS = (
    "Sentence A: {first}\nSentence B: {second}\n{question}",
    "{question}\nA: {first}\nB: {second}",
    "First sentence: “{first}”\nSecond sentence: “{second}”\n\n{question}",
)
