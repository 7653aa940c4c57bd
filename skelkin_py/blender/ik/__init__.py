# SPDX-License-Identifier: MIT
"""Blender's IK constraint: what it is given, which bones are solved together, and the solve."""
