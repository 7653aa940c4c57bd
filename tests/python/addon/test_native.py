# SPDX-License-Identifier: MIT
"""A zip on a system that it was not made for says so in one sentence, and what to get; it asks for no restart."""

import sysconfig

import pytest
from addon_modules import load

native = load("bridge.native")

SYSTEMS = [
    ("linux-x86_64", "Linux x64"),
    ("linux-aarch64", "Linux ARM64"),
    ("win-amd64", "Windows x64"),
    ("win-arm64", "Windows ARM64"),
    ("macosx-11.0-arm64", "macOS ARM64"),
    ("macosx-10.15-x86_64", "macOS x64"),
]


@pytest.fixture(autouse=True)
def nothing_is_known(monkeypatch):
    monkeypatch.setattr(native, "_problem", None)
    monkeypatch.setattr(native, "_module", None)


@pytest.mark.parametrize(("here", "name"), SYSTEMS)
def test_a_zip_of_another_system_names_it_and_the_one_to_get(monkeypatch, here, name):
    monkeypatch.setattr(sysconfig, "get_platform", lambda: here)
    other = "Windows x64" if name == "Linux x64" else "Linux x64"
    monkeypatch.setattr(native._version, "SYSTEM", other)
    assert native.problem() == f"This zip is for {other}: get the one for {name}"
    with pytest.raises(native.NativeError, match=f"^This zip is for {other}: get the one for {name}$"):
        native.load()


@pytest.mark.parametrize(("here", "name"), SYSTEMS)
def test_a_zip_of_this_system_is_not_refused_for_it(monkeypatch, here, name):
    monkeypatch.setattr(sysconfig, "get_platform", lambda: here)
    monkeypatch.setattr(native._version, "SYSTEM", name)
    assert "This zip is for" not in native.problem()
