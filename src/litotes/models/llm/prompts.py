"""The prompts for language models."""

CHOICE = """\
Document 1: {first}
Document 2: {second}
Query: {query}

One of these two documents answers the query better than the other. Reply with its number only: 1 or 2.
Answer:"""
SIMILARITY = """\
How close in meaning are the sentences S1 and S2? Reply with one number between -1.0 (they say the opposite) and 1.0 \
(they say the same); decimals are welcome.
S1: {first}
S2: {second}
Score:"""
POINTWISE = """\
Passage: {document}
Query: {query}

Does this passage answer the query? Mind what the query denies or leaves out. Reply with one word: Yes or No.
Answer:"""
LISTWISE = """\
Query: {query}

{passages}

Put these {count} passages in order, the one that answers the query best first. Reply with all the numbers and nothing \
else, such as {example}. Mind what the query denies or leaves out.
Order:"""
OPPOSITES = """\
S1: {first}
S2: {second}

Can S1 and S2 not both be true, because one says the opposite of the other? Reply with one word: Yes or No.
Answer:"""
