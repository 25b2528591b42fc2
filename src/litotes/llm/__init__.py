"""Language models: any OpenAI-compatible endpoint, a local one, what they cost, and recordings of them."""

from litotes.errors import BudgetError, EndpointError, UnansweredError
from litotes.llm.answers import Answer, Request, ask
from litotes.llm.budget import Budget, Estimate, Usage, estimate
from litotes.llm.cache import Cached
from litotes.llm.client import Client
from litotes.llm.local import LocalServer, local_server
from litotes.llm.replay import Recorder, Replay

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
    "Usage",
    "ask",
    "estimate",
    "local_server",
]
