# SPDX-License-Identifier: GPL-3.0-or-later
"""Between Blender and numpy: everything here takes or gives bpy data, everything in ``core`` does not."""
