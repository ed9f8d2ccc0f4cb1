"""Ctrl-C in the middle of other people's code."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType

from fourcast.cli.screen import Advance


@contextmanager
def remembered() -> Iterator[Callable[[Advance], Advance]]:
    """Remember a Ctrl-C that would be lost.

    JAX, LightGBM and SQLAlchemy have code that is called in between and that no exception gets out of.
    A Ctrl-C that comes just then is heeded when progress is told next.

    Yields:
        What makes of a function that is told of progress one that heeds Ctrl-C, too.
    """
    pressed = False
    before, unraisable = signal.getsignal(signal.SIGINT), sys.unraisablehook

    def hear(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        pressed = True
        if callable(before):
            before(number, frame)

    def lost(fault: sys.UnraisableHookArgs) -> None:
        if fault.exc_type is not KeyboardInterrupt:
            unraisable(fault)

    def heeding(advance: Advance) -> Advance:
        def advance_or_stop(what: str, done: int, total: int) -> None:
            if pressed:
                raise KeyboardInterrupt
            advance(what, done, total)

        return advance_or_stop

    with ExitStack() as stack:
        if callable(before):
            stack.callback(signal.signal, signal.SIGINT, before)
            stack.callback(setattr, sys, "unraisablehook", unraisable)
            signal.signal(signal.SIGINT, hear)
            sys.unraisablehook = lost
        yield heeding
