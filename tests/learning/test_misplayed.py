"""Games in which many discs go elsewhere than was meant."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fourcast import BadData, BadLimit, BadOption, Geometry, Limit, Position, UnknownPlayer, agent
from fourcast.learning import labelling, misplayed
from fourcast.learning.examples import held_out
from fourcast.learning.misplayed import Misplayed, Misplays, lessons_of_games, play_games
from tests.learning.sets import Endless

WANTED = Misplays(Geometry.parse("4x5x4"), games=8, teacher="greedy", misplay=0.5, seed=3)


def positions_of(game: Misplayed) -> list[Position]:
    positions = [Position("4x5x4")]
    for column in game.played:
        positions.append(positions[-1].play(column))
    return positions


def test_what_was_meant_is_what_the_teacher_would_play() -> None:
    wanted = replace(WANTED, teacher="alphabeta:depth=2", games=40)
    teacher = agent(wanted.teacher, "4x5x4")
    elsewhere = discs = 0
    for game in play_games(wanted):
        positions = positions_of(game)
        assert positions[-1].is_over
        assert not any(position.is_over for position in positions[:-1])
        for position, meant in zip(positions, game.meant, strict=False):
            assert meant == teacher.analyze(position, Limit()).column
        elsewhere += sum(meant != played for meant, played in zip(game.meant, game.played, strict=True))
        discs += len(game.played)
    assert 0.4 < elsewhere / discs < 0.6
    for game in play_games(replace(WANTED, misplay=0.0)):
        assert game.meant == game.played
    for game in play_games(replace(WANTED, misplay=1.0)):
        for position, meant, played in zip(positions_of(game), game.meant, game.played, strict=False):
            assert meant != played or len(position.legal) == 1


def test_with_slip_discs_land_elsewhere_by_themselves() -> None:
    games = play_games(replace(WANTED, misplay=0.0, slip=0.3, games=20))
    pairs = [pair for game in games for pair in zip(game.meant, game.played, strict=True)]
    assert 0.15 < np.mean([meant != played for meant, played in pairs]) < 0.45


def test_processes_play_the_same_games() -> None:
    assert play_games(WANTED, jobs=2) == play_games(WANTED)
    assert play_games(WANTED) != play_games(replace(WANTED, seed=4))


class Enough(Exception):
    """Somebody pulls the plug."""


def test_games_go_on_where_they_were_stopped(tmp_path: Path) -> None:
    part = tmp_path / "net.games.part"

    def watch(_what: str, done: int, _total: int) -> None:
        if done == 3:
            raise Enough

    with pytest.raises(Enough):
        play_games(WANTED, part=part, watch=watch)
    seen: list[int] = []
    assert play_games(WANTED, part=part, watch=lambda _, done, __: seen.append(done)) == play_games(WANTED)
    assert seen[0] == 3, "what was played is not played again"
    with pytest.raises(BadData, match="was begun for another set"):
        play_games(replace(WANTED, misplay=0.4), part=part)


def test_a_perfect_teacher_that_cannot_solve_the_board_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for teacher in ("perfect", "perfect:level=5", "perfect:guard=2"):
        assert len(play_games(replace(WANTED, teacher=teacher, games=4))) == 4, "a small board is solved"
    monkeypatch.setattr(labelling, "PERFECT_SECONDS", 0.01)
    monkeypatch.setattr(misplayed, "find_agent", lambda *_: Endless())
    part = tmp_path / "net.games.part"
    with pytest.raises(BadLimit, match=r"ply 0 was not solved by perfect within 0.01s: have another agent"):
        play_games(replace(WANTED, teacher="perfect"), part=part)
    assert not part.exists()


@pytest.mark.parametrize(
    "line",
    [
        b'{"game":0}',
        b'{"game":0,"meant":"11","played":"11"}',
        b'{"game":0,"meant":"1","played":"1212121"}',
        b'{"game":0,"meant":"12121q1","played":"1212121"}',
        b'{"game":99,"meant":"1212121","played":"1212121"}',
        b'{"game":0,"meant":7,"played":"1212121"}',
        b'{"game":"x","meant":"1212121","played":"1212121"}',
    ],
)
def test_a_damaged_part_is_one_line(line: bytes, tmp_path: Path) -> None:
    part = tmp_path / "net.games.part"
    play_games(WANTED, part=part)
    part.write_bytes(part.read_bytes().splitlines(keepends=True)[0] + line + b"\n")
    with pytest.raises(BadData, match=r"net\.games\.part is damaged, remove it: game 1"):
        play_games(WANTED, part=part)


def test_games_are_held_out_whole_and_no_position_is_on_both_sides() -> None:
    games = play_games(replace(WANTED, games=40))
    train, held = lessons_of_games(WANTED.geometry, games, 1, 0.1)
    known = {position.canonical_key for position in train.batch}
    assert not known & {position.canonical_key for position in held.batch}
    assert not held_out(train.batch, 0.1, 1).any(), "nor is what any network of that seed leaves out"
    several = [position.canonical_key for position in train.batch if position.ply == 1]
    assert len(several) > len(set(several)), "a position may be met again"
    whole = sum(len(game.played) for game in games)
    assert 0.5 * whole < len(train) < 0.8 * whole, "three games of four, less a tenth"
    assert len(held) < whole - len(train), "what both sides have is not judged by"
    assert (train.policy.sum(axis=1) == 1).all()
    assert (train.policy <= train.legal).all()
    with pytest.raises(BadData, match="play more games"):
        lessons_of_games(WANTED.geometry, [games[0]] * 4, 1, 1e-6)


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"games": 3}, BadOption, "games 3: it must be 4 to 100,000"),
        ({"misplay": 1.5}, BadOption, "misplay 1.5"),
        ({"teacher": "nobody"}, UnknownPlayer, "there is no agent 'nobody'"),
        ({"teacher": "human"}, BadOption, "people play with fourcast play"),
    ],
)
def test_what_cannot_be_played_is_refused(
    changes: dict[str, object], error: type[Exception], words: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=words):
        play_games(replace(WANTED, **changes), part=tmp_path / "part")  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())
