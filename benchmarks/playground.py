"""Measure how long the playground takes to show its first ranking, in chromium with a warm cache.

python scripts/build_playground.py --out site/playground
python benchmarks/playground.py --page site/playground
litotes serve & python benchmarks/playground.py --url http://127.0.0.1:8000/
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

LOADS = 5
PAUSE = 3000
"""milliseconds between two loads"""


class Quiet(SimpleHTTPRequestHandler):
    """A static host that prints nothing."""

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""


def serve(folder: Path) -> str:
    """Serve a folder in a thread; return its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


def first_ranking(page: Page, url: str) -> float:
    """Open the page; return the seconds until its first ranking is there."""
    started = time.perf_counter()
    page.goto(url)
    page.wait_for_selector("#litotes li", timeout=0)
    taken = time.perf_counter() - started
    # Meanwhile the browser writes its cache of compiled code.
    page.wait_for_timeout(PAUSE)
    return taken


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    chosen = parser.add_mutually_exclusive_group(required=True)
    chosen.add_argument("--page", type=Path, help="the folder of the static page")
    chosen.add_argument("--url", help="the address of a running server")
    options = parser.parse_args()
    browser = shutil.which("chromium")
    if browser is None:
        sys.exit("Error: chromium is not on the PATH. Install it with: apt-get install chromium")
    url = options.url or serve(options.page)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as profile:
        # With a profile, the browser keeps compiled code, as it does for people.
        context = playwright.chromium.launch_persistent_context(profile, executable_path=browser, args=["--no-sandbox"])
        page = context.new_page()
        cold = first_ranking(page, url)
        warm = [first_ranking(page, url) for _ in range(LOADS)]
        context.close()
    shown = ", ".join(f"{seconds:.1f}" for seconds in warm)
    print(f"first ranking: {cold:.1f} s at the first load; then {shown} (median {statistics.median(warm):.1f})")
    print(f"load average of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
