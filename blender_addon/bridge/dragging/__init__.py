# SPDX-License-Identifier: GPL-3.0-or-later
"""A foot that is dragged by hand: what of the armature moves, the ground below it, and what is written."""
