# SPDX-License-Identifier: MIT
"""What type checkers are told is what comes out, and every public name is among what they look at."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import skelkin_py as sk

FILE = Path(__file__).resolve().parents[2] / "types" / "typed_calls.py"


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("typed_calls", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("call", load().CALLS, ids=lambda call: call.__name__)
def test_the_types_that_are_promised_come_out(call: Callable[[], None]) -> None:
    call()


def test_every_public_name_is_called_or_named() -> None:
    text = FILE.read_text(encoding="utf-8")
    assert [name for name in sk.__all__ if f"sk.{name}" not in text] == []


def test_the_package_says_that_it_is_typed() -> None:
    (folder,) = sk.__path__
    assert (Path(folder) / "py.typed").is_file()
    assert (Path(folder) / "_core.pyi").is_file()
