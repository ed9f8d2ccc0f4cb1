"""The time, for compiled code: the monotonic clock that Python itself reads, without the GIL."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.extending import intrinsic

_NAME = "fourcast_monotonic_clock"
_RAW = sys.version_info >= (3, 13)  # before, the only clock that needs no GIL has a private name


def _address() -> int:
    clock = ctypes.pythonapi.PyTime_MonotonicRaw if _RAW else ctypes.pythonapi._PyTime_GetMonotonicClock
    return cast(int, ctypes.cast(clock, ctypes.c_void_p).value)


binding.add_symbol(_NAME, _address())


def _type_now(_typing: Any) -> Any:
    def emit(_context: Any, builder: Any, _signature: Any, _args: Any) -> Any:
        number = ir.IntType(64)
        wanted = (
            ir.FunctionType(ir.IntType(32), [number.as_pointer()]) if _RAW else ir.FunctionType(number, [])
        )
        clock = builder.module.globals.get(_NAME) or ir.Function(builder.module, wanted, _NAME)
        if not _RAW:
            return builder.call(clock, [])
        with builder.goto_entry_block():
            slot = builder.alloca(number)
        builder.call(clock, [slot])
        return builder.load(slot)

    return types.uint64(), emit


#: The time in nanoseconds, as `time.monotonic_ns` has it; some 30 ns to ask for.
now: Callable[[], np.uint64] = cast(Any, intrinsic(_type_now))
