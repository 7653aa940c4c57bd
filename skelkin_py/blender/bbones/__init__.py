# SPDX-License-Identifier: MIT
"""What bendy bones do: segments along their curves, which of them move a point, and how far handles are rolled."""
