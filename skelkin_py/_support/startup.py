# SPDX-License-Identifier: MIT
"""What holds while the command ``skelkin`` still loads, and no longer.

- Ctrl-C and SIGTERM: nothing has begun, so it leaves at once and without a word.
- Numpy starts no threads of its own for linear algebra: planting has none that is large, and a process of one thread
  can fork.
- Nothing is searched for garbage: what is loaded stays.

Python and numpy take most of a second to load on a busy machine. This module is the first that the package imports, and
imports next to nothing itself. In any other program it does nothing: signals and threads are that program's own.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
from types import FrameType

_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")  # of libraries that numpy is built with

_undo = contextlib.ExitStack()


def _begin_loading() -> None:
    """Set what holds meanwhile, if this is the command; what the user ignores or has set stays so."""
    if not _is_command():
        return
    for name in _THREADS:
        if name not in os.environ:
            os.environ[name] = "1"
            _undo.callback(os.environ.pop, name, None)
    if gc.isenabled():
        gc.disable()
        _undo.callback(gc.enable)
        _undo.callback(gc.freeze)
    usual = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}
    for number, handler in usual.items():
        with contextlib.suppress(ValueError):  # outside of the main thread
            if (before := signal.getsignal(number)) == handler:
                signal.signal(number, _leave)
                _undo.callback(signal.signal, number, before)


def end_loading() -> None:
    """Give signals their usual meaning again, and other programs that are started the environment of this one."""
    _undo.close()  # the last first


def _is_command() -> bool:
    """Tell whether this process is the script ``skelkin`` or ``python -m skelkin_py``."""
    if "--multiprocessing-fork" in sys.orig_argv:  # one of its processes: what to do is for the command to say
        return False
    program = sys.argv[0] if getattr(sys, "argv", None) else ""
    if program == "-m":  # what it is while the module is looked for; its name stands before the arguments
        return sys.orig_argv[-len(sys.argv)].removeprefix("-m") == __package__.rpartition(".")[0]
    return os.path.splitext(os.path.basename(program))[0] in ("skelkin", "skelkin-script")


def _leave(number: int, frame: FrameType | None) -> None:
    os._exit(128 + number)


_begin_loading()
