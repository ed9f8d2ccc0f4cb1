"""`fourcast agents`: who can play, and what they can be told."""

from __future__ import annotations

import json
import re

import pytest

from fourcast.agents import agent, agent_entries, agent_names
from fourcast.agents.options import Option
from tests.cli.command import fourcast


def setting(option: Option) -> str:
    return option.name if option.default is None else f"{option.name}={option.default}"


def test_every_agent_is_listed_with_what_it_does_and_its_defaults() -> None:
    done = fourcast("agents")
    assert (done.returncode, done.stderr) == (0, "")
    text = " ".join(done.stdout.split())
    for entry in agent_entries():
        own = ", ".join(setting(each) for each in entry.options if setting(each) != "guard=0")
        assert re.search(rf"^{entry.name}  ", done.stdout, re.MULTILINE)
        assert f"{entry.name} {entry.summary} {own}".rstrip() in text
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_the_guard_that_all_share_is_said_once() -> None:
    stdout = fourcast("agents").stdout
    assert stdout.count("guard=") == 1 + stdout.count("guard=2"), "and where it is another"
    without = [
        entry.name for entry in agent_entries() if "guard" not in [option.name for option in entry.options]
    ]
    assert {"human", "lookahead"} <= set(without)
    said = " ".join(stdout.split())
    names = " and ".join([", ".join(without[:-1]), without[-1]])
    assert f"All but {names} also take guard=0 (1: play a win in one; 2: " in said


@pytest.mark.usefixtures("tiny_networks")
@pytest.mark.parametrize("name", agent_names())
def test_one_agent_is_told_in_full(name: str) -> None:
    done = fourcast("agents", name)
    assert (done.returncode, done.stderr) == (0, "")
    entry = next(entry for entry in agent_entries() if entry.name == name)
    text = " ".join(done.stdout.split())
    assert text.startswith(f"{name}: {entry.summary}")
    for option in entry.options:
        assert f" {setting(option)} {option.help} ({option.takes})" in text
    assert max(map(len, done.stdout.splitlines())) <= 80
    spec = done.stdout.splitlines()[-1].removeprefix("Example: fourcast play --second ")
    if entry.raw:
        assert spec == f"{name}:{entry.options[0].name.upper()}"
    else:
        assert agent(spec) is not None, "the example can be used as it is"


def test_json_has_the_same() -> None:
    document = json.loads(fourcast("agents", "--json").stdout)
    assert [each["name"] for each in document["agents"]] == agent_names()
    one = json.loads(fourcast("agents", "alphabeta", "--json").stdout)["agents"]
    assert one == [each for each in document["agents"] if each["name"] == "alphabeta"]
    assert one[0]["summary"] == "Alpha-beta to a fixed depth: minimax's move and score, sooner."
    assert one[0]["options"][0] == {
        "name": "depth",
        "default": 6,
        "takes": "a whole number, 1 to 128",
        "help": "plies to look ahead",
    }


def test_json_says_which_agents_run_programs() -> None:
    listed = json.loads(fourcast("agents", "--json").stdout)["agents"]
    assert [each["name"] for each in listed if each["foreign"]] == ["exec", "file"]
    assert [each["name"] for each in listed if each["raw"]] == ["exec", "file"]


def test_an_unknown_agent_is_one_line_and_a_2() -> None:
    for arguments in (["nobody"], ["nobody", "--json"], [""]):
        done = fourcast("agents", *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == (
            f"fourcast: there is no agent '{arguments[0]}'; known: {', '.join(agent_names())}\n"
        )


def test_the_help_has_an_example() -> None:
    done = fourcast("agents", "--help")
    assert "Example: fourcast agents alphabeta" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
