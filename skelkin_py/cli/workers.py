# SPDX-License-Identifier: MIT
"""Work on many things in several processes, each of which may fail without stopping the others."""

from __future__ import annotations

import _thread
import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import islice
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple

from .._support.threads import set_num_threads
from .printing import explained

# Each process works on a clip of its own, so that more threads in it would only take the cores from the others.
_ONE_THREAD = ("SKELKIN_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
TICK = 0.2  # s between two calls of `idle`
_GRACE = 3.0  # s to stop in after being asked to


class Outcome(NamedTuple):
    """What came of one task.

    Attributes
    ----------
    which : int
        Number of the task.
    value : object
        What the function returned; None after an error.
    error : str
        What went wrong, in one line; empty if nothing did.
    """

    which: int
    value: Any
    error: str


class _Worker(NamedTuple):
    process: BaseProcess
    connection: Any  # a Connection; on Windows a PipeConnection
    stop: Any  # a Semaphore, where no signal reaches another process: an Event would wait for one that has just ended


def num_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def attempt(function: Callable[[Any], Any], task: Any) -> tuple[Any, str]:
    """Return (what the function gives for the task, ""), or (None, what went wrong)."""
    try:
        return function(task), ""
    except (OSError, ValueError) as error:
        return None, explained(error)
    except Exception as error:  # whatever it is, the other tasks go on
        return None, f"{type(error).__name__}: {explained(error)}"


def run_tasks(
    function: Callable[[Any], Any], tasks: Sequence[Any], jobs: int, idle: Callable[[], None] = lambda: None
) -> Generator[Outcome, None, None]:
    """Yield the outcome of every task as it finishes.

    A process that dies fails its task, and another takes its place. When the iterator is closed early, the processes
    are asked to stop, and clean up after themselves; those that do not stop within seconds are killed.

    Parameters
    ----------
    function : callable
        What to do with a task; can be pickled.
    tasks : sequence
        The tasks; can be pickled.
    jobs : int
        How many processes; 1 works in this one.
    idle : callable, optional
        Called about five times a second while waiting for other processes.

    Yields
    ------
    Outcome
        One per task, in the order in which they finish.

    Examples
    --------
    >>> [(out.value, out.error) for out in run_tasks(float, ["2", "two"], jobs=1)]
    [(2.0, ''), (None, "could not convert string to float: 'two'")]
    """
    if jobs == 1:
        for index, task in enumerate(tasks):
            yield Outcome(index, *attempt(function, task))
        return
    waiting = iter(enumerate(tasks))
    busy: dict[Any, tuple[int, _Worker]] = {}
    workers: list[_Worker] = []
    try:
        for index, task in islice(waiting, jobs):
            _send(busy, _start_worker(function, workers), index, task)
        while busy:
            ready = wait(list(busy), TICK)
            for connection in ready:
                index, worker = busy.pop(connection)
                outcome, alive = _received(index, worker)
                following = next(waiting, None)
                if not alive:
                    workers.remove(worker)
                if following is not None:
                    _send(busy, worker if alive else _start_worker(function, workers), *following)
                yield outcome
            idle()
    finally:
        _stop_workers(workers, at_once=bool(busy))


def _send(busy: dict[Any, tuple[int, _Worker]], worker: _Worker, index: int, task: Any) -> None:
    with contextlib.suppress(OSError):  # one that has just died is found out when its result is read
        worker.connection.send(task)
    busy[worker.connection] = (index, worker)


def _received(index: int, worker: _Worker) -> tuple[Outcome, bool]:
    """Read what a worker says; also return whether it lives."""
    try:
        value, error = worker.connection.recv()
    except (EOFError, OSError):
        worker.connection.close()
        worker.process.join()
        return Outcome(index, None, _why_it_ended(worker.process.exitcode)), False
    return Outcome(index, value, error), True


def _why_it_ended(code: int | None) -> str:
    if code is None or code >= 0:
        return f"its process ended with exit code {code}: run it alone, with --jobs 1, to see why"
    name = signal.Signals(-code).name if -code in {int(s) for s in signal.Signals} else f"signal {-code}"
    why = ", as when memory runs out: use fewer --jobs" if name == "SIGKILL" else ""
    return f"its process was ended by {name}{why}"


def _may_fork() -> bool:
    """Tell whether a copy of this process can go on: it has no other thread, which might hold a lock for ever in it.

    On macOS the system's own libraries do not stand it either.
    """
    if sys.platform != "linux":
        return False
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return False


def _start_worker(function: Callable[[Any], Any], workers: list[_Worker]) -> _Worker:
    """Start one more process; a signal that would end this one meanwhile is handled after it.

    A fork begins at once, where another interpreter first loads for half a second.
    """
    forks = _may_fork()
    context: Any = multiprocessing.get_context("fork" if forks else "spawn")
    ours, theirs = context.Pipe()
    # A fork has copies of all that is open: while a copy of a pipe stays open, nobody learns that its owner has died.
    copies = [ours, *(worker.connection for worker in workers)] if forks else []
    stop = context.Semaphore(0) if sys.platform == "win32" else None
    process = context.Process(target=_serve, args=(theirs, function, copies, stop), daemon=True)
    with _environment(), _signals_held(forks):
        process.start()
        workers.append(_Worker(process, ours, stop))
    theirs.close()
    return workers[-1]


@contextlib.contextmanager
def _environment() -> Iterator[None]:
    """Set what a new process reads when it starts, and put it back."""
    before = {name: os.environ.get(name) for name in _ONE_THREAD}
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextlib.contextmanager
def _signals_held(forks: bool) -> Iterator[None]:
    """Hold SIGINT back: a process that starts meanwhile never gets it, so that Ctrl-C does not make it print.

    SIGTERM too where it forks, until the copy has its own handler: with that of this process it would clean up for it.
    """
    if sys.platform == "win32":
        import ctypes

        ignore = ctypes.windll.kernel32.SetConsoleCtrlHandler
        ignore(None, True)  # which is inherited
        try:
            yield
        finally:
            ignore(None, False)
        return
    held = {signal.SIGINT}
    if forks:
        held.add(signal.SIGTERM)
    else:
        from multiprocessing import resource_tracker

        resource_tracker.ensure_running()  # it would let the signals through again when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, held)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(connection: Any, function: Callable[[Any], Any], copies: Sequence[Any], stop: Any) -> None:
    """Work until the other side closes or goes away; finish what has begun unless asked to stop."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # as an exception, so that temporary files are removed
    if stop is not None:
        threading.Thread(target=_stop_when_asked, args=(stop,), daemon=True).start()
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    for copy in copies:
        copy.close()
    set_num_threads(1)
    keep_freed_memory()
    with contextlib.suppress(EOFError, OSError):
        while True:
            connection.send(attempt(function, connection.recv()))
    os._exit(0)  # nothing is open any more; taking the interpreter down would delay the parent process


def _stop_when_asked(stop: Any) -> None:
    stop.acquire()
    _thread.interrupt_main(signal.SIGTERM)


def _stop_workers(workers: Sequence[_Worker], at_once: bool) -> None:
    for worker in workers:
        worker.connection.close()
        if at_once and worker.stop is not None:
            worker.stop.release()
        elif at_once:
            worker.process.terminate()
    for worker in workers:
        worker.process.join(_GRACE)
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()


_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # what glibc's malloc.h calls them
_MOST_KEPT = 256 << 20
_MOST_IN_HEAP = 32 << 20  # the most that glibc takes: larger arrays always go back to the system


def keep_freed_memory() -> None:
    """Let the C library keep what arrays leave behind; call it in processes of the command only.

    By default glibc returns it to the system at once, which has to clear it, page by page, before the next clip has it
    again: a fifth of the time in which a clip of some thousand frames is planted. Other C libraries are left as they
    are.
    """
    with contextlib.suppress(ImportError, OSError, AttributeError, TypeError):
        import ctypes

        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_MMAP_THRESHOLD, _MOST_IN_HEAP)
        mallopt(_TRIM_THRESHOLD, _MOST_KEPT)
