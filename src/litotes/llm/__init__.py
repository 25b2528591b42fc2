"""Language models: what completes a prompt; recordings of it."""

from litotes.llm.replay import Recorder, Replay

__all__ = ["Recorder", "Replay"]
