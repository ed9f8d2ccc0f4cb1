"""People as agents: asked on the terminal."""

from __future__ import annotations

import io

import pytest

from fourcast import BadOption, GameOver, Limit, PlayerLeft, Position, agent, agent_names


def type_in(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_a_person_sees_the_board_and_names_a_column(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, "3\n")
    position = Position.from_moves("44")
    analysis = agent("human").analyze(position, Limit())
    assert (analysis.column, analysis.pv) == (2, (2,))
    assert capsys.readouterr().out == f"{position}\nMove 3, X: "


def test_what_cannot_be_played_is_explained_in_a_line_and_asked_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, "foo\n\n8\n 4 \n5\n")
    assert agent("human").analyze(Position.from_moves("444444"), Limit()).column == 4
    asked = capsys.readouterr().out.split("Move 7, X: ")[1:]
    assert asked == [
        "  'foo' is not a column; type the number of a column\n",
        "  '' is not a column; type the number of a column\n",
        "  there is no column 8 on board 6x7x4; type the number of a column\n",
        "  move 7: column 4 is full; type the number of a column\n",
        "",
    ]


def test_whoever_is_gone_does_not_play(monkeypatch: pytest.MonkeyPatch) -> None:
    type_in(monkeypatch, "foo\n")
    with pytest.raises(PlayerLeft, match="move 2: the input has ended"):
        agent("human").analyze(Position.from_moves("4"), Limit())
    type_in(monkeypatch, "4\n")
    with pytest.raises(GameOver):
        agent("human").analyze(Position.from_moves("1212121"), Limit())


def test_people_are_agents_like_others_but_have_no_options() -> None:
    assert agent_names().count("human") == 1
    with pytest.raises(BadOption, match="agent human has no option 'guard'; it has none"):
        agent("human:guard=1")
