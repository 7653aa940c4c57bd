# SPDX-License-Identifier: MIT
"""glTF files that are broken, by accident or on purpose: a named error in bounded time and memory, or a clip."""

from __future__ import annotations

import copy
import json
import random
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_gltf import SmallGltf

import skelkin_py as sk

TIMES = [0.0, 0.5, 1.0]
PLACES = [[0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 3.0, 0.0]]
TURNS = [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
MOST = 200e6


def whole() -> SmallGltf:
    made = SmallGltf().animation("a", (0, "translation", TIMES, PLACES), (1, "rotation", TIMES, TURNS))
    made.root["skins"] = [{"joints": [0, 1, 2], "inverseBindMatrices": made.accessor([[1.0] + [0.0] * 15] * 3)}]
    points = made.accessor([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    attributes = {
        "POSITION": points,
        "JOINTS_0": made.accessor([[0, 1, 2, 0]] * 3, "u1"),
        "WEIGHTS_0": made.accessor([[0.5, 0.25, 0.25, 0.0]] * 3),
    }
    made.root["meshes"] = [{"primitives": [{"attributes": attributes, "indices": made.accessor([0, 1, 2], "u2")}]}]
    made.root["nodes"].append({"mesh": 0, "skin": 0})
    return made


def read(path: Path) -> None:
    sk.load_animations(path)
    sk.load(path, 0)
    sk.load_mesh(path)


def put(*keys: Any) -> Callable[[dict], None]:
    *way, last, value = keys

    def change(root: dict) -> None:
        for key in way:
            root = root[key]
        root[last] = value

    return change


BROKEN: dict[str, tuple[Callable[[dict], None], str]] = {
    "a circle": (put("nodes", 2, "children", [0]), "nodes"),
    "a circle beside the tree": (lambda root: root["nodes"].extend([{"children": [5]}, {"children": [4]}]), "ancestor"),
    "two parents": (put("nodes", 0, "children", [1, 2]), "child of node"),
    "a child that is not there": (put("nodes", 0, "children", [77]), "there are 4 nodes"),
    "children that are no list": (put("nodes", 0, "children", 1), "must be a list"),
    "a negative child": (put("nodes", 0, "children", [-1]), "there are 4 nodes"),
    "no nodes": (put("nodes", []), "nodes: there are no nodes"),
    "a zero rotation": (put("nodes", 0, "rotation", [0, 0, 0, 0]), "rotation: is zero"),
    "a short translation": (put("nodes", 0, "translation", [0, 0]), "3 finite numbers"),
    "a huge number": (put("nodes", 0, "translation", [0, 1e999, 0]), "3 finite numbers"),
    "a joint that is not there": (put("skins", 0, "joints", [0, 9]), "there are 4 nodes"),
    "a skin without joints": (put("skins", 0, "joints", []), "list of nodes"),
    "few inverse binds": (put("accessors", 4, "count", 2), "2 matrices for 3 joints"),
    "an accessor beyond its view": (put("accessors", 1, "count", 4), "too short"),
    "a view beyond its buffer": (put("bufferViews", 1, "byteLength", 10**9), "its buffer has"),
    "a view at a negative place": (put("bufferViews", 1, "byteOffset", -4), "whole number from 0 up"),
    "a huge count": (put("accessors", 1, "count", 10**15), "too short"),
    "a count beyond all numbers": (put("accessors", 1, "count", 10**30), "whole number"),
    "many zeros": (put("accessors", 0, {"componentType": 5126, "count": 10**9, "type": "VEC3"}), "zeros are refused"),
    "a type that is none": (put("accessors", 1, "type", "VEC9"), "VEC9"),
    "a component that is none": (put("accessors", 1, "componentType", 5124), "no such type"),
    "another number of keys": (put("accessors", 0, "count", 2), "its sampler has 3 keys"),
    "times that are places": (put("animations", 0, "samplers", 0, "input", 0), "needs SCALAR"),
    "an accessor that is not there": (put("animations", 0, "samplers", 0, "output", 99), "accessors"),
    "a sampler that is not there": (put("animations", 0, "channels", 0, "sampler", 9), "there are 2 samplers"),
    "a node that is not there": (put("animations", 0, "channels", 0, "target", "node", 9), "there are 4 nodes"),
    "an interpolation that is none": (put("animations", 0, "samplers", 0, "interpolation", "BEZIER"), "BEZIER"),
    "channels that are no list": (put("animations", 0, "channels", {}), "list of objects"),
    "animations that are none": (put("animations", [7]), "list of objects"),
    "a mesh joint that is not there": (put("skins", 0, "joints", [0]), "has 2, the skin has 1 joints"),
    "a point that is not there": (lambda root: root["accessors"][5].update(count=2), "points"),
    "an old version": (put("asset", "version", "1.0"), "only 2 is read"),
    "an extension that has to be known": (put("extensionsRequired", ["EXT_meshopt_compression"]), "meshopt"),
    "a name that is half a letter": (put("nodes", 1, "name", "knee\ud800"), r"the name 'knee\\ud800'"),
    "an animation that is half a letter": (put("animations", 0, "name", "\udfff"), r"the name '\\udfff'"),
    "a buffer that is not there": (put("buffers", 0, "byteLength", 10**9), "and there are"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_broken_is_named(case: str, tmp_path: Path) -> None:
    change, words = BROKEN[case]
    made = whole()
    json_of = made.gltf()
    root = json.loads(json_of)
    change(root)
    path = tmp_path / "broken.gltf"
    path.write_text(json.dumps(root).replace("Infinity", "1e999"))
    tracemalloc.start()
    try:
        with pytest.raises(sk.FormatError, match=words) as told:
            read(path)
        assert tracemalloc.get_traced_memory()[1] < MOST
    finally:
        tracemalloc.stop()
    assert str(told.value).startswith(f"{path}: ")


def test_times_that_go_back_or_are_no_numbers_are_refused(tmp_path: Path) -> None:
    for times in ([0.0, 1.0, 0.5], [0.0, float("nan"), 1.0]):
        path = SmallGltf().animation("a", (0, "translation", times, PLACES)).write(tmp_path / "a.glb")
        with pytest.raises(sk.FormatError, match="finite and not go back"):
            sk.load(path)
    path = SmallGltf().animation("a", (0, "translation", TIMES, [[0, 0, 0]] * 2 + [[0, float("inf"), 0]])).write(path)
    with pytest.raises(sk.FormatError, match="not finite"):
        sk.load(path)


def test_ages_of_motion_in_a_small_file_are_refused(tmp_path: Path) -> None:
    path = SmallGltf().animation("a", (0, "translation", [0.0, 1e-2, 1e9], PLACES)).write(tmp_path / "a.glb")
    with pytest.raises(sk.FormatError, match="more than a file can hold"):
        sk.load(path)


def test_a_file_that_is_cut_off_anywhere_is_refused(tmp_path: Path) -> None:
    data, path = whole().glb(), tmp_path / "cut.glb"
    for size in range(0, len(data), 7):
        path.write_bytes(data[:size])
        with pytest.raises(sk.FormatError):
            sk.load(path, 0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "the file is empty"),
        (b"  ", "not valid JSON"),
        (b"[" * 100_000, "nested too deeply|not valid JSON"),
        (b'{"asset": {"version": "2.0"}, "nodes": [{"name": "\xff"}]}', "UTF-8"),
        (b'{"asset": {"version": "2.0"}, "nodes": [NaN]}', "not a number in JSON"),
        (b'{"asset": {"version": "2.0"}, "nodes": [' + b"9" * 5000 + b"]}", "not the JSON|list of objects"),
        (b"[1, 2]", "not an object"),
        (b"glTF", "cut off"),
        (b"\x80\x04\x95 a pickle", "UTF-8|not valid JSON"),
        (b"PK\x03\x04 an archive", "not valid JSON"),
    ],
    ids=["empty", "blank", "deep", "other letters", "no number", "a long number", "a list", "cut", "pickle", "zip"],
)
def test_what_is_no_gltf_is_refused(text: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / "none.gltf"
    path.write_bytes(text)
    with pytest.raises(sk.FormatError, match=words):
        sk.load(path)


NASTY = [-1, 2**31, 2**63, 1e308, -1e-308, None, "", "x", [], {}, True, 5126, 5121, "CUBICSPLINE", "MAT4", 3]


def _changed_json(root: Any, rng: random.Random) -> Any:
    """Return the JSON with one value replaced, gone or doubled."""
    root = copy.deepcopy(root)
    at = root
    while True:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        if not keys:
            return root
        key = rng.choice(keys)
        if isinstance(at[key], (dict, list)) and rng.random() < 0.85:
            at = at[key]
            continue
        if rng.random() < 0.2:
            del at[key]
        elif isinstance(at, list) and rng.random() < 0.2:
            at.append(at[key])
        else:
            at[key] = rng.choice(NASTY) if rng.random() < 0.7 else rng.randrange(-3, 40)
        return root


def _changed_bytes(data: bytes, rng: random.Random) -> bytes:
    at, size = rng.randrange(len(data)), rng.randrange(1, 40)
    kind = rng.randrange(4)
    if kind == 0:
        return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]
    if kind == 1:
        return data[:at] + data[at + size :]
    if kind == 2:
        return data[:at] + rng.randbytes(size) + data[at:]
    return data[:at] + data[at : at + size] + data[at:]


@pytest.mark.slow
def test_damaged_files_are_read_or_refused_and_nothing_else(tmp_path: Path) -> None:
    rng = random.Random(22)
    made = whole()
    binary, root = made.glb(), json.loads(made.gltf())
    outcomes = {"read": 0, "refused": 0, "none": 0}
    others: list[ValueError] = []
    tracemalloc.start()
    try:
        for k in range(600):
            path = tmp_path / ("damaged.glb" if k % 2 else "damaged.gltf")
            if k % 2:
                path.write_bytes(_changed_bytes(binary, rng))
            else:
                path.write_text(json.dumps(_changed_json(root, rng)))
            for verb in (sk.load_animations, sk.load_mesh):
                try:
                    verb(path)
                    outcomes["read"] += 1
                except sk.FormatError:
                    outcomes["refused"] += 1
                except ValueError as error:  # there is none of what was asked for
                    outcomes["none"] += "has no mesh" in str(error) or "in different ways" in str(error)
                    others.append(error)
        assert tracemalloc.get_traced_memory()[1] < MOST
    finally:
        tracemalloc.stop()
    assert outcomes["none"] == len(others), others
    assert min(outcomes["read"], outcomes["refused"]) > 150
