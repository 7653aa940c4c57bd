# SPDX-License-Identifier: MIT
"""Every example in a docstring runs and prints what it says; every public function has one."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
from pathlib import Path

import numpy as np
import pytest

import skelkin_py as sk

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def module_names() -> list[str]:
    found = [info.name for info in pkgutil.walk_packages(sk.__path__, "skelkin_py.")]
    without = ("._core", "jupyter.widget")  # no source; needs anywidget
    return sorted(name for name in found if not name.endswith(without))


@pytest.mark.slow
@pytest.mark.parametrize("name", module_names())
def test_examples_in_docstrings_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = doctest.testmod(importlib.import_module(name), extraglobs={"np": np, "sk": sk}, optionflags=FLAGS)
    assert result.failed == 0


def public_functions() -> list[str]:
    return sorted(name for name in dir(sk) if not name.startswith("_") and inspect.isroutine(getattr(sk, name)))


@pytest.mark.parametrize("name", public_functions())
def test_public_function_has_numpydoc_sections_and_an_example(name: str) -> None:
    function = getattr(sk, name)
    text = inspect.getdoc(function) or ""
    assert "Returns\n-------" in text
    assert "Examples\n--------" in text
    assert ">>> " in text
    if inspect.signature(function).parameters:
        assert "Parameters\n----------" in text
