"""Records of games: they say what happened, and what cannot have happened is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fourcast import BadRecord, GameRecord, Rules

WON = GameRecord(
    Rules(),
    ("greedy", "mcts:simulations=10"),
    opening=(3,),
    aimed=(0, 3, 0, 3, 0, 3),
    landed=(0, 3, 0, 3, 0, 3),
    seconds=(0.5, 0.25, 0.125, 1.0, 2.0, 0.0),
    winner=0,
    ending="line",
    seed=7,
    memory=(0, 1000),
    limit="0.1s",
    finished=1.7e9,
    version="1.2",
    machine="here",
)


def test_what_a_record_says() -> None:
    assert WON.checked() is WON
    assert (WON.plies, WON.points, WON.result, WON.moves, WON.failed) == (7, 1.0, "1-0", "4141414", False)
    assert [WON.mover(index) for index in range(3)] == [1, 0, 1]
    positions = list(WON.positions())
    assert (positions[0].moves, positions[-1].moves) == ("4", "4141414")
    lost = replace(
        WON, aimed=WON.aimed[:3], landed=WON.landed[:3], seconds=WON.seconds[:3], winner=1, ending="crash"
    )
    assert (lost.checked().points, lost.result, lost.failed) == (0.0, "0-1", True)


def test_it_comes_back_from_json() -> None:
    assert GameRecord.from_json(WON.to_json()) == WON


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"winner": 1}, "first player .X. wins on move 7, not 0-1 by 'line'"),
        ({"winner": None, "ending": "full"}, "not 1/2-1/2"),
        ({"ending": "timeout"}, "not 1-0 by 'timeout'"),
        ({"aimed": (0, 3, 0, 3, 0, 2)}, "fell elsewhere in a game without slip"),
        ({"seconds": (1.0,)}, "6 aims, 6 moves, 1 times"),
        ({"opening": ()}, "the game goes on, it has not ended by 'line'"),
        ({"landed": (0, 3, 0, 3, 0, 9), "aimed": (0, 3, 0, 3, 0, 9)}, "move 7: there is no column 10"),
        ({"rules": Rules("6x7x5")}, "the game goes on"),
        (
            {"landed": (0, 3, 0), "aimed": (0, 3, 0), "seconds": (0, 0, 0), "ending": "crash"},
            "whoever was to move has lost by 'crash'",
        ),
        ({"opening": (3, 0, 3, 0, 3, 0, 3)}, "move 8: the game is over"),
    ],
)
def test_what_cannot_have_happened_is_refused(changed: dict[str, object], message: str) -> None:
    with pytest.raises(BadRecord, match=message):
        replace(WON, **changed).checked()  # type: ignore[arg-type]


def test_with_slip_discs_fall_elsewhere() -> None:
    slipped = replace(WON, rules=Rules(slip=0.2), aimed=(0, 3, 0, 3, 0, 2))
    assert slipped.checked() is slipped


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("board", "0x0", "0x0"),
        ("board", None, "board is missing"),
        ("slip", "much", "slip 'much'"),
        ("first", 3, "first 3 is not a text"),
        ("landed", "414!41", "'!' is not a column"),
        ("result", "2-0", "result '2-0' is none of 1-0"),
        ("seconds", ["soon"] * 6, "could not convert"),
        ("seconds", 5, "seconds 5 is not a list"),
        ("seconds", "123456", "seconds '123456' is not a list"),
        ("seconds", [float("nan")] * 6, "a move took no time that can be"),
        ("seconds", [-1.0] * 6, "a move took no time that can be"),
        ("finished", 1e300, "finished 1e.300: that is no time that can be"),
        ("finished", float("nan"), "finished nan"),
        ("lapses", [99], "there are 6 moves"),
        ("memory", [-1, 0], "seed and memory are whole numbers"),
        ("seed", 10**30, "seed and memory are whole numbers"),
        ("first", "", "a player has no name"),
        ("memory", [1], "out of range"),
        ("seed", {}, "int"),
    ],
)
def test_json_that_is_not_a_game(name: str, value: object, message: str) -> None:
    with pytest.raises(BadRecord, match=message):
        GameRecord.from_json(WON.to_json() | {name: value})
    with pytest.raises(BadRecord, match="a game is an object, not 17"):
        GameRecord.from_json(17)
