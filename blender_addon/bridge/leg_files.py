# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of legs in the user's folder."""

from __future__ import annotations

from pathlib import Path

from ..core import leg_presets
from . import compat, leg_data
from .checks import Refused

_ENDING = ".json"


def folder(*, create: bool = False) -> Path:
    """Return the folder that holds them."""
    return compat.user_folder("legs", create=create)


def names() -> list[str]:
    """Return the names of the files at hand."""
    return sorted(path.stem for path in folder().glob(f"*{_ENDING}"))


def save(ob, name: str) -> Path:
    """Write the object's legs to a file of that name, in place of one that is there."""
    if not len(ob.skelkin_legs):
        raise Refused(f"{ob.name} has no legs: find them, or add one first")
    if not name.strip() or Path(name).name != name or name in (".", ".."):
        raise Refused(f"{name!r} is not a file name: enter a name without slashes")
    target = folder(create=True) / f"{name}{_ENDING}"
    temporary = target.with_suffix(".tmp")
    temporary.write_text(leg_presets.written(leg_data.as_dicts(ob)), encoding="utf-8")
    temporary.replace(target)
    return target


def load(ob, name: str) -> int:
    """Give the object the legs of a file; return how many they are."""
    path = Path(name) if name.endswith(_ENDING) else folder() / f"{name}{_ENDING}"
    try:
        legs = leg_presets.fitted(leg_presets.read(path.read_text(encoding="utf-8")), ob.pose.bones.keys())
    except OSError as error:
        raise Refused(f"{path} cannot be read ({error.strerror}): choose another file") from error
    except ValueError as error:
        raise Refused(f"{path.name}: {error}") from error
    leg_data.replace(ob, legs)
    return len(legs)
