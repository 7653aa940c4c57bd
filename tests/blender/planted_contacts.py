# SPDX-License-Identifier: MIT
"""Contacts of a walk that is planted: what the list says, and the markers of each."""

from __future__ import annotations

import bpy
import rigs


def planted_walk(**options):
    """Return a walk with Leg IK on."""
    walk = rigs.mixamo_walk(**options)
    assert bpy.ops.skelkin.leg_ik() == {"FINISHED"}
    return walk


def mark_of(walk):
    return walk.object.animation_data.action.skelkin


def listed(walk) -> list[tuple]:
    return [(item.foot, item.first, item.last) for item in mark_of(walk).contacts]


def item_of(walk, foot: str, number: int):
    return [item for item in mark_of(walk).contacts if item.foot == foot][number]


def markers_of(walk, item) -> dict:
    """Return the markers of a contact by the end that they are."""
    markers = walk.object.animation_data.action.pose_markers
    return {marker.skelkin_is_up: marker for marker in markers if marker.skelkin_contact == item.key}


def assert_ends_have_their_markers(walk) -> None:
    action = walk.object.animation_data.action
    spans = [(item.key, (item.first, item.last)) for item in mark_of(walk).contacts]
    wanted = sorted((frame, key, bool(is_up)) for key, span in spans for is_up, frame in enumerate(span))
    markers = [marker for marker in action.pose_markers if marker.skelkin_contact > 0]
    assert sorted((m.frame, m.skelkin_contact, m.skelkin_is_up) for m in markers) == wanted


def add_marker(walk, name: str, frame: int):
    marker = walk.object.animation_data.action.pose_markers.new(name)
    marker.frame = frame
    return marker


def update(**options):
    assert bpy.ops.skelkin.update(**options) == {"FINISHED"}
