"""Minimax and alpha-beta: looking a fixed number of plies ahead.

One function does both, so that they differ in nothing but the cutoffs: the same positions are generated in
the same order, evaluated by the same weights, and of equal moves the first in order is played.

Values are int64, seen from the side to move, in thousandths of a point; a game that is won after `n` plies
from the root is worth `WIN - n`, a draw 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fourcast.game.geometry import Geometry
from fourcast.kernels.board import Board, kernel
from fourcast.kernels.effort import (
    BEST,
    CUTOFFS,
    EFFORT,
    LEAVES,
    NODES,
    RECORD_PLIES,
    count,
    is_stopped,
    record,
    visit,
)
from fourcast.kernels.memory import load, load_signed, store
from fourcast.kernels.points import EXTRA_WEIGHTS, evaluate
from fourcast.kernels.tricks import Stones, has_line, playable_cells, read

WIN = 1_000_000_000
DECIDED = WIN - 1000  # values at least this far from 0 are of games that are won or lost
_BEYOND = WIN + 1

UNKNOWN = -(1 << 62)  # in place of a column's value

# After the words of `effort`: how many orders there are, then the weights, the lines of play, and the orders.
ORDERS = EFFORT
WEIGHTS = EFFORT + 1


def lines_at(geometry: Geometry) -> int:
    """Where the lines of play begin: for each ply a line of `cells + 1` words, its length first."""
    return WEIGHTS + geometry.connect + 1 + EXTRA_WEIGHTS


def orders_at(geometry: Geometry) -> int:
    """Where the orders begin that the search takes turns with: a word for each column of each."""
    return lines_at(geometry) + (geometry.cells + 2) * (geometry.cells + 1)


def state_words(geometry: Geometry, orders: int) -> int:
    """How many words a search's state takes."""
    return orders_at(geometry) + orders * geometry.columns


@kernel
def order_of(board: Board, state: np.uint64) -> np.uint64:
    """The address of the order in which this node's columns are tried."""
    turn: np.uint64 = load(state, NODES) % load(state, ORDERS)
    first = line_of(board, state, board.cells + 2)
    return first + np.uint64(8) * turn * np.uint64(board.columns)


@kernel
def line_of(board: Board, state: np.uint64, ply: int) -> np.uint64:
    """The address of the line of play that begins so many plies below the root."""
    return state + np.uint64(8 * (WEIGHTS + board.connect + 1 + EXTRA_WEIGHTS + ply * (board.cells + 1)))


@kernel
def prolong(board: Board, state: np.uint64, ply: int, column: int) -> None:
    """The best line from here is this column and the best line from there."""
    line, rest = line_of(board, state, ply), line_of(board, state, ply + 1)
    length = load_signed(rest, 0)
    store(line, 0, np.uint64(length + 1))
    store(line, 1, np.uint64(column))
    for index in range(length):
        store(line, index + 2, load(rest, index + 1))


@kernel
def look_ahead(
    board: Board,
    state: np.uint64,
    mine: int,
    theirs: int,
    depth: int,
    ply: int,
    alpha: int,
    beta: int,
    prunes: bool,
) -> int:
    """What a position is worth, looking so many plies ahead.

    A value of at most alpha is an upper bound, one of at least beta a lower bound, and any other is exact.

    Args:
        board: The geometry.
        state: The search's state.
        mine: The stones of the side to move.
        theirs: The other side's.
        depth: Plies to look ahead.
        ply: Plies below the root.
        alpha: Values up to this one are of no interest.
        beta: Nor are values from this one on.
        prunes: Whether to leave a position when its value reaches beta; without, the window is wide open.
    """
    if not visit(state, ply):
        return 0
    store(line_of(board, state, ply), 0, np.uint64(0))
    if has_line(board, theirs):
        return ply - WIN
    if (mine | theirs) == board.full:
        return 0
    if depth == 0:
        count(state, LEAVES)
        return evaluate(board, state + np.uint64(8 * WEIGHTS), mine, theirs)
    order = order_of(board, state)
    playable = playable_cells(board, mine | theirs)
    best = -_BEYOND
    for index in range(board.columns):
        column = load_signed(order, index)
        cell = playable & (board.lane << (column * board.height))
        if not cell:
            continue
        floor = max(alpha, best) if prunes else -_BEYOND
        before: np.uint64 = load(state, NODES)
        value = -look_ahead(board, state, theirs, mine | cell, depth - 1, ply + 1, -beta, -floor, prunes)
        if is_stopped(state):
            return 0
        if np.uint64(ply) < load(state, RECORD_PLIES):
            record(state, ply + 1, column, -beta, -floor, -value, load(state, NODES) - before)
        if value > best:
            best = value
            if value > alpha:
                prolong(board, state, ply, column)
            if prunes and best >= beta:
                count(state, CUTOFFS)
                break
    return best


@kernel
def look_ahead_from(
    board: Board,
    state: np.uint64,
    stones: Stones,
    depth: int,
    prunes: bool,
    whole: bool,
    values: npt.NDArray[np.int64],
) -> int:
    """Search a position whose game goes on, and keep the value of every column.

    Args:
        board: The geometry.
        state: The search's state.
        stones: The stones of the side to move and of the other side.
        depth: Plies to look ahead, 1 or more.
        prunes: Whether to cut off.
        whole: Whether every column gets its exact value, also those that are not the best.
        values: int64 of shape (columns,): the values, UNKNOWN where a column is full, was not reached, or is
            only known to be no better than the best.

    Returns:
        The value of the best column that was reached, UNKNOWN if there is none. `BEST` holds the column.
    """
    mine, theirs = read(board, stones[0]), read(board, stones[1])
    values[:] = UNKNOWN
    best = UNKNOWN
    if not visit(state, 0):
        return best
    order = order_of(board, state)
    playable = playable_cells(board, mine | theirs)
    below: Any = np.int64(1)  # literals would make the recursive function another type
    lowest: Any = np.int64(-_BEYOND)
    for index in range(board.columns):
        column = load_signed(order, index)
        cell = playable & (board.lane << (column * board.height))
        if not cell:
            continue
        floor = max(best, -_BEYOND) if prunes and not whole else -_BEYOND
        before: np.uint64 = load(state, NODES)
        value = -look_ahead(board, state, theirs, mine | cell, depth - 1, below, lowest, -floor, prunes)
        if is_stopped(state):
            break
        if load(state, RECORD_PLIES):
            record(state, 1, column, lowest, -floor, -value, load(state, NODES) - before)
        if value > floor:
            values[column] = value
        if value > best:
            best = value
            prolong(board, state, 0, column)
            store(state, BEST, np.uint64(column + 1))
    return best
