# SPDX-License-Identifier: MIT
"""What tests start their programs with: the caller's environment without what would steer Python or the package in it.

A variable of one machine (PYTHONUNBUFFERED, SKELKIN_NUM_THREADS, MPLBACKEND, LC_ALL …) would else hide there what fails
on all others, or break what passes on them. tests/conftest.py begins with it, and so do the runners of Blender.
"""

from __future__ import annotations

import re
from collections.abc import MutableMapping

# Where Python, the package, matplotlib, the desktop and the locale are told by whoever calls.
_STEERING = re.compile(r"PYTHON|SKELKIN_|MPL|XDG_|LC_")
# What steers the tests: which interpreters and instruction set there are, where data is, whether all must run,
# where pictures are left.
_KEPT = re.compile(r"PYTHON(3\d+)?|SKELKIN_(STRICT|DATA|ISA|PARITY|PICTURES)")


def clean(environment: MutableMapping[str, str]) -> None:
    """Take out of an environment, such as `os.environ`, what the caller's shell has put there for other programs.

    Parameters
    ----------
    environment : mutable mapping
        Is changed.

    Examples
    --------
    >>> environment = {"PATH": "/bin", "PYTHONPATH": "lib", "PYTHON311": "python3.11", "SKELKIN_ISA": "sse2"}
    >>> clean(environment)
    >>> sorted(environment)
    ['PATH', 'PYTHON311', 'SKELKIN_ISA']
    """
    for name in list(environment):
        if _STEERING.match(name) and not _KEPT.fullmatch(name):
            del environment[name]
