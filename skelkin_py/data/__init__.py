# SPDX-License-Identifier: MIT
"""The data that is shipped; `skelkin_py.example` opens it."""
