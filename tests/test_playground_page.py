"""The files of the playground, without a browser: size, contrast, and nothing from elsewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from scripts.build_playground import PAGE, POLICY, SERVER_ONLY, copy_page, shortened

FILES = {path.name: path.read_text(encoding="utf-8") for path in sorted(PAGE.iterdir())}
LIMIT = 60_000
"""bytes of a form of the page, without the runtime and the models"""
STATIC_ONLY = ("browser_backend.js", "operators.js", "splitter.js", "tokenizer.js", "worker.js")
TEXT, SHAPE = 4.5, 3.0
"""the least contrast of text and of the shapes of controls, by WCAG 2.2 AA"""
PAIRS = (
    *(("ink", ground, TEXT) for ground in ("paper", "surface", "code")),
    *(("soft", ground, TEXT) for ground in ("paper", "surface", "code")),
    *(("accent", ground, TEXT) for ground in ("paper", "surface")),
    ("on-accent", "accent", TEXT),
    *((kind, f"{kind}-pale", TEXT) for kind in ("wanted", "unwanted", "cue")),
    *((kind, ground, TEXT) for kind in ("wanted", "unwanted") for ground in ("paper", "surface")),
    ("ink", "surface", TEXT),
    *(("edge", ground, SHAPE) for ground in ("paper", "surface")),
    ("cue", "paper", SHAPE),
    ("accent", "line", SHAPE),
)
"""foreground, background and the least contrast, as style.css uses them"""


def colours(scheme: str) -> dict[str, str]:
    """Return the colours of a scheme: those of the dark one replace those of the light one."""
    roots = re.findall(r":root \{(.*?)\}", FILES["style.css"], flags=re.DOTALL)
    found: dict[str, str] = {}
    for root in roots[: 1 if scheme == "light" else 2]:
        found |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", root))
    return found


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, as WCAG defines it."""
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return sum(weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_that_of_the_definition() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("front", "back", "least"), PAIRS)
def test_colours_have_enough_contrast(scheme: str, front: str, back: str, least: float) -> None:
    found = colours(scheme)
    assert contrast(found[front], found[back]) >= least


def test_both_forms_are_small(tmp_path: Path) -> None:
    served = sum(len(text.encode("utf-8")) for name, text in FILES.items() if name not in STATIC_ONLY)
    copy_page(tmp_path)
    static = sum(path.stat().st_size for path in tmp_path.iterdir())
    assert max(served, static) < LIMIT


def test_shortened_code_is_the_same_code() -> None:
    code = "// one\nconst a = 1; // kept\n  /** two\n   * lines */\n  *walk() { yield a; }\n\n"
    code += "/* three */\n* { margin: 0; }\n"
    assert shortened(code) == "const a = 1; // kept\n*walk() { yield a; }\n\n* { margin: 0; }\n"
    # a text over several lines would lose its indentation
    assert all(line.count("`") % 2 == 0 for text in FILES.values() for line in text.splitlines())


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_short_and_names_no_other_host(name: str) -> None:
    lines = FILES[name].splitlines()
    assert len(lines) <= 250
    assert max(map(len, lines)) <= 160
    addresses = set(re.findall(r"https?://[\w.:-]+", FILES[name]))
    assert addresses <= {"http://127.0.0.1:8000", "http://www.w3.org"}


def test_the_page_has_no_inline_scripts_or_styles() -> None:
    html = FILES["index.html"]
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", html)
    scripts = "".join(text for name, text in FILES.items() if name.endswith(".js"))
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", scripts)


def test_every_module_and_every_id_exists() -> None:
    for name, text in FILES.items():
        modules = re.findall(r'(?:from|import\() ?"\./([\w/.]+)"', text)
        assert {module for module in modules if not module.startswith("vendor/")} <= set(FILES), name
    ids = set(re.findall(r'\bid="([\w-]+)"', FILES["index.html"]))
    used = {one for text in FILES.values() for one in re.findall(r'byId\("([\w-]+)"\)', text)}
    labelled = set(re.findall(r'(?:for|aria-labelledby|aria-describedby)="([\w-]+)"', FILES["index.html"]))
    assert used | labelled <= ids


def test_the_static_form_has_a_policy_and_runs_its_models_itself(tmp_path: Path) -> None:
    copy_page(tmp_path)
    html = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert 'data-backend="browser"' in html
    assert f'http-equiv="Content-Security-Policy" content="{POLICY}"' in html
    assert html.index("Content-Security-Policy") < html.index("stylesheet")
    assert not (tmp_path / SERVER_ONLY).exists()
    assert "'unsafe" not in POLICY
