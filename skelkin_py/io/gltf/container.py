# SPDX-License-Identifier: MIT
"""Containers of glTF: ``.glb`` with its chunks, ``.gltf`` with buffers in data URIs or files beside it."""

from __future__ import annotations

import base64
import binascii
import json
import os
import stat
import struct
from dataclasses import dataclass
from typing import Any, NoReturn
from urllib.parse import unquote

from ..._support.array_types import FilePath
from ..._support.errors import FormatError, quoted
from ..._support.nearest_name import did_you_mean
from ..._support.printable import is_unicode

MAGIC = b"glTF"
JSON_CHUNK, BIN_CHUNK = 0x4E4F534A, 0x004E4942
_HEADER, _CHUNK = struct.Struct("<4sII"), struct.Struct("<II")

#: compresses meshes and nothing else: motion can be read without it
DRACO = "KHR_draco_mesh_compression"

# What files may require and what then still means what it says here: of materials, textures and lights.
_HARMLESS = (
    "KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_", "KHR_mesh_quantization", "MSFT_texture_",
    "KHR_animation_pointer", "KHR_node_visibility", "VRM", "KHR_xmp", DRACO,
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Container:
    """A glTF file as it lies on the disk.

    `text` is its JSON as bytes, `chunks` are the other chunks of a ``.glb`` (type and bytes, padding included; None for
    a ``.gltf``) and `files` the contents of files beside it, by the URI that names them.
    """

    path: str
    text: bytes
    chunks: tuple[tuple[int, bytes], ...] | None
    files: dict[str, bytes]

    @property
    def binary(self) -> bytes | None:
        """The BIN chunk."""
        first = self.chunks[0] if self.chunks else None
        return first[1] if first is not None and first[0] == BIN_CHUNK else None


@dataclass(frozen=True, eq=False)
class Document:
    """A glTF file that was understood so far: its container, its JSON as Python has it, and its buffers."""

    container: Container
    root: dict[str, Any]
    buffers: tuple[bytes, ...]

    @property
    def path(self) -> str:
        """The file, for messages."""
        return self.container.path

    @property
    def size(self) -> int:
        """How many bytes there are of it in all."""
        return len(self.container.text) + sum(map(len, self.buffers))

    def fail(self, where: str, reason: str) -> NoReturn:
        """Raise the error for a place in the JSON, such as ``nodes[3].children``."""
        raise FormatError(self.path, None, f"{where}: {reason}")

    def items(self, key: str) -> list[dict[str, Any]]:
        """Return a list of objects of the root; none where it is missing."""
        return self.objects(self.root.get(key, []), key)

    def objects(self, value: Any, where: str) -> list[dict[str, Any]]:
        """Return a value that must be a list of objects."""
        if not isinstance(value, list) or not {dict}.issuperset(map(type, value)):
            self.fail(where, "must be a list of objects")
        return value

    @property
    def required(self) -> list[Any]:
        """The extensions without which the file cannot be understood."""
        found = self.root.get("extensionsRequired", [])
        return found if isinstance(found, list) else []

    def index(self, value: Any, count: int, where: str, of: str) -> int:
        """Return a number that counts something of which there are `count`."""
        if type(value) is not int or not 0 <= value < count:
            self.fail(where, f"is {quoted(str(value))}, there are {count} {of}")
        return value

    def numbers(self, value: Any, count: int, where: str) -> list[float]:
        """Return a list of finite numbers."""
        good = isinstance(value, list) and len(value) == count and all(type(x) in (int, float) for x in value)
        if not good or not all(abs(x) < 1e300 for x in value):
            self.fail(where, f"is {quoted(str(value))}: {count} finite numbers are needed")
        return [float(x) for x in value]

    def name(self, item: dict[str, Any], fallback: str) -> str:
        """Return the name of an object; another one where it has none."""
        name = item.get("name")
        if isinstance(name, str) and not is_unicode(name):
            raise FormatError(self.path, None, f"the name {name!a} has a code which is not a Unicode character")
        return name if isinstance(name, str) and name else fallback


def read_document(path: FilePath) -> Document:
    """Read a ``.glb`` or ``.gltf`` file and its buffers.

    Parameters
    ----------
    path : str or os.PathLike
        The file; which of both it is, its first bytes say.

    Returns
    -------
    Document
        All of it in memory.

    Raises
    ------
    FormatError
        If it is broken, or needs an extension that is not known.
    OSError
        If it cannot be opened.
    """
    path = os.fspath(path)
    with open(path, "rb") as file:
        data = file.read()
    if not data:
        raise FormatError(path, None, "the file is empty")
    text, chunks = _split_glb(path, data) if data[:4] == MAGIC else (data, None)
    return document_of(Container(path, text, chunks, {}))


def document_of(container: Container) -> Document:
    """Return what lies in a container; files beside it are read once, and stay as they were then."""
    document = Document(container, _parse(container.path, container.text), ())
    _check_version(document)
    buffers = tuple(_buffer(document, number, each) for number, each in enumerate(document.items("buffers")))
    return Document(container, document.root, buffers)


def _split_glb(path: str, data: bytes) -> tuple[bytes, tuple[tuple[int, bytes], ...]]:
    """Return the JSON and the other chunks of a binary file."""

    def fail(reason: str) -> NoReturn:
        raise FormatError(path, None, reason)

    if len(data) < _HEADER.size + _CHUNK.size:
        fail(f"has {len(data)} bytes: it is cut off")
    _, version, length = _HEADER.unpack_from(data)
    if version != 2:
        fail(f"is version {version} of glTF: only 2 is read")
    if length > len(data):
        fail(f"says it has {length} bytes, and has {len(data)}: it is cut off")
    chunks: list[tuple[int, bytes]] = []
    at = _HEADER.size
    while at + _CHUNK.size <= length:
        size, kind = _CHUNK.unpack_from(data, at)
        at += _CHUNK.size
        if size > length - at:
            fail(f"chunk {len(chunks)} says it has {size} bytes, and {length - at} are left")
        chunks.append((kind, data[at : at + size]))
        at += size
    if not chunks or chunks[0][0] != JSON_CHUNK:
        fail("the first chunk is not the JSON")
    return chunks[0][1], tuple(chunks[1:])


def _parse(path: str, text: bytes) -> dict[str, Any]:
    def refuse(word: str) -> NoReturn:
        raise ValueError(f"{word} is not a number in JSON")

    try:
        root = json.loads(text.decode("utf-8-sig").rstrip("\0"), parse_constant=refuse)
    except UnicodeDecodeError:
        raise FormatError(path, None, "the JSON is not in UTF-8") from None
    except json.JSONDecodeError as error:
        raise FormatError(path, error.lineno, f"not valid JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise FormatError(path, None, "the JSON is nested too deeply") from None
    except ValueError as error:  # such as a number of thousands of digits
        raise FormatError(path, None, f"not the JSON of glTF: {error}") from None
    if not isinstance(root, dict):
        raise FormatError(path, None, "the JSON is not an object")
    return root


def _check_version(document: Document) -> None:
    asset = document.root.get("asset")
    version = asset.get("version") if isinstance(asset, dict) else None
    if not (isinstance(version, str) and version.split(".")[0] == "2"):
        raise FormatError(document.path, None, f"asset.version is {quoted(str(version))}: only 2 is read")
    for name in document.required:
        if not str(name).startswith(_HARMLESS):
            raise FormatError(document.path, None, f"needs the extension {quoted(str(name))}, which is not known")


def _buffer(document: Document, number: int, item: dict[str, Any]) -> bytes:
    """Return the bytes of a buffer."""
    where, length, uri = f"buffers[{number}]", item.get("byteLength"), item.get("uri")
    if type(length) is not int or length < 0:
        document.fail(f"{where}.byteLength", f"is {quoted(str(length))}: a number of bytes is needed")
    if uri is None:
        data = document.container.binary if number == 0 else None
        if data is None:
            if length == 0:
                return b""
            document.fail(where, "has neither a uri nor the binary chunk")
    elif not isinstance(uri, str):
        document.fail(f"{where}.uri", f"is {quoted(str(uri))}: must be a string")
    else:
        data = _of_uri(document, uri, f"{where}.uri")
    if len(data) < length:
        document.fail(where, f"says it has {length} bytes, and there are {len(data)}")
    return data


def _of_uri(document: Document, uri: str, where: str) -> bytes:
    """Return what a URI holds or names."""
    if uri[:5].lower() == "data:":
        head, comma, body = uri.partition(",")
        if not comma or not head.lower().endswith(";base64"):
            document.fail(where, f"is {quoted(uri)}: a data URI in base64 is needed")
        try:
            return base64.b64decode(unquote(body), validate=True)
        except (binascii.Error, ValueError):
            document.fail(where, "is not base64")
    files = document.container.files
    if uri not in files:
        files[uri] = read_beside(document, uri, where)
    return files[uri]


def read_beside(document: Document, uri: str, where: str) -> bytes:
    """Return the file beside the document that a URI names; only such below its folder are read."""
    name = unquote(uri).replace("\\", "/")
    parts = name.split("/")
    if ":" in parts[0] or name.startswith("/") or ".." in parts or "\0" in name:
        document.fail(where, f"is {quoted(uri)}: only files below the folder of the glTF are read")
    path = os.path.join(os.path.dirname(document.path), *parts)
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            document.fail(where, f"{quoted(uri)} is not a regular file")
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        document.fail(where, f"{quoted(uri)} cannot be read: {error.strerror}")
    except ValueError:
        document.fail(where, f"is {quoted(uri)}: not the name of a file")


def glb(text: bytes, chunks: tuple[tuple[int, bytes], ...]) -> bytes:
    """Return a binary file of its JSON and its other chunks, those that come in padded as they are."""
    parts = [(JSON_CHUNK, padded(text, b" ")), *chunks]
    length = _HEADER.size + sum(_CHUNK.size + len(data) for _, data in parts)
    out = [_HEADER.pack(MAGIC, 2, length)]
    for kind, data in parts:
        out += [_CHUNK.pack(len(data), kind), data]
    return b"".join(out)


def is_binary(path: str) -> bool:
    """Whether a file of this name has its JSON and its data in one, as all have whose name does not end in .gltf."""
    return not path.lower().endswith(".gltf")


def data_uri(data: bytes) -> str:
    """Return a URI that holds the bytes."""
    return "data:application/octet-stream;base64," + base64.b64encode(data).decode("ascii")


def padded(data: bytes, filler: bytes) -> bytes:
    """Return bytes filled up to a multiple of four."""
    return data + filler * (-len(data) % 4)


def chosen(what: str, wanted: str | int, names: list[str], there: str) -> int:
    """Return the number of what is wanted by a name or a number; `there`: what the file has, in words."""
    if isinstance(wanted, str):
        if wanted not in names:
            raise ValueError(f"{what} is {wanted!r}: {there}{did_you_mean(wanted, names, ';')}")
        return names.index(wanted)
    if isinstance(wanted, bool) or not hasattr(wanted, "__index__"):
        raise TypeError(f"{what} is {wanted!r}: a name or a number is needed")
    number = wanted.__index__()
    if not 0 <= number < len(names):
        raise ValueError(f"{what} is {number}: {there}")
    return number
