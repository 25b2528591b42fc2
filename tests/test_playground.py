"""The playground as `litotes serve` shows it, in chromium, with the real models."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

import litotes
from tests.playground_visits import Server, Visit, chromium

pytestmark = pytest.mark.slow
MEDICINE = "drugs that are not safe during pregnancy"
HARMFUL = "Isotretinoin must not be taken during pregnancy: it harms the unborn child."
HARMLESS = "This cough syrup may be taken by pregnant women without risk."
KEY = "a-key-of-the-tests"
OUTLINE = """() => {
    const one = document.activeElement;
    const shown = one.type === "radio" ? one.nextElementSibling : one;
    return getComputedStyle(shown).outlineStyle;
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def server(browser: Browser) -> Iterator[Server]:
    """A server with its models. It needs the browser, so that nothing is loaded without one."""
    made = Server()
    made.start()
    yield made
    made.stop()


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Visit]:
    opened = Visit(browser, server.url, permissions=["clipboard-read", "clipboard-write"])
    yield opened
    opened.context.close()


def test_the_first_example_shows_what_the_dial_is_for(visit: Visit) -> None:
    assert visit.page.input_value("#query") == MEDICINE
    assert visit.ranking("base")[0] == HARMLESS
    assert visit.ranking("litotes")[0] == HARMFUL
    marked = {name: visit.page.locator(f"#reading .{name}").all_inner_texts() for name in ("cue", "scope", "excluded")}
    assert marked == {"cue": ["not"], "scope": ["that are", "safe during pregnancy"], "excluded": []}
    said = f"litotes-mini puts “{HARMFUL}” first. MiniLM alone puts “{HARMLESS}” first."
    expect(visit.page.locator("#status")).to_have_text(said)
    assert visit.problems == []
    assert {urlsplit(url).netloc for url in visit.requests} == {urlsplit(visit.page.url).netloc}


def test_scores_are_those_of_the_package_at_every_dial(visit: Visit) -> None:
    model = litotes.load("litotes-mini")
    for example, dials in (("Shop", (None, "0", "0.5", "1")), ("Law", (None, "0.3"))):
        visit.choose(example)
        query = visit.page.input_value("#query")
        documents = visit.page.input_value("#documents").split("\n")
        rows = model.encode_document(documents)
        for dial in dials:
            if dial is None:
                visit.page.evaluate("document.getElementById('dial-reset').click()")
            else:
                visit.page.fill("#dial", dial)
            expected = model.encode_query(query, dial=None if dial is None else float(dial)) @ rows.T
            shown = dict(zip(visit.ranking(), visit.scores(), strict=True))
            assert [shown[text] for text in documents] == pytest.approx(expected.tolist(), abs=0.0051)
        base = model.encode_query(query, dial=0, exclude=False) @ rows.T
        shown = dict(zip(visit.ranking("base"), visit.scores("base"), strict=True))
        assert [shown[text] for text in documents] == pytest.approx(base.tolist(), abs=0.0051)


def test_the_dial_moves_by_keyboard_and_by_mouse_without_requests(visit: Visit) -> None:
    visit.page.focus("#dial")
    before = len(visit.requests)
    visit.page.keyboard.press("Home")
    assert visit.page.input_value("#dial") == "0"
    assert visit.ranking("litotes") == visit.ranking("base")
    assert visit.page.locator("#litotes .move:visible").count() == 0
    for _ in range(3):
        visit.page.keyboard.press("ArrowRight")
    assert visit.page.text_content("#dial-value") == "0.03"
    box = visit.page.locator("#dial").bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    visit.page.mouse.move(box["x"] + box["width"] * 0.1, middle)
    visit.page.mouse.down()
    visit.page.mouse.move(box["x"] + box["width"] / 2, middle, steps=5)
    visit.page.mouse.up()
    assert visit.page.input_value("#dial") == "0.5"
    assert visit.ranking("litotes") != visit.ranking("base")
    assert visit.page.locator("#litotes .badge").all_inner_texts()[:3] == ["asked for"] * 3
    visit.page.get_by_role("button", name="Use the default").click()
    assert visit.page.input_value("#dial") == "0.21"
    assert visit.page.evaluate("document.activeElement.id") == "dial"
    assert len(visit.requests) == before


def test_an_exclusion_is_marked_and_can_be_left_in(visit: Visit) -> None:
    visit.choose("Shop")
    assert visit.page.locator("#reading .excluded").all_inner_texts() == ["borscht"]
    assert visit.page.locator("#reading .cue").all_inner_texts() == ["other than"]
    assert "Searched for: “soups”" in visit.page.inner_text("#legend")
    assert "borscht" not in visit.ranking()[0]
    assert "borscht" in visit.ranking("base")[0]
    assert visit.page.text_content("#dial-value") == "0.105"
    visit.page.get_by_label("Take what the query excludes out of it").uncheck()
    expect(visit.page.locator("#dial-value")).to_have_text("0.21")
    assert visit.page.locator("#reading .excluded").count() == 0
    assert "borscht" in visit.ranking()[0]


def test_a_query_and_documents_of_my_own(visit: Visit) -> None:
    visit.page.fill("#query", "🍲 soups without garlic")
    visit.page.get_by_text("Edit the documents").click()
    visit.page.fill("#documents", "garlic soup\n\n  tomato soup \ngarlic soup\n")
    visit.first_becomes("tomato soup")
    visit.page.wait_for_selector("#reading .excluded")
    assert sorted(visit.ranking()) == ["garlic soup", "tomato soup"]
    # the emoji is one character for the server and two units for the browser
    assert visit.page.locator("#reading .excluded").all_inner_texts() == ["garlic"]
    assert visit.page.locator(".badge").count() == 0
    assert visit.page.locator("#examples [aria-pressed=true]").count() == 0


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        ("#query", "  ", "Type a query."),
        ("#query", "x" * 2001, "The query has 2,001 characters. The page takes at most 2,000; shorten it."),
        ("#documents", "\n", "Type at least one document, one per line."),
        (
            "#documents",
            "\n".join(map(str, range(31))),
            "There are 31 documents. The page takes at most 30; remove some.",
        ),
        (
            "#documents",
            "a\n" + "é" * 2001,
            "Document 2 has 2,001 characters. The page takes at most 2,000; shorten it.",
        ),
    ],
)
def test_input_that_cannot_be_used_is_refused_in_words(visit: Visit, field: str, text: str, said: str) -> None:
    visit.page.locator("#documents-box").evaluate("(box) => { box.open = true; }")
    visit.page.fill(field, text)
    visit.page.get_by_role("alert").filter(has_text=said).wait_for()
    visit.choose("Law")
    assert visit.page.get_by_role("alert").count() == 0
    assert visit.problems == []


def test_the_guard_says_why(visit: Visit) -> None:
    guard = visit.page.locator(".guard")
    for example, outcome, words in (
        ("Direction", "Not the same answer", "“borrow” / “lend”"),
        ("Same", "Same answer", ""),
        ("Number", "Not the same answer", "“Friday” / “Monday”"),
    ):
        guard.get_by_role("button", name=example, exact=True).click()
        guard.locator(".outcome").wait_for()
        one, other = (visit.page.input_value(f"#{name}") for name in ("new", "cached"))
        verdict = litotes.Guard("mini").judge(one, other)
        assert guard.locator(".outcome").inner_text()[2:] == outcome
        assert f"reason: {verdict.reason}, score {verdict.score:.2f}" in guard.locator("#verdict").inner_text()
        assert words in guard.locator("#verdict").inner_text()
    visit.page.fill("#new", "")
    guard.get_by_role("button", name="Compare").click()
    assert guard.locator("#verdict").inner_text() == "Type both questions."
    assert visit.problems == []


def test_a_server_that_goes_away_and_comes_back(visit: Visit, server: Server) -> None:
    server.stop()
    try:
        visit.page.fill("#query", "drugs that are dangerous in pregnancy")
        visit.page.get_by_role("alert").filter(has_text="The server does not answer.").wait_for()
        visit.page.fill("#dial", "0")
        assert visit.ranking()[0] == HARMLESS, "the dial works with the vectors that are there"
    finally:
        server.start()
    visit.page.get_by_role("alert").wait_for(state="hidden")
    visit.choose("Law")
    assert visit.ranking("base")[0] == "Liability of the seller for defects is excluded."


def test_a_server_with_a_key_asks_for_it(browser: Browser) -> None:
    server = Server(api_key=KEY)
    server.start()
    visit = Visit(browser, server.url, ready=False)
    try:
        visit.page.get_by_label("This server needs its API key").fill(KEY)
        visit.page.keyboard.press("Enter")
        visit.first_becomes(HARMFUL)
        assert not visit.page.locator("#key-form").is_visible()
    finally:
        visit.context.close()
        server.stop()


def shown_code(page: Page, block: str, language: str) -> str:
    """Return the code that the page copies to the clipboard."""
    page.locator(f"#{block}").get_by_label(language, exact=True).check()
    page.locator(f"#{block}").get_by_role("button", name="Copy").click()
    page.locator(f"#{block}").get_by_text("Copied.").wait_for()
    return str(page.evaluate("navigator.clipboard.readText()"))


def run(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout


def test_copied_code_does_the_same(visit: Visit) -> None:
    visit.page.fill("#query", 'soups other than the cook\'s "borscht"')
    visit.page.wait_for_selector("#reading .excluded")
    visit.page.fill("#dial", "0.3")
    lines = [f"{score:.2f}  {text}" for score, text in zip(visit.scores(), visit.ranking(), strict=True)]
    assert run(sys.executable, "-c", shown_code(visit.page, "code", "Python")).splitlines() == lines
    found = json.loads(run("bash", "-c", shown_code(visit.page, "code", "curl").replace("curl ", "curl -sS ")))
    assert sorted((round(score, 2) for score in found["scores"]), reverse=True) == pytest.approx(
        visit.scores(), abs=0.011
    )
    litotes_command = f"{sys.executable} -m litotes"
    found = json.loads(
        run("bash", "-c", shown_code(visit.page, "code", "Shell").replace("\nlitotes", f"\n{litotes_command}"))
    )
    # where a negation ends within it, the excluded part is marked in pieces
    excluded = "".join(visit.page.locator("#reading .excluded").all_text_contents())
    assert [excluded.strip('"')] == found["exclusion"]["excluded"]


def test_copied_code_of_the_guard_does_the_same(visit: Visit) -> None:
    visit.page.locator("#guard-examples").get_by_role("button", name="Direction").click()
    visit.page.locator(".outcome").wait_for()
    assert "borrow" in run(sys.executable, "-c", shown_code(visit.page, "guard-code", "Python"))
    found = json.loads(run("bash", "-c", shown_code(visit.page, "guard-code", "curl").replace("curl ", "curl -sS ")))
    assert (found["same"], found["reason"]) == (False, "direction")
    shell = shown_code(visit.page, "guard-code", "Shell").replace("litotes", f"{sys.executable} -m litotes", 1)
    found = json.loads(run("bash", "-c", shell))
    assert (found["same"], found["words"]) == (False, ["borrow", "lend"])


def test_everything_can_be_reached_by_keyboard_and_has_a_name(visit: Visit) -> None:
    # open what is closed, and enable what is disabled, without moving the focus
    visit.page.evaluate("document.getElementById('documents-box').open = true")
    visit.page.evaluate("document.getElementById('dial').dispatchEvent(new Event('input'))")
    reached = []
    for _ in range(60):
        visit.page.keyboard.press("Tab")
        name = visit.page.evaluate(
            "() => { const one = document.activeElement; return one === document.body ? '' :"
            " (one.labels?.[0] ?? one).innerText || one.ariaLabel || one.id }"
        )
        if not name:
            break
        reached.append(name.strip().partition("\n")[0])
        assert visit.page.evaluate(OUTLINE) == "solid", reached[-1]
    wanted = ("Medicine", "Query", "Documents, one per line", "Dial", "Use the default", "Python", "Copy", "Compare")
    for expected in wanted:
        assert expected in reached
    unnamed = visit.page.evaluate(
        "[...document.querySelectorAll('input, textarea, button')].filter((one) => "
        "!one.innerText?.trim() && !one.labels?.length).map((one) => one.outerHTML)"
    )
    assert unnamed == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_fits_its_window_in_both_schemes(browser: Browser, server: Server, width: int, scheme: str) -> None:
    size = {"width": width, "height": 800}
    visit = Visit(browser, server.url, viewport=size, color_scheme=scheme, reduced_motion="reduce")
    over = visit.page.evaluate(
        "[...document.querySelectorAll('body *')].filter((one) => !one.closest('pre, svg, .hidden, .skip') && "
        "one.getBoundingClientRect().right > innerWidth + 0.5).map((one) => one.outerHTML.slice(0, 80))"
    )
    assert over == []
    assert visit.page.evaluate("document.documentElement.scrollWidth") == width
    paper = visit.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert (sum(map(int, paper.removeprefix("rgb(").removesuffix(")").split(","))) > 382) == (scheme == "light")
    visit.page.fill("#dial", "0")
    assert visit.page.evaluate("document.getAnimations().length") == 0
    visit.context.close()


def test_the_security_policy_allows_only_this_server(visit: Visit) -> None:
    policy = visit.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    refused = visit.page.evaluate("fetch('http://127.0.0.2:9/').then(() => 'sent', (error) => error.name)")
    assert refused == "TypeError"
    assert any("Content Security Policy" in problem for problem in visit.problems)
