"""Synthesis: sources, triples, contrasts, filters, and a run that may be killed at any moment."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

import litotes
from litotes.errors import InputError
from litotes.parse import parser
from litotes.synth import Anchor, Config, read, synthesise
from litotes.synth.contrasts import contrasts, query
from litotes.synth.filters import refusal
from litotes.synth.triples import triples
from litotes.types import Triple


def test_the_seed_corpus_is_as_large_and_as_varied_as_promised() -> None:
    sentences, passages = list(read(["seed:sentences"])), list(read(["seed:passages"]))
    assert len({anchor.text for anchor in sentences}) >= 1500
    assert len({anchor.text for anchor in passages}) >= 250
    assert all(len(anchor.questions) == 3 for anchor in passages)
    counts = [len(document.sentences) for document in parser().pipe(anchor.text for anchor in passages)]
    assert sum(3 <= count <= 6 for count in counts) >= 0.97 * len(counts)


SENTENCES = (
    "The drug is safe for children.",
    "All members voted for the amendment.",
    "The library is open on Sundays.",
    "He managed to repair the old radio.",
    "It is possible to cross the river here.",
    "The shop failed to open on time.",
    "She does not like the new cook.",
    "A dog on a red sofa.",
)


def _anchors() -> list[Anchor]:
    return [Anchor(str(number), text) for number, text in enumerate(SENTENCES)]


def test_sources_of_every_kind(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("\ufeffOne  two.\n\n Three.\n", encoding="utf-8")
    (tmp_path / "b.jsonl").write_text('{"id": "x", "text": "Four.", "questions": ["what"]}\n\n', encoding="utf-8")
    (tmp_path / "c.csv").write_text('text,more\n"Five, six.",7\n', encoding="utf-8")
    (tmp_path / "d.tsv").write_text("text\tmore\nSeven.\t8\n", encoding="utf-8")
    (tmp_path / "ignored.md").write_text("no", encoding="utf-8")
    found = list(read([str(tmp_path)]))
    assert [anchor.text for anchor in found] == ["One two.", "Three.", "Four.", "Five, six.", "Seven."]
    assert found[2] == Anchor("x", "Four.", ("what",))
    assert len({anchor.id for anchor in found}) == 5


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", "{", "line 1: not JSON"),
        ("a.jsonl", '{"sentence": "x"}', "no text in the column 'text'"),
        ("a.csv", "sentence\nx\n", "no text in the column 'text'"),
        ("a.doc", "x", "files of kind .doc are not read"),
    ],
)
def test_unreadable_sources_are_errors(tmp_path: Path, name: str, content: str, message: str) -> None:
    file = tmp_path / name
    file.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        list(read([str(file)]))
    with pytest.raises(InputError, match="there is no file"):
        list(read([str(tmp_path / "nowhere.txt")]))


def test_triples_hold_what_they_say() -> None:
    counts: Counter[str] = Counter()
    made = list(triples(_anchors(), seed=0, counts=counts))
    assert counts["kept"] == len(made)
    assert len({triple.id for triple in made}) == len(made)
    for triple in made:
        assert len({triple.anchor, triple.positive, triple.negative}) == 3
        assert refusal(triple) == ""
    texts = [(triple.anchor, triple.positive, triple.negative) for triple in made]
    assert len(set(texts)) == len(texts)
    by_anchor = Counter((triple.anchor, triple.negative_kind) for triple in made)
    # at most two positives an anchor and one rewrite a kind
    assert max(by_anchor.values()) <= 2
    assert made == list(triples(_anchors(), seed=0, counts=Counter()))
    assert {t.positive for t in made} != {t.positive for t in triples(_anchors(), seed=1, counts=Counter())}


def test_mirrors_start_from_the_negated_text() -> None:
    mirrors = [triple for triple in triples(_anchors(), seed=0, counts=Counter()) if "/mirror/" in triple.id]
    assert mirrors
    found = next(triple for triple in mirrors if triple.negative == "It is possible to cross the river here.")
    assert found.anchor == "It isn't possible to cross the river here."
    assert found.positive == "It is impossible to cross the river here."


def _triple(anchor: str, positive: str, negative: str) -> Triple:
    return Triple("x", anchor, positive, negative, "word", "verbal", ("", ""))


def test_filters_say_why() -> None:
    assert "the same" in refusal(_triple("The lamp is on.", "the lamp is on.", "It is off."))
    assert "shorter" in refusal(_triple("It is.", "It may be so.", "It is not so."))
    assert "negative is more than 60" in refusal(_triple("The lamp is on.", "The lamp may be on.", "x y z " * 20))
    assert refusal(_triple("The lamp is on.", "The lamp may be on.", "The lamp isn't on.")) == ""


PASSAGE = (
    "The Corve ferry crosses the lake twice a day. The old boats run in winter, when the road is closed. "
    "All passengers wear a life jacket on board. A ticket costs three crowns."
)


def test_contrasts_differ_in_one_sentence() -> None:
    counts: Counter[str] = Counter()
    anchors = [Anchor(str(number), PASSAGE) for number in range(20)]
    made = list(contrasts(anchors, seed=0, counts=counts))
    assert counts["kept"] == len(made) > 15
    for contrast in made:
        assert contrast.doc1 == PASSAGE
        assert contrast.doc2 != PASSAGE
        assert contrast.q2 is not None
        assert contrast.q1 != contrast.q2
        before, after = (len(parser().parse(text).sentences) for text in (contrast.doc1, contrast.doc2))
        assert before == after
    assert len({contrast.style for contrast in made}) >= 2
    assert made == list(contrasts(anchors, seed=0, counts=Counter()))


@pytest.mark.parametrize(
    ("text", "style", "wanted"),
    [
        ("The old boats run in winter.", "question", "which old boats run in winter"),
        ("The old boats don't run in winter.", "question", "which old boats don't run in winter"),
        ("No boats run in winter.", "question", ""),
        ("They run in winter.", "statement", ""),
        ("The old boats don't run in winter.", "keywords", "old boats not run in winter"),
        ("The old boats run in winter.", "statement", "The old boats run in winter"),
    ],
)
def test_queries_by_style(text: str, style: str, wanted: str) -> None:
    assert query(parser().parse(text), style) == wanted


def _source(folder: Path, count: int = 30) -> Path:
    file = folder / "anchors.txt"
    lines = [
        f"The {thing} number {i} is {state}."
        for i in range(count)
        for thing, state in (("lamp", "safe"), ("door", "open"))
    ]
    file.write_text("\n".join([*lines, lines[0]]) + "\n", encoding="utf-8")
    return file


def test_a_run_writes_data_and_a_manifest(tmp_path: Path) -> None:
    manifest = synthesise(Config((str(_source(tmp_path)),)), tmp_path / "out")
    lines = (tmp_path / "out" / "triples.jsonl").read_text(encoding="utf-8").splitlines()
    assert manifest["anchors"] == 60
    assert manifest["made"]["triples"]["kept"] == len(lines) == sum(manifest["made"]["triples"]["by kind"].values())
    assert json.loads(lines[0])["anchor"] == "The lamp number 0 is safe."
    assert json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))["versions"]["litotes"]
    assert not (tmp_path / "out" / "blocks").exists()


def test_a_run_is_not_overwritten(tmp_path: Path) -> None:
    config = Config((str(_source(tmp_path, 2)),))
    synthesise(config, tmp_path / "out")
    before = (tmp_path / "out" / "triples.jsonl").read_bytes()
    with pytest.raises(InputError, match="go on with --resume"):
        synthesise(config, tmp_path / "out")
    with pytest.raises(InputError, match="another configuration"):
        synthesise(Config(config.sources, seed=1), tmp_path / "out", resume=True)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "precious").write_text("x", encoding="utf-8")
    with pytest.raises(InputError, match="holds no run"):
        synthesise(config, tmp_path / "other")
    synthesise(config, tmp_path / "out", resume=True)
    assert (tmp_path / "out" / "triples.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("options", "message"), [({"make": ("poems",)}, "cannot make poems"), ({"shard": (2, 2)}, "from 0 to 1")]
)
def test_impossible_configurations(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Config(("x",), **options)  # type: ignore[arg-type]


COMMAND = "from litotes.cli import main; main()"


def _run(source: Path, out: Path, *more: str) -> subprocess.Popen[str]:
    arguments = ["synth", str(source), "--out", str(out), *more]
    return subprocess.Popen([sys.executable, "-c", COMMAND, *arguments], stdout=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_a_killed_run_goes_on_with_nothing_lost_and_nothing_twice(tmp_path: Path) -> None:
    source = _source(tmp_path, 500)
    whole = _run(source, tmp_path / "whole")
    assert whole.wait() == 0
    draw = random.Random(0)
    done, kills = False, 0
    while not done and kills < 12:
        process = _run(
            source, tmp_path / "killed", *(["--resume"] if (tmp_path / "killed" / "config.json").exists() else [])
        )
        time.sleep(2.5 + 4 * draw.random())
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
        else:
            done = process.returncode == 0
    if not done:
        assert _run(source, tmp_path / "killed", "--resume").wait() == 0
    assert kills > 0
    assert (tmp_path / "killed" / "triples.jsonl").read_bytes() == (tmp_path / "whole" / "triples.jsonl").read_bytes()


@pytest.mark.slow
def test_workers_and_shards_give_the_same_bytes(tmp_path: Path) -> None:
    source = _source(tmp_path, 250)
    for name, more in (("one", ["--workers", "1"]), ("two", ["--workers", "2"])):
        assert _run(source, tmp_path / name, *more).wait() == 0
    one, two = ((tmp_path / name / "triples.jsonl").read_bytes() for name in ("one", "two"))
    assert one == two
    parts = []
    for part in ("0/2", "1/2"):
        out = tmp_path / part.replace("/", "of")
        assert _run(source, out, "--shard", part).wait() == 0
        parts += (out / "triples.jsonl").read_text(encoding="utf-8").splitlines()
    assert sorted(parts) == sorted(one.decode().splitlines())


def test_every_negative_of_a_verbal_triple_is_detected_as_negation() -> None:
    for triple in triples(_anchors()[:5], seed=0, counts=Counter()):
        if triple.negative_kind == "verbal" and "/mirror/" not in triple.id:
            assert len(litotes.detect(triple.negative).negations) != len(litotes.detect(triple.anchor).negations)
