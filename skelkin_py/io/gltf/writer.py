# SPDX-License-Identifier: MIT
"""Writing animations back into the glTF file they were read from.

The old binary data is a prefix of the new. The JSON changes in its animations only, and by accessors and buffer views
behind those there were. Curves of joints that did not change stay as they are.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from urllib.parse import unquote

import numpy as np

from ..._support.array_types import FilePath, Flags, Floats
from ..._support.atomic import write_whole
from ..._support.errors import quoted
from ...motion.clip import Clip
from ..source import differ
from .animations import PATHS
from .container import BIN_CHUNK, Document, data_uri, document_of, glb, is_binary, padded, read_beside
from .humanoid import check_map
from .json_text import Edits, Span, compact, elements, members
from .new_data import NewData
from .reader import animation_names
from .source import GltfSource

_SAME = 1e-12  # a change this small is rounding, and far below what float32 can say


def write_into_source(path: FilePath, clips: Mapping[str, Clip]) -> None:
    """Write clips that were read from one glTF file into a copy of it.

    Parameters
    ----------
    path : str or os.PathLike
        The file, ``.glb``, ``.gltf`` or as it was read; replaced in one step. Files that a ``.gltf`` names go along
        where they are not there.
    clips : mapping of str to Clip
        Each takes the place of the animation of its name; other names are added.

    Raises
    ------
    ValueError
        If a number is larger than float32 can say, or the name promises a humanoid map that is not there.
    OSError
        If a file cannot be written, or one that goes along would take the place of another.
    """
    path = os.fspath(path)
    source = next(iter(clips.values()))._source
    assert isinstance(source, GltfSource)
    document = document_of(source.container)
    check_map(path, document.root)
    editor = _Editor(document)
    names = animation_names(document)
    for name, clip in clips.items():
        editor.put(clip, name, names.index(name) if name in names else None)
    _write(path, document, *editor.result())


class _Editor:
    """The changes of one document."""

    def __init__(self, document: Document) -> None:
        self._document = document
        text = document.container.text.decode("utf-8-sig").rstrip("\0")
        self._edits = Edits(text)
        self._old = document.buffers[0] if document.buffers else b""
        accessors, views = (len(document.items(key)) for key in ("accessors", "bufferViews"))
        self._data = NewData(len(padded(self._old, b"\0")), accessors, views)
        self._animations = elements(text, self._edits.root["animations"][0]) if "animations" in self._edits.root else []
        self._new: list[str] = []

    def put(self, clip: Clip, name: str, number: int | None) -> None:
        """Put a clip in the place of an animation, or behind all where it has none."""
        source = clip._source
        assert isinstance(source, GltfSource)
        if number is not None and number == source.number and not source.is_cut and clip.fps == source.facts.fps:
            self._change(clip, source, self._animations[number])
            return
        every = _values(clip).items()
        curves = ((node, path, values[:, k]) for path, values in every for k, node in enumerate(source.joints))
        text = compact(self._data.animation(name, clip, curves))
        if number is None:
            self._new.append(text)
        else:
            self._edits.put(self._animations[number], text)

    def _change(self, clip: Clip, source: GltfSource, span: Span) -> None:
        """Put new curves where joints have changed."""
        changed = {path: np.flatnonzero(each.any(axis=0)) for path, each in _changes(clip, source).items()}
        if not any(len(joints) for joints in changed.values()):
            return
        text = self._edits.text
        parts = members(text, span[0])
        samplers, channels = ([*elements(text, parts[key][0])] for key in ("samplers", "channels"))
        item = self._document.root["animations"][source.number]
        places: dict[tuple[int, str], int] = {}
        users: dict[int, int] = {}
        for k, channel in enumerate(item["channels"]):
            target = channel["target"]
            users[channel["sampler"]] = users.get(channel["sampler"], 0) + 1
            if target["path"] in PATHS and "node" in target:
                places[target["node"], target["path"]] = k
        times = self._data.add(source.times, bounds=True)
        values = _values(clip)
        more_samplers: list[str] = []
        more_channels: list[str] = []
        for path, joints in changed.items():
            for joint in joints.tolist():
                sampler = compact({"input": times, "output": self._data.add_curve(path, values[path][:, joint])})
                place = places.get((source.joints[joint], path))
                old = None if place is None else item["channels"][place]["sampler"]
                if old is not None and users[old] == 1:
                    self._edits.put(samplers[old], sampler)
                    continue
                more_samplers.append(sampler)
                new = {"sampler": len(samplers) + len(more_samplers) - 1}
                if place is None:
                    target = {"node": source.joints[joint], "path": path}
                    more_channels.append(compact({**new, "target": target}))
                else:
                    self._edits.put(channels[place], compact({**item["channels"][place], **new}))
        for key, added in (("samplers", more_samplers), ("channels", more_channels)):
            if added:
                self._edits.append_to(parts[key], added)

    def result(self) -> tuple[str, bytes]:
        """Return the new JSON, whose first buffer has its new length, and that buffer."""
        edits, data = self._edits, self._data
        edits.append("animations", self._new)
        edits.append("accessors", [compact(each) for each in data.accessors])
        edits.append("bufferViews", [compact(each) for each in data.views])
        if not data.parts:
            return edits.result(), self._old
        whole = padded(self._old, b"\0") + data.data()
        if "buffers" in edits.root and self._document.root["buffers"]:
            first = elements(edits.text, edits.root["buffers"][0])[0]
            edits.put(members(edits.text, first[0])["byteLength"], str(len(whole)))
        else:
            edits.add_member("buffers", f'[{{"byteLength":{len(whole)}}}]')
        return edits.result(), whole


def _values(clip: Clip) -> dict[str, Floats]:
    values = {"rotation": clip.rotations, "translation": clip.translations}
    return values if clip.scales is None else {**values, "scale": clip.scales}


def _changes(clip: Clip, source: GltfSource) -> dict[str, Flags]:
    """Return where (F, J) rotations, translations or scales differ from those that were read."""
    turned = differ(clip.rotations, source.rotations, _SAME)
    size = float(np.abs(source.translations).max(initial=1e-300))
    changes = {"rotation": turned, "translation": differ(clip.translations, source.translations, _SAME * size)}
    if clip.scales is not None or source.scales is not None:
        ones = np.ones_like(clip.translations)
        old = ones if source.scales is None else source.scales
        changes["scale"] = differ(ones if clip.scales is None else clip.scales, old, _SAME)
    return changes


def _write(path: str, document: Document, text: str, first: bytes) -> None:
    """Write JSON and first buffer as the ending of the name says."""
    along = _go_along(document, skip_first=is_binary(path))
    if is_binary(path):
        edits = Edits(text)
        if first:
            _without_uri(edits, text)
        others = tuple(chunk for chunk in document.container.chunks or () if chunk[0] != BIN_CHUNK)
        binary = ((BIN_CHUNK, padded(first, b"\0")),) if first else ()
        contents = glb(edits.result().encode("utf-8"), (*binary, *others))
    else:
        contents = _gltf(path, document, text, first, along).encode("utf-8")
    for name, data in along.items():
        _keep_or_make(os.path.join(os.path.dirname(path), name), data, document.buffers)
    write_whole(path, contents)


def _without_uri(edits: Edits, text: str) -> None:
    """Take the URI of the first buffer out, which then is the binary chunk."""
    begin, _ = first = elements(text, edits.root["buffers"][0])[0]
    parts = members(text, begin)
    if "uri" in parts:
        kept = [f"{compact(key)}:{text[slice(*span)]}" for key, span in parts.items() if key != "uri"]
        edits.put(first, "{" + ",".join(kept) + "}")


def _gltf(path: str, document: Document, text: str, first: bytes, along: dict[str, bytes]) -> str:
    """Return the text of a ``.gltf``; its first buffer is put among the files that go along if it is one."""
    if not first:
        return text
    edits = Edits(text)
    begin, end = elements(text, edits.root["buffers"][0])[0]
    uri = members(text, begin).get("uri")
    if uri is not None and document.buffers[0] == first:
        return text
    if uri is not None and text[uri[0] + 1 : uri[0] + 6].lower() != "data:":
        stem = os.path.splitext(os.path.basename(path))[0]
        old = document.root["buffers"][0]["uri"]
        name = unquote(old) if unquote(old) == f"{stem}.bin" and document.path == path else f"{stem}.bin"
        along.pop(unquote(old), None)
        along[name] = first
        new = compact(name.replace("%", "%25").replace(" ", "%20"))
    else:
        new = compact(data_uri(first))
    if uri is None:
        edits.put((end - 1, end - 1), f',"uri":{new}')
    else:
        edits.put(uri, new)
    return edits.result()


def _go_along(document: Document, skip_first: bool) -> dict[str, bytes]:
    """Return the files that the JSON names: of buffers as they were read, pictures where they can be read."""
    uris = [each.get("uri") for each in document.items("buffers")]
    along = {
        unquote(uri): document.container.files[uri]
        for k, uri in enumerate(uris)
        if isinstance(uri, str) and uri in document.container.files and not (skip_first and k == 0)
    }
    for item in document.items("images"):
        uri = item.get("uri")
        if isinstance(uri, str) and uri[:5].lower() != "data:":
            try:
                along[unquote(uri)] = read_beside(document, uri, "images")
            except ValueError:
                continue  # it was missing before, or lies elsewhere: nothing that the animation needs
    return along


def _keep_or_make(path: str, data: bytes, buffers: tuple[bytes, ...]) -> None:
    """Write a file that goes along, unless it is there already; one that an earlier result has left is replaced."""
    try:
        with open(path, "rb") as file:
            found = file.read()
    except FileNotFoundError:
        found = None
    if found == data:
        return
    if found is not None and not (buffers and found.startswith(buffers[0])):
        raise FileExistsError(f"{quoted(path)} already exists, and is not this glTF's: give another name, or remove it")
    os.makedirs(os.path.dirname(path) or os.curdir, exist_ok=True)
    write_whole(path, data)
