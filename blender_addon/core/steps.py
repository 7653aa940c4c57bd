# SPDX-License-Identifier: GPL-3.0-or-later
"""Long work in steps: a generator that can be run in one go, or a little at a time while a window stays alive.

What it yields says where it is: `Progress`, `InThread`, or None where there is nothing to say. Its result is what it
returns; closing it before that has to leave everything as it was.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

Steps = Generator[Any, Any, Any]


class InThread(NamedTuple):
    """Work that touches no scene, so that another thread may do it; its result is sent back."""

    work: Callable[[], Any]


class Progress(NamedTuple):
    """How many parts are done of how many, which is next, and whether it can still be left without a trace."""

    done: int
    total: int
    what: str
    can_stop: bool


def finished(steps: Steps, tell: Callable[[Progress], None] | None = None) -> Any:
    """Run all steps in this thread and return what they return.

    >>> def double(x):
    ...     return 2 * (yield InThread(lambda: x))
    >>> finished(double(4))
    8
    """
    try:
        step = next(steps)
        while True:
            if tell is not None and isinstance(step, Progress):
                tell(step)
            if not isinstance(step, InThread):
                step = next(steps)
                continue
            try:
                found = step.work()
            except Exception as error:
                step = steps.throw(error)
            else:
                step = steps.send(found)
    except StopIteration as stop:
        return stop.value


def quiet(steps: Steps) -> Steps:
    """Pass on all but how far the steps are: for parts of a work that tells so itself."""
    try:
        step = next(steps)
        while True:
            try:
                got = yield (None if isinstance(step, Progress) else step)
            except GeneratorExit:
                steps.close()
                raise
            except BaseException as error:
                step = steps.throw(error)
            else:
                step = steps.send(got)
    except StopIteration as stop:
        return stop.value


class Stepper:
    """Runs steps a little at a time.

    Attributes
    ----------
    progress : Progress or None
        The last that was yielded.
    result : object
        What the steps return, once `advance` says that they are done.
    """

    def __init__(self, steps: Steps) -> None:
        self.progress: Progress | None = None
        self.result: Any = None
        self._steps = steps
        self._pool = ThreadPoolExecutor(1)
        self._pending: Future | None = None

    def advance(self, seconds: float) -> bool:
        """Run steps for about so long; return whether all are done. What a step raises is raised here."""
        end = time.perf_counter() + seconds
        try:
            while time.perf_counter() < end:
                if self._pending is not None:
                    if not self._pending.done():
                        time.sleep(0.001)
                        continue
                    future, self._pending = self._pending, None
                    error = future.exception()
                    step = self._steps.throw(error) if error is not None else self._steps.send(future.result())
                else:
                    step = next(self._steps)
                if isinstance(step, InThread):
                    self._pending = self._pool.submit(step.work)
                elif isinstance(step, Progress):
                    self.progress = step
        except StopIteration as stop:
            self.result = stop.value
            self._pool.shutdown(wait=False)
            return True
        except BaseException:
            self._pool.shutdown(wait=False)
            raise
        return False

    def close(self) -> None:
        """Leave the work where it is; what it began is undone."""
        self._steps.close()
        self._pool.shutdown(wait=False)
