# SPDX-License-Identifier: GPL-3.0-or-later
"""What the add-on computes without Blender: plain numpy, tested by plain pytest."""
