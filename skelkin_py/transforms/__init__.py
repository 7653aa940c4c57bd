# SPDX-License-Identifier: MIT
"""Transforms and rotations over numpy arrays: the theme `transforms` in one place."""

from __future__ import annotations

from .matrices import change_basis as change_basis
from .matrices import change_basis_points as change_basis_points
from .matrices import compose as compose
from .matrices import decompose as decompose
from .matrices import invert as invert
from .matrices import invert_rigid as invert_rigid
from .matrices import invert_trs as invert_trs
from .matrices import nearest_rotation as nearest_rotation
from .quaternions import quaternion_between as quaternion_between
from .quaternions import quaternion_from_matrix as quaternion_from_matrix
from .quaternions import quaternion_multiply as quaternion_multiply
from .quaternions import quaternion_rotate as quaternion_rotate
from .quaternions import quaternion_slerp as quaternion_slerp
from .quaternions import quaternion_to_matrix as quaternion_to_matrix
from .rotations import continuous_euler as continuous_euler
from .rotations import quaternion_from_axis_angle as quaternion_from_axis_angle
from .rotations import quaternion_from_euler as quaternion_from_euler
from .rotations import quaternion_from_rotation_vector as quaternion_from_rotation_vector
from .rotations import quaternion_to_axis_angle as quaternion_to_axis_angle
from .rotations import quaternion_to_euler as quaternion_to_euler
from .rotations import quaternion_to_rotation_vector as quaternion_to_rotation_vector
from .swing_twist import SwingTwistParts as SwingTwistParts
from .swing_twist import quaternion_swing_twist as quaternion_swing_twist
