"""Test sources: files and folders, data sets and presets, the seed corpus, and their errors."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from litotes.errors import InputError, MissingError
from litotes.parse import load_parser
from litotes.synthesis import Anchor, read
from litotes.synthesis.sources import default_sources, pinned
from litotes.synthesis.sources.hub import PAPER, Reference, parse_reference, references
from litotes.synthesis.sources.presets import PRESETS

LAMP, DOOR = "The lamp is on.", "The door is open."


def _texts(*sources: str, column: str = "text") -> list[str]:
    return [anchor.text for anchor in read(sources, column=column)]


def test_the_seed_corpus_has_the_documented_size_and_variety() -> None:
    sentences, passages = list(read(["seed:sentences"])), list(read(["seed:passages"]))
    assert len({anchor.text for anchor in sentences}) >= 1500
    assert len({anchor.text for anchor in passages}) >= 250
    assert all(len(anchor.questions) == 3 for anchor in passages)
    sample = (anchor.text for anchor in passages[::3])
    counts = [len(document.sentences) for document in load_parser().pipe(sample)]
    assert sum(3 <= count <= 6 for count in counts) >= 0.97 * len(counts)


def test_files_of_every_format(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("\ufeffOne  two.\n\n Three.\n", encoding="utf-8")
    (tmp_path / "b.jsonl").write_text('{"id": "x", "text": "Four.", "questions": ["what"]}\n\n', encoding="utf-8")
    (tmp_path / "c.csv").write_text('text,more\n"Five, six.",7\n', encoding="utf-8")
    (tmp_path / "d.tsv").write_text("text\tmore\r\nSeven.\t8\r\n", encoding="utf-8")
    (tmp_path / "e.txt.gz").write_bytes(gzip.compress("\ufeffNine.\n".encode()))
    (tmp_path / "f.jsonl.gz").write_bytes(gzip.compress(b'{"text": "Ten.", "questions": "who"}\n'))
    (tmp_path / "g.CSV.gz").write_bytes(gzip.compress(b'text\n"Eleven,\ntwelve."\n'))
    (tmp_path / "ignored.md").write_text("no", encoding="utf-8")
    anchors = list(read([str(tmp_path)]))
    assert [anchor.text for anchor in anchors] == [
        "One two.",
        "Three.",
        "Four.",
        "Five, six.",
        "Seven.",
        "Nine.",
        "Ten.",
        "Eleven, twelve.",
    ]
    assert anchors[2] == Anchor("x", "Four.", ("what",))
    assert anchors[6].questions == ("who",)
    assert len({anchor.id for anchor in anchors}) == 8
    assert [anchor.id.split("-")[0] for anchor in anchors] == ["a", "a", "x", "c", "d", "e", "f", "g"]


def test_a_folder_is_read_with_its_subfolders_sorted_by_path(tmp_path: Path) -> None:
    for name in ("b/two.txt", "a/deep/one.txt", "c.txt", ".hidden/no.txt", "b/.no.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name, encoding="utf-8")
    assert _texts(str(tmp_path)) == ["a/deep/one.txt", "b/two.txt", "c.txt"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="has no file that ends in"):
        _texts(str(tmp_path / "empty"))


def test_parquet_has_nulls_and_rows(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = arrow.table({"text": [LAMP, None], "questions": [["which lamp"], None]})
    parquet.write_table(table, tmp_path / "a.parquet")
    lamp, empty = read([str(tmp_path / "a.parquet")])
    assert (lamp.text, lamp.questions) == (LAMP, ("which lamp",))
    assert (empty.text, empty.questions) == ("", ())
    with pytest.raises(InputError, match=r"row 1: no text in the column 'sentence'; name one of text, questions"):
        _texts(str(tmp_path / "a.parquet"), column="sentence")
    (tmp_path / "b.parquet").write_bytes(b"PAR1 not at all")
    with pytest.raises(InputError, match="after row 0: not a readable Parquet file"):
        _texts(str(tmp_path / "b.parquet"))


def test_standard_input_is_read_as_utf8(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("Zoë läuft.\n\n".encode()), encoding="ascii"))
    assert _texts("-") == ["Zoë läuft."]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"One.\n\xffTwo.\n")))
    with pytest.raises(InputError, match="standard input, line 2: the byte 0xff is not UTF-8"):
        _texts("-")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", b"{", "line 1: not JSON"),
        (
            "a.jsonl",
            b'{"text": "x"}\n\n{"sentence": "x"}',
            "line 3: no text in the column 'text'; name one of sentence with --column",
        ),
        ("a.jsonl", b'{"text": 7}', "line 1: no text in the column 'text'"),
        ("a.csv", b"sentence\nx\n", "line 2: no text in the column 'text'"),
        ("a.csv", b"text,n\nOne, two.,3\n", "line 2: 3 cells, but the header has 2; quote texts with a comma"),
        ("a.tsv", b"text\tn\nx\t1\nshort\n", "line 3: 1 cells, but the header has 2; quote texts with a tab"),
        ("a.csv", b'text\n"x" y\n', "line 2: not a readable table"),
        ("a.csv", b'text\n"never closed\n', "line 2: not a readable table"),
        ("a.txt", b"fine\nna\xefve\n", "a.txt, line 2: the byte 0xef is not UTF-8"),
        ("a.csv", b"text\nna\xefve\n", "a.csv, line 2: the byte 0xef is not UTF-8"),
        ("a.txt.gz", gzip.compress(b"fine\n" * 50, mtime=0)[:-9], "not a complete gzip file"),
        ("a.txt.gz", b"plain", "after line 0: not a complete gzip file"),
        ("a.doc", b"x", "the suffix is .doc; expected one of .txt"),
    ],
)
def test_unreadable_sources_are_errors(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(InputError, match=message):
        _texts(str(file))


def test_a_source_that_does_not_exist() -> None:
    with pytest.raises(InputError, match=r"'nowhere.txt' does not exist; expected a file, a folder, -, hf:"):
        _texts("nowhere.txt")


def _data_set(**columns: list[Any]) -> Any:
    return pytest.importorskip("datasets").Dataset.from_dict(columns)


def test_a_saved_data_set_is_read_by_split_and_column(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    train, dev = _data_set(id=["x", "y"], premise=[LAMP, None], label=[0, 1]), _data_set(premise=[DOOR])
    train.save_to_disk(tmp_path / "one")
    datasets.DatasetDict({"train": train.remove_columns("id"), "dev": dev}).save_to_disk(tmp_path / "two")
    assert list(read([f"hf:{tmp_path}/one#/premise"])) == [Anchor("x", LAMP), Anchor("y", "")]
    assert _texts(f"hf:{tmp_path}/one", column="premise") == [LAMP, ""]
    # A folder that save_to_disk wrote is recognised without the prefix.
    assert _texts(f"{tmp_path}/one", column="premise") == [LAMP, ""]
    assert _texts(f"hf:{tmp_path}/two#dev/premise") == [DOOR]
    assert _texts(f"hf:{tmp_path}/two", column="premise") == [LAMP, ""]
    with pytest.raises(InputError, match="there is no split 'test'; expected one of train, dev"):
        _texts(f"hf:{tmp_path}/two#test/premise")
    with pytest.raises(InputError, match=r"no column 'text'; expected one of id, premise, label\. Name it"):
        _texts(f"hf:{tmp_path}/one")
    with pytest.raises(InputError, match="no text in the column 'label'"):
        _texts(f"hf:{tmp_path}/one#/label")


def _repository(folder: Path, config: str, **columns: list[Any]) -> Path:
    """Write a repository as the hub has it: a card that names the configuration, and Parquet files."""
    (folder / config).mkdir(parents=True)
    _data_set(**columns).to_parquet(folder / config / "train-00000-of-00001.parquet")
    parts = {"config_name": config, "data_files": [{"split": "train", "path": f"{config}/train-*"}]}
    (folder / "README.md").write_text(f"---\nconfigs:\n- {json.dumps(parts)}\n---\n", encoding="utf-8")
    return folder


def test_a_folder_of_parquet_is_read_as_the_hub_would(tmp_path: Path) -> None:
    home = _repository(tmp_path / "home", "pair", text=[LAMP, DOOR], simplified=["Lamp on.", "Door open."])
    assert _texts(f"hf:{home}:pair#train/simplified") == ["Lamp on.", "Door open."]
    both = list(read([f"hf:{home}#train/text,simplified"]))
    assert [anchor.text for anchor in both] == [LAMP, "Lamp on.", DOOR, "Door open."]
    assert len({anchor.id for anchor in both}) == 4
    with pytest.raises(InputError, match="test"):
        _texts(f"hf:{home}#test/text")
    with pytest.raises(InputError, match="other"):
        _texts(f"hf:{home}:other#train/text")


def test_a_data_set_with_its_own_code_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("datasets")
    (tmp_path / "coded").mkdir()
    (tmp_path / "coded" / "coded.py").write_text("raise SystemExit('this must not run')", encoding="utf-8")
    with pytest.raises(InputError, match="scripts are no longer supported"):
        _texts(f"hf:{tmp_path}/coded#train/text")


def test_a_copy_of_a_preset_is_read_as_the_preset(tmp_path: Path) -> None:
    home = _repository(tmp_path / "snli", "plain_text", premise=[LAMP], hypothesis=[DOOR])
    assert _texts(f"hf:snli={home}") == [LAMP]
    assert _texts(f"hf:snli={home}#train/hypothesis") == [DOOR]
    assert next(iter(read([f"hf:snli={home}"]))).id.startswith("snli-")
    with pytest.raises(InputError, match="the folder 'nowhere' does not exist; expected a copy of stanfordnlp/snli"):
        _texts("hf:snli=nowhere")


@pytest.mark.parametrize("header", [b"", b"anchor\tentailment\tnegative\tsource\n"])
def test_the_papers_sources_are_read_from_a_folder_of_copies(tmp_path: Path, header: bytes) -> None:
    rows = header + f"{LAMP}\tLight.\tDark.\tsnli\nNA\tb\tc\tcoco\n".encode()
    for name, preset in PRESETS.items():
        if preset.config or not preset.files:
            _repository(tmp_path / name, preset.config or "data", **{preset.column: [f"From {name}."]})
    (tmp_path / "negation").mkdir()
    (tmp_path / "negation" / PRESETS["negation"].files).write_bytes(gzip.compress(rows))
    (tmp_path / "sentence-compression" / "pair" / "train").mkdir(parents=True)
    _data_set(text=[DOOR]).to_parquet(tmp_path / "sentence-compression" / "pair" / "train" / "0000.parquet")
    assert _texts(f"{PAPER}={tmp_path}") == [
        LAMP,
        "NA",
        "From snli.",
        "From multinli.",
        DOOR,
        "From simple-wiki.",
        "From coco.",
    ]


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("hf:owner/name", Reference("owner/name", "", "main")),
        ("hf:owner/name:pair", Reference("owner/name", "pair", "main")),
        ("hf:owner/name@refs/pr/2#dev", Reference("owner/name", "", "refs/pr/2", "dev")),
        ("hf:owner/name:pair@abc#dev/a,b", Reference("owner/name", "pair", "abc", "dev", ("a", "b"))),
        ("hf:name#/a", Reference("name", "", "main", "", ("a",))),
    ],
)
def test_source_strings_are_parsed_and_written(source: str, wanted: Reference) -> None:
    assert parse_reference(source) == wanted
    assert parse_reference(str(wanted)) == wanted


def test_presets_are_pinned_to_a_commit_and_take_options() -> None:
    snli = parse_reference("hf:snli#test/hypothesis")
    assert (snli.name, snli.config, snli.split, snli.columns) == (
        PRESETS["snli"].name,
        "plain_text",
        "test",
        ("hypothesis",),
    )
    assert len(references(PAPER)) == len(PRESETS) == 6
    for reference in references(PAPER):
        assert len(reference.revision) == 40
        assert parse_reference(str(reference)) == reference


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("hf:", "neither a folder nor the name of a data set"),
        ("hf:./nowhere#train/text", "neither a folder nor the name of a data set"),
        ("hf:a/b/c", "expected hf:owner/name#split/column"),
        ("hf:owner/a--b", "Cannot have -- or .. in repo_id"),
        ("hf:snli:other", "has a fixed configuration"),
        ("hf:negation#test", "hf:negation has the split train only"),
    ],
)
def test_invalid_source_strings(source: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        _texts(source)


def test_without_the_hub_the_error_says_how_to_get_a_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("datasets")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    commit = PRESETS["snli"].revision
    wanted = (
        f"hf download stanfordnlp/snli --repo-type dataset --revision {commit} --local-dir FOLDER; then use hf:snli=F"
    )
    with pytest.raises(MissingError, match=wanted):
        _texts("hf:snli")
    with pytest.raises(MissingError, match="hf download litotes-tests/none --repo-type dataset --local-dir FOLDER"):
        pinned(["hf:litotes-tests/none#train/text"])
    assert default_sources() == ("seed:sentences",)


def test_a_copy_in_the_hubs_cache_is_read_without_the_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("datasets")
    commit = "0123456789abcdef0123456789abcdef01234567"
    home = tmp_path / "datasets--litotes-tests--lamps"
    _repository(home / "snapshots" / commit, "pair", text=[LAMP])
    (home / "refs").mkdir()
    (home / "refs" / "main").write_text(commit, encoding="utf-8")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    assert _texts("hf:litotes-tests/lamps") == [LAMP]
    assert pinned(["hf:litotes-tests/lamps#train/text", "-"]) == (f"hf:litotes-tests/lamps@{commit}#train/text", "-")
