# SPDX-License-Identifier: MIT
"""Build of the C extension; everything that is not about compiling stands in pyproject.toml."""

from setuptools import setup

setup()
