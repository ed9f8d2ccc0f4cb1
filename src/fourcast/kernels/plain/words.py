"""Words as Python's integers: the twin of `kernels.words`.

Compiled code is full of these, so `kernels.plain.source` writes most of them out where they are called.
"""

from __future__ import annotations

HALF = (1 << 64) - 1


def popcount(word: int) -> int:
    """How many bits of a word are set."""
    return word.bit_count()


def lowest_bit(word: int) -> int:
    """The index of the lowest bit that is set; the word must not be 0."""
    return (word & -word).bit_length() - 1


def low(word: int) -> int:
    """The lower 64 bits of a word."""
    return word & HALF


def high(word: int) -> int:
    """The upper 64 bits of a word; 0 for a word of 64 bits."""
    return word >> 64


def multiply_wide(left: int, right: int) -> tuple[int, int]:
    """The 128-bit product of two uint64, as its upper and its lower half."""
    product = left * right
    return product >> 64, product & HALF


def lowest_of_32(number: int) -> int:
    """The index of the lowest bit that is set in a uint32, which must not be 0."""
    return lowest_bit(int(number))
