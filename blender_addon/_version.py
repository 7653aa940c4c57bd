# SPDX-License-Identifier: GPL-3.0-or-later
"""The version of the add-on; written anew from ``skelkin_py/_support/version.py`` when the zips are made.

Blender takes ``bl_info`` away from the modules of extensions, so that it cannot be asked.
"""

__version__ = "0.1.0"
