# SPDX-License-Identifier: MIT
"""How many threads a call may use."""

from __future__ import annotations

from .. import _core


def set_num_threads(num_threads: int) -> None:
    """Let calls with much work share it among this many threads.

    The setting holds for the whole process. It starts at 1, or at what the environment variable
    ``SKELKIN_NUM_THREADS`` says when skelkin_py is imported.

    Parameters
    ----------
    num_threads : int
        1 to 256; the calling thread is one of them. More than there are processor cores does not help.

    Returns
    -------
    None

    Raises
    ------
    ValueError, TypeError
        Not a number from 1 to 256; the setting stays what it was.

    See Also
    --------
    get_num_threads : What is set.

    Notes
    -----
    Results have the same bits with any number of threads. Threads start when a call first has work for them, wait
    without using the processor, and are made again in a process that was forked. Small calls stay on the calling
    thread. Where several Python threads call at once, the first one has the threads and the others work on their own.
    Work is cut into blocks, and a thread that has done its own takes half of what another has left (Blumofe and
    Leiserson, Scheduling Multithreaded Computations by Work Stealing, section 3, with blocks instead of tasks).

    Examples
    --------
    >>> sk.set_num_threads(2)
    >>> sk.get_num_threads()
    2
    >>> sk.set_num_threads(1)
    """
    _core.set_num_threads(num_threads)


def get_num_threads() -> int:
    """Return how many threads a call may use.

    Returns
    -------
    int
        1, unless `set_num_threads` or the environment variable ``SKELKIN_NUM_THREADS`` said otherwise.

    See Also
    --------
    set_num_threads : Change it.

    Examples
    --------
    >>> sk.set_num_threads(1)
    >>> sk.get_num_threads()
    1
    """
    return _core.get_num_threads()
