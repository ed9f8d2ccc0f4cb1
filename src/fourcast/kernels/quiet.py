"""What can be said of a position without searching it.

A position is *quiet* if the side to move can neither win at once nor has to block, is not lost at the next
disc, and more than two cells are empty. The search visits quiet positions only.

*Wins* are the cells where one more stone makes a line for a side, empty or not (`completing_cells`).
"""

from __future__ import annotations

from fourcast.kernels.board import Board, kernel
from fourcast.kernels.ideas import CAPS, PAIRS, PLAN, PLANNED_WINS
from fourcast.kernels.tricks import completing_cells, has_line, playable_cells
from fourcast.kernels.words import popcount

NO_BOUND, NOT_EVEN = 127, 126  # beyond any score


@kernel
def lost_next(board: Board, ply: int) -> int:
    """The score where the other side wins with its next disc."""
    return -((board.cells - ply) // 2)


@kernel
def least_quiet(board: Board, ply: int) -> int:
    """The lowest score that a quiet position can have."""
    return -((board.cells - 2 - ply) // 2)


@kernel
def most_quiet(board: Board, ply: int) -> int:
    """The highest score that a quiet position can have."""
    return (board.cells - 1 - ply) // 2


@kernel
def settle(
    board: Board, mine: int, theirs: int, my_wins: int, their_wins: int, ply: int
) -> tuple[bool, int, int, int, int, int, int, int]:
    """Play the forced moves of a position whose side to move cannot win at once, until nothing is forced.

    Returns:
        Whether the game is decided; if so, its score for whoever moved first. The quiet position: stones and
        wins of its side to move and of the other, and its ply; and 1 if who moved first is to move there,
        -1 if not.
    """
    side = 1
    while True:
        occupied = mine | theirs
        playable = playable_cells(board, occupied)
        threats = their_wins & ~occupied
        forced = playable & threats
        lost = (playable & ~(threats >> 1)) == board.zero
        if forced:
            lost = ((forced & (forced - board.one)) | ((forced << 1) & threats)) != board.zero
        if lost:
            return True, side * lost_next(board, ply), mine, theirs, my_wins, their_wins, ply, side
        if ply + 2 >= board.cells:
            return True, 0, mine, theirs, my_wins, their_wins, ply, side
        if not forced:
            return False, 0, mine, theirs, my_wins, their_wins, ply, side
        mine, theirs = theirs, mine | forced
        my_wins, their_wins = their_wins, completing_cells(board, theirs)
        ply += 1
        side = -side


@kernel
def answered_bound(board: Board, mine: int, theirs: int, their_wins: int, alpha: int) -> int:
    """An upper bound of at most alpha on the score of a quiet position, or NO_BOUND if none is seen.

    The other side may have a plan that needs no thought: to answer every disc with one on top of it. The plan
    can count on columns that are *capped* by one of its winning cells, which the side to move must not help
    it to; or, if that does not come out even, leave them as they are.
    """
    if board.left_out & PLAN:
        return NO_BOUND
    caps = board.zero if board.left_out & CAPS else their_wins & ~(mine | theirs)
    bound = plan_bound(board, mine, theirs, caps, alpha)
    if bound == NOT_EVEN and caps:
        bound = plan_bound(board, mine, theirs, board.zero, alpha)
    return bound


@kernel
def plan_bound(board: Board, mine: int, theirs: int, caps: int, alpha: int) -> int:
    """What the plan of answering every disc in its column proves, with these winning cells as caps.

    Under a cap, the cell just below it is *poisoned*: who plays there gives the other side the cap. Only the
    cells below the poison are in play. If their number is even in every column, the plan works until they are
    used up; then the side to move must take poison and loses, or, without caps, the board is full.

    Two columns with an odd number are a pair: the lowest cell of one is the answer to that of the other. So
    the side to move gets every other cell in play, down from the second highest, one of each pair, and
    poison. If these and its stones hold no line, it does not win. With two pairs or more it is only asked
    whether it could win with all of their cells.

    Without caps, the other side wins too if it gets a line from the cells that the plan gives it, at the
    latest when everything is full but the cells above that line.

    Returns:
        A bound of at most alpha, NO_BOUND, or NOT_EVEN if an odd number of columns is odd.
    """
    occupied = mine | theirs
    empty = board.full & ~occupied
    sentinels = board.top << 1
    from_caps = (sentinels - caps) | caps
    lowest = from_caps & ~(from_caps << 1)  # of each column: its lowest cap or its sentinel
    poison = (lowest & board.full) >> 1
    limit = poison | (lowest & sentinels)
    in_play = (limit - board.bottom) & empty
    mover_gets = board.zero
    step = limit
    for _ in range(board.rows // 2):
        step = (step >> 2) & board.full & ~board.top
        mover_gets = mover_gets | step
    mover_gets = mover_gets & in_play
    odd = playable_cells(board, occupied) & in_play & ~mover_gets
    pairs = popcount(odd)
    if pairs & 1 or (board.left_out & PAIRS and pairs):
        return NOT_EVEN
    bound = 0
    if poison:
        bound = -(popcount(empty & ~in_play) // 2)
        if bound > alpha:
            return NO_BOUND
    elif alpha < 0:
        bound = alpha
        if alpha < -3 or board.left_out & PLANNED_WINS:
            return NO_BOUND
        other_gets = empty & ~mover_gets & ~odd
        if alpha < -1:
            other_gets = other_gets & ~(board.top | (board.top >> 1))
        if alpha < -2:
            other_gets = other_gets & ~((board.top >> 2) | (board.top >> 3))
        if not has_line(board, theirs | other_gets):
            return NO_BOUND
    mine = mine | mover_gets | poison
    if pairs == 2:
        one = odd & ~(odd - board.one)
        if has_line(board, mine | one) or has_line(board, mine | (odd ^ one)):
            return NO_BOUND
    elif has_line(board, mine | odd):
        return NO_BOUND
    return bound
