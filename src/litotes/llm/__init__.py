"""Language models: what completes a prompt. For now, recordings."""

from litotes.llm.replay import Recorder, Replay

__all__ = ["Recorder", "Replay"]
