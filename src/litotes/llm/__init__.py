"""Language models: a client for OpenAI-compatible endpoints, a local server, cost estimates, a cache and recordings."""

from litotes.errors import BudgetError, EndpointError, NoLogProbabilitiesError, UnansweredError
from litotes.llm.answers import Answer, Request, ask
from litotes.llm.budget import Budget
from litotes.llm.cache import CachedGenerator
from litotes.llm.client import Client
from litotes.llm.estimates import Estimate, estimate
from litotes.llm.local import LocalServer, local_server
from litotes.llm.log_probabilities import SupportsLogProbabilities
from litotes.llm.replay import Recorder, Replay
from litotes.llm.usage import Usage

__all__ = [
    "Answer",
    "Budget",
    "BudgetError",
    "CachedGenerator",
    "Client",
    "EndpointError",
    "Estimate",
    "LocalServer",
    "NoLogProbabilitiesError",
    "Recorder",
    "Replay",
    "Request",
    "SupportsLogProbabilities",
    "UnansweredError",
    "Usage",
    "ask",
    "estimate",
    "local_server",
]
