"""litotes train"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from litotes.cli.parameters import PATH, data_option, device_option, json_option, recipe_names, table_option
from litotes.cli.progress import progress_display, timed
from litotes.cli.text import grid, print_grid, safe
from litotes.training.recipes import RECIPES


@click.command()
@click.argument("data", nargs=-1, required=True, metavar="DATA...")
@click.option("--out", type=PATH, required=True, help="The folder of the run.")
@click.option(
    "--recipe",
    type=click.Choice(recipe_names()),
    default="tower",
    show_default=True,
    help=f"What to train: {'; '.join(f'{recipe.name}, {recipe.help}' for recipe in RECIPES.values())}.",
)
@click.option("--base", help="The model to start from, by name or path. The default is the recipe's own.")
@click.option("--replay", multiple=True, help="A file of ordinary pairs (query, positive). Can be repeated.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A setting: lr=2e-4. Can be repeated.")
@click.option("--preset", help="For finetune: the settings of a paper (hedge, negmpnet or nevir).")
@click.option("--config", type=PATH, help="A JSON file of settings, or another run's run.json.")
@click.option("--seed", type=int, help="The seed of all random choices. The default is 0.")
@data_option
@click.option("--measure", default="", help="Tasks of litotes bench to measure after each epoch, comma-separated.")
@click.option("--no-measure", is_flag=True, help="Measure nothing.")
@click.option(
    "--max-general-loss", type=float, help="Stop if general ability falls by more points; keep the best epoch."
)
@click.option(
    "--sweep",
    "over",
    help="Train one run per point: size=1000,2000 | kind | sources | positives | diversity | shares=0.2,0.8 | "
    "SETTING=A,B.",
)
@device_option
@table_option
@json_option
def train(data: Sequence[str], out: Path, over: str | None, form: str, **options: Any) -> None:
    """Train a model to hear "not" on DATA: files of triples, contrasts or pairs, or folders that litotes synth wrote.

    DATA=0.5 uses half of a file. Writes OUT/run.json, OUT/curves.jsonl, the model, OUT/results.json and the model card
    OUT/README.md. To resume an interrupted run, run the same command again. The model is measured before training,
    after each epoch and at the end, on the taxonomy's dev contrasts, the small retrieval and similarity sets, and the
    cosine of a text with its negation. --data DIR adds NevIR and STS-B.

    For example: litotes train DIR --out RUN --set epochs=2, then litotes report RUN.
    """
    from litotes.workflows import TrainingOptions, sweep
    from litotes.workflows import train as run
    from litotes.workflows.training import is_first_process

    chosen = _training_options(options)
    with timed(f"trained in {out}"), progress_display() as progress:
        if over is None:
            names = TrainingOptions.__slots__
            lines = [run(data, out=out, progress=progress, **{name: getattr(chosen, name) for name in names}).line()]
        else:
            lines = list(sweep(data, over, out=out, options=chosen, progress=progress).points)
    if is_first_process():
        print_runs(lines, form)


def _training_options(options: Mapping[str, Any]) -> Any:
    from litotes.training.settings import parse_assignment, read_settings
    from litotes.workflows import TrainingOptions

    settings = read_settings(options["config"]) if options["config"] else {}
    settings |= dict(parse_assignment(text) for text in options["settings"])
    if options["preset"] and not RECIPES[options["recipe"]].presets:
        raise click.UsageError(f"the recipe {options['recipe']} has no presets; expected no --preset")
    return TrainingOptions(
        recipe=options["recipe"],
        base=options["base"],
        replay=options["replay"],
        settings=settings,
        preset=options["preset"],
        seed=options["seed"],
        measure=measured_tasks(options),
        data_dir=options["data_dir"],
        max_general_loss=options["max_general_loss"],
        device=options["device"],
    )


def measured_tasks(options: Mapping[str, Any]) -> list[str] | None:
    """Return the tasks of --measure; None for the default ones, an empty list for --no-measure."""
    names = [name for name in options["measure"].split(",") if name]
    if not options["no_measure"]:
        return names or None
    if names or options.get("max_general_loss") is not None:
        raise click.UsageError("--no-measure cannot be combined with --measure or --max-general-loss")
    return []


def print_runs(lines: Sequence[Mapping[str, Any]], form: str) -> None:
    """Print runs, the points of a sweep, or blends: as JSON lines or as a table."""
    if form != "table":
        for line in lines:
            click.echo(json.dumps(line, ensure_ascii=False))
        return
    measures = list(dict.fromkeys(name for line in lines for name in line["scores"]))
    table = grid("model", "examples", *measures)
    if lines[0]["before"]:
        table.add_row("before", "", *(_shown(name, lines[0]["before"]) for name in measures))
    for line in lines:
        scores = [_shown(name, line["scores"]) for name in measures]
        table.add_row(safe(str(line.get("name", line.get("model")))), f"{line['examples']:,}", *scores)
    print_grid(table)


def _shown(name: str, scores: Mapping[str, float]) -> str:
    """Format a score: cosines and margins with three digits, points with one."""
    return f"{scores[name]:.{3 if name.startswith('minimal-pair') else 1}f}" if name in scores else "–"
