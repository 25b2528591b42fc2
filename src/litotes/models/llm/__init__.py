"""Language models as rankers: they choose, name a similarity, say yes or no, or put a list in order."""

from litotes.llm import Weighing
from litotes.models.llm.adapters import ChoiceLlm, PointwiseLlm, SimilarityLlm, similarities
from litotes.models.llm.asking import LABELS, Pick, Questions
from litotes.models.llm.building import LOCAL, PROMPTS, build, completing
from litotes.models.llm.listwise import ListwiseLlm, read_order, windows
from litotes.models.llm.prompts import CHOICE, LISTWISE, POINTWISE, SIMILARITY
from litotes.models.llm.reading import read_choice, read_similarity, read_verdict

__all__ = [
    "CHOICE",
    "LABELS",
    "LISTWISE",
    "LOCAL",
    "POINTWISE",
    "PROMPTS",
    "SIMILARITY",
    "ChoiceLlm",
    "ListwiseLlm",
    "Pick",
    "PointwiseLlm",
    "Questions",
    "SimilarityLlm",
    "Weighing",
    "build",
    "completing",
    "read_choice",
    "read_order",
    "read_similarity",
    "read_verdict",
    "similarities",
    "windows",
]
