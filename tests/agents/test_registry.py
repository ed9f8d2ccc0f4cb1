"""Specs: how agents and their options are named, and what can be wrong with that."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fourcast import BadOption, BadShape, CannotPlay, Geometry, Limit, Position, Rules, UnknownPlayer, agent
from fourcast.agents import registry
from fourcast.agents.guard import GuardedAgent
from fourcast.agents.lookahead import AlphaBetaAgent
from fourcast.agents.options import whole
from fourcast.agents.registry import read_spec
from fourcast.agents.scripted import RandomAgent
from tests.cli.command import fourcast
from tests.packages import PARROT, install

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def flat_earther() -> Iterator[str]:
    """An agent that plays on boards of one row, without slip."""
    name = "flat-earther"
    registry.register(name, plays=lambda rules: rules.geometry.rows == 1 and not rules.slip)(RandomAgent)
    yield name
    del registry._entries[name]


@pytest.mark.parametrize(
    ("spec", "given"),
    [
        ("alphabeta", {}),
        ("alphabeta:", {}),
        ("alphabeta:8", {"depth": 8}),
        ("alphabeta:depth=8", {"depth": 8}),
        ("alphabeta:8,eval=power,guard=2", {"depth": 8, "eval": "power", "guard": 2}),
        (" alphabeta : depth = 8 , eval = power ", {"depth": 8, "eval": "power"}),
        ("random:guard=1", {"guard": 1}),
    ],
)
def test_a_spec_is_a_name_and_options(spec: str, given: dict[str, object]) -> None:
    entry, options = read_spec(spec)
    assert entry.name == spec.partition(":")[0].strip()
    assert options == given


def test_options_reach_the_agent_in_every_form() -> None:
    position = Position.from_moves("44")
    depths = [
        agent(spec, **options).analyze(position, Limit()).depth  # type: ignore[arg-type]
        for spec, options in [
            ("alphabeta:3", {}),
            ("alphabeta:depth=3", {}),
            ("alphabeta", {"depth": 3}),
            ("alphabeta:depth=5", {"depth": 3}),
            ("alphabeta:eval=power", {"depth": "3"}),
        ]
    ]
    assert depths == [3] * 5
    assert isinstance(agent("alphabeta"), AlphaBetaAgent)
    assert isinstance(agent("alphabeta", guard=2), GuardedAgent)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("alphabeta:depht=3", "agent alphabeta has no option 'depht'; it has: depth, eval, order, early, "),
        ("alphabeta:depth=0", "agent alphabeta: depth=0: it takes a whole number, 1 to 128"),
        ("alphabeta:depth=129", "agent alphabeta: depth=129: it takes a whole number, 1 to 128"),
        ("alphabeta:depth=six", "agent alphabeta: depth=six: it takes a whole number, 1 to 128"),
        ("alphabeta:depth=" + "9" * 5000, "agent alphabeta: depth=999"),
        ("alphabeta:six", "agent alphabeta: depth=six: it takes a whole number, 1 to 128"),
        ("alphabeta:eval=taste", "agent alphabeta: eval=taste: it takes windows, power, lines, "),
        ("alphabeta:depth=3,depth=4", "agent alphabeta: depth is given twice"),
        ("alphabeta:3,depth=4", "agent alphabeta: depth is given twice"),
        ("alphabeta:3,power", "agent alphabeta: write power as option=value"),
        ("alphabeta:eval=power,3", "agent alphabeta: write 3 as option=value"),
        ("random:3", "agent random: write 3 as option=value"),
        ("human:3", "agent human: write 3 as option=value"),
        ("human:depth=3", "agent human has no option 'depth'; it has none"),
        ("lookahead:guard=1", "agent lookahead has no option 'guard'; it has: plies"),
    ],
)
def test_what_is_wrong_with_a_spec_is_said(spec: str, message: str) -> None:
    with pytest.raises(BadOption) as caught:
        agent(spec)
    assert str(caught.value).startswith(message)
    assert len(str(caught.value)) < 200


def test_options_by_name_are_checked_too() -> None:
    with pytest.raises(BadOption, match="depth=0: it takes a whole number, 1 to 128"):
        agent("alphabeta", depth=0)
    with pytest.raises(BadOption, match="has no option 'height'"):
        agent("alphabeta", height=3)


@pytest.mark.parametrize("spec", ["nobody", "nobody:depth=3", "", ":depth=3", "Random"])
def test_an_unknown_agent_is_answered_with_those_that_are_known(spec: str) -> None:
    with pytest.raises(UnknownPlayer) as caught:
        agent(spec)
    assert str(caught.value).startswith(f"there is no agent '{spec.partition(':')[0]}'; known: alphabeta, ")
    assert str(caught.value).count("human") == 1


def test_names_are_words() -> None:
    for name in ("", "two words", "a:b", "a=b", "a,b"):
        with pytest.raises(ValueError, match="cannot be named"):
            registry.register(name)


def test_who_cannot_play_says_who_can(flat_earther: str) -> None:
    assert agent(flat_earther, Rules("1x8x3")).analyze(Position("1x8x3"), Limit()).column in range(8)
    with pytest.raises(CannotPlay) as caught:
        agent(flat_earther)
    message = str(caught.value)
    assert message.startswith("agent flat-earther cannot play 6x7x4; these can: alphabeta, ")
    assert message.count(flat_earther) == 1
    with pytest.raises(CannotPlay, match=r"agent flat-earther cannot play 1x8x3 with slip 0\.2; these can: "):
        agent(flat_earther, Rules("1x8x3", 0.2))


def test_agents_of_other_packages_are_found(tmp_path: Path) -> None:
    environment = install(tmp_path, parrots=PARROT)
    listed = fourcast("agents", environment=environment)
    assert (listed.returncode, listed.stderr) == (0, "")
    assert "Repeats itself in the leftmost open column." in listed.stdout
    assert "feathers=12, word=hello" in listed.stdout
    played = fourcast("play", "--second", "parrot:feathers=3", stdin="4\nq\n", environment=environment)
    assert (played.returncode, played.stderr) == (0, "")
    assert "O plays 1." in played.stdout
    wrong = fourcast("play", "--second", "parrot:word=no", environment=environment)
    assert (wrong.returncode, wrong.stderr) == (
        2,
        "fourcast: agent parrot: word=no: it takes hello or bye\n",
    )


def test_a_broken_package_is_one_warning_and_the_others_play(tmp_path: Path) -> None:
    environment = install(tmp_path, broken="raise RuntimeError('no seed\\nleft')", parrots=PARROT)
    listed = fourcast("agents", "--json", environment=environment)
    assert listed.returncode == 0
    assert listed.stderr == "fourcast: the agents of broken cannot be loaded: RuntimeError: no seed left\n"
    names = [each["name"] for each in json.loads(listed.stdout)["agents"]]
    assert {"parrot", "random", "alphabeta"} <= set(names)
    played = fourcast("play", "--first", "parrot", "--second", "random", environment=environment)
    assert played.returncode == 0
    assert "Moves: 1" in played.stdout
    assert len(played.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("document", "spec", "column"),
    [("docs/agents.md", "stubborn:2", 1), ("CONTRIBUTING.md", "sideways:right", 6)],
)
def test_the_agents_that_the_docs_show_play(tmp_path: Path, document: str, spec: str, column: int) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / document).read_text(), re.DOTALL)
    source = next(block for block in blocks if "register(" in block)
    environment = install(tmp_path, shown=source)
    asked = fourcast("analyze", "44", "--agent", spec, "--json", environment=environment)
    assert (asked.returncode, asked.stderr) == (0, "")
    assert json.loads(asked.stdout)["column"] == column


def test_a_package_cannot_take_a_name_that_is_taken(tmp_path: Path) -> None:
    environment = install(tmp_path, parrots=PARROT.replace('"parrot"', '"random"'))
    listed = fourcast("agents", "random", environment=environment)
    assert listed.returncode == 0
    assert "there is an agent named 'random' already" in listed.stderr
    assert "each equally likely" in listed.stdout


@pytest.mark.parametrize("loaded", [False, True])
def test_an_agent_cannot_take_a_name_of_ours(loaded: bool) -> None:
    """Whether or not anybody has asked for agents before; and the others play on."""
    script = f"""
import fourcast as fc
if {loaded}:
    fc.agent_names()
try:
    fc.register("greedy")(lambda rules, seed: None)
except ValueError as error:
    print(error)
print(fc.agent("greedy").analyze(fc.Position(), fc.Limit()).column)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["there is an agent named 'greedy' already", "0"]


@pytest.mark.parametrize("name", ["guard", "seed", "rules", "depth"])
def test_options_of_an_agent_are_its_own(name: str) -> None:
    with pytest.raises(ValueError, match="cannot be an option of its own"):
        registry.register("somebody", whole("depth", 1, "one"), whole(name, 1, "another"))
    with pytest.raises(ValueError, match="'depth' cannot be an option of its own"):
        registry.register("somebody", "depth")  # type: ignore[arg-type]


def test_a_board_alone_is_rules_enough() -> None:
    for rules in ("5x5x4", Geometry(5, 5, 4), Rules("5x5x4")):
        assert agent("alphabeta:2", rules).analyze(Position("5x5x4"), Limit()).column == 2
    assert agent("mcts", reuse=False) is not None
    with pytest.raises(UnknownPlayer, match="None is not the name of an agent; known: alphabeta, "):
        agent(None)  # type: ignore[arg-type]


@pytest.mark.usefixtures("tiny_networks")
def test_another_board_is_refused_by_all() -> None:
    for entry in registry.agent_entries():
        if entry.foreign:
            continue
        with pytest.raises(BadShape, match="the position is on board 5x5x4"):
            agent(entry.name).analyze(Position("5x5x4"), Limit(nodes=10, simulations=10, depth=1))
    with pytest.raises(BadShape):
        agent("alphabeta:early=centre").analyze(Position("5x5x4"), Limit())
