"""Write a file so that readers see the old content or the new content, never a part of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4


def write_atomically(path: Path | str, content: str | bytes) -> None:
    """Write text (as UTF-8) or bytes to `path`. An interrupted write leaves the old file unchanged."""
    with replacing(path) as temporary:
        temporary.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)


@contextmanager
def replacing(path: Path | str) -> Iterator[Path]:
    """Yield a temporary path beside `path`; when the block ends without an error, it replaces `path`.

    Missing parent folders are created. After an error the temporary file is removed.
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f"{uuid4().hex}.partial")
    try:
        yield temporary
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
