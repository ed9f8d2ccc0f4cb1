"""Plain memory at an address: the twin of `kernels.memory`, for words.

The states and tables of searches are arrays of uint64 that Python and kernels share, and a kernel knows them
by their addresses. `WORDS` is all of memory as one array of uint64, so that the same addresses serve here.
As with compiled code, nothing is checked.
"""

from __future__ import annotations

import ctypes

import numpy as np
import numpy.typing as npt

#: The uint64 at 8 * index; what is put there is cut to 64 bits.
WORDS = (ctypes.c_uint64 * (1 << 45)).from_address(0)


def address_of(words: npt.NDArray[np.uint64]) -> int:
    """Where an array's words begin; they must lie one after the other."""
    if not words.flags.c_contiguous or words.dtype.itemsize != 8:
        raise ValueError("only contiguous arrays of 64-bit words have an address for kernels")
    return int(words.ctypes.data)


def load(address: int, index: int) -> int:
    """The uint64 at an index."""
    return WORDS[(address >> 3) + index]


watch = load


def load_signed(address: int, index: int) -> int:
    """The int64 at an index."""
    word = WORDS[(address >> 3) + index]
    return word - (1 << 64) if word >> 63 else word


def store(address: int, index: int, word: int) -> None:
    """Put a uint64 at an index."""
    WORDS[(address >> 3) + index] = word


def take(address: int, index: int) -> int:
    """Add one to the uint64 at an index; what it was before. Here there is no other thread to race with."""
    word = load(address, index)
    store(address, index, word + 1)
    return word


def prefetch(_address: int, _index: int) -> None:
    """There is nothing to be gained by asking early."""


def fence() -> None:
    """Python's threads see everything in order."""


def frame() -> int:
    """Python's stack is not measured."""
    return 0
