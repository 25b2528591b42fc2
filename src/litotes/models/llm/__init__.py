"""Language models as rankers: by choosing, by naming a similarity, by yes or no, or by sorting a list."""

from litotes.llm import SupportsLogProbabilities
from litotes.models.llm.answers import read_choice, read_similarity, read_verdict
from litotes.models.llm.builder import LOCAL, PROMPTS, build, completion_client
from litotes.models.llm.listwise import ListwiseLlm, read_order, windows
from litotes.models.llm.prompts import CHOICE, LISTWISE, POINTWISE, SIMILARITY
from litotes.models.llm.questions import LABELS, BinaryQuestion, PromptRunner
from litotes.models.llm.rankers import ChoiceLlm, PointwiseLlm, SimilarityLlm, similarities

__all__ = [
    "CHOICE",
    "LABELS",
    "LISTWISE",
    "LOCAL",
    "POINTWISE",
    "PROMPTS",
    "SIMILARITY",
    "BinaryQuestion",
    "ChoiceLlm",
    "ListwiseLlm",
    "PointwiseLlm",
    "PromptRunner",
    "SimilarityLlm",
    "SupportsLogProbabilities",
    "build",
    "completion_client",
    "read_choice",
    "read_order",
    "read_similarity",
    "read_verdict",
    "similarities",
    "windows",
]
