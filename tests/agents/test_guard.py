"""The guard, and `lookahead`, which is nothing but a guard: no win in one is missed, none is given."""

from __future__ import annotations

import copy
import pickle
from collections import Counter

import pytest

from fourcast import Analysis, Geometry, Limit, Position, Rules, agent
from fourcast.agents.guard import GuardedAgent, guarded_columns
from fourcast.game.guess import guess
from tests import naive
from tests.boards import play_some, twin

BOARDS = ["6x7x4", "5x5x3", "8x10x5", "1x8x3", "8x1x3"]


def wins(board: naive.Board, grid: naive.Grid, column: int) -> bool:
    """Whether a disc in this column makes a line for whoever drops it."""
    return naive.has_line(board, naive.drop(grid, column), naive.turn(grid))


def would_win(board: naive.Board, grid: naive.Grid, column: int) -> bool:
    """Whether a disc of the other side would."""
    other = 1 - naive.turn(grid)
    return naive.has_line(board, (*grid[:column], (*grid[column], other), *grid[column + 1 :]), other)


def sensible(position: Position, plies: int) -> set[int]:
    """The columns of the rule, by looking at every answer."""
    board, grid = twin(position)
    legal = naive.legal(board, grid)
    if winning := {column for column in legal if wins(board, grid, column)}:
        return winning
    if plies == 1:
        return set(legal)
    blocks = {column for column in legal if would_win(board, grid, column)}
    left = blocks or set(legal)
    safe = {
        column
        for column in left
        if not any(
            wins(board, naive.drop(grid, column), answer)
            for answer in naive.legal(board, naive.drop(grid, column))
        )
    }
    return safe or left


def positions(count: int) -> list[Position]:
    found = [
        play_some(Geometry.parse(board), seed) for board in BOARDS for seed in range(count // len(BOARDS))
    ]
    return [position for position in found if not position.is_over]


@pytest.mark.parametrize("plies", [1, 2])
def test_what_is_left_to_choose_from_is_what_the_rule_says(plies: int) -> None:
    kinds: Counter[str] = Counter()
    for position in positions(600):
        wanted = sensible(position, plies)
        assert set(guarded_columns(position, plies)) == wanted, repr(position)
        kinds["some" if len(wanted) < len(position.legal) else "all"] += 1
        found = agent("lookahead", Rules(position.geometry), 1, plies=plies).analyze(position, Limit())
        assert found.policy is not None
        assert {column for column, share in enumerate(found.policy) if share} == wanted
        assert len(set(found.policy)) <= 2, "each equally likely"
        assert found.column in wanted
    assert min(kinds.values()) > 50


@pytest.mark.parametrize("guard", [1, 2])
def test_a_guard_overrules_blunders_and_nothing_else(guard: int) -> None:
    overruled = 0
    for seed, position in enumerate(positions(600)):
        rules = Rules(position.geometry)
        own = agent("random", rules, seed).analyze(position, Limit())
        found = agent("random", rules, seed, guard=guard).analyze(position, Limit())
        wanted = sensible(position, guard)
        assert found.column in wanted
        assert found.column in position.legal
        if own.column in wanted:
            assert found == own
        else:
            overruled += 1
            assert found.pv == (found.column,)
            assert not found.exact
    assert overruled > 30


@pytest.mark.parametrize(
    ("moves", "columns"),
    [
        ("121212", {0}),  # win
        ("12131", {0}),  # block
        ("4132", {1, 2, 3, 4, 5, 6, 0}),  # nothing to be seen
        ("33445", {1, 5}),  # two wins at once: block one of them all the same
        ("223344", {0, 4}),  # a win at either end
    ],
)
def test_examples(moves: str, columns: set[int]) -> None:
    assert set(guarded_columns(Position.from_moves(moves), 2)) == columns


class Opinionated:
    """Wants the first column, and thinks something of the others."""

    def __init__(self, **opinion: object) -> None:
        self.opinion = opinion

    def analyze(self, position: Position, limit: Limit) -> Analysis:  # noqa: ARG002
        return Analysis(position, 0, pv=(0, 1), score=3, exact=True, **self.opinion)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("opinion", "column"),
    [
        ({}, 4),  # the nearest to the centre
        ({"values": (0.9, 0.1, 0.5, 0.5, 0.1, 0.3, 0.2)}, 5),
        ({"values": (None, None, None, None, 0.1, 0.3, None)}, 5),
        ({"policy": (0.5, 0.1, 0.1, 0.1, 0.0, 0.1, 0.1)}, 5),
        ({"scores": (9, 1, 1, 1, -2, -3, 0), "values": (0, 0, 0, 0, 0, 1.0, 0)}, 4),
    ],
)
def test_of_what_is_left_the_agent_has_what_it_likes_best(opinion: dict[str, object], column: int) -> None:
    """X wins at 5 and at 6, whatever the agent wants."""
    rows = [".......", ".......", "....XX.", "....XX.", "O.O.XX.", "O.O.OO."]
    position = Position.from_text("\n".join(rows))
    assert position.winning_columns(position.turn) == (4, 5)
    found = GuardedAgent(Opinionated(**opinion), 1).analyze(position, Limit())
    assert (found.column, found.pv, found.score, found.exact) == (column, (column,), None, False)


def test_what_the_agent_has_besides_is_still_there() -> None:
    guarded = agent("negamax:guard=2")
    guarded.analyze(Position(), Limit(nodes=300))
    assert guarded.progress.nodes == 300  # type: ignore[attr-defined]
    guarded.stop()  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        agent("random:guard=2").stop()  # type: ignore[attr-defined]


def test_a_guarded_agent_can_be_copied() -> None:
    guarded = agent("random:guard=2", seed=3)
    position = Position.from_moves("12131")
    for twin_agent in (copy.copy(guarded), copy.deepcopy(guarded), pickle.loads(pickle.dumps(guarded))):
        assert twin_agent.analyze(position, Limit()) == guarded.analyze(position, Limit())


def test_a_guess_wins_blocks_or_takes_the_centre() -> None:
    for position in positions(300):
        board, grid = twin(position)
        winning = [column for column in position.legal if wins(board, grid, column)]
        blocks = [column for column in position.legal if would_win(board, grid, column)]
        middle = (position.geometry.columns - 1) / 2
        near = min(position.legal, key=lambda column: (abs(column - middle), column))
        assert guess(position) == [*winning, *blocks, near][0]


def test_where_discs_land_elsewhere_a_guard_has_nothing_to_say() -> None:
    """With seven columns and slip 0.9, any other column is likelier than the one that is aimed at."""
    position = Position.from_moves("435362")  # wins in column 7
    rules = Rules(slip=0.9)
    plain, guarded = (
        agent(spec, rules).analyze(position, Limit()).column
        for spec in ("expectimax:depth=4", "expectimax:depth=4,guard=1")
    )
    assert guarded == plain != 6
    assert agent("random:guard=1", Rules(slip=0.8)).analyze(position, Limit()).column == 6
