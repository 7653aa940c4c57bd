# SPDX-License-Identifier: MIT
"""Work on many things on a Dask cluster, whose workers may come, go and die meanwhile."""

from __future__ import annotations

import contextlib
import functools
import importlib
import queue
from collections.abc import Callable, Generator, Sequence
from typing import Any

from .._support.errors import MissingExtraError
from .printing import explained
from .workers import TICK, Outcome, attempt


def run_on_cluster(
    function: Callable[[Any], Any], tasks: Sequence[Any], address: str, idle: Callable[[], None] = lambda: None
) -> Generator[Outcome, None, None]:
    """Yield the outcome of every task as it finishes, each exactly once.

    The tasks of a worker that dies are given to others; one that several workers have died of fails. When the iterator
    is closed early, tasks that have not begun are taken back; those that run are finished by their workers.

    Parameters
    ----------
    function : callable
        What to do with a task; every worker can import it.
    tasks : sequence
        The tasks; can be pickled.
    address : str
        Where the scheduler listens, such as ``tcp://127.0.0.1:8786``.
    idle : callable, optional
        Called about five times a second while waiting.

    Yields
    ------
    Outcome
        One per task, in the order in which they finish.

    Raises
    ------
    MissingExtraError
        Without dask.distributed.
    OSError
        If there is no scheduler at the address, or it goes away.
    """
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise MissingExtraError("--scheduler", "distributed", "cluster") from None
    with contextlib.ExitStack() as stack:
        client = stack.enter_context(distributed.Client(address, set_as_default=False))
        futures = client.map(functools.partial(attempt, function), tasks, pure=False)
        which = {future.key: index for index, future in enumerate(futures)}
        stack.callback(client.cancel, futures)
        done: queue.Queue[Any] = queue.Queue()
        for future in futures:
            future.add_done_callback(done.put)
        while which:
            try:
                future = done.get(timeout=TICK)
            except queue.Empty:
                idle()
                continue
            if future.cancelled():
                raise ConnectionError(
                    f"{address}: the scheduler stopped: restart it and run the command again to continue"
                )
            index = which.pop(future.key, None)
            if index is not None:
                yield Outcome(index, *_result(future))


def _result(future: Any) -> tuple[Any, str]:
    """Return what a task gave, or what became of it; a result that is lost with its worker is waited for again."""
    try:
        value, error = future.result()
    except Exception as problem:  # of the cluster: those of the task are caught where it runs
        return None, f"{type(problem).__name__}: {explained(problem)}"
    return value, error
