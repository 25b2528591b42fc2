"""Makes transformers know the tower, so that plain `SentenceTransformer(path)` loads a saved one.

`import litotes.models` must stay light, and registering needs torch and transformers. So the tower is registered right
after sentence_transformers is imported, or at once where it already was.
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
    """The tower's configuration and model, by its model type; a second call changes nothing."""
    from transformers import AutoConfig, AutoModel

    from litotes.models.tower.config import TowerConfig
    from litotes.models.tower.model import TowerModel

    AutoConfig.register(TowerConfig.model_type, TowerConfig, exist_ok=True)
    AutoModel.register(TowerConfig, TowerModel, exist_ok=True)


def register_with_the_library() -> None:
    """Registers as soon as sentence_transformers is there, and never imports it."""
    if LIBRARY in sys.modules:
        register()
    elif not any(isinstance(finder, _Listener) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Listener())


class _Listener(MetaPathFinder):
    """Finds no module of its own: waits for the library's import, steps aside, and registers once it has run."""

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
