"""Training questions for language models: are two sentences opposites? And which pairs are asked about."""

from __future__ import annotations

HEDGE_KINDS = frozenset({"word", "phrase"})
"""The kinds of positives that hedge the anchor."""
ONLY_VALUES = ("", "negation", "hedging")
"""The values of the option `only`, which limits the questions to one phenomenon; "" means no limit."""
NARROWING_KINDS = frozenset({"exceptor"})
"""The kinds of negatives that are not opposites: "All but one voted" contradicts "All voted", but only narrows it."""
PLAIN_KINDS = frozenset({"verbal", "affirm"})
"""The kinds of negatives in data sets without our taxonomy: a negated verb, or a negated verb made affirmative."""
SYSTEM_PROMPTS = (
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
