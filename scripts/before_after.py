"""Draw the README's picture: the cosines of statements with their paraphrases and denials, before and after.

python scripts/before_after.py --figure docs/figures/before_after.png
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

# A statement, a paraphrase and a denial. These are illustrations, not a random sample. They include one that the base
# gets right (the soup) and one that litotes-mini gets wrong (the payment).
TRIOS = (
    (
        "The drug is safe for children.",
        "Children can take the drug without harm.",
        "The drug is not safe for children.",
    ),
    ("Everyone passed the exam.", "No one failed the exam.", "Not everyone passed the exam."),
    ("The test result is positive.", "The test came back positive.", "The test result is not positive."),
    ("Dogs are allowed on the beach.", "You may bring your dog to the beach.", "Dogs are not allowed on the beach."),
    ("The refund was approved.", "They agreed to pay the money back.", "The refund was refused."),
    ("Breakfast is included.", "The price covers breakfast.", "Breakfast is not included."),
    ("The soup contains peanuts.", "There are peanuts in the soup.", "The soup contains no peanuts."),
    ("Payment is due today.", "You have to pay today.", "Payment is no longer due today."),
)
MODELS = {"minilm": ("Before", "all-MiniLM-L6-v2"), "litotes-mini": ("After", "litotes-mini")}
PAPER, INK, FAINT, SAME, DENIED = "#fcfbf8", "#24292f", "#6b7280", "#0f766e", "#d9480f"
SIZE, LEFT = (10.5, 6.8), -1.035
"""The size in inches, and the left edge of the texts in widths of a panel."""
COLOURS = 64
Scores = list[tuple[float, float]]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--figure", type=Path)
    arguments = options.parse_args()
    scores = {name: measured(name) for name in MODELS}
    for place, (statement, _, denial) in enumerate(TRIOS):
        cells = (f"{same:.2f} {denied:.2f}" for same, denied in (scores[name][place] for name in MODELS))
        print(*cells, statement, denial, sep="  ")
    if arguments.figure:
        draw(scores, arguments.figure)


def measured(name: str) -> Scores:
    """Return the cosine of each statement with its paraphrase and its denial, at the model's default dial."""
    import litotes

    model = litotes.load(name, device="cpu")
    statements, paraphrases, denials = (model.encode(list(texts)) for texts in zip(*TRIOS, strict=True))
    same, denied = ((statements * others).sum(axis=1).tolist() for others in (paraphrases, denials))
    return list(zip(same, denied, strict=True))


def draw(scores: dict[str, Scores], figure: Path) -> None:
    """Draw two panels on a background that is legible on both dark and light pages."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from PIL import Image

    drawn, panels = pyplot.subplots(1, 2, figsize=SIZE, sharey=True, facecolor=PAPER)
    drawn.subplots_adjust(left=0.335, right=0.975, top=0.84, bottom=0.085, wspace=0.11)
    for panel, (name, (when, whose)) in zip(panels, MODELS.items(), strict=True):
        _panel(panel, scores[name], when, whose)
    panels[0].invert_yaxis()
    _texts(drawn, panels[0])
    figure.parent.mkdir(parents=True, exist_ok=True)
    drawn.savefig(figure, dpi=120, facecolor=PAPER)
    with Image.open(figure) as image:
        reduced = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    reduced.save(figure, optimize=True)


def _texts(drawn: Any, panel: Any) -> None:
    """Write the texts on the left, and the legend above them."""
    place = {"transform": panel.get_yaxis_transform(), "va": "center"}
    for row, (statement, paraphrase, denial) in enumerate(TRIOS):
        panel.text(LEFT, row - 0.29, statement, fontsize=11, color=INK, weight="bold", **place)
        panel.text(LEFT, row + 0.02, f"●  {paraphrase}", fontsize=9.5, color=SAME, **place)
        panel.text(LEFT, row + 0.29, f"◆  {denial}", fontsize=9.5, color=DENIED, **place)
    drawn.text(0.02, 0.945, "How similar is a statement to", fontsize=12, color=INK)
    drawn.text(0.02, 0.905, "●  its paraphrase", fontsize=12, color=SAME, weight="bold")
    drawn.text(0.02, 0.865, "◆  its denial", fontsize=12, color=DENIED, weight="bold")


def _panel(panel: Any, scores: Scores, when: str, whose: str) -> None:
    """Draw one row per statement. The line between the two marks has the colour of the more similar one."""
    panel.set_facecolor(PAPER)
    for row, (same, denied) in enumerate(scores):
        panel.plot([same, denied], [row, row], color=SAME if same > denied else DENIED, alpha=0.35, linewidth=4)
        panel.plot(denied, row, "D", color=DENIED, markersize=9, markeredgecolor=PAPER)
        panel.plot(same, row, "o", color=SAME, markersize=11, markeredgecolor=PAPER)
    right = sum(same > denied for same, denied in scores)
    panel.text(0, 1.1, when, fontsize=14, color=INK, weight="bold", transform=panel.transAxes)
    summary = f"{whose}: paraphrase closer in {right} of {len(scores)}"
    panel.text(0, 1.045, summary, fontsize=9.5, color=FAINT, transform=panel.transAxes)
    panel.set(xlim=(0.42, 1.0), ylim=(-0.55, len(scores) - 0.45), yticks=[])
    panel.set_xlabel("cosine", color=FAINT, fontsize=10)
    panel.grid(axis="x", color="#e3e1da", linewidth=0.8)
    panel.set_axisbelow(True)
    panel.tick_params(length=0, labelcolor=FAINT, labelsize=10)
    panel.spines[:].set_visible(False)


if __name__ == "__main__":
    main()
