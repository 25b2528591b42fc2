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
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import CDPSession, Page, sync_playwright

LOADS = 5


class Quiet(SimpleHTTPRequestHandler):
    """A static host that prints nothing."""

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""


def serve(folder: Path) -> str:
    """Serve a folder in a thread; return its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


def processor_seconds(session: CDPSession) -> float:
    """Return the processor time of the browser's processes so far."""
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    return float(sum(process["cpuTime"] for process in processes))


def first_ranking(page: Page, session: CDPSession, url: str) -> tuple[float, float]:
    """Open the page; return the seconds and the processor seconds until its first ranking is there."""
    started, used = time.perf_counter(), processor_seconds(session)
    page.goto(url)
    page.wait_for_selector("#litotes li", timeout=0)
    return time.perf_counter() - started, processor_seconds(session) - used


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
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page, session = launched.new_page(), launched.new_browser_cdp_session()
        cold, _ = first_ranking(page, session, url)
        warm = [first_ranking(page, session, url) for _ in range(LOADS)]
    shown = ", ".join(f"{seconds:.1f}" for seconds, _ in warm)
    middle = statistics.median(seconds for seconds, _ in warm)
    print(f"first ranking: {cold:.1f} s at the first load; then {shown} (median {middle:.1f})")
    print(f"processor time of the browser: {statistics.median(used for _, used in warm):.1f} s per load (median)")
    print(f"load average of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
