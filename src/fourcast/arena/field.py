"""A field of agents from a TOML file, with ranges for many of graded strength.

board = "6x7x4"
limit = "50ms"
rounds = 1

[[agents]]
spec = "perfect"

[[agents]]
name = "ladder {level}"
spec = "negamax:level={level}"
level = { from = 1, to = 10 }

[[agents]]
spec = "mcts:simulations={games},c={c}"
games = { from = 10, to = 10000, steps = 7, scale = "log" }
c = [0.7, 1.2]
"""

from __future__ import annotations

import itertools
import math
import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fourcast.agents.registry import read_spec
from fourcast.arena.referee import ON_TIMEOUT
from fourcast.game.errors import BadField, FourcastError, shown
from fourcast.game.geometry import Geometry
from fourcast.game.limit import Limit, check_count, check_seed
from fourcast.game.rules import check_slip

MOST_AGENTS = 2000
_SETTINGS = {
    "board": str,
    "slip": float,
    "limit": str,
    "rounds": int,
    "seed": int,
    "format": str,
    "openings": str,
    "plies": str,
    "any_opening": bool,
    "on_timeout": str,
}
_CHECKS: dict[str, Callable[[Any], object]] = {
    "board": Geometry.parse,
    "slip": check_slip,
    "limit": Limit.parse,
    "rounds": lambda rounds: check_count("rounds", rounds),
    "seed": check_seed,
    "format": lambda form: _check_word(form, ("round-robin", "swiss")),
    "on_timeout": lambda what: _check_word(what, ON_TIMEOUT),
}
_RANGE_KEYS = {"from", "to", "step", "steps", "scale"}


@dataclass(frozen=True, slots=True)
class FieldFile:
    """What a field's file says.

    Attributes:
        agents: Specs by name, in the order of the file.
        settings: What it says of the tournament: board, slip, limit, rounds, seed, format, openings,
            plies, any_opening, on_timeout.
    """

    agents: dict[str, str]
    settings: dict[str, Any] = field(default_factory=dict)


def read_field(path: Path) -> FieldFile:
    """Read a field from its file.

    Raises:
        BadField: It cannot be read; the message has the line of a fault in the TOML, else the key.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadField(f"field {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadField(f"field {path}: it is not UTF-8 text") from None
    try:
        return parse_field(text)
    except BadField as error:
        raise BadField(f"field {path}: {error}") from None


def parse_field(text: str) -> FieldFile:
    """Read a field from a text; see the module.

    Raises:
        BadField: It cannot be read.
    """
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadField(f"it is not TOML: {error}") from None
    entries = document.pop("agents", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise BadField("agents: write each under [[agents]]")
    settings = {key: _setting(text, key, value) for key, value in document.items()}
    agents: dict[str, str] = {}
    for number, entry in enumerate(entries, start=1):
        place = f"agents, entry {number}{_line_of_entry(text, number)}"
        for name, spec in _expand(entry, place):
            if name in agents:
                raise BadField(f"{place}: {shown(name)} is there twice")
            if spec in agents.values():
                raise BadField(f"{place}: {shown(spec)} is there twice, under two names")
            try:
                read_spec(spec)
            except FourcastError as error:
                raise BadField(f"{place}: {error}") from None
            agents[name] = spec
        if len(agents) > MOST_AGENTS:
            raise BadField(f"{place}: that makes more than {MOST_AGENTS} agents")
    return FieldFile(agents, settings)


def _setting(text: str, key: str, value: Any) -> Any:
    place = f"{key}{_line_of_key(text, key)}"
    if key not in _SETTINGS:
        raise BadField(f"{place}: there is no such setting; known: {', '.join(_SETTINGS)}, agents")
    wanted = _SETTINGS[key]
    if wanted is float and type(value) is int:
        value = float(value)
    if key in ("openings", "plies") and type(value) is int:
        value = str(value)
    if type(value) is not wanted:
        kinds = {str: "a text", float: "a number", int: "a whole number", bool: "true or false"}
        raise BadField(f"{place}: {shown(value)} is not {kinds[wanted]}")
    try:
        _CHECKS.get(key, lambda _value: None)(value)
    except FourcastError as error:
        raise BadField(f"{place}: {error}") from None
    return value


def _check_word(word: str, known: Sequence[str]) -> None:
    if word not in known:
        raise BadField(f"{shown(word)} is none of {', '.join(known)}")


def _expand(entry: dict[str, Any], place: str) -> list[tuple[str, str]]:
    """The names and specs that an entry makes: one for every combination of its ranges."""
    spec = entry.get("spec")
    if not isinstance(spec, str):
        raise BadField(
            f"{place}: spec is missing" if spec is None else f"{place}: spec {shown(spec)} is not a text"
        )
    name = entry.get("name", spec)
    if not isinstance(name, str):
        raise BadField(f"{place}: name {shown(name)} is not a text")
    ranges = {
        key: _values(f"{place}, {key}", value) for key, value in entry.items() if key not in ("spec", "name")
    }
    wanted = set(re.findall(r"\{(\w+)\}", spec))
    if wanted != set(ranges):
        odd = sorted(wanted ^ set(ranges))[0]
        why = (
            "stands in the spec and has no range"
            if odd in wanted
            else "has a range and does not stand in the spec"
        )
        raise BadField(f"{place}: {odd} {why}")
    if math.prod(map(len, ranges.values())) > MOST_AGENTS:
        raise BadField(f"{place}: that makes more than {MOST_AGENTS} agents")
    made = []
    for values in itertools.product(*ranges.values()):
        chosen = dict(zip(ranges, values, strict=True))
        made.append((_filled(name, chosen), _filled(spec, chosen)))
    return made


def _filled(text: str, chosen: dict[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: chosen.get(found[1], found[0]), text)


def _values(place: str, value: Any) -> list[str]:
    """The texts of a list or a range."""
    if isinstance(value, list) and value and all(isinstance(each, str | int | float) for each in value):
        return [_text(each) for each in value]
    if not isinstance(value, dict):
        raise BadField(f"{place}: write a list of values, or {{ from = 1, to = 10 }}")
    if odd := set(value) - _RANGE_KEYS:
        raise BadField(f"{place}: {shown(sorted(odd)[0])} is none of {', '.join(sorted(_RANGE_KEYS))}")
    first: Any = value.get("from")
    last: Any = value.get("to")
    if not _is_number(first) or not _is_number(last):
        raise BadField(f"{place}: from and to must be numbers")
    if "steps" in value:
        return _spread(place, first, last, value["steps"], value.get("scale", "linear"))
    step = value.get("step", 1)
    if not _is_number(step) or step <= 0 or last < first or "scale" in value:
        raise BadField(
            f"{place}: from must not be more than to, step must be over 0, and scale goes with steps"
        )
    steps = (last - first) / step
    count = int(steps + 1e-9) + 1 if steps < MOST_AGENTS else MOST_AGENTS + 1
    if count > MOST_AGENTS:
        raise BadField(f"{place}: that makes more than {MOST_AGENTS} agents")
    return [_text(first + step * index) for index in range(count)]


def _spread(place: str, first: float, last: float, steps: Any, scale: Any) -> list[str]:
    """Evenly spread values, from the first to the last."""
    if type(steps) is not int or not 2 <= steps <= MOST_AGENTS:
        raise BadField(f"{place}: steps {shown(steps)} is not a whole number, 2 to {MOST_AGENTS}")
    if scale not in ("linear", "log") or (scale == "log" and min(first, last) <= 0):
        raise BadField(f"{place}: scale is linear, or log with from and to over 0")
    whole = isinstance(first, int) and isinstance(last, int)
    values = []
    for index in range(steps):
        share = index / (steps - 1)
        number = first * (last / first) ** share if scale == "log" else first + (last - first) * share
        values.append(_text(round(number) if whole else number))
    if len(set(values)) < len(values):
        raise BadField(f"{place}: {steps} steps from {first} to {last} are not all different")
    return values


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _line_of_key(text: str, key: str) -> str:
    """Where a setting stands, for a message."""
    for number, line in enumerate(text.splitlines(), start=1):
        if re.match(rf'\s*"?{re.escape(key)}"?\s*=', line) or line.strip() == f"[{key}]":
            return f" (line {number})"
    return ""


def _line_of_entry(text: str, wanted: int) -> str:
    """Where an entry of agents begins, for a message."""
    seen = 0
    for number, line in enumerate(text.splitlines(), start=1):
        seen += re.match(r"\s*\[\[\s*agents\s*\]\]", line) is not None
        if seen == wanted:
            return f" (line {number})"
    return ""
