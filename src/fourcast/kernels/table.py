"""The transposition table: what a search has proven of positions, kept by key.

A bucket holds two entries: one that stays while it stands for more work, and one that always gives way. What
an entry says is 28 bits, its *facts*:

    27      19 18     14 13           7 6            0
    [ epoch  ] [ work  ] [ lower + 64 ] [ upper + 64 ]

where `work` is the binary logarithm of the nodes that it took, and entries of another epoch than the present
one count as empty, so that a table is emptied by counting on. Keys are verified whole; nothing is ever taken
for another position's:

- Where a key has up to 51 bits, an entry is one uint64, so that no thread can see half of it. The key is
  mixed by an odd factor, which loses nothing; its place in the table stands for its upper part, and the rest
  of it is kept above the facts.
- Where it has more, an entry is the key's halves and the facts, each half combined by xor with the facts
  spread over all bits: what two threads have written across each other is a key that no position has, but for
  a chance of one in many billions.

Memory is what costs time here. So positions late in the game, which are many and soon done with, go to a
*near* table that fits the processor's own cache and belongs to one thread; the others go to the large *far*
table that all threads share, and even those only once a search turns out to be long.
"""

from __future__ import annotations

import numpy as np

from fourcast.game.geometry import Geometry
from fourcast.kernels.board import Board, board_type, kernel
from fourcast.kernels.ideas import TABLE
from fourcast.kernels.memory import load, prefetch, store
from fourcast.kernels.tricks import mixed
from fourcast.kernels.words import high, low, multiply_wide

EPOCHS = 512  # 0 is that of memory never written to
LEAST_BUCKETS = 1 << 15

# The words that describe both tables. FAR_PLY is the first ply that is kept near; FAR_USED says whether there
# is anything in the far table, of whatever epoch.
EPOCH, FAR_PLY, FAR_USED, NEAR, NEAR_BUCKETS, NEAR_SHIFT, FAR, FAR_BUCKETS, FAR_SHIFT, TABLE_WORDS = range(10)

_WORK = np.uint64(14)
_EPOCH = np.uint64(19)
_MOST_WORK = np.uint64(31)
_FACTS = np.uint64((1 << 28) - 1)


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
    return (min(work, _MOST_WORK) << _WORK) | np.uint64((lower + 64) << 7 | (upper + 64))


@kernel
def lower_of(facts: np.uint64) -> int:
    """The lower bound that facts hold."""
    return np.int64((facts >> np.uint64(7)) & np.uint64(127)) - 64  # type: ignore[return-value]


@kernel
def upper_of(facts: np.uint64) -> int:
    """The upper bound that facts hold."""
    return np.int64(facts & np.uint64(127)) - 64  # type: ignore[return-value]


@kernel
def spread(facts: np.uint64) -> np.uint64:
    """Facts spread over 64 bits."""
    return facts * np.uint64(0x9E3779B97F4A7C15)


@kernel
def place_of(board: Board, tables: np.uint64, key: int, ply: int) -> tuple[np.uint64, np.uint64]:
    """The address of a key's bucket, and what tells it from others there (with compact entries: all does)."""
    mix = mixed(key)
    if board.entry == 1:
        mix = mix << np.uint64(64 - board.bits)
    which = FAR if np.uint64(ply) < load(tables, FAR_PLY) else NEAR
    bucket, rest = multiply_wide(mix, load(tables, which + 1))
    address = load(tables, which) + bucket * np.uint64(16 * board.entry)
    return address, (rest >> load(tables, which + 2)) << np.uint64(9) | load(tables, EPOCH)


@kernel
def request(board: Board, tables: np.uint64, key: int, ply: int) -> None:
    """Have a key's bucket brought near before it is asked for."""
    address, _ = place_of(board, tables, key, ply)
    prefetch(address, 0)


@kernel
def recall(board: Board, tables: np.uint64, key: int, ply: int) -> np.uint64:
    """The facts that the table has of a key; 0 for none."""
    if board.left_out & TABLE:
        return np.uint64(0)
    address, mark = place_of(board, tables, key, ply)
    if board.entry == 1:
        word: np.uint64 = load(address, 0)
        if word >> _EPOCH == mark:
            return word & _FACTS
        word = load(address, 1)
        if word >> _EPOCH == mark:
            return word & _FACTS
        return np.uint64(0)
    for slot in range(2):
        at = slot * board.entry
        facts: np.uint64 = load(address, at + board.entry - 1)
        same = load(address, at) ^ spread(facts) == low(key)
        if board.halves == 2:
            same = same and load(address, at + 1) ^ spread(facts) == high(key)
        if same and facts >> _EPOCH == load(tables, EPOCH):
            return facts
    return np.uint64(0)


@kernel
def remember(board: Board, tables: np.uint64, key: int, ply: int, facts: np.uint64) -> None:
    """Put the facts of a key into the table, in the place of older ones or of those that took less work."""
    address, mark = place_of(board, tables, key, ply)
    epoch = load(tables, EPOCH)
    if board.entry == 1:
        word = (mark << _EPOCH) | facts
        kept = load(address, 0)
        if kept >> _EPOCH == mark:
            store(address, 0, word)
        elif outweighs(kept & _FACTS, facts, epoch):
            store(address, 1, word)
        else:
            store(address, 1, kept)
            store(address, 0, word)
    else:
        last = board.entry - 1
        kept = load(address, last)
        same = load(address, 0) ^ spread(kept) == low(key)
        if board.halves == 2:
            same = same and load(address, 1) ^ spread(kept) == high(key)
        at = board.entry if not same and outweighs(kept, facts, epoch) else 0
        facts |= epoch << _EPOCH
        store(address, at, low(key) ^ spread(facts))
        if board.halves == 2:
            store(address, at + 1, high(key) ^ spread(facts))
        store(address, at + last, facts)


@kernel
def outweighs(kept: np.uint64, facts: np.uint64, epoch: np.uint64) -> bool:
    """Whether the facts of an entry are of this epoch and took more work than these."""
    same = kept >> _EPOCH == epoch
    return same and (kept & ~(epoch << _EPOCH)) >> _WORK > facts >> _WORK  # type: ignore[return-value]


@kernel
def forget(board: Board, tables: np.uint64) -> None:
    """Empty both tables: by counting on, or once in a while by hand."""
    if load(tables, FAR_PLY):
        store(tables, FAR_USED, np.uint64(1))
    store(tables, FAR_PLY, np.uint64(0))
    epoch = load(tables, EPOCH) + np.uint64(1)
    if epoch == np.uint64(EPOCHS):
        epoch = np.uint64(1)
        wipe(board, load(tables, NEAR), load(tables, NEAR_BUCKETS))
        if load(tables, FAR_USED):
            wipe(board, load(tables, FAR), load(tables, FAR_BUCKETS))
        store(tables, FAR_USED, np.uint64(0))
    store(tables, EPOCH, epoch)


@kernel
def wipe(board: Board, address: np.uint64, buckets: np.uint64) -> None:
    """Write zeros all over a table."""
    for word in range(np.int64(buckets) * 2 * board.entry):
        store(address, word, np.uint64(0))
