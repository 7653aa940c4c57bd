# SPDX-License-Identifier: MIT
"""A program for which the permissions of files hold, whoever runs the tests: root may read everything else."""

from __future__ import annotations

import sys

# Privileges that are dropped from the bounding set are gone at the next exec: root stays the owner of its files, which
# another user could not be made here without the interpreter's own folders being closed to it.
_DROP = """
import ctypes, os, sys
if os.geteuid() == 0:
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        if prctl(24, capability, 0, 0, 0):  # PR_CAPBSET_DROP
            raise OSError(ctypes.get_errno(), "the privileges of root cannot be dropped")
os.execv(sys.argv[1], sys.argv[1:])
"""


def without_privileges(command: list[str]) -> list[str]:
    """Return a command that runs this one, which begins with the path of a program, without root's privileges."""
    return [sys.executable, "-c", _DROP, *command]
