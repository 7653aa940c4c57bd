# SPDX-License-Identifier: MIT
"""Ctrl-C while the command ``skelkin`` still loads: nothing has begun, so it leaves at once and without a word.

Python and numpy take most of a second to load on a busy machine. This module is the first that the package imports, and
imports next to nothing itself. In any other program it does nothing: signals are that program's own.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from types import FrameType
from typing import Any

__all__ = ["end_loading"]

_before: dict[int, Any] = {}


def _begin_loading() -> None:
    """Let Ctrl-C and SIGTERM end this process if it is the command; signals that are ignored stay so."""
    if not _is_command():
        return
    usual = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}
    for number, handler in usual.items():
        with contextlib.suppress(ValueError):  # outside of the main thread
            if signal.getsignal(number) == handler:
                signal.signal(number, _leave)
                _before[number] = handler


def end_loading() -> None:
    """Give signals their usual meaning again."""
    while _before:
        signal.signal(*_before.popitem())


def _is_command() -> bool:
    """Tell whether this process is the script ``skelkin`` or ``python -m skelkin_py``."""
    if "--multiprocessing-fork" in sys.orig_argv:  # one of its processes: what to do is for the command to say
        return False
    program = sys.argv[0] if getattr(sys, "argv", None) else ""
    if program == "-m":  # what it is while the module is looked for; its name stands before the arguments
        return sys.orig_argv[-len(sys.argv)].removeprefix("-m") == __package__
    return os.path.splitext(os.path.basename(program))[0] in ("skelkin", "skelkin-script")


def _leave(number: int, frame: FrameType | None) -> None:
    os._exit(128 + number)


_begin_loading()
