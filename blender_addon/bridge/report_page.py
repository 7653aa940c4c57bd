# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of the planting report: the motion before and after, played in a browser, beside all figures."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path

import bpy

from ..core.steps import finished
from . import compat, leg_data, native, playback, renaming, switching
from .original import originals
from .planting import plan_steps


def write(context, ob, path: str) -> tuple[Path, list[str]]:
    """Write the page to ``path``, or to the user's folder of reports; return where, and messages about it.

    What was planted is planted again, with all bones and out of the same original; what plays is as before.
    """
    package = native.load()
    renaming.follow_names(ob)
    planted, _ = playback.playing(ob)
    mark = planted.skelkin
    messages = []
    if switching.edited(ob):
        messages.append("Leg keys were edited by hand since: the report shows what was planted")
    with ExitStack() as undo:
        undo.callback(context.view_layer.update)
        switching.goals_off(context, ob, undo)
        _, original = switching.unplanted(context, ob, undo)
        if originals.digest(ob, *original) != mark.source_digest:
            name = originals.name_of(ob, original.action)
            messages.append(f"{name} has changed since: the report is what Update would do")
        if mark.legs not in ("", leg_data.described(ob)):
            messages.append("The legs have changed since: the report is what Update would do")
        plan = finished(plan_steps(context, ob, json.loads(mark.settings), all_bones=True, original=original))
    skeleton, before, after, fps = plan.motion
    clips = [_clip(package, skeleton, local, fps) for local in (before, after)]
    title = f"{ob.name}, {planted.name}"
    if path:
        target = Path(bpy.path.abspath(path))
    else:
        target = compat.user_folder("reports", create=True) / f"{_plain(planted.name)}.html"
    options = {"compare": clips[0], "report": plan.report, "title": title, "first_frame": plan.start}
    page = package.view.write_html(target, clips[1], **options)
    return page, messages


def _clip(package, skeleton, local, fps: float):
    translations, rotations, scales = package.decompose(local)
    return package.Clip(skeleton, rotations, translations, scales, fps=fps)


def _plain(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in " -_." else "_" for letter in name)
