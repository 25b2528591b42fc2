"""What error messages share."""

from __future__ import annotations

import pytest

from litotes.errors import did_you_mean

NAMES = ("nevir", "excluir", "mini-retrieval", "dense:litotes-mini")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("nevr", " Did you mean 'nevir'?"),
        ("NEVIR", " Did you mean 'nevir'?"),
        ("mini-retreival", " Did you mean 'mini-retrieval'?"),
        ("dense:litotes_mini", " Did you mean 'dense:litotes-mini'?"),
        ("poems", ""),
        ("", ""),
    ],
)
def test_the_nearest_known_name_is_suggested(name: str, hint: str) -> None:
    assert did_you_mean(name, NAMES) == hint


def test_without_known_names_nothing_is_suggested() -> None:
    assert did_you_mean("nevir", ()) == ""
