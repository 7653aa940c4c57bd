# SPDX-License-Identifier: MIT
"""The class `Armature`: bones at rest and all that is done with them; in files, and in part."""

from .armature import Armature as Armature
