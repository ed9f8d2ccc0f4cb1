"""Plain memory for compiled code: uint64 words, and floats, at an address.

Recursive searches hand their tables on at every call; an address costs one register where an array costs
seven. The caller keeps the array alive, and the kernel keeps within it: nothing is checked here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def address_of(words: npt.NDArray[np.uint64]) -> int:
    """Where an array's words begin; they must lie one after the other."""
    if not words.flags.c_contiguous or words.dtype.itemsize != 8:
        raise ValueError("only contiguous arrays of 64-bit words have an address for kernels")
    return int(words.ctypes.data)


def _pointer(builder: Any, address: Any, index: Any) -> Any:
    base = builder.inttoptr(address, ir.IntType(64).as_pointer())
    return builder.gep(base, [index])


def _type_load(_typing: Any, address: Any, index: Any) -> Any:
    def emit(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.load(_pointer(builder, *args))

    if not isinstance(address, types.Integer) or not isinstance(index, types.Integer):
        return None
    return types.uint64(address, index), emit


def _type_load_signed(_typing: Any, address: Any, index: Any) -> Any:
    def emit(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.load(_pointer(builder, *args))

    return types.int64(address, index), emit


def _type_store(_typing: Any, address: Any, index: Any, word: Any) -> Any:
    def emit(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        builder.store(args[2], _pointer(builder, args[0], args[1]))
        return context.get_dummy_value()

    if not isinstance(address, types.Integer) or word != types.uint64:
        return None
    return types.void(address, index, word), emit


def _real_pointer(builder: Any, number: Any, address: Any, index: Any) -> Any:
    return builder.gep(builder.inttoptr(address, number.as_pointer()), [index])


def _type_load_real(kind: Any, number: Any) -> Any:
    def typed(_typing: Any, address: Any, index: Any) -> Any:
        def emit(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return builder.load(_real_pointer(builder, number, *args))

        return kind(address, index), emit

    typed.__name__ = typed.__qualname__ = f"load_{kind}"
    return intrinsic(typed)


def _type_store_real(kind: Any, number: Any) -> Any:
    def typed(_typing: Any, address: Any, index: Any, real: Any) -> Any:
        def emit(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            builder.store(args[2], _real_pointer(builder, number, args[0], args[1]))
            return context.get_dummy_value()

        return (types.void(address, index, real), emit) if real == kind else None

    typed.__name__ = typed.__qualname__ = f"store_{kind}"
    return intrinsic(typed)


def _type_prefetch(_typing: Any, address: Any, index: Any) -> Any:
    def emit(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        pointer = _pointer(builder, *args)
        number = ir.IntType(32)
        wanted = ir.FunctionType(ir.VoidType(), [pointer.type, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", (pointer.type,), wanted)
        builder.call(function, [pointer, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(address, index), emit


def _type_watch(_typing: Any, address: Any, index: Any) -> Any:
    def emit(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.load_atomic(_pointer(builder, *args), "acquire", 8)

    return types.uint64(address, index), emit


def _type_take(_typing: Any, address: Any, index: Any) -> Any:
    def emit(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.atomic_rmw("add", _pointer(builder, *args), ir.IntType(64)(1), "seq_cst")

    return types.uint64(address, index), emit


def _type_fence(_typing: Any) -> Any:
    def emit(context: Any, builder: Any, _signature: Any, _args: Any) -> Any:
        builder.fence("seq_cst")
        return context.get_dummy_value()

    return types.void(), emit


def _type_frame(_typing: Any) -> Any:
    def emit(_context: Any, builder: Any, _signature: Any, _args: Any) -> Any:
        byte = ir.IntType(8).as_pointer()
        wanted = ir.FunctionType(byte, [ir.IntType(32)])
        function = builder.module.declare_intrinsic("llvm.frameaddress", (byte,), wanted)
        return builder.ptrtoint(builder.call(function, [ir.IntType(32)(0)]), ir.IntType(64))

    return types.uint64(), emit


#: Let other threads see everything stored so far before anything more is loaded.
fence: Callable[[], None] = cast(Any, intrinsic(_type_fence))

#: The uint64 at an index, looked at anew each time, because another thread may change it.
watch: Callable[[Any, Any], Any] = cast(Any, intrinsic(_type_watch))

#: Add one to the uint64 at an index; what it was before, which no other thread gets.
take: Callable[[Any, Any], Any] = cast(Any, intrinsic(_type_take))

#: The uint64 at an index.
load: Callable[[Any, Any], Any] = cast(Any, intrinsic(_type_load))

#: The int64 at an index.
load_signed: Callable[[Any, Any], int] = cast(Any, intrinsic(_type_load_signed))

#: Put a uint64 at an index.
store: Callable[[Any, Any, Any], None] = cast(Any, intrinsic(_type_store))

#: Ask for the uint64 at an index before it is needed.
prefetch: Callable[[Any, Any], None] = cast(Any, intrinsic(_type_prefetch))

#: The float64 at an index of 8 bytes each.
load_real: Callable[[Any, Any], float] = _type_load_real(types.float64, ir.DoubleType())

#: Put a float64 at an index of 8 bytes each.
store_real: Callable[[Any, Any, Any], None] = _type_store_real(types.float64, ir.DoubleType())

#: The float32 at an index of 4 bytes each.
load_single: Callable[[Any, Any], np.float32] = _type_load_real(types.float32, ir.FloatType())

#: Put a float32 at an index of 4 bytes each.
store_single: Callable[[Any, Any, Any], None] = _type_store_real(types.float32, ir.FloatType())

#: Where the running function's frame lies on the stack.
frame: Callable[[], np.uint64] = cast(Any, intrinsic(_type_frame))
