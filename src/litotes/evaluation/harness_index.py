"""Find a task of lm-evaluation-harness by its name, from its settings alone: no data is fetched, no code is run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from heapq import nlargest
from pathlib import Path
from typing import Any

from rapidfuzz.fuzz import ratio

from litotes.errors import InputError, require

Config = dict[str, Any]
SUFFIXES = (".yaml", ".yml")
WHY = "a task of lm-eval"
SHOTS = "num_fewshot"
_OF_THE_GROUP = ("group", "group_alias", "task", "tag", "aggregate_metric_list", "metadata")
"""Settings that describe a group itself; its other settings are passed to its members."""
_SUGGESTIONS = 3


@dataclass(frozen=True, slots=True)
class IndexedTask:
    """A task, or a group of tasks, in the harness's index."""

    name: str
    """The harness's own name."""
    manager: Any
    """The `TaskManager` that loads it."""
    members: tuple[Config, ...]
    """The settings of the tasks that are measured: one, or those of a group."""
    digest: str = ""
    """A digest of the settings and the data of a user's own task."""


def library(module: str = "lm_eval") -> Any:
    """Import a module of the harness, or raise MissingError with the command that installs it."""
    require("lm_eval", extra="harness", why=WHY)
    return require(module, extra="harness", why=WHY)


def find(name: str) -> IndexedTask:
    """Return the task with this name, or the one in a YAML file; raise InputError if it must not be run."""
    indexed = _in_file(Path(name)) if name.endswith(SUFFIXES) else _by_name(name)
    for config in indexed.members:
        _refuse_foreign_code(name, config)
    return indexed


def _by_name(name: str) -> IndexedTask:
    manager = _shipped_tasks()
    if name not in manager.task_index:
        close = nlargest(_SUGGESTIONS, manager.all_tasks, key=lambda known: ratio(name.lower(), known.lower()))
        raise InputError(
            f"the harness has no task {name!r}; close names: {', '.join(close)}. For your own task, give its file: "
            "lm-eval:FOLDER/TASK.yaml. To list all names: lm-eval ls tasks"
        )
    return IndexedTask(name, manager, _members(manager.task_index, name))


@cache
def _shipped_tasks() -> Any:
    """Return the harness's own tasks. Reading their fourteen thousand files takes ten seconds, so it is done once."""
    return library("lm_eval.tasks").TaskManager()


def _in_file(path: Path) -> IndexedTask:
    """Return the user's own task in a file, with the files that it names."""
    if not path.is_file():
        raise InputError(f"there is no file {str(path)!r}; expected a task of lm-eval as YAML")
    manager = library("lm_eval.tasks").TaskManager(include_path=str(path.parent), include_defaults=False)
    config = _plain_settings(path)
    name = str(config.get("group") or config.get("task") or "")
    index = manager.task_index
    if name not in index:
        raise InputError(f"{path} names no task; expected task: NAME or group: NAME in it")
    digest = sha256()
    reached = {entry.name: entry for entry, _ in _below(index, name) if entry is not None and entry.yaml_path}
    for entry in reached.values():
        _plain_settings(entry.yaml_path)
        digest.update(json.dumps(entry.cfg, sort_keys=True, default=str).encode())
        entry.cfg = _with_absolute_paths(entry.cfg, entry.yaml_path.parent, digest)
        # otherwise the harness reads the file again, and imports what it names
        entry.yaml_path = None
    return IndexedTask(name, manager, _members(index, name), digest.hexdigest()[:12])


def _plain_settings(path: Path) -> Config:
    """Return the settings of a file and of the files it includes; raise InputError if they contain more than that."""
    yaml = require("yaml", extra="harness", why=WHY)
    settings: Config = {}
    waiting, seen = [path], set()
    while waiting:
        file = waiting.pop()
        if file in seen:
            continue
        seen.add(file)
        try:
            config = yaml.safe_load(file.read_text(encoding="utf-8"))
        except yaml.constructor.ConstructorError as error:
            raise InputError(
                f"{file} calls Python ({error.problem}); expected only settings and templates: "
                "litotes does not run code from a task's folder"
            ) from error
        except (OSError, ValueError, yaml.YAMLError) as error:
            raise InputError(f"{file} cannot be read ({error}); expected a task of lm-eval as YAML") from error
        if not isinstance(config, dict):
            raise InputError(f"{file} contains a {type(config).__name__}; expected a task of lm-eval as YAML")
        settings = config | settings
        included = config.get("include", [])
        waiting += [file.parent / str(name) for name in (included if isinstance(included, list) else [included])]
    return settings


def _with_absolute_paths(config: Config, folder: Path, digest: Any) -> Config:
    """Return the settings with absolute paths of the data files in the task's folder; add each file to the digest."""

    def absolute(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: absolute(item) for key, item in value.items()}
        if isinstance(value, list):
            return [absolute(item) for item in value]
        file = folder / str(value)
        if not file.is_file():
            return value
        digest.update(file.read_bytes())
        return str(file.resolve())

    options = config.get("dataset_kwargs") or {}
    if "data_files" not in options:
        return config
    return {**config, "dataset_kwargs": {**options, "data_files": absolute(options["data_files"])}}


def _members(index: Mapping[str, Any], name: str) -> tuple[Config, ...]:
    return tuple(config for _, config in _below(index, name) if config is not None)


def _below(
    index: Mapping[str, Any], item: str | Config, inherited: Config | None = None, above: tuple[str, ...] = ()
) -> Iterator[tuple[Any, Config | None]]:
    """Yield the entries of the index that a name or a member of a group leads to, and the settings of each task.

    The settings of the groups above a task override the task's own.
    """
    own = item if isinstance(item, dict) else {}
    name = str(own.get("group") or own.get("task") if own else item)
    if name in above:
        raise InputError(f"the group {name} contains itself, through {above[-1]}; expected tasks at the end")
    inherited = (inherited or {}) | _for_members(own)
    entry = index.get(name)
    config = own if entry is None else entry.cfg or {}
    items = _group_items(entry, config)
    if items is None:
        yield entry, {**config, **inherited, "task": name}
        return
    yield entry, None
    for member in items:
        yield from _below(index, member, _for_members(config) | inherited, (*above, name))


def _for_members(config: Config) -> Config:
    return {key: value for key, value in config.items() if key not in _OF_THE_GROUP}


def _group_items(entry: Any, config: Config) -> list[Any] | None:
    """Return what a group lists, or the tasks with a tag; None for a task."""
    if entry is not None and entry.kind.name == "TAG":
        return sorted(entry.tags)
    listed = config.get("task")
    return listed if isinstance(listed, list) else None


def _refuse_foreign_code(name: str, config: Config) -> None:
    """Refuse tasks that run code which a model wrote, or a metric which a hub sends."""
    task = config.get("task", name)
    if config.get("unsafe_code"):
        raise InputError(
            f"{task} runs code that a model writes, and litotes does not. Expected a task without unsafe_code"
        )
    registered = library("lm_eval.api.registry").metric_registry
    library("lm_eval.api.metrics")
    for metric in config.get("metric_list") or ():
        metric_name = str(metric.get("metric"))
        own = Path(metric_name).is_absolute() or config.get("process_results") is not None
        if metric.get("hf_evaluate") is True or not (own or metric_name in registered):
            raise InputError(
                f"{task} is measured by {metric_name!r}, Python code from a hub, and litotes does not run it"
            )
