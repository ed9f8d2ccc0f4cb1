"""Agents by name, with options: `mcts:simulations=800`."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from typing import Any

from fourcast.agents.agent import Agent
from fourcast.agents.guard import GUARD, GuardedAgent
from fourcast.agents.options import Option
from fourcast.game.errors import BadOption, CannotPlay, UnknownPlayer, shown
from fourcast.game.geometry import STANDARD, Geometry
from fourcast.game.rules import Rules

GROUP = "fourcast.agents"  # the entry points of packages that bring agents

# Each registers its agents when it is imported.
_MODULES = (
    "fourcast.agents.human",
    "fourcast.agents.scripted",
    "fourcast.agents.lookahead",
    "fourcast.agents.negamax",
    "fourcast.agents.expectimax",
    "fourcast.agents.mcts",
    "fourcast.agents.montecarlo",
    "fourcast.agents.hybrid",
    "fourcast.agents.network",
    "fourcast.agents.perfect",
    "fourcast.agents.foreign.agent",
)

Maker = Callable[..., Agent]


def _always(_rules: Rules) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of an agent before it is made.

    Attributes:
        name: What it is called.
        maker: Takes the rules and a seed (None: by chance), and the options by name.
        options: What can be given in a spec; the first also without its name: `alphabeta:6`.
        plays: Whether it can play by these rules.
        raw: Whether all that follows the colon of a spec is the first option, as it stands: a path or a
            command may hold commas and equals signs. The other options are then given by name, in Python.
        foreign: Whether a spec makes this machine run somebody's program; a server has to refuse these.
    """

    name: str
    maker: Maker
    options: tuple[Option, ...]
    plays: Callable[[Rules], bool]
    raw: bool = False
    foreign: bool = False

    @property
    def summary(self) -> str:
        """What it does, in one line."""
        return (self.maker.__doc__ or "").strip().partition("\n")[0]


_entries: dict[str, Entry] = {}


def register(
    name: str,
    *options: Option,
    plays: Callable[[Rules], bool] = _always,
    guard: bool = True,
    guarded: int = 0,
    raw: bool = False,
    foreign: bool = False,
) -> Callable[[Maker], Maker]:
    """Add an agent: decorates a class or function that takes the rules, a seed, and the options by name.

    Args:
        name: What it is to be called: letters, digits, - and _.
        options: What it can be told; the first also without its name.
        plays: Whether it can play by some rules; without, it plays by all.
        guard: Whether it may wear the guard of `fourcast.agents.guard`.
        guarded: What its guard is when nothing is said.
        raw: Whether all that follows the colon is its first option, as it stands.
        foreign: Whether a spec makes this machine run somebody's program.
    """
    if not name or not all(letter.isalnum() or letter in "-_" for letter in name):
        raise ValueError(f"an agent cannot be named {name!r}")

    taken = {"rules", "seed", GUARD.name}
    for option in options:
        if not isinstance(option, Option) or option.name in taken:
            raise ValueError(f"agent {name!r}: {option!r} cannot be an option of its own")
        taken.add(option.name)

    def add(maker: Maker) -> Maker:
        if not str(getattr(maker, "__module__", "")).startswith("fourcast.agents."):
            _load_own()  # so that nobody takes a name of theirs
        if name in _entries:
            raise ValueError(f"there is an agent named {name!r} already")
        worn = (replace(GUARD, default=guarded) if guarded else GUARD,) if guard else ()
        _entries[name] = Entry(name, maker, (*options, *worn), plays, raw=raw, foreign=foreign)
        return maker

    return add


@cache
def _load_own() -> None:
    """Import the modules that bring Fourcast's own agents."""
    for module in _MODULES:
        import_module(module)


@cache
def _load() -> None:
    """Import all modules that bring agents, other packages' too; one that fails is one warning."""
    _load_own()
    from importlib.metadata import entry_points  # takes longer to import than all of the above

    for point in entry_points(group=GROUP):
        try:
            point.load()
        except Exception as error:  # noqa: BLE001  # whatever it is, the others can play
            warnings.warn(
                f"the agents of {point.value} cannot be loaded: {type(error).__name__}: {error}", stacklevel=3
            )


def agent_entries() -> list[Entry]:
    """All agents, by name."""
    _load()
    return [_entries[name] for name in sorted(_entries)]


def agent_names() -> list[str]:
    """The names that `agent` knows."""
    return [entry.name for entry in agent_entries()]


def agent(
    spec: str, rules: Rules | Geometry | str | None = None, seed: int | None = None, **options: Any
) -> Agent:
    """Make an agent.

    Args:
        spec: A name, or a name and options: "alphabeta", "alphabeta:depth=8,eval=power", "alphabeta:8".
        rules: The board and slip that it will play, or only the board; the standard game by default.
        seed: Where its chance starts; the same seed gives the same answer to the same question.
        options: More options by name.

    Raises:
        UnknownPlayer: There is none of that name.
        BadOption: It has no such option, or the option takes something else.
        CannotPlay: It does not play by these rules.
    """
    entry, given = read_spec(spec)
    for name, value in options.items():
        text = ("no", "yes")[value] if isinstance(value, bool) else str(value)
        given[name] = _option(entry, name).parse(text, entry.name)
    rules = rules if isinstance(rules, Rules) else Rules(rules or STANDARD)
    if not entry.plays(rules):
        able = [other.name for other in agent_entries() if other.plays(rules)]
        raise CannotPlay(f"agent {entry.name} cannot play {rules}; these can: {', '.join(able)}")
    chosen = {option.name: given.get(option.name, option.default) for option in entry.options}
    guard = chosen.pop(GUARD.name, 0)
    made = entry.maker(rules, seed, **chosen)
    return GuardedAgent(made, guard, rules.slip) if guard else made


def read_spec(spec: str) -> tuple[Entry, dict[str, Any]]:
    """The agent that a spec names, and the options that it gives.

    Raises:
        UnknownPlayer, BadOption: It cannot be read; the message says why.
    """
    names = agent_names()
    if not isinstance(spec, str):
        raise UnknownPlayer(f"{shown(spec)} is not the name of an agent; known: {', '.join(names)}")
    name, _, verbatim = spec.partition(":")
    name, rest = name.strip(), verbatim.strip()
    if name not in _entries:
        raise UnknownPlayer(f"there is no agent {shown(name)}; known: {', '.join(names)}")
    entry = _entries[name]
    given: dict[str, Any] = {}
    if entry.raw:
        if rest:
            given[entry.options[0].name] = entry.options[0].parse(verbatim, name)
        return entry, given
    for index, part in enumerate(rest.split(",") if rest else ()):
        option, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            if not option:
                raise BadOption(f"agent {name}: there is nothing between two commas of {shown(rest)}")
            if index or entry.options[:1] in ((), (GUARD,)):
                raise BadOption(f"agent {name}: write {shown(part)[1:-1]} as option=value")
            option, value = entry.options[0].name, option
        if option in given:
            raise BadOption(f"agent {name}: {option} is given twice")
        given[option] = _option(entry, option).parse(value, name)
    return entry, given


def _option(entry: Entry, name: str) -> Option:
    for option in entry.options:
        if option.name == name:
            return option
    known = ", ".join(option.name for option in entry.options)
    has = f"it has: {known}" if known else "it has none"
    raise BadOption(f"agent {entry.name} has no option {shown(name)}; {has}")
