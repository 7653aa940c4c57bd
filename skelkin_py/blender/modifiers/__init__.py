# SPDX-License-Identifier: MIT
"""Armature modifiers: their options and vertex groups, who moves a vertex, and what becomes of the points."""
