# SPDX-License-Identifier: MIT
"""All that is read out of live Blender: armatures, modifiers, actions, IK constraints."""
