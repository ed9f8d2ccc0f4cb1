"""Fields of agents from TOML."""

from __future__ import annotations

from pathlib import Path

import pytest

import fourcast as fc
from fourcast import BadField
from fourcast.arena.field import parse_field, read_field

DOCS = Path(__file__).parents[2] / "docs"

ONE = '[[agents]]\nspec = "mcts:{n}"\n'


def test_ranges_make_many_agents() -> None:
    found = parse_field(
        """
board = "5x5x4"
slip = 0
rounds = 3
[[agents]]
spec = "perfect"
[[agents]]
name = "ladder {level}"
spec = "negamax:level={level}"
level = { from = 1, to = 3 }
[[agents]]
spec = "mcts:simulations={games},c={c}"
games = { from = 10, to = 1000, steps = 3, scale = "log" }
c = [0.7, 1]
[[agents]]
spec = "alphabeta:depth={depth}"
depth = { from = 1, to = 6, step = 2 }
"""
    )
    assert found.settings == {"board": "5x5x4", "slip": 0.0, "rounds": 3}
    specs = [f"mcts:simulations={games},c={c}" for games in (10, 100, 1000) for c in ("0.7", "1")]
    specs += [f"alphabeta:depth={depth}" for depth in (1, 3, 5)]
    assert found.agents == {
        "perfect": "perfect",
        "ladder 1": "negamax:level=1",
        "ladder 2": "negamax:level=2",
        "ladder 3": "negamax:level=3",
        **dict(zip(specs, specs, strict=True)),
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rounds = 1\nboard = 6x7", r"it is not TOML: .*line 2"),
        ('\n\nbord = "6x7x4"', r"bord \(line 3\): there is no such setting; known: board"),
        ("rounds = 1.5", r"rounds \(line 1\): 1.5 is not a whole number"),
        ("rounds = 0", r"rounds \(line 1\): rounds 0: it must be a whole number, 1 or more"),
        ("seed = -3", r"seed \(line 1\): seed -3"),
        ('slip = 0.1\nboard = "9x"', r"board \(line 2\): .*9x"),
        ('limit = "soon"', r"limit \(line 1\): limit 'soon'"),
        ("slip = 1", r"slip \(line 1\): slip 1"),
        ('format = "cup"', r"format \(line 1\): 'cup' is none of round-robin, swiss"),
        ('on_timeout = "cry"', r"on_timeout \(line 1\): 'cry' is none of forfeit, random"),
        ("any_opening = 1", r"any_opening \(line 1\): 1 is not true or false"),
        ('[[agents]]\nspec = "nobody"', r"agents, entry 1 \(line 1\): there is no agent 'nobody'"),
        ('[[agents]]\nspec = "alphabeta:{n}"\nn = [1, 0]', r"entry 1 \(line 1\): agent alphabeta: depth=0"),
        ("rounds = true", r"rounds \(line 1\): True is not a whole number"),
        ("agents = 3", r"agents: write each under \[\[agents\]\]"),
        ('[[agents]]\nname = "x"', r"agents, entry 1 \(line 1\): spec is missing"),
        ("[[agents]]\nspec = 3", "spec 3 is not a text"),
        (
            '[[agents]]\nspec = "random"\n[[agents]]\nspec = "random"',
            r"entry 2 \(line 3\): 'random' is there twice",
        ),
        (
            '[[agents]]\nspec = "random"\n[[agents]]\nname = "b"\nspec = "random"',
            "'random' is there twice, under two names",
        ),
        (ONE, "n stands in the spec and has no range"),
        ('[[agents]]\nspec = "random"\nn = [1]', "n has a range and does not stand in the spec"),
        (f"{ONE}n = 3", r"entry 1 \(line 1\), n: write a list of values"),
        (f"{ONE}n = []", "n: write a list of values"),
        (ONE + "n = { from = 1 }", "n: from and to must be numbers"),
        (ONE + "n = { from = 3, to = 1 }", "n: from must not be more than to"),
        (ONE + "n = { from = 1, to = 3, by = 2 }", "'by' is none of"),
        (ONE + "n = { from = 1, to = 1e9 }", "more than 2000 agents"),
        (ONE + "n = { from = 1, to = 3, steps = 9 }", "not all different"),
        (ONE + 'n = { from = 0, to = 3, steps = 2, scale = "log" }', "scale is linear, or log"),
        (
            '[[agents]]\nspec = "mcts:{n},c={m}"\nn = { from = 1, to = 99 }\nm = { from = 1, to = 99 }',
            "more than 2000",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, message: str) -> None:
    with pytest.raises(BadField, match=message):
        parse_field(text)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(BadField, match="No such file"):
        read_field(tmp_path / "nowhere.toml")
    (tmp_path / "odd.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadField, match=r"odd\.toml: it is not UTF-8 text"):
        read_field(tmp_path / "odd.toml")


def test_the_contest_of_the_docs_has_425_agents_that_can_play() -> None:
    field = read_field(DOCS / "examples" / "contest-425.toml")
    assert len(field.agents) == len(set(field.agents.values())) == 425
    assert len(field.agents) * (len(field.agents) - 1) * field.settings["rounds"] == 180_200
    for name, spec in field.agents.items():
        fc.agent(spec, rules=fc.Rules(field.settings["board"]), seed=0)
        assert len(name) <= 32, name


def test_the_field_of_the_docs_can_be_read() -> None:
    page = (DOCS / "tournament.md").read_text()
    field = parse_field(page.split("```toml\n")[1].split("```")[0])
    assert len(field.agents) == 25
    assert f"= {len(field.agents)} agents" in page
    for spec in field.agents.values():
        fc.agent(spec)
