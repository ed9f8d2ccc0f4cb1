"""Several threads on one position: what their leader does, and what its helpers do.

Questions come in rounds. The leader sets a question; whoever settles it first ends the round for all.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fourcast.kernels.board import Board, kernel
from fourcast.kernels.exact import next_question, score_range
from fourcast.kernels.memory import fence, load, store, watch
from fourcast.kernels.state import ASKED, LEAVE
from fourcast.kernels.together import ask_together
from fourcast.kernels.tricks import Stones, read
from fourcast.kernels.words import popcount

# What a team shares, beside the far table and the positions in work. ANSWER is what a helper has found, with
# the round and the question in the same word.
ROUND, QUESTION, ANSWER, DONE, TEAM_WORDS = range(5)

_SHIFT = 128  # what makes a score a uint64


@kernel
def bound_of(word: np.uint64) -> int:
    """The score in the lowest byte of a word."""
    return np.int64(word & np.uint64(255)) - _SHIFT  # type: ignore[return-value]


@kernel
def asked(number: np.uint64, middle: int) -> np.uint64:
    """A round and its question in one word, so that an answer cannot be taken for another's."""
    return number << np.uint64(8) | np.uint64(middle + _SHIFT)


@kernel
def lead(
    board: Board,
    states: npt.NDArray[np.uint64],
    seat: np.uint64,
    team: np.uint64,
    stones: Stones,
    bounds: npt.NDArray[np.int64],
) -> None:
    """As `exact.bisect`, with the help of others, who are told to leave at the end.

    `states` are the addresses of all threads' states, the leader's first.
    """
    state = states[0]
    mine, theirs = read(board, stones[0]), read(board, stones[1])
    least, most = score_range(board, mine, theirs)
    lower, upper = max(bounds[0], min(least, bounds[1])), min(bounds[1], max(most, bounds[0]))
    while lower < upper and not load(state, ASKED):
        middle = next_question(lower, upper)
        number = load(team, ROUND) + np.uint64(1)
        store(team, QUESTION, np.uint64(middle + _SHIFT))
        store(team, ROUND, number)
        for helper in states[1:]:
            store(helper, LEAVE, np.uint64(1))
        score = ask_together(board, state, seat, mine, theirs, middle, popcount(mine | theirs))
        if load(state, ASKED):
            break
        if load(state, LEAVE):
            store(state, LEAVE, np.uint64(0))
            answer = watch(team, ANSWER)
            if answer >> np.uint64(8) != asked(number, middle):
                continue  # that was meant for the round before
            score = bound_of(answer)
        if score <= middle:
            upper = max(score, lower)
        else:
            lower = min(score, upper)
    bounds[0], bounds[1] = lower, upper
    store(team, DONE, np.uint64(1))
    for helper in states[1:]:
        store(helper, LEAVE, np.uint64(1))


@kernel
def help_out(
    board: Board, state: np.uint64, seat: np.uint64, leader: np.uint64, team: np.uint64, stones: Stones
) -> None:
    """Work on the leader's questions until it is done."""
    mine, theirs = read(board, stones[0]), read(board, stones[1])
    while not watch(team, DONE) and not watch(state, ASKED):
        store(state, LEAVE, np.uint64(0))
        fence()
        number = watch(team, ROUND)
        if not number:
            continue
        middle = bound_of(watch(team, QUESTION))
        score = ask_together(board, state, seat, mine, theirs, middle, popcount(mine | theirs))
        if load(state, LEAVE) or load(state, ASKED) or watch(team, ROUND) != number:
            continue
        store(team, ANSWER, asked(number, middle) << np.uint64(8) | np.uint64(score + _SHIFT))
        store(leader, LEAVE, np.uint64(1))
        while watch(team, ROUND) == number and not watch(team, DONE):
            pass
