"""The distinct positions of each ply: their number, or all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from fourcast.game.errors import BadLimit
from fourcast.game.limit import check_count
from fourcast.game.position import Position
from fourcast.kernels.background import DONE, STOP, Control, Signals, run_watched
from fourcast.kernels.batch import split
from fourcast.kernels.board import Board, board_of, kernel
from fourcast.kernels.tricks import (
    Stones,
    has_line,
    mirrored,
    mixed,
    playable_cells,
    position_key,
    read,
    write,
)

_FIRST_SLOTS = 1 << 12


def distinct_counts(
    position: Position,
    depth: int,
    *,
    megabytes: int = 2048,
    watch: Callable[[int, int, int], None] | None = None,
) -> Iterator[int]:
    """How many different positions can arise after 0, 1, ... `depth` more moves, one number after the other.

    Arguments and errors are those of `distinct_levels`, and so is what counts as a position.
    """
    levels = distinct_levels(position, depth, megabytes=megabytes, watch=watch)
    return (count for count, _ in levels)


def distinct_levels(
    position: Position,
    depth: int,
    *,
    megabytes: int = 2048,
    watch: Callable[[int, int, int], None] | None = None,
) -> Iterator[tuple[int, Stones]]:
    """The different positions that can arise after 0, 1, ... `depth` more moves, one ply after the other.

    Positions that end the game are counted, not extended. Only one of each mirror pair is kept, where the
    starting position is its own mirror image: the one with the smaller key.

    Args:
        position: Where play starts.
        depth: How many plies to look ahead.
        megabytes: Most memory that it may take.
        watch: Called now and then with the ply being counted, the positions extended and their number.

    Yields:
        How many there are, counting both of a mirror pair, and the keys, uint64 of shape (keys, halves), in
        no particular order.

    Raises:
        BadLimit: A ply needs more memory; those before it have been yielded. Or an argument is not a whole
            number in its range.
    """
    depth = check_count("depth", depth, least=0)
    megabytes = check_count("megabytes", megabytes)
    board = board_of(position.geometry)
    fold = position.mirror() == position
    level = split([position.key], position.geometry)
    yield 1, level
    if position.is_over:
        level = level[:0]
    for ply in range(1, depth + 1):
        if not len(level):
            yield 0, level
            continue
        search = _Search(board, level, fold, megabytes, ply)
        note = None if watch is None else _watch_ply(watch, ply, len(level))
        level = run_watched(search.run, note)
        yield search.count, level


def _watch_ply(watch: Callable[[int, int, int], None], ply: int, total: int) -> Callable[[int], None]:
    return lambda done: watch(ply, done, total)


class _Search:
    """One ply's set of positions: an open-addressing table of keys, grown as it fills; no key is 0."""

    def __init__(self, board: Board, level: Stones, fold: bool, megabytes: int, ply: int) -> None:
        self.board, self.level, self.fold, self.ply = board, level, fold, ply
        self.most_bytes = megabytes << 20
        self.count = 0

    def run(self, control: Control) -> Stones:
        """Extend every position of the level; the keys of the next."""
        slots = _FIRST_SLOTS
        while slots < 2 * len(self.level):
            slots *= 2
        table = self._table(slots)
        start = used = 0
        while True:
            start, used, count = _expand(
                self.board, self.level, start, table, used, self.fold, control.signals
            )
            self.count += count
            if start == len(self.level) or control.signals[STOP]:
                filled: Stones = table[table[:, 0] != 0]
                return filled
            larger = self._table(2 * len(table), beside=table.nbytes)
            _refill(self.board, table, larger)
            table = larger

    def _table(self, slots: int, beside: int = 0) -> Stones:
        """An empty table, if there is room for it and for what must stand beside it.

        That is the level, and the smaller table it replaces or the next level that will be taken from it.
        """
        size = slots * self.level[0].nbytes
        if self.level.nbytes + size + max(beside, size // 2) > self.most_bytes:
            megabytes = self.most_bytes >> 20
            raise BadLimit(f"ply {self.ply}: its positions take more than {megabytes} MB of memory")
        try:
            return np.zeros((slots, self.level.shape[1]), dtype=np.uint64)
        except MemoryError:
            raise BadLimit(
                f"ply {self.ply}: its positions take more memory than this machine gives"
            ) from None


@kernel
def _expand(
    board: Board, level: Stones, start: int, table: Stones, used: int, fold: bool, signals: Signals
) -> tuple[int, int, int]:
    """Add the children of level[start:] to the table until it is half full.

    Returns:
        Where to go on, the slots used, and how many distinct positions were added (mirror images counted).
    """
    count = 0
    for index in range(start, len(level)):
        if 2 * (used + board.columns) > len(table) or (index & 1023 == 0 and signals[STOP]):
            return index, used, count
        signals[DONE] = index
        key = read(board, level[index])
        occupied = occupied_of(board, key)
        mine = key & occupied
        theirs = occupied ^ mine
        if has_line(board, theirs):
            continue
        playable = playable_cells(board, occupied)
        while playable:
            rest = playable & (playable - board.one)
            child = position_key(board, theirs, occupied | (playable ^ rest))
            playable = rest
            weight = 1
            if fold:
                image = mirrored(board, child)
                if image != child:
                    weight = 2
                if image < child:
                    child = image
            if _insert(board, table, child):
                used += 1
                count += weight
    signals[DONE] = len(level)
    return len(level), used, count


@kernel
def occupied_of(board: Board, key: int) -> int:
    """The occupied cells of the position that has this key: all below each column's highest bit."""
    filled = key
    for _ in range(board.rows):
        filled = filled | ((filled >> 1) & board.full)
    return (filled >> 1) & board.full


@kernel
def _insert(board: Board, table: Stones, key: int) -> bool:
    """Put a key into the table, which has room; whether it was new."""
    mask = np.uint64(len(table) - 1)
    mix = mixed(key)
    slot = (mix ^ (mix >> np.uint64(32))) & mask
    while True:
        held = read(board, table[slot])
        if held == key:
            return False
        if not held:
            write(board, table[slot], key)
            return True
        slot = (slot + np.uint64(1)) & mask


@kernel
def _refill(board: Board, table: Stones, larger: Stones) -> None:
    for slot in range(len(table)):
        key = read(board, table[slot])
        if key:
            _insert(board, larger, key)
