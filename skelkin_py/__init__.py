# SPDX-License-Identifier: MIT
"""Forward kinematics, skinning and two-bone inverse kinematics over numpy arrays.

Use it as ``import skelkin_py as sk``. Conventions (column vectors, ``w x y z`` quaternions, radians, space
names) are in ``docs/conventions.md``.
"""

from ._support import startup as _startup  # noqa: F401 (first: it answers Ctrl-C)

# isort: split
from ._support import build as _build  # noqa: F401 (what is not compiled, or of other sources, says so at once)
from ._support.exports import exports as _exports

__all__, __getattr__, __dir__ = _exports(__name__)
