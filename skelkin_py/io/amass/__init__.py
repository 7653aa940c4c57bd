# SPDX-License-Identifier: MIT
"""AMASS files and other `.npz` files with poses of the SMPL family."""
