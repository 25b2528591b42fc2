"""Generation by a language model: prompts, the shape of their answers, and what checks them before they are kept."""
