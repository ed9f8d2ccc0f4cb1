"""The transposition table: what a search has proven of positions, kept by key.

A bucket holds two entries: one that stays while it stands for more work, and one that always gives way. An
entry's *facts* are 28 bits:

    27      22 21     16 15            8 7             0
    [ work   ] [ spare ] [ lower + 128 ] [ upper + 128 ]

where `work` is the binary logarithm of the nodes that it took. Keys are verified whole; nothing is ever taken
for another position's:

- Where a key has up to 52 bits, an entry is one uint64, so that no thread can see half of it. The key is
  mixed by an odd factor, which loses nothing; its place in the table stands for its upper part, and the rest
  of it is kept above the facts.
- Where it has more, an entry is the key's halves and the facts, each half combined with the facts by xor:
  what two threads have written across each other matches no key.
"""

from __future__ import annotations

import numpy as np

from fourcast.game.geometry import Geometry
from fourcast.kernels.board import Board, board_type, kernel
from fourcast.kernels.memory import load, prefetch, store
from fourcast.kernels.words import high, low, multiply_wide

FACT_BITS = 28
LEAST_BUCKETS = 1 << 16
FACTS = (1 << FACT_BITS) - 1


def entry_words(geometry: Geometry) -> int:
    """How many uint64 an entry takes."""
    return board_type(geometry).numbers["entry"]


def bucket_shift(geometry: Geometry, buckets: int) -> int:
    """How many low bits of `place_of`'s second word are not needed to tell the keys of a bucket apart.

    Neighbouring keys of one bucket lie at least `buckets << (64 - bits)` apart there.
    """
    return (64 - geometry.bits) + buckets.bit_length() - 1 if entry_words(geometry) == 1 else 0


@kernel
def facts_of(lower: int, upper: int, work: np.uint64) -> np.uint64:
    """Bounds and work as an entry keeps them."""
    return (work << np.uint64(22)) | np.uint64((lower + 128) << 8 | (upper + 128))


@kernel
def lower_of(facts: np.uint64) -> int:
    """The lower bound that facts hold."""
    return np.int64((facts >> np.uint64(8)) & np.uint64(255)) - 128  # type: ignore[return-value]


@kernel
def upper_of(facts: np.uint64) -> int:
    """The upper bound that facts hold."""
    return np.int64(facts & np.uint64(255)) - 128  # type: ignore[return-value]


@kernel
def place_of(board: Board, key: int, buckets: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The bucket of a key, and what tells it from the others there (with compact entries: all that does)."""
    mixed = (low(key) ^ (high(key) * np.uint64(0xD6E8FEB86659FD93))) * np.uint64(0x9E3779B97F4A7C15)
    if board.entry == 1:
        mixed = mixed << np.uint64(64 - board.bits)
    return multiply_wide(mixed, buckets)


@kernel
def request(board: Board, table: np.uint64, buckets: np.uint64, key: int) -> None:
    """Have a key's bucket brought near before it is asked for."""
    bucket, _ = place_of(board, key, buckets)
    prefetch(table, bucket * np.uint64(2 * board.entry))


@kernel
def recall(board: Board, table: np.uint64, buckets: np.uint64, shift: np.uint64, key: int) -> np.uint64:
    """The facts that the table has of a key; 0 for none.

    `shift` is what `bucket_shift` says.
    """
    bucket, rest = place_of(board, key, buckets)
    first = bucket * np.uint64(2 * board.entry)
    for slot in range(2):
        at = first + np.uint64(slot * board.entry)
        if board.entry == 1:
            word: np.uint64 = load(table, at)
            if word >> np.uint64(FACT_BITS) == rest >> shift:
                return word & np.uint64(FACTS)
        else:
            facts: np.uint64 = load(table, at + np.uint64(board.entry - 1))
            same = load(table, at) ^ facts == low(key)
            if board.halves == 2:
                same = same and load(table, at + np.uint64(1)) ^ facts == high(key)
            if same and facts:
                return facts
    return np.uint64(0)


@kernel
def remember(
    board: Board, table: np.uint64, buckets: np.uint64, shift: np.uint64, key: int, facts: np.uint64
) -> None:
    """Put the facts of a key into the table, in the place of older ones or of those that took less work."""
    bucket, rest = place_of(board, key, buckets)
    at = bucket * np.uint64(2 * board.entry)
    if board.entry == 1:
        tag = rest >> shift
        kept = load(table, at)
        same = kept >> np.uint64(FACT_BITS) == tag
        stays = not same and (kept & np.uint64(FACTS)) >> np.uint64(22) > facts >> np.uint64(22)
        if stays:
            at += np.uint64(1)
        elif not same:
            store(table, at + np.uint64(1), kept)
        store(table, at, (tag << np.uint64(FACT_BITS)) | facts)
    else:
        last = np.uint64(board.entry - 1)
        kept = load(table, at + last)
        same = load(table, at) ^ kept == low(key)
        if not same and kept >> np.uint64(22) > facts >> np.uint64(22):
            at += np.uint64(board.entry)
        store(table, at, low(key) ^ facts)
        if board.halves == 2:
            store(table, at + np.uint64(1), high(key) ^ facts)
        store(table, at + last, facts)
