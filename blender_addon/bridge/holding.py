# SPDX-License-Identifier: GPL-3.0-or-later
"""Original and planted action are kept by pointers and fake users, and let go of without a trace."""

from __future__ import annotations

import bpy

from . import marks
from .playback import Played


def keep_both(ob, copy: Played, original: Played) -> None:
    """Keep the planted action and its original through save and reload."""
    hold(original.action)
    copy.action.skelkin.was_fake_user = False
    copy.action.use_fake_user = True
    hold_planted(ob, copy.action, original.action)


def hold_planted(ob, planted, source) -> None:
    """Point to the pair that the switch swaps; planted actions of other originals, or for others, stay known."""
    let_go(ob, planted)
    former = ob.skelkin_planted
    known = [item.action for item in ob.skelkin_held]
    if former is not None and former != planted and former not in known:
        mark = former.skelkin
        if mark.source != source or mark.goes_with != planted.skelkin.goes_with:
            ob.skelkin_held.add().action = former
    ob.skelkin_source, ob.skelkin_planted = source, planted


def let_go(ob, action) -> None:
    """Point no longer to a planted action besides the one that the switch swaps."""
    for index in reversed(range(len(ob.skelkin_held))):
        if ob.skelkin_held[index].action == action:
            ob.skelkin_held.remove(index)


def hold(source) -> None:
    """Keep the original through save and reload, and remember that this was us."""
    mark = source.skelkin if source is not None and source.library is None else None
    if mark is not None and not mark.holds_fake_user and not source.use_fake_user:
        mark.holds_fake_user = True
        source.use_fake_user = True


def release(source) -> bool:
    """Take the hold off again once no planted action needs it; return whether it was."""
    if source.library is not None or not source.skelkin.holds_fake_user:
        return False
    if any(action.skelkin.is_planted and action.skelkin.source == source for action in bpy.data.actions):
        return False
    source.use_fake_user = False
    marks.clear(source)
    return True


def forget(ob) -> None:
    """Point to no pair any more."""
    for name in ("skelkin_source", "skelkin_planted"):
        setattr(ob, name, None)
        ob.property_unset(name)
