# SPDX-License-Identifier: MIT
"""Calls of the command line that are refused."""

from __future__ import annotations

from typing import Any

from skelkin_py.cli import main


def check_refused(arguments: list[str], words: str, capsys: Any, code: int = 1) -> None:
    """It exits with this code and says why in one line, which contains these words."""
    assert main(arguments) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("skelkin: ")
    assert err.count("\n") == 1
    assert words in err
