"""Running long kernels so that they can be watched and stopped.

Compiled code hears no signals. So a long kernel runs in a thread of its own (it holds no GIL) and looks at a
`Control` now and then, while the main thread shows progress and stays awake for Ctrl-C.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
import numpy.typing as npt

Result = TypeVar("Result")

Signals = npt.NDArray[np.int64]

STOP, DONE = 0, 1
LOOK_EVERY = 0.05  # seconds


@dataclass(frozen=True, slots=True)
class Control:
    """What a running kernel and its caller share.

    Attributes:
        signals: int64 of shape (2,): `STOP` is set by the caller, `DONE` counts the work finished so far.
    """

    signals: Signals = field(default_factory=lambda: np.zeros(2, dtype=np.int64))

    def stop(self) -> None:
        """Ask the kernel to return at once."""
        self.signals[STOP] = 1

    @property
    def done(self) -> int:
        """How much work is finished, in the kernel's own units."""
        return int(self.signals[DONE])


def run_watched(
    work: Callable[[Control], Result],
    watch: Callable[[int], None] | None = None,
    stop: Callable[[], None] | None = None,
) -> Result:
    """Do the work in a thread; whatever ends the wait early (Ctrl-C above all) stops it first.

    Args:
        work: Runs the kernel with the control's signals and returns its result.
        watch: Called every now and then with `Control.done`, and once at the end.
        stop: Called too when the work is to stop, for kernels that look at something else.
    """
    control = Control()
    with ThreadPoolExecutor(max_workers=1) as pool:
        future = pool.submit(work, control)
        try:
            while not wait([future], timeout=LOOK_EVERY).done:
                if watch:
                    watch(control.done)
            if watch:
                watch(control.done)
            return future.result()
        except BaseException:  # only then: work that is done must not look as if it had been stopped
            control.stop()
            if stop:
                stop()
            raise
