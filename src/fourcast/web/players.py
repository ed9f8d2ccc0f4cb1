"""Who can be asked over the web, with which options, and who is suggested as an opponent."""

from __future__ import annotations

from typing import Any

from fourcast.agents import agent_entries
from fourcast.agents.human import HUMAN
from fourcast.agents.ladder import ladder
from fourcast.agents.options import Option
from fourcast.agents.registry import Entry, read_spec
from fourcast.game.errors import FourcastError, MissingExtra, UnknownPlayer, shown
from fourcast.game.rules import Rules
from fourcast.web.faults import NotOffered, TooMuch
from fourcast.web.settings import Settings

#: Options that cost something, and the setting that caps each.
CAPPED = {
    "depth": "depth",
    "memory_mb": "memory_mb",
    "nodes": "nodes",
    "seconds": "seconds",
    "simulations": "simulations",
    "table_mb": "memory_mb",
    "tactics": "nodes",
}
MOST_PLAYOUTS = 1000  # games between two looks at the clock
PLAYOUTS = "playouts"
#: Options that name a model: over the web those that are shipped, and no files.
OF_MODELS = ("model", "net")
WORDS_FOR_MODELS = ("auto", "none")
TREE = "tree"

_TIME_AND_DEPTH = ("seconds", "depth", "nodes")
#: Which amounts of a limit an agent keeps; those that search nothing keep to any.
KEEPS = {
    "alphabeta": _TIME_AND_DEPTH,
    "expectimax": _TIME_AND_DEPTH,
    "hybrid": ("seconds", "depth", "nodes", "simulations"),
    "mcts": ("seconds", "simulations", "nodes"),
    "minimax": _TIME_AND_DEPTH,
    "montecarlo": ("seconds", "simulations"),
    "negamax": _TIME_AND_DEPTH,
    "perfect": ("seconds", "nodes"),
}

_MOST_SPEC = 300  # letters


def is_offered(entry: Entry) -> bool:
    """Whether an agent may be asked over the web: nobody's program, and no person."""
    return entry.name != HUMAN and not entry.foreign and not entry.raw


def read_player(spec: str, settings: Settings) -> tuple[Entry, dict[str, Any]]:
    """The agent that a spec names and its options, if both may be had over the web.

    Raises:
        UnknownPlayer, BadOption: It cannot be read.
        NotOffered: It is a person, a foreign agent, or a model of somebody's own.
        TooMuch: An option is beyond what the settings allow.
    """
    if len(spec) > _MOST_SPEC:
        raise TooMuch(f"agent: {_MOST_SPEC} letters is the most")
    name = spec.partition(":")[0].strip()
    offered = {entry.name: entry for entry in agent_entries() if is_offered(entry)}
    if name not in offered:
        known = any(entry.name == name for entry in agent_entries())
        if known:
            raise NotOffered(f"agent {name} cannot be asked over the web; these can: {', '.join(offered)}")
        raise UnknownPlayer(f"there is no agent {shown(name)}; known: {', '.join(offered)}")
    entry, given = read_spec(spec)
    for option, value in given.items():
        _check_option(entry, option, value, settings)
    return entry, given


def _check_option(entry: Entry, option: str, value: Any, settings: Settings) -> None:
    if option in OF_MODELS:
        if value not in (*WORDS_FOR_MODELS, *_shipped_names()):
            raise NotOffered(
                f"agent {entry.name}: {option}={shown(value)[1:-1]}: over the web it is auto, or the name of "
                "a model that is shipped"
            )
        return
    most = _most(option, settings)
    if most is not None and value is not None and value > most:
        raise TooMuch(f"agent {entry.name}: {option}={value:g}: {most:g} is the most here")


def _most(option: str, settings: Settings) -> float | None:
    """The most that an option may be given here; None if it costs nothing."""
    if option == PLAYOUTS:
        return MOST_PLAYOUTS
    most: float | None = getattr(settings, CAPPED[option]) if option in CAPPED else None
    return most


def _takes(option: Option, settings: Settings) -> str:
    """What an option takes, in words, and how much of it may be asked for here."""
    if option.name in OF_MODELS:
        return "auto, or the name of a shipped model"
    most = _most(option.name, settings)
    return option.takes if most is None else f"{option.takes}; here {most:,g} at most"


def _shipped_names() -> list[str]:
    from fourcast.models.shelf import shipped

    return [card.name for card in shipped()]


def why_not(entry: Entry, rules: Rules) -> str | None:
    """Why an agent cannot play by these rules; None if it can.

    Of agents that need a network it is known only when they are made, which is cheap.
    """
    if not entry.plays(rules):
        return f"it cannot play {rules}"
    if entry.name in ("cnn", "network"):
        from fourcast.models.shelf import shipped_for

        try:
            if shipped_for(rules.geometry, entry.name) is None:
                return f"there is no network for board {rules.geometry}"
            from fourcast.extras import require

            require("onnxruntime", "learn")
        except MissingExtra as error:
            return str(error)
        except FourcastError as error:
            return str(error)
    return None


def players_json(rules: Rules, settings: Settings) -> dict[str, Any]:
    """All agents that can be asked, and the ladder of levels that is suggested."""
    agents = []
    for entry in agent_entries():
        if not is_offered(entry):
            continue
        why = why_not(entry, rules)
        agents.append(
            {
                "name": entry.name,
                "summary": entry.summary,
                "plays": why is None,
                "why": why,
                "options": [
                    {
                        "name": option.name,
                        "default": _plain(option.default),
                        "takes": _takes(option, settings),
                        "help": option.help,
                    }
                    for option in entry.options
                    if option.name != TREE
                ],
                "keeps": list(KEEPS.get(entry.name, ())),
                "tree": any(option.name == TREE for option in entry.options),
            }
        )
    return {"agents": agents, "suggested": suggested(rules, settings)}


def suggested(rules: Rules, settings: Settings) -> list[dict[str, Any]]:
    """A ladder of opponents for these rules, the weakest first."""
    rungs = []
    for rung in ladder(rules):
        limit = {} if rung.seconds is None else {"seconds": min(rung.seconds, settings.seconds)}
        rungs.append({"label_key": rung.key, "agent": rung.spec, "limit": limit})
    return rungs


def _plain(default: Any) -> Any:
    """A default as JSON knows it; another package's may be anything."""
    return default if default is None or isinstance(default, bool | int | float | str) else str(default)
