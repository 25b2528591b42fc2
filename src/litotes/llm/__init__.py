"""Language models: any OpenAI-compatible endpoint, a local one, what they cost, and recordings of them."""

from litotes.errors import BudgetError, EndpointError, UnansweredError, UnweighedError
from litotes.llm.answers import Answer, Request, ask
from litotes.llm.budget import Budget, Estimate, Usage, estimate
from litotes.llm.cache import Cached
from litotes.llm.client import Client
from litotes.llm.local import LocalServer, local_server
from litotes.llm.replay import Recorder, Replay
from litotes.llm.weights import Weighing

__all__ = [
    "Answer",
    "Budget",
    "BudgetError",
    "Cached",
    "Client",
    "EndpointError",
    "Estimate",
    "LocalServer",
    "Recorder",
    "Replay",
    "Request",
    "UnansweredError",
    "UnweighedError",
    "Usage",
    "Weighing",
    "ask",
    "estimate",
    "local_server",
]
