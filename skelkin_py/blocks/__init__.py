# SPDX-License-Identifier: MIT
"""Arrays that do not fit into memory: from `.npy` files to `.npy` files, a block of frames at a time."""

from .skin_file import skin_file as skin_file
