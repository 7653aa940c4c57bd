# SPDX-License-Identifier: MIT
"""Forward kinematics, skinning and two-bone inverse kinematics over numpy arrays.

Use it as ``import skelkin_py as sk``. Conventions (column vectors, ``w x y z`` quaternions, radians, space
names) are in ``docs/conventions.md``.
"""

from ._version import __version__ as __version__
from .errors import FormatError as FormatError
from .errors import MissingExtraError as MissingExtraError
