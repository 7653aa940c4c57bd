# SPDX-License-Identifier: GPL-3.0-or-later
"""What a planted action remembers: its original, and the channels that planting wrote."""

from __future__ import annotations

from ...core.steps import Steps, finished
from ...properties import FORMAT
from .. import actions, compat
from ..playback import Played
from . import originals


def mark_pair(ob, copy: Played, original: Played, channels: list) -> Steps:
    """Mark a copy that the object plays as planted, with what it was copied from and the channels that it owns."""
    mark = copy.action.skelkin
    mark.is_planted, mark.format = True, FORMAT
    mark.source, mark.source_slot = original.action, compat.slot_name(original.slot)
    mark.slot = compat.slot_name(copy.slot)
    mark.over_strips = original.action is None
    mark.source_digest = yield from originals.digest_steps(ob, *original)
    mark.source_changed = False
    mark.channels.clear()
    for bone, channel, values in channels:
        item = mark.channels.add()
        item.bone, item.channel, item.size = bone, channel, values.shape[1]
    mark.keys_digest = yield from keys_digest(*copy)


def keys_digest(planted, slot) -> Steps:
    """Return the digest of the channels that planting wrote, as they are now."""
    paths = {actions.bone_path(item.bone, item.channel) for item in planted.skelkin.channels}
    return (yield from actions.digest_steps(planted, slot, paths))


def clear(action) -> None:
    """Forget all that an action remembers."""
    mark = action.skelkin
    mark.source = None
    for prop in mark.bl_rna.properties:
        if prop.identifier not in ("rna_type", "name"):
            mark.property_unset(prop.identifier)


def is_edited(played: Played) -> bool:
    """Whether keys that planting wrote were changed by hand in a planted action."""
    return finished(keys_digest(*played)) != played.action.skelkin.keys_digest
