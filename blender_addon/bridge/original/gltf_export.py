# SPDX-License-Identifier: GPL-3.0-or-later
"""Which actions Blender's glTF exporter writes: it takes all that fit an armature, originals and resting copies too."""

from __future__ import annotations

from ..playback import is_on, planted_of, playing


class ActionsToExport:
    """What the exporter asks: 3.4 and 4.2 with a list of actions, later versions with a table of them."""

    def gather_actions_hook(self, ob, params, export_settings) -> None:
        """Leave out the actions for which another one stands."""
        if hasattr(params, "blender_actions"):
            params.blender_actions[:] = [action for action in params.blender_actions if not is_left_out(ob, action)]
            return
        for key, found in list(params.actions.items()):
            if is_left_out(ob, found[0].action):
                del params.actions[key]


def is_left_out(ob, action) -> bool:
    """Whether another action stands for this one.

    What the object plays never is. Else planted actions are left out while the switch is off, as are those of other
    objects; their originals while it is on, and once they are applied.
    """
    now, mark = playing(ob).action, action.skelkin
    if action == now:
        return False
    planted = [each for each in planted_of(ob) if each is not None] if is_on(ob) else []
    if mark.is_planted:
        return action not in planted or mark.source == now.skelkin.source
    return mark.is_replaced or any(each.skelkin.source == action for each in planted)
