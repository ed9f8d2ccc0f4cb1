"""`fourcast agents`: who can play, and what they can be told."""

from __future__ import annotations

import textwrap
from typing import Annotated, Any

import typer

from fourcast.agents import agent_entries
from fourcast.agents.guard import GUARD
from fourcast.agents.options import Option
from fourcast.agents.registry import Entry, read_spec
from fourcast.cli.options import JsonOption
from fourcast.cli.screen import write_json

WIDTH = 80
ROOM = 20  # of an option and its default, beyond which what it does begins on the next line


def agents(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Tell more of this one.", show_default=False)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the agents, what they do, and their options.

    A player is given as NAME or NAME:OPTION=VALUE,... wherever one is asked for.
    """
    if name is not None:
        entry = read_spec(name)[0]
    if as_json:
        write_json({"agents": [_document(each) for each in ([entry] if name else agent_entries())]})
    elif name is not None:
        print("\n".join(_all_of(entry)))
    else:
        print("\n".join(_overview(agent_entries())))


def _overview(entries: list[Entry]) -> list[str]:
    """Each agent with what it does and its options, but for the guard, which is said once."""
    indent = max(len(entry.name) for entry in entries) + 2
    lines = []
    for entry in entries:
        lines += _hanging(entry.name, entry.summary, indent)
        if own := [_setting(option) for option in entry.options if option is not GUARD]:
            lines += _hanging("", ", ".join(own), indent)
    without = [entry.name for entry in entries if GUARD.name not in map(_name, entry.options)]
    who = f"All but {_listed(without)} also take" if without else "All also take"
    example = next(
        (spec for entry in entries if not entry.raw and ":" in (spec := _example(entry))), "random:guard=1"
    )
    return [
        *lines,
        "",
        *textwrap.wrap(f"{who} {_setting(GUARD)} ({GUARD.help}).", WIDTH),
        *textwrap.wrap(
            f"Options follow the name: {example}. For what they mean: fourcast agents NAME.", WIDTH
        ),
    ]


def _all_of(entry: Entry) -> list[str]:
    """One agent with all its options, and how it is called."""
    lines = textwrap.wrap(f"{entry.name}: {entry.summary}", WIDTH)
    if entry.options:
        indent = min(max(len(_setting(option)) for option in entry.options), ROOM) + 4
        lines.append("")
        for option in entry.options:
            lines += _hanging(f"  {_setting(option)}", f"{option.help} ({option.takes})", indent)
    return [*lines, "", f"Example: fourcast play --second {_example(entry)}"]


def _listed(names: list[str]) -> str:
    """Names in a sentence: "a, b and c"."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _name(option: Option) -> str:
    return option.name


def _setting(option: Option) -> str:
    """An option with its default, if it has one."""
    return option.name if option.default is None else f"{option.name}={option.default}"


def _example(entry: Entry) -> str:
    """A spec that can be used as it is: the agent with two of its options, or its guard.

    Of one whose first option is all that follows the colon, a spec with the name of that.
    """
    if entry.raw:
        return f"{entry.name}:{entry.options[0].name.upper()}"
    settled = [_setting(option) for option in entry.options if option.default is not None]
    own = [setting for setting in settled if setting != _setting(GUARD)]
    if not own and GUARD in entry.options:
        own = [f"{GUARD.name}=1"]
    return ":".join(filter(None, [entry.name, ",".join(own[:2])]))


def _hanging(label: str, text: str, indent: int) -> list[str]:
    """A label with a text beside it, over as many lines as it needs."""
    wrapped = textwrap.wrap(text, WIDTH - indent, break_long_words=False, break_on_hyphens=False) or [""]
    if len(label) + 2 > indent:
        return [label, *(" " * indent + line for line in wrapped)]
    return [f"{'' if number else label:<{indent}}{line}".rstrip() for number, line in enumerate(wrapped)]


def _document(entry: Entry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "summary": entry.summary,
        "raw": entry.raw,
        "foreign": entry.foreign,
        "options": [
            {
                "name": option.name,
                "default": _plain(option.default),
                "takes": option.takes,
                "help": option.help,
            }
            for option in entry.options
        ],
    }


def _plain(default: Any) -> Any:
    """A default as JSON knows it; another package's may be anything."""
    return default if default is None or isinstance(default, int | float | str) else str(default)
