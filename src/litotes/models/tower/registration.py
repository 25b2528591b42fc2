"""Register our models with transformers, so that plain `SentenceTransformer(path)` and `CrossEncoder(path)` load them.

Registering needs torch and transformers, which `import litotes.models` must not load. So they are registered when
sentence_transformers is imported, or at once if it is already imported.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType

LIBRARY = "sentence_transformers"


def register() -> None:
    """Register the tower and the pair classifier. A second call has no effect."""
    from transformers import AutoConfig, AutoModel, AutoModelForSequenceClassification

    from litotes.models.pair.classifier import PairClassifierConfig, PairForSequenceClassification
    from litotes.models.tower.config import TowerConfig
    from litotes.models.tower.model import TowerModel

    AutoConfig.register(TowerConfig.model_type, TowerConfig, exist_ok=True)
    AutoModel.register(TowerConfig, TowerModel, exist_ok=True)
    AutoConfig.register(PairClassifierConfig.model_type, PairClassifierConfig, exist_ok=True)
    AutoModelForSequenceClassification.register(PairClassifierConfig, PairForSequenceClassification, exist_ok=True)


def register_with_the_library() -> None:
    """Register the tower as soon as sentence_transformers is imported, without importing it."""
    if LIBRARY in sys.modules:
        register()
    elif not any(isinstance(finder, _ImportHook) for finder in sys.meta_path):
        sys.meta_path.insert(0, _ImportHook())


class _ImportHook(MetaPathFinder):
    """A finder that finds no module itself: it waits for the library's import, and registers the tower after it."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != LIBRARY:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(fullname)
        if spec is None or spec.loader is None:
            return spec
        run = spec.loader.exec_module

        def run_and_register(module: ModuleType) -> None:
            run(module)
            register()

        spec.loader.exec_module = run_and_register  # type: ignore[method-assign]
        return spec
