# SPDX-License-Identifier: MIT
"""Transforms and rotations over numpy arrays."""

from __future__ import annotations

from .matrices import (
    change_basis as change_basis,
    change_basis_points as change_basis_points,
    compose as compose,
    decompose as decompose,
    invert as invert,
    invert_rigid as invert_rigid,
    invert_trs as invert_trs,
    nearest_rotation as nearest_rotation,
)
from .quaternions import (
    quaternion_between as quaternion_between,
    quaternion_from_matrix as quaternion_from_matrix,
    quaternion_multiply as quaternion_multiply,
    quaternion_rotate as quaternion_rotate,
    quaternion_slerp as quaternion_slerp,
    quaternion_to_matrix as quaternion_to_matrix,
)
from .rotations import (
    SwingTwistParts as SwingTwistParts,
    continuous_euler as continuous_euler,
    quaternion_from_axis_angle as quaternion_from_axis_angle,
    quaternion_from_euler as quaternion_from_euler,
    quaternion_from_rotation_vector as quaternion_from_rotation_vector,
    quaternion_swing_twist as quaternion_swing_twist,
    quaternion_to_axis_angle as quaternion_to_axis_angle,
    quaternion_to_euler as quaternion_to_euler,
    quaternion_to_rotation_vector as quaternion_to_rotation_vector,
)
