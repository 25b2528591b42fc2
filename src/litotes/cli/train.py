"""litotes train"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from litotes.cli.app import app
from litotes.cli.text import grid, print_grid, safe

PATH = click.Path(path_type=Path)


@app.command()
@click.argument("data", nargs=-1, required=True, metavar="DATA...")
@click.option("--out", type=PATH, required=True, help="The folder of the run.")
@click.option(
    "--recipe",
    type=click.Choice(["tower", "finetune", "late", "cross", "seq2seq", "llm", "metric", "blend"]),
    default="tower",
    show_default=True,
    help="How to train: a tower beside a frozen base, or the whole of an encoder, a late-interaction model, "
    "a cross-encoder or a sequence-to-sequence ranker; adapters (LoRA) for a language model; a metric; or, with no "
    "training, a fine-tuned model blended with its base, or several runs averaged.",
)
@click.option("--base", help="The model to start from, by name or path [default: the recipe's own].")
@click.option("--replay", multiple=True, help="A file of ordinary pairs (query, positive); may come again.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A setting, as lr=2e-4; may come again.")
@click.option("--preset", help="For finetune, a paper's settings: hedge, negmpnet or nevir.")
@click.option("--config", type=PATH, help="Settings from a JSON file, or from another run's run.json.")
@click.option("--seed", type=int, help="What every draw depends on [default: 0].")
@click.option(
    "--data", "sets", type=PATH, envvar="LITOTES_DATA", help="The folder of data sets: measures NevIR, STS-B."
)
@click.option("--measure", default="", help="Tasks of litotes bench to measure after each epoch, with commas.")
@click.option("--no-measure", is_flag=True, help="Measure nothing.")
@click.option("--max-general-loss", type=float, help="Stop, and go back, where general ability falls by more points.")
@click.option(
    "--sweep",
    "swept",
    help="Train a run a point: size=1000,2000 | kind | sources | positives | diversity | shares=0.2,0.8 | SETTING=A,B.",
)
@click.option("--device", help="cpu, cuda or mps; what there is if not said.")
@click.option("--table", "form", flag_value="table", help="Print a table for people.")
@click.option("--json", "form", flag_value="json", default=True, help="Print JSON lines (the default).")
def train(data: Sequence[str], out: Path, swept: str | None, form: str, **given: Any) -> None:
    """Teach a model to hear "not", from DATA: files of triples, contrasts or pairs, or folders litotes synth wrote.

    DATA=0.5 takes half of a file. Writes OUT/run.json, OUT/curves.jsonl, the model, OUT/results.json and OUT/README.md,
    its card; a run that was stopped goes on with the same command. Measured before, after each epoch and at the end:
    the taxonomy's dev contrasts, our small retrieval and similarity sets, and the cosine of a text and its negation.

    With --recipe blend, DATA is a fine-tuned model or its run; --set share=0.3 or --sweep share=0.1,0.3 says how much
    of its weights to take. Several runs of a tower, or of a metric, of one seed, with --set order=1 and so on or with
    other shares of the data, are averaged.

    For example: litotes train DIR --out RUN --set epochs=2, and then litotes report RUN.
    """
    from litotes.cli.sweeping import sweep
    from litotes.cli.training import is_first, run
    from litotes.train.settings import names
    from litotes.train.sweeps import plan

    if given["recipe"] == "blend":
        _print(_blend(data, out, swept, given), form)
        return
    settings = _settings(given)
    job, sets = _job(data, out, settings, given)
    if swept is None:
        done = run(job)
        model = f"{job.recipe.family}:{out / job.recipe.folder}"
        line = {"model": model, "examples": len(job.examples), "steps": done.steps}
        lines = [line | {"before": done.before, "scores": done.after}]
    else:
        points = plan(swept, sets, settings=names(job.recipe.config()), seed=job.config.seed)
        lines = list(sweep(job, swept, points, settings))
    if is_first():
        _print(lines, form)


def _settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """What was set: by the preset, the file, --set, and options of their own; the later wins."""
    from litotes.train.settings import assignment, read_settings

    found = _preset(given["recipe"], given["preset"]) if given["preset"] else {}
    found |= read_settings(given["config"]) if given["config"] else {}
    found |= dict(assignment(text) for text in given["settings"])
    own = {name: given[name] for name in ("base", "seed", "max_general_loss") if given[name] is not None}
    return found | own


def _preset(recipe: str, name: str) -> dict[str, Any]:
    from litotes.errors import InputError
    from litotes.train.config import PRESETS

    if recipe != "finetune":
        raise click.UsageError(f"--preset is for --recipe finetune; {recipe} has none")
    if name not in PRESETS:
        raise InputError(f"there is no preset {name!r}; expected {', '.join(PRESETS)}")
    return dict(PRESETS[name])


def _blend(data: Sequence[str], out: Path, swept: str | None, given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The blends that were asked for, each measured; which to take is said on stderr."""
    from litotes.cli.blending import blending, blends, chosen, mean
    from litotes.cli.measuring import tasks_of

    refused = [name for name in ("replay", "preset", "config", "seed") if given[name] not in (None, ())]
    if refused:
        raise click.UsageError(f"--{refused[0]} is for recipes that train; a blend only mixes weights")
    _refuse_contradictions(out, given)
    names = [name for name in given["measure"].split(",") if name]
    tasks = [] if given["no_measure"] else tasks_of(names, given["sets"])
    if len(data) > 1:
        if swept or given["settings"] or given["base"] or given["max_general_loss"] is not None:
            unused = "--set, --sweep, --base and --max-general-loss"
            raise click.UsageError(f"several runs are averaged, and {unused} say nothing there")
        return [mean(data, out, tasks, device=given["device"])]
    options = {"device": given["device"], "max_general_loss": given["max_general_loss"]}
    job = blending(data, out, given["base"] or "", _shares(swept, given["settings"]), tasks, **options)
    lines = list(blends(job))
    said = chosen(job, lines)
    if said:
        click.echo(f"litotes: {said}", err=True)
    return lines


def _shares(swept: str | None, settings: Sequence[str]) -> list[float]:
    """The shares of a blend: share=0.3, or several with commas."""
    from litotes.errors import InputError

    found: list[float] = []
    for said in (*settings, *([swept] if swept else [])):
        name, _, values = said.partition("=")
        try:
            shares = [float(value) for value in values.split(",")]
        except ValueError:
            shares = [-1.0]
        if name.strip() != "share" or not all(0 <= share <= 1 for share in shares):
            raise InputError(
                f"a blend knows share=0.3 alone, from 0 (the base) to 1 (the fine-tuned model); got {said!r}"
            )
        found += shares
    if len(set(found)) < len(found):
        raise InputError(f"the shares are {', '.join(f'{share:g}' for share in found)}; expected each once")
    return found


def _job(data: Sequence[str], out: Path, settings: Mapping[str, Any], given: Mapping[str, Any]) -> tuple[Any, Any]:
    """The run to make, and its examples file by file."""
    from litotes.cli.measuring import tasks_of
    from litotes.cli.training import Job
    from litotes.train.recipes import recipe_of
    from litotes.train.sets import read_sets
    from litotes.train.settings import configured

    _refuse_contradictions(out, given)
    recipe = recipe_of(given["recipe"])
    config = configured(recipe.config(), settings)
    read = read_sets(data, seed=config.seed)
    again = read_sets(given["replay"], seed=config.seed, role="replay")
    tasks = (
        []
        if given["no_measure"]
        else tasks_of([name for name in given["measure"].split(",") if name], given["sets"], family=recipe.family)
    )
    job = Job(
        recipe,
        config,
        [example for one in read for example in one.examples],
        [example for one in again for example in one.examples],
        [one.line for one in (*read, *again)],
        out,
        tasks,
        given["device"],
    )
    return job, [one.examples for one in read]


def _refuse_contradictions(out: Path, given: Mapping[str, Any]) -> None:
    from litotes.errors import InputError

    if out.exists() and not out.is_dir():
        raise InputError(f"{out} is a file; expected a folder for the run")
    if given["no_measure"] and (given["measure"] or given["max_general_loss"] is not None):
        raise click.UsageError("--no-measure goes neither with --measure nor with --max-general-loss")


def _print(lines: Sequence[Mapping[str, Any]], form: str) -> None:
    if form != "table":
        for line in lines:
            click.echo(json.dumps({name: value for name, value in line.items() if name != "key"}, ensure_ascii=False))
        return
    measures = list(dict.fromkeys(name for line in lines for name in line["scores"]))
    table = grid("model", "examples", *measures)
    first = lines[0]
    if first["before"]:
        table.add_row("before", "", *(_shown(name, first["before"]) for name in measures))
    for line in lines:
        scores = [_shown(name, line["scores"]) for name in measures]
        table.add_row(safe(str(line.get("name", line.get("model")))), f"{line['examples']:,}", *scores)
    print_grid(table)


def _shown(name: str, scores: Mapping[str, float]) -> str:
    """Similarities and margins are as they are, all else is times 100."""
    return f"{scores[name]:.{3 if name.startswith('twin') else 1}f}" if name in scores else "–"
