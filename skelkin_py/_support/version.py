# SPDX-License-Identifier: MIT
"""The one place that states the version; every other is made from it."""

__version__ = "0.2.0"
