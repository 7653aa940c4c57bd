# SPDX-License-Identifier: MIT
"""What options may be: numbers, lengths, axes; and the options that several commands have."""

from __future__ import annotations

import argparse
import math
import os
import re
from collections.abc import Callable, Sequence
from typing import Any

from .._support.errors import quoted
from .._support.nearest_name import did_you_mean, files_like
from ..ground import GROUND_ENDINGS
from ..io import ENDINGS
from ..motion.plant_options import CONTACT_MODES, PlantOptions
from .journal import stamp
from .reading import check_regular
from .wrong_usage import WrongUsageError

_LONGEST_NAME = 255

_AXES = ("auto", "X", "Y", "Z", "-X", "-Y", "-Z")


def number(text: str, wanted: str = "a number") -> float:
    """Read a finite number."""
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is not {wanted}") from None
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{text} is not finite: give a finite number")
    return value


def ground(text: str) -> float | str:
    """Read a finite height, or the name of a file that exists."""
    if os.path.splitext(text)[1].lower() in GROUND_ENDINGS:
        return _file(text)
    return number(text, f"a ground: give a height, or a file that ends in {', '.join(GROUND_ENDINGS)}")


def skeleton(text: str) -> str:
    """Read the name of a clip that exists, or of a file with names and parents of joints."""
    if os.path.splitext(text)[1].lower() not in (*ENDINGS, ".json"):
        raise argparse.ArgumentTypeError(f"{text}: give a file that ends in {', '.join(ENDINGS)} or .json")
    return _file(text)


def _file(text: str) -> str:
    """Read the name of a regular file that exists."""
    try:
        check_regular(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if not os.path.isfile(text):
        raise argparse.ArgumentTypeError(f"there is no file {text}{files_like(text)}")
    return text


def length(text: str) -> float:
    """Read a finite number above 0."""
    value = number(text)
    if value <= 0.0:
        raise argparse.ArgumentTypeError(f"{text} must be above 0")
    return value


def within(least: float, most: float = math.inf, read: Callable[[str], float] = number) -> Callable[[str], float]:
    """Return a reader of numbers within bounds, both included."""

    def read_within(text: str) -> float:
        value = read(text)
        if value < least:
            raise argparse.ArgumentTypeError(f"{text} must be at least {least:g}")
        if value > most:
            raise argparse.ArgumentTypeError(f"{text} must be at most {most:g}")
        return value

    return read_within


def axis(text: str) -> str | tuple[float, ...]:
    """Read an axis however it is written, such as ``+z``, or three numbers."""
    if "," in text:
        values = _three(text, "a direction")
        if not any(values):
            raise argparse.ArgumentTypeError(f"{text} has no direction: give three numbers that are not all 0")
        return values
    name = text.lower() if text.lower() == "auto" else text.upper().removeprefix("+")
    if name not in _AXES:
        raise argparse.ArgumentTypeError(f"{text} is not an axis: give {', '.join(_AXES)}, or a direction x,y,z")
    return name


def contacts(text: str) -> str | dict[str, str]:
    """Read a mode of contacts, or the name of a file or folder that exists; those become a dictionary."""
    from .contacts_file import CONTACTS_ENDING

    mode = text.lower().replace("-", "_")
    if mode in CONTACT_MODES:
        return mode
    if os.path.isdir(text):
        return {"path": text}
    if os.path.exists(text) and os.path.splitext(text)[1].lower() == CONTACTS_ENDING:
        return {"path": _file(text)}
    if os.path.exists(text):
        raise argparse.ArgumentTypeError(f"{text}: give a folder, or a file that ends in {CONTACTS_ENDING}")
    modes = ", ".join(CONTACT_MODES)
    raise argparse.ArgumentTypeError(
        f"there is no mode, file or folder {text}"
        f"{did_you_mean(text, CONTACT_MODES) or files_like(text) or f': the modes are {modes}'}"
    )


def scheduler(text: str) -> str:
    """Read where a scheduler listens, such as ``tcp://10.0.0.5:8786``."""
    if re.fullmatch(r"(\w+://)?[^\s/]+:\d+/?", text) is None:
        raise argparse.ArgumentTypeError(f"{text} is not an address: give HOST:PORT, such as tcp://10.0.0.5:8786")
    return text


def leg_names(text: str) -> tuple[str, ...]:
    """Read the names of hip, knee, ankle and perhaps toe."""
    names = tuple(name.strip() for name in text.split(","))
    if len(names) not in (3, 4) or not all(names):
        raise argparse.ArgumentTypeError(f"{text} is not a leg: give HIP,KNEE,ANKLE or HIP,KNEE,ANKLE,TOE")
    return names


def velocity(text: str) -> str | tuple[float, ...]:
    """Read three finite numbers, such as ``0,0,-1.2``, or ``auto``."""
    if text.lower() == "auto":
        return "auto"
    return _three(text, "a velocity", "auto or ")


def _three(text: str, what: str, other: str = "") -> tuple[float, ...]:
    """Read three finite numbers."""
    try:
        values = tuple(float(part) for part in text.split(","))
    except ValueError:
        values = ()
    if len(values) != 3 or not all(map(math.isfinite, values)):
        raise argparse.ArgumentTypeError(f"{text} is not {what}: give {other}three numbers x,y,z")
    return values


def check_frames(frames: Sequence[int] | None) -> None:
    """Refuse a range of frames that ends before it begins, whatever the clip."""
    if frames is not None and frames[0] > frames[1]:
        raise WrongUsageError(f"--frames {frames[0]} {frames[1]}: give the first frame first")


def _whole(text: str) -> int:
    """Read a whole number."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number") from None


frame = within(0, read=_whole)  # counted from 0


def file_name(text: str) -> str:
    """Return the name of a file or a pattern; the text of a file in its place is refused by its beginning."""
    if "\n" in text and len(text) > _LONGEST_NAME and not os.path.lexists(text):
        raise argparse.ArgumentTypeError(f"{quoted(text)} is the text of a file: give the file's name")
    return text


_HELP = {
    "clips": f"a file ({', '.join(ENDINGS)}), a folder or a pattern such as 'walk*.bvh'",
    "animation": "read only this animation of a file: its name, or its number from 0",
    "fps": "frames per second, overriding the file (default: the file's)",
    "skeleton": "the joints of an array (.npz, .npy): a clip, or a .json file with joint_names and parents",
    "strict": "refuse BVH files that break a rule of the format, instead of warning",
    "root": "whether the root's positions in a BVH file replace its OFFSET or are added to it (default: auto, "
    "whichever puts the feet on the ground)",
    "jobs": "number of processes (default: one per core)",
    "ground": "height of the ground in the clip's unit; or a file in the clip's axes and unit: a grid of heights "
    "(.npy) or a mesh (.obj) (default: estimated)",
    "ground_extent": "positions of the outermost rows and columns of a grid, along its two horizontal axes in the "
    "order X, Y, Z (default: 0, 1, 2 …)",
    "toe_bend": "bend toes up, by at most this much, where their tips would sink as the heel rises",
    "contacts": f"when the feet stand: {', '.join(CONTACT_MODES)}; or a file of contacts as plant --json prints them; "
    "or, for several clips, a folder of such files with the same tree. auto goes by height and speed",
    "frames": "work on these frames only, counted from 0",
    "metres_per_unit": "metres per unit of the clip, for the figures, such as 0.01 for centimetres",
    "up": "the axis that points up: auto, X, Y, Z, -X, -Y, -Z or x,y,z; write --up=-Y with an equals sign",
    "sole": "height of the ball joints above the sole, in the clip's unit (default: from the rest pose)",
    "legs": "the joints of a leg; repeat it for each leg (default: found by names and structure)",
    "ground_velocity": "hold the feet of a cycle in place on ground that moves at this velocity, in the clip's units "
    "per second; auto measures it; write --ground-velocity=-1,0,0 with an equals sign",
}


def add_clips(parser: argparse.ArgumentParser) -> None:
    """Add the clips that a command is about."""
    parser.add_argument("clips", type=file_name, nargs="+", metavar="CLIP", help=_HELP["clips"])


def add_reading(parser: argparse.ArgumentParser, *, fps: bool = True, joints: bool = True) -> None:
    """Add the options that say how files are read; `reading.reading_options` returns them."""
    group = parser.add_argument_group("reading files")
    group.add_argument("--animation", metavar="NAME", help=_HELP["animation"])
    if fps:
        group.add_argument("--fps", dest="read_fps", type=length, metavar="RATE", help=_HELP["fps"])
    if joints:
        group.add_argument("--skeleton", type=skeleton, metavar="FILE", help=_HELP["skeleton"])
    group.add_argument("--strict", action="store_true", help=_HELP["strict"])
    group.add_argument("--root", choices=("auto", "replace", "add"), help=_HELP["root"])


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Add the number of processes."""
    parser.add_argument("-j", "--jobs", type=within(1, read=_whole), metavar="N", help=_HELP["jobs"])


def add_option(
    parser: argparse._ActionsContainer,
    name: str,
    meaning: str,
    metavar: str | tuple[str, ...] | None = None,
    **other: Any,
) -> None:
    """Add an option of planting, with the default, bounds and choices of its field of `PlantOptions`."""
    field = PlantOptions.__dataclass_fields__[name]
    bounds = field.metadata.get("bounds")
    if bounds is not None:
        other.setdefault("type", length if bounds[1] == math.inf else within(*bounds))
        if field.default is not None:
            meaning += f" (default: {field.default:g})"
    elif isinstance(field.default, str):
        meaning += f" (default: {field.default})"
    if metavar is not None:
        other["metavar"] = metavar
    flags = other.pop("flags", (f"--{name.replace('_', '-')}",))
    parser.add_argument(*flags, dest=name, default=field.default, help=meaning, **other)


def add_clip_options(command: argparse.ArgumentParser) -> None:
    """Add the options that say what a clip is and where its feet stand; `clip_options` reads them."""
    parser = command.add_argument_group("the clip, its legs and its ground")
    add_option(parser, "ground", _HELP["ground"], "GROUND", type=ground, flags=("--ground", "--ground-height"))
    ends = ("ROW0", "ROW1", "COLUMN0", "COLUMN1")
    parser.add_argument("--ground-extent", type=number, nargs=4, metavar=ends, help=_HELP["ground_extent"])
    add_option(parser, "max_slope", "feet do not stand on steeper ground", "DEGREES")
    add_option(parser, "align", "how far standing feet tilt with the ground's slope, 0 to 1", "PART")
    add_option(parser, "toe_bend", _HELP["toe_bend"], "DEGREES")
    add_option(parser, "contacts", _HELP["contacts"], "MODE|PATH", type=contacts)
    add_option(parser, "frames", _HELP["frames"], type=frame, nargs=2, metavar=("FIRST", "LAST"))
    add_option(parser, "metres_per_unit", _HELP["metres_per_unit"], "METRES", flags=("--unit",))
    add_option(parser, "up", _HELP["up"], "AXIS", type=axis)
    add_option(parser, "sole", _HELP["sole"], "LENGTH")
    add_option(parser, "legs", _HELP["legs"], "HIP,KNEE,ANKLE[,TOE]", type=leg_names, action="append", flags=("--leg",))
    add_option(parser, "ground_velocity", _HELP["ground_velocity"], "auto|X,Y,Z", type=velocity)
    add_option(parser, "loop", "whether the last pose is the first, and must stay so", choices=("auto", "yes", "no"))


def clip_options(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options of planting that a command has as keyword arguments of `plant_feet`, as JSON values.

    Only "legs" and "pelvis" are names of joints still, and ground and contacts that are files are dictionaries: see
    `clip_settings`.
    """
    check_frames(options.frames)
    chosen = {name: getattr(options, name) for name in PlantOptions.__dataclass_fields__ if hasattr(options, name)}
    file = options.ground
    if isinstance(file, str):
        chosen["ground"] = {"file": os.path.abspath(file), "stamp": stamp(file), "extent": options.ground_extent}
    elif options.ground_extent is not None:
        raise WrongUsageError("--ground-extent places a grid of heights: add --ground GRID.npy")
    if options.frames is not None:
        chosen["frames"] = tuple(options.frames)
    chosen["loop"] = {"yes": True, "no": False}.get(options.loop, "auto")
    return chosen
