# SPDX-License-Identifier: GPL-3.0-or-later
"""The version of the add-on and the system its zip is for, in a checkout none; written when the zips are made.

Blender takes ``bl_info`` away from the modules of extensions, so that it cannot be asked.
"""

__version__ = "0.2.0"
SYSTEM = ""
