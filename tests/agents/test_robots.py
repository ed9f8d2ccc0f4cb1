"""Players that follow a plain rule: horizontal, vertical, greedy; and the opening in the centre."""

from __future__ import annotations

import pytest

from fourcast import Limit, Position, Rules, agent


def plays(spec: str, position: Position) -> int:
    """The column that it chooses, named as on the board."""
    return agent(spec, Rules(position.geometry)).analyze(position, Limit()).column + 1


def drawn(*rows: str) -> Position:
    """The standard board with these rows at the bottom, the side to move being X."""
    position = Position.from_text("\n".join(["." * 7] * (6 - len(rows)) + list(rows)))
    assert position.turn == 0
    return position


@pytest.mark.parametrize(
    ("position", "column"),
    [
        (drawn(), 1),  # nothing to extend
        (drawn("...X..O"), 3),  # to either side, and the left one comes first
        (drawn("O......", "XX..XOO"), 3),  # the longest run, not any
        (drawn("O.X.X.O"), 4),  # which joins two
        (drawn("OO...XX"), 5),  # at the edge there is one way only
        (drawn("OXXO..."), 1),  # closed in: nothing to extend
        (drawn("O......", "X......"), 2),  # what lies above does not matter
        (drawn("..XX...", "OXOXO.O"), 2),  # on the second row, where there is something to stand on
        (Position.from_moves("414"), 2),  # its own, not the other side's
        (Position.from_moves("111111"), 2),  # the first column is full
        (Position.from_moves("1111117"), 2),  # so that the second is the leftmost
        (Position.from_moves("1", "1x8x3"), 2),
        (Position.from_moves("81", "1x8x3"), 7),
        (Position.from_moves("1111", "8x1x3"), 1),
    ],
)
def test_horizontal_extends_its_longest_row(position: Position, column: int) -> None:
    assert plays("horizontal", position) == column


@pytest.mark.parametrize(
    ("moves", "board", "column"),
    [
        ("", "6x7x4", 1),
        ("12", "6x7x4", 1),
        ("121212", "6x7x4", 1),
        ("7172", "6x7x4", 7),  # its own pile, wherever that is
        ("71727", "6x7x4", 1),  # the other side's first pile of its own
        ("11", "6x7x4", 1),  # covered, but there is room for four more
        ("1117", "6x7x4", 1),  # three more fit on top of this one, which is enough
        ("1111", "6x7x4", 2),  # room for two is not
        ("111112", "6x7x4", 2),  # nor is its own disc at the very top
        ("11111133", "6x7x4", 2),  # the first column is full, the third has one of each
        ("1111113", "6x7x4", 2),
        ("12342143", "4x4x4", 1),  # no column can be completed any more
        ("1212", "4x4x4", 1),
        ("1", "1x8x3", 2),  # one row: there is nothing to pile up
    ],
)
def test_vertical_piles_up_where_it_can_still_win(moves: str, board: str, column: int) -> None:
    assert plays("vertical", Position.from_moves(moves, board)) == column


@pytest.mark.parametrize(
    ("position", "column"),
    [
        (Position(), 1),
        (Position.from_moves("12131"), 1),  # it must block
        (Position.from_moves("121212"), 1),  # it wins rather than block
        (Position.from_moves("1212123"), 2),  # so does the other side
        (Position.from_moves("4141"), 4),  # else it makes three
        (Position.from_moves("44"), 3),  # or two, and the leftmost of equals
        (Position.from_moves("7171"), 7),  # however far from the centre
        (drawn(".XO....", "XOX...O"), 3),  # a diagonal is a line too
        (drawn("....OX.", "O...XOX"), 5),  # the same the other way
        (drawn("XX.XOOO"), 3),  # a win in the middle of a row
        (drawn("XOOO.XX"), 5),  # and a block there
    ],
)
def test_greedy_wins_blocks_or_makes_its_longest_line(position: Position, column: int) -> None:
    assert plays("greedy", position) == column


def test_greedy_may_prefer_the_centre() -> None:
    assert plays("greedy:ties=centre", Position()) == 4
    assert plays("greedy:ties=centre", Position.from_moves("444444")) == 3


@pytest.mark.parametrize("name", ["minimax", "alphabeta"])
def test_early_on_the_centre_can_be_played_without_a_search(name: str) -> None:
    player = agent(f"{name}:depth=3,early=centre")
    game = Position.from_moves("12345")
    for plies in range(6):
        found = player.analyze(Position.from_moves(game.columns_played[:plies]), Limit())
        assert (found.column, found.depth, found.nodes, found.pv) == (3, 0, 0, (3,))
    later = Position.from_moves("123456")
    searched = player.analyze(later, Limit())
    assert searched.depth == 3
    assert searched.nodes > 0
    plain = agent(f"{name}:depth=3").analyze(later, Limit())
    assert (searched.column, searched.points, searched.pv) == (plain.column, plain.points, plain.pv)
    assert agent(f"{name}:depth=3").analyze(Position(), Limit()).depth == 3, "only if it is asked to"


def test_where_the_centre_is_full_it_searches_early_on_too() -> None:
    found = agent("alphabeta:depth=3,early=centre", Rules("5x5x3")).analyze(
        Position.from_moves("33333", "5x5x3"), Limit()
    )
    assert found.column != 2
    assert found.depth == 3
