"""Build the playground as static files: the page, onnxruntime-web from npm, and the models as ONNX graphs.

python scripts/build_playground.py --out site/playground
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from litotes.detection import linear_splitter
from litotes.models.bases import GUARD_MINI, MINI, SPLITTER

PAGE = Path(__file__).parents[1] / "src" / "litotes" / "serve" / "playground"
SERVER_ONLY = "server_backend.js"
MODELS = (MINI, SPLITTER, GUARD_MINI)
RUNTIME = "onnxruntime-web@1.30.0"
INTEGRITY = "sha512-q0y+JrrtukXSzsBWEMccVfqX25LRmosXHF+CaRJmg8pZClzcV7svNc4rKY3jL02Vb7QmRMDs1SigqR4CXAfKYQ=="
"""what npm says about the archive of that version"""
RUNTIME_FILES = ("ort.wasm.bundle.min.mjs", "ort-wasm-simd-threaded.wasm")
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "worker-src 'self' blob:; base-uri 'none'; form-action 'none'"
)
"""WebAssembly needs 'wasm-unsafe-eval'. The worker is made from a blob, so that it keeps this policy."""
COMMENT = re.compile(r"^(?://[^\n]*|/\*.*?\*/)\n", re.MULTILINE | re.DOTALL)
"""a comment on lines of its own"""


class BuildError(Exception):
    """The page could not be built."""


def build(out: Path, *, models: Path | None = None) -> None:
    """Write the static page to a folder. `models` has a folder per exported model; without it they are exported."""
    copy_page(out)
    copy_runtime(out / "vendor")
    for name in MODELS:
        copy_model(name, out / "models" / name, exported=models / name if models else None)
    write(out / "models" / "cue-words.json", json.dumps(sorted(linear_splitter().cue_words), ensure_ascii=False))


def copy_page(out: Path) -> None:
    """Copy the page, set to run its models itself."""
    for path in sorted(PAGE.iterdir()):
        if path.name != SERVER_ONLY:
            write(out / path.name, shortened(path.read_text(encoding="utf-8")))
    page = out / "index.html"
    html = page.read_text(encoding="utf-8")
    policy = f'<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    for old, new in (('data-backend="server"', 'data-backend="browser"'), ('<meta charset="utf-8">', policy)):
        if html.count(old) != 1:
            raise BuildError(f"index.html has {old!r} {html.count(old)} times; expected it once")
        html = html.replace(old, new)
    write(page, html)


def shortened(text: str) -> str:
    """Return a file of the page without indentation and without comments on lines of their own."""
    return COMMENT.sub("", re.sub(r"^[ \t]+", "", text, flags=re.MULTILINE))


def copy_runtime(out: Path) -> None:
    """Get onnxruntime-web from npm, check it, and copy what the page needs."""
    npm = shutil.which("npm")
    if npm is None:
        raise BuildError("npm is not on the PATH; the page needs it to get onnxruntime-web. Install Node.js with npm")
    with tempfile.TemporaryDirectory(prefix="litotes-playground-") as scratch:
        command = [npm, "pack", "--silent", RUNTIME, "--pack-destination", scratch]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        archives = list(Path(scratch).glob("*.tgz"))
        if done.returncode or len(archives) != 1:
            raise BuildError(f"npm could not get {RUNTIME}: {done.stderr.strip()[-500:]}")
        content = archives[0].read_bytes()
        found = "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode("ascii")
        if found != INTEGRITY:
            raise BuildError(f"the archive of {RUNTIME} has the hash {found}; expected {INTEGRITY}")
        out.mkdir(parents=True, exist_ok=True)
        with tarfile.open(archives[0]) as archive:
            for name in RUNTIME_FILES:
                member = archive.extractfile(f"package/dist/{name}")
                if member is None:
                    raise BuildError(f"{RUNTIME} has no file dist/{name}")
                (out / name).write_bytes(member.read())


def copy_model(name: str, out: Path, *, exported: Path | None) -> None:
    """Copy an exported model, or export it, with what the page reads of it."""
    from litotes.models.onnx.artefact import CARD, TOKENIZER, read_card
    from litotes.workflows.exporting import export_onnx

    with tempfile.TemporaryDirectory(prefix="litotes-playground-") as scratch:
        folder = exported or export_onnx(name, Path(scratch) / name, int8=True).folder
        out.mkdir(parents=True, exist_ok=True)
        for file in (read_card(folder).graph, TOKENIZER, CARD):
            shutil.copyfile(folder / file, out / file)


def write(path: Path, text: str) -> None:
    """Write a text file and the folders that it needs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def main() -> None:
    """Build the page as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="the folder for the page")
    parser.add_argument("--models", type=Path, help="a folder with exported models, instead of exporting them")
    options = parser.parse_args()
    out: Path = options.out
    try:
        build(out, models=options.models)
    except BuildError as error:
        sys.exit(f"Error: {error}")
    for part in (out, out / "vendor", *(out / "models" / name for name in MODELS)):
        print(f"{part}: {sum(path.stat().st_size for path in part.iterdir() if path.is_file()) / 1000:,.0f} kB")
    print(f"Open it with: python -m http.server -d {out}")


if __name__ == "__main__":
    main()
