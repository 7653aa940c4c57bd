# SPDX-License-Identifier: MIT
"""Points that follow joints: weights, meshes, and both methods."""
