"""The playground without a server: the models run in chromium, and nothing is sent."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest
from playwright.sync_api import Browser, expect
from scripts import build_playground
from scripts.build_playground import MODELS, BuildError, build

from litotes.models.onnx.artefact import write_artefact
from litotes.models.onnx.encoder import OnnxVectors
from litotes.models.onnx.making import make
from tests.playground_visits import Visit, chromium, static_server

pytestmark = pytest.mark.slow
QUERY = "drugs that are not safe during pregnancy"


@dataclass(frozen=True)
class Built:
    """The built page, its address, and the models in it."""

    url: str
    page: Path
    models: Path


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def built(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    """Build the page with models that were not compared with torch: other tests do that."""
    models, page = tmp_path_factory.mktemp("models"), tmp_path_factory.mktemp("page")
    for name in MODELS:
        write_artefact(models / name, make(name, int8=True))
    try:
        build(page, models=models)
    except BuildError as error:
        if os.environ.get("LITOTES_BROWSER") == "required" and shutil.which("npm"):
            raise
        pytest.skip(str(error))
    with static_server(page) as url:
        yield Built(url, page, models)


def test_the_models_run_in_the_browser(browser: Browser, built: Built) -> None:
    visit = Visit(browser, built.url)
    tower = OnnxVectors(built.models / "litotes-mini")
    for example in ("Medicine", "Law"):
        visit.choose(example)
        documents = visit.page.input_value("#documents").split("\n")
        # one text at a time, as in the browser: eight bits are scaled per batch
        query, *rows = (tower.vectors([text])[0] for text in (visit.page.input_value("#query"), *documents))
        expected = np.array(rows) @ query
        shown = dict(zip(visit.ranking(), visit.scores(), strict=True))
        assert [shown[text] for text in documents] == pytest.approx(expected.tolist(), abs=0.02)
    assert "litotes-mini in this browser" in visit.page.inner_text("#where")
    assert "Cues and scopes of negations need the server" in visit.page.inner_text("#legend")
    assert visit.problems == []
    host = urlsplit(built.url).netloc
    assert {urlsplit(url.removeprefix("blob:")).netloc for url in visit.requests} == {host}
    assert visit.methods == {"GET"}
    visit.context.close()


def test_exclusion_and_the_guard_load_their_models_when_they_are_used(browser: Browser, built: Built) -> None:
    visit = Visit(browser, built.url)
    assert not any("litotes-guard-mini" in url for url in visit.requests)
    visit.choose("Shop")
    assert visit.page.locator("#reading .excluded").all_inner_texts() == ["borscht"]
    assert "borscht" not in visit.ranking()[0]
    visit.page.locator("#guard-examples").get_by_role("button", name="Direction").click()
    expect(visit.page.locator(".outcome")).to_have_text("✗ Not the same answer")
    assert "reason: direction" in visit.page.inner_text("#verdict")
    assert "need the server" in visit.page.inner_text("#verdict")
    assert any("litotes-guard-mini" in url for url in visit.requests)
    assert visit.problems == []
    visit.context.close()


def test_models_that_cannot_be_loaded_are_named_and_tried_again(browser: Browser, built: Built) -> None:
    graph = built.page / "models" / "litotes-mini" / "model_int8.onnx"
    hidden = graph.rename(graph.with_suffix(".hidden"))
    visit = Visit(browser, built.url, ready=False)
    said = "/models/litotes-mini/model_int8.onnx could not be loaded (404)."
    try:
        visit.page.get_by_role("alert").filter(has_text=said).wait_for()
    finally:
        hidden.rename(graph)
    visit.page.get_by_role("button", name="Try again").click()
    visit.page.wait_for_selector("#litotes li")
    assert visit.page.get_by_role("alert").count() == 0
    visit.context.close()


def test_neither_the_page_nor_its_worker_can_reach_another_host(browser: Browser, built: Built) -> None:
    visit = Visit(browser, built.url)
    attempt = "fetch('http://127.0.0.2:9/').then(() => 'sent', (error) => error.name)"
    assert visit.page.evaluate(attempt) == "TypeError"
    assert visit.page.workers[0].evaluate(attempt) == "TypeError"
    assert any("Content Security Policy" in problem for problem in visit.problems)
    visit.context.close()


def test_the_static_page_fits_a_phone(browser: Browser, built: Built) -> None:
    visit = Visit(browser, built.url, viewport={"width": 360, "height": 780}, color_scheme="dark")
    assert visit.page.evaluate("document.documentElement.scrollWidth") == 360
    visit.context.close()


def test_an_archive_with_another_hash_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("npm") is None:
        pytest.skip("npm is not on the PATH")
    monkeypatch.setattr(build_playground, "INTEGRITY", "sha512-another")
    with pytest.raises(BuildError, match=r"has the hash sha512-.*; expected sha512-another|npm could not get"):
        build_playground.copy_runtime(tmp_path)
    assert not list(tmp_path.rglob("*.wasm"))


def test_without_npm_the_build_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BuildError, match=r"npm is not on the PATH; .* Install Node.js with npm"):
        build_playground.copy_runtime(tmp_path)
