"""Which task of lm-evaluation-harness a name means, by its settings alone: no data is fetched, no code is run."""

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
FILES = (".yaml", ".yml")
WHY = "a task of lm-eval"
SHOTS = "num_fewshot"
# what a group says of itself; the rest of its settings go to its members
_OF_GROUPS = ("group", "group_alias", "task", "tag", "aggregate_metric_list", "metadata")
_CLOSE = 3


@dataclass(frozen=True, slots=True)
class Found:
    """A task, or a group of them, as the harness's index has it."""

    name: str
    """the harness's own"""
    manager: Any
    """the `TaskManager` that loads it"""
    members: tuple[Config, ...]
    """the settings of the tasks that are measured: one, or a group's"""
    digest: str = ""
    """of a task of one's own: its settings and its data"""


def library(module: str = "lm_eval") -> Any:
    """A module of the harness, or the command that installs it."""
    require("lm_eval", extra="harness", why=WHY)
    return require(module, extra="harness", why=WHY)


def find(name: str) -> Found:
    """The task the harness knows by that name, or the one in a YAML file; InputError where it is not to be run."""
    found = _in_file(Path(name)) if name.endswith(FILES) else _by_name(name)
    for config in found.members:
        _refuse_foreign_code(name, config)
    return found


def _by_name(name: str) -> Found:
    manager = _shipped()
    if name not in manager.task_index:
        close = nlargest(_CLOSE, manager.all_tasks, key=lambda one: ratio(name.lower(), one.lower()))
        raise InputError(
            f"the harness has no task {name!r}; close to it: {', '.join(close)}. For a task of your own give its file: "
            "lm-eval:FOLDER/TASK.yaml. All names: lm-eval ls tasks"
        )
    return Found(name, manager, _members(manager.task_index, name))


@cache
def _shipped() -> Any:
    """The harness's own tasks. Reading their fourteen thousand files takes ten seconds, so it is done once."""
    return library("lm_eval.tasks").TaskManager()


def _in_file(path: Path) -> Found:
    """A task of one's own, and the files beside it that it names."""
    if not path.is_file():
        raise InputError(f"there is no file {str(path)!r}; expected a task of lm-eval as YAML")
    manager = library("lm_eval.tasks").TaskManager(include_path=str(path.parent), include_defaults=False)
    config = _plain(path)
    name = str(config.get("group") or config.get("task") or "")
    index = manager.task_index
    if name not in index:
        raise InputError(f"{path} names no task; expected task: NAME or group: NAME in it")
    hashed = sha256()
    reached = {entry.name: entry for entry, _ in _below(index, name) if entry is not None and entry.yaml_path}
    for entry in reached.values():
        _plain(entry.yaml_path)
        hashed.update(json.dumps(entry.cfg, sort_keys=True, default=str).encode())
        entry.cfg = _placed(entry.cfg, entry.yaml_path.parent, hashed)
        # the harness would read the file again, and import what it names
        entry.yaml_path = None
    return Found(name, manager, _members(index, name), hashed.hexdigest()[:12])


def _plain(path: Path) -> Config:
    """The settings of a file that holds nothing but settings, the files it includes with it."""
    yaml = require("yaml", extra="harness", why=WHY)
    found: Config = {}
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
                f"{file} calls Python ({error.problem}); expected settings and templates alone: "
                "litotes runs no code of a task's folder"
            ) from error
        except (OSError, ValueError, yaml.YAMLError) as error:
            raise InputError(f"{file} cannot be read ({error}); expected a task of lm-eval as YAML") from error
        if not isinstance(config, dict):
            raise InputError(f"{file} holds {type(config).__name__}; expected a task of lm-eval as YAML")
        found = config | found
        included = config.get("include", [])
        waiting += [file.parent / str(one) for one in (included if isinstance(included, list) else [included])]
    return found


def _placed(config: Config, folder: Path, hashed: Any) -> Config:
    """With the data files that lie beside the task found from anywhere; each is hashed."""

    def place(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: place(one) for key, one in value.items()}
        if isinstance(value, list):
            return [place(one) for one in value]
        file = folder / str(value)
        if not file.is_file():
            return value
        hashed.update(file.read_bytes())
        return str(file.resolve())

    options = config.get("dataset_kwargs") or {}
    if "data_files" not in options:
        return config
    return {**config, "dataset_kwargs": {**options, "data_files": place(options["data_files"])}}


def _members(index: Mapping[str, Any], name: str) -> tuple[Config, ...]:
    return tuple(config for _, config in _below(index, name) if config is not None)


def _below(
    index: Mapping[str, Any], item: str | Config, over: Config | None = None, above: tuple[str, ...] = ()
) -> Iterator[tuple[Any, Config | None]]:
    """What a name or an item of a group leads to: the index's entry, where there is one, and of a task its settings.

    The settings are the task's own under what the groups above it say.
    """
    own = item if isinstance(item, dict) else {}
    name = str(own.get("group") or own.get("task") if own else item)
    if name in above:
        raise InputError(f"the group {name} holds itself, by way of {above[-1]}; expected tasks at the end")
    over = (over or {}) | _for_members(own)
    entry = index.get(name)
    config = own if entry is None else entry.cfg or {}
    items = _items(entry, config)
    if items is None:
        yield entry, {**config, **over, "task": name}
        return
    yield entry, None
    for one in items:
        yield from _below(index, one, _for_members(config) | over, (*above, name))


def _for_members(config: Config) -> Config:
    return {key: value for key, value in config.items() if key not in _OF_GROUPS}


def _items(entry: Any, config: Config) -> list[Any] | None:
    """What a group lists, or the tasks that bear a tag; None of a task."""
    if entry is not None and entry.kind.name == "TAG":
        return sorted(entry.tags)
    listed = config.get("task")
    return listed if isinstance(listed, list) else None


def _refuse_foreign_code(name: str, config: Config) -> None:
    """Neither what a model writes is run, nor a metric that a hub sends."""
    task = config.get("task", name)
    if config.get("unsafe_code"):
        raise InputError(f"{task} runs the code a model writes; litotes does not. Expected a task without unsafe_code")
    registered = library("lm_eval.api.registry").metric_registry
    library("lm_eval.api.metrics")
    for metric in config.get("metric_list") or ():
        which = str(metric.get("metric"))
        own = Path(which).is_absolute() or config.get("process_results") is not None
        if metric.get("hf_evaluate") is True or not (own or which in registered):
            raise InputError(f"{task} is measured by {which!r}, Python that a hub would send; litotes does not run it")
