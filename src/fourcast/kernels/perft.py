"""Counting move sequences, the classic test of move generation."""

from __future__ import annotations

from collections.abc import Callable

from fourcast.game.limit import check_count
from fourcast.game.position import Position
from fourcast.kernels.background import DONE, STOP, Signals, run_watched
from fourcast.kernels.batch import Batch
from fourcast.kernels.board import Board, kernel
from fourcast.kernels.tricks import Stones, completing_cells, playable_cells, read
from fourcast.kernels.words import popcount

_SPLIT = 2  # plies after which the work is cut into the pieces that progress is counted in


def perft(position: Position, depth: int, watch: Callable[[int, int], None] | None = None) -> int:
    """How many sequences of exactly `depth` moves can be played; a game that ends has no longer ones.

    Args:
        position: Where they start.
        depth: How many moves; 0 gives 1.
        watch: Called now and then with the pieces of work done and their total number.

    Raises:
        BadLimit: The depth is not a whole number from 0.
    """
    depth = check_count("depth", depth, least=0)
    pieces = [position]
    for _ in range(min(depth, _SPLIT)):
        pieces = [piece.play(column) for piece in pieces for column in piece.legal]
    if depth <= _SPLIT:
        return len(pieces)
    pieces = [piece for piece in pieces if not piece.is_over]
    if not pieces:
        return 0
    batch = Batch.of(pieces)
    return run_watched(
        lambda control: int(_perft(batch.board, batch.stones, depth - _SPLIT, control.signals)),
        None if watch is None else lambda done: watch(done, len(pieces)),
    )


@kernel
def _perft(board: Board, stones: Stones, depth: int, signals: Signals) -> int:
    total = 0
    for index in range(len(stones)):
        mine, theirs = read(board, stones[index, 0]), read(board, stones[index, 1])
        total += count_sequences(board, mine, theirs, depth, signals)
        signals[DONE] += 1
    return total


@kernel
def count_sequences(board: Board, mine: int, theirs: int, depth: int, signals: Signals) -> int:
    """Sequences of exactly `depth` >= 1 moves from a position in which the game goes on.

    The last two plies are counted without being played: each move that does not win leaves as many replies
    as there were moves, less one if it fills its column.
    """
    playable = playable_cells(board, mine | theirs)
    if depth == 1 or signals[STOP]:
        return popcount(playable)
    quiet = playable & ~completing_cells(board, mine)
    if depth == 2:
        return popcount(quiet) * popcount(playable) - popcount(quiet & board.top)
    total = 0
    while quiet:
        rest = quiet & (quiet - board.one)
        total += count_sequences(board, theirs, mine | (quiet ^ rest), depth - 1, signals)
        quiet = rest
    return total
