# SPDX-License-Identifier: MIT
"""What scripts in Blender's window share: the armature under test, what is drawn of it, and the run of their steps.

Each `step_…` is a generator: it does something and yields the seconds to wait until Blender has handled it.
"""

from __future__ import annotations

import os
import sys
import traceback
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import bpy
import numpy as np
from bpy_extras.view3d_utils import location_3d_to_region_2d
from hand import Hand
from scene_digest import action_of

hand = Hand(Path(os.environ["SKELKIN_GUI_SHOTS"]))
known: dict = {}


def rig() -> bpy.types.Object:
    """Fetch the armature by name: undo makes references stale."""
    return bpy.data.objects[known["name"]]


def planted() -> bool:
    return rig().animation_data.action.name != "Walk"


def until(holds, seconds: float = 60.0):
    """Wait until something holds, at least so long; a window that is drawn by software is slow."""
    for _ in range(round(seconds / 0.2)):
        if holds():
            return
        yield 0.2
    raise AssertionError("it never came")


def contact_of(key: int):
    return next(item for item in rig().animation_data.action.skelkin.contacts if item.key == key)


def addon_module(name: str):
    return sys.modules[f"{known['addon']}.{name}"]


def in_editor(kind: str):
    """Return the context of an editor's main region, and the region."""
    area = next(area for area in hand.window.screen.areas if area.type == kind)
    region = next(region for region in area.regions if region.type == "WINDOW")
    return bpy.context.temp_override(window=hand.window, screen=hand.window.screen, area=area, region=region), region


def bar_of(key: int):
    bars = addon_module("bridge.contacts.drawn").bars_of(rig().animation_data.action)
    return next(bar for bar in bars if bar.key == key)


def place_of(kind: str, key: int, share: float, frames: float = 0.0) -> tuple[int, int]:
    """Return where a contact is drawn in an editor: so far along its bar, and so many frames beside."""
    rows, drawn = addon_module("core.contact_rows"), addon_module("bridge.contacts.drawn")
    context, region = in_editor(kind)
    with context:
        strip, feet = drawn.strip_of(bpy.context), addon_module("bridge.contacts.stored").feet_of(rig())
    bar = bar_of(key)
    leg = next(leg for leg, one in rows.on_legs([bar], feet) if one is bar)
    frame = bar.first + share * (bar.last + 1 - bar.first) + frames
    middle = rows.height_of(leg, feet, strip) + rows.ROW * strip.scale / 2
    return round(region.x + strip.x(frame)), round(region.y + middle)


def all_of_contacts() -> tuple:
    """Return all that the planted action has, to the bit, with what ties its markers."""
    action = rig().animation_data.action
    return action_of(action), [(m.skelkin_contact, m.skelkin_is_up) for m in action.pose_markers]


def span(key: int) -> tuple[int, int]:
    """Return first and last frame of a contact where list and markers agree."""
    bar, item = bar_of(key), contact_of(key)
    assert (bar.first, bar.last) == (item.first, item.last)
    return bar.first, bar.last


def raise_the_dope_sheet(by: int):
    """Drag the upper edge of the Dope Sheet, which is hardly higher than its header at first."""
    area = next(area for area in hand.window.screen.areas if area.type == "DOPESHEET_EDITOR")
    x, y, height = area.x + area.width // 2, area.y + area.height, area.height
    yield from hand.drag((x, y), (x, y + by))
    assert abs(area.height - height - by) < 10


def bases() -> list:
    return [[tuple(row) for row in bone.matrix_basis] for bone in rig().pose.bones]


def ankle() -> np.ndarray:
    return np.array((rig().matrix_world @ rig().pose.bones[known["walk"]["foot"]["L"]].matrix).translation)


def begin_drag_foot():
    """Press the button's operator with the mouse at the ankle."""
    context, region = in_editor("VIEW_3D")
    at = location_3d_to_region_2d(region, hand.area.spaces.active.region_3d, ankle())
    yield from hand.move(round(region.x + at[0]), round(region.y + at[1]))
    with context:
        assert bpy.ops.skelkin.drag_foot("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    yield 0.2


def settled():
    """Wait until the foot keeps still."""
    last = ankle() + 1.0
    while (ankle() != last).any():
        last = ankle()
        yield 0.6


def moved(by: tuple[int, int]):
    x, y = hand.at
    yield from hand.move(x + by[0] // 2, y + by[1] // 2)
    yield from hand.move(x + by[0], y + by[1])
    yield 0.2


def addon_preferences():
    return next(a.preferences for a in bpy.context.preferences.addons if "skelkin" in a.module)


def write_report(results: list[tuple[str, str]]) -> None:
    failures = sum(1 for _, problem in results if problem)
    suite = ElementTree.Element("testsuite", name="gui", tests=str(len(results)), failures=str(failures))
    for name, problem in results:
        case = ElementTree.SubElement(suite, "testcase", classname="gui", name=name)
        if problem:
            ElementTree.SubElement(case, "failure", message=problem.splitlines()[-1]).text = problem
    ElementTree.ElementTree(suite).write(os.environ["SKELKIN_GUI_REPORT"])


def run(names: dict) -> None:
    """Run the steps of a script once the window is open."""
    bpy.context.preferences.view.show_splash = False
    going = _going([value for name, value in names.items() if name.startswith("step_")])

    def tick() -> float:
        try:
            return next(going)
        except BaseException:
            traceback.print_exc()
            sys.stdout.flush()
            os._exit(2)

    bpy.app.timers.register(tick, first_interval=1.0)


def _going(steps: list):
    """Run the steps in order; after a failure the rest, which builds on it, counts as failed."""
    results: list[tuple[str, str]] = []
    for step in steps:
        problem = "not reached" if any(p for _, p in results) else ""
        if not problem:
            try:
                yield from step()
            except Exception:
                problem = traceback.format_exc()
                print(problem)
                hand.picture("failed_" + step.__name__)
        results.append((step.__name__, problem))
        print("FAILED" if problem else "ok", step.__name__, flush=True)  # a crash leaves nothing of a buffer
    write_report(results)
    sys.stdout.flush()
    os._exit(1 if any(p for _, p in results) else 0)
