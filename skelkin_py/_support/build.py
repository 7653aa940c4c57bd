# SPDX-License-Identifier: MIT
"""The compiled part: is it there, does it fit to the sources beside it, and what was it made with."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from .values import compared_by_values
from .version import __version__

_CSRC = Path(__file__).resolve().parents[2] / "csrc"
_IN_CHECKOUT = (_CSRC / "include" / "skelkin" / "skelkin.h").is_file() and (_CSRC.parent / "setup.py").is_file()

try:
    from .. import _core
except ImportError as error:
    remedy = "run make build" if _IN_CHECKOUT else "install it again"
    if error.name == __package__.rpartition(".")[0]:  # Python takes a file that is not there for a circular import
        raise ImportError(f"skelkin_py is not compiled here: {remedy}") from None
    if error.path is None:  # it was loaded, and says itself what is wrong
        raise
    raise ImportError(f"the compiled part of skelkin_py cannot be loaded ({error}): {remedy}") from error

if _IN_CHECKOUT:
    from .source_hash import source_hash

    if source_hash(_CSRC) != _core.SOURCE_HASH:
        raise ImportError("the C sources have changed since skelkin_py was compiled: run make build")
if __version__ != _core.VERSION:
    raise ImportError(f"skelkin_py {__version__} found its compiled part of {_core.VERSION}: run make build")


@compared_by_values
class BuildInfo(NamedTuple):
    """What `build_info` returns.

    Attributes
    ----------
    version : str
        Version of skelkin-py.
    source_hash : str
        Hash of the C sources that were compiled.
    compiler : str
        The compiler and its version.
    isa : str
        Name of the kernels in use, as `isa` says.
    isas : tuple of str
        Names of all kernels that were compiled, best first; the CPU may lack some of them.
    sanitizers : str
        Sanitizers compiled in; empty in a normal build.
    """

    version: str
    source_hash: str
    compiler: str
    isa: str
    isas: tuple[str, ...]
    sanitizers: str


def isa() -> str:
    """Return the name of the kernels in use.

    They are chosen at import: the best that the CPU can run, unless the environment variable ``SKELKIN_ISA`` names a
    lower one. Kernels that round ``a * b + c`` once (``"avx2"``, ``"avx512"``, ``"neon"``) give other last digits than
    those that round twice (``"scalar"``, ``"sse2"``).

    Returns
    -------
    str
        ``"scalar"``, ``"sse2"``, ``"avx2"`` or ``"avx512"`` on x86, ``"scalar"`` or ``"neon"`` on 64-bit ARM.

    Examples
    --------
    >>> sk.isa() in sk.build_info().isas
    True
    """
    return _core.isa()


def build_info() -> BuildInfo:
    """Return what this copy was made with, for bug reports.

    Returns
    -------
    BuildInfo
        Version, hash of the C sources, compiler, kernels in use and all others, sanitizers.

    Examples
    --------
    >>> sk.build_info().version == sk.__version__
    True
    """
    return BuildInfo(_core.VERSION, _core.SOURCE_HASH, _core.COMPILER, _core.isa(), _core.ISAS, _core.SANITIZE)
