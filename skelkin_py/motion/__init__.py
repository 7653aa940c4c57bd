# SPDX-License-Identifier: MIT
"""A skeleton in motion: the clip, facts from its file, and clips made from positions."""
