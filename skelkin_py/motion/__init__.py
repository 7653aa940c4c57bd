# SPDX-License-Identifier: MIT
"""A skeleton in motion: the clip, what its file says of it, and how positions become one."""
