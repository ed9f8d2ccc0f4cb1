"""Games as text: JSON Lines, and a notation after chess players' PGN.

    [Board "6x7x4"]
    [Slip "0.2"]
    [First "mcts:simulations=800"]
    [Second "greedy"]
    [Opening "44"]
    [Limit "0.1s"]
    [Seed "17"]
    [Result "1-0"]
    [Ending "line"]

    1. 5 {0.0312} 5>6 {0.0001} 2. 4 {0.0290} ... 1-0

A move is the column where the disc fell, after the one that it was aimed at if it slipped: `5>6`. The seconds
that it took stand behind it in braces; `*` behind that says that it was drawn by lot.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from fourcast.game.errors import BadRecord, FourcastError, shown
from fourcast.game.notation import COLUMN_NAMES, moves_text, parse_moves
from fourcast.game.record import MOST_WORDS, GameRecord, winner_of
from fourcast.game.rules import Rules

FORMATS = ("jsonl", "pgn")
MOST_LINE = 1_000_000  # characters
_WIDTH = 80
_TAG = re.compile(r'\[(?P<name>\w+) "(?P<value>(?:[^"\\]|\\.)*)"\]')
_MOVE = re.compile(
    r"(?:(?P<aimed>[1-9a-z])>)?(?P<landed>[1-9a-z])(?:\s*\{(?P<seconds>[0-9.e+-]+)(?P<lapse>\*?)\})?",
    re.ASCII,
)
_TOKEN = re.compile(r"\d+\.(?=\s)|1-0|0-1|1/2-1/2|\S+(?:\s*\{[^}]*\})?")


def write_games(games: Iterable[GameRecord], form: str) -> Iterator[str]:
    """Games as text, a piece each; `form` is `jsonl` or `pgn`."""
    for game in games:
        yield json.dumps(game.to_json()) + "\n" if form == "jsonl" else to_pgn(game) + "\n"


def read_games(lines: Iterable[str]) -> Iterator[GameRecord]:
    """Games from lines of either form, each of them checked.

    Raises:
        BadRecord: A game cannot be read, or cannot have happened; the message has the line.
    """
    block: list[str] = []
    begun = 0
    for number, line in enumerate(lines, start=1):
        if len(line) > MOST_LINE:
            raise BadRecord(f"line {number}: it is longer than {MOST_LINE:,} characters")
        text = line.removeprefix("\ufeff").strip() if number == 1 else line.strip()
        if text.startswith("{") and not block:
            yield _placed(number, _from_line, text)
        elif text.startswith("[") and block and not block[-1].startswith("["):
            yield _placed(begun, from_pgn, "\n".join(block))
            block, begun = [text], number
        elif text:
            begun = begun if block else number
            block.append(text)
    if block:
        yield _placed(begun, from_pgn, "\n".join(block))


def _placed(number: int, read: Any, text: str) -> GameRecord:
    try:
        game: GameRecord = read(text)
    except FourcastError as error:
        raise BadRecord(f"line {number}: {error}") from None
    return game


def _from_line(text: str) -> GameRecord:
    try:
        return GameRecord.from_json(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"it is not JSON: {error}") from None


def to_pgn(game: GameRecord) -> str:
    """A game in the notation of this module, lines of at most 80 columns where words allow it."""
    tags = {
        "Board": str(game.rules.geometry),
        "Slip": repr(game.rules.slip),
        "First": game.players[0],
        "Second": game.players[1],
        "Opening": moves_text(game.opening),
        "Limit": game.limit,
        "Seed": str(game.seed),
        "Memory": f"{game.memory[0]} {game.memory[1]}" if any(game.memory) else "",
        "Finished": _moment(game.finished),
        "Version": game.version,
        "Machine": game.machine,
        "Result": game.result,
        "Ending": game.ending,
        "Words": game.words,
    }
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in tags.items() if value]
    return "\n".join([*lines, "", *_wrapped(_words(game)), ""])


def _moment(seconds: float) -> str:
    """A time since 1970 as people write it; nothing where it is not known."""
    return datetime.fromtimestamp(seconds, UTC).isoformat() if seconds else ""


def _words(game: GameRecord) -> Iterator[str]:
    for index, (aimed, landed, seconds) in enumerate(zip(game.aimed, game.landed, game.seconds, strict=True)):
        ply = len(game.opening) + index
        count = f"{ply // 2 + 1}. " if ply % 2 == 0 else f"{ply // 2 + 1}... " if index == 0 else ""
        slipped = "" if aimed == landed else f"{COLUMN_NAMES[aimed]}>"
        lot = "*" if index in game.lapses else ""
        yield f"{count}{slipped}{COLUMN_NAMES[landed]} {{{seconds!r}{lot}}}"
    yield game.result


def _wrapped(words: Iterable[str]) -> Iterator[str]:
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > _WIDTH:
            yield line
            line = ""
        line += f" {word}" if line else word
    yield line


def from_pgn(text: str) -> GameRecord:
    """Read a game in the notation of this module.

    Raises:
        BadRecord: It cannot be read, or cannot have happened.
    """
    tags: dict[str, str] = {}
    body: list[str] = []
    for line in text.split("\n"):
        if line.startswith("["):
            found = _TAG.fullmatch(line)
            if not found:
                raise BadRecord(f'{shown(line)} is not a tag like [Board "6x7x4"]')
            try:
                tags[found["name"]] = json.loads(f'"{found["value"]}"')
            except ValueError:
                raise BadRecord(f"{shown(line)} is not a tag that can be read") from None
        else:
            body.append(line)
    for name in ("Board", "First", "Second", "Result"):
        if name not in tags:
            raise BadRecord(f"the tag {name} is missing")
    try:
        rules = Rules(tags["Board"], float(tags.get("Slip", "0")))
        aimed, landed, seconds, lapses = _read_moves(" ".join(body), rules)
        first, _, second = tags.get("Memory", "0 0").partition(" ")
        return GameRecord(
            rules,
            (tags["First"], tags["Second"]),
            tuple(parse_moves(tags.get("Opening", ""), rules.geometry)),
            tuple(aimed),
            tuple(landed),
            tuple(seconds),
            winner_of(tags["Result"]),
            tags.get("Ending", "line"),
            tags.get("Words", "")[:MOST_WORDS],
            int(tags.get("Seed", "0")),
            (int(first), int(second or 0)),
            tags.get("Limit", ""),
            tuple(lapses),
            datetime.fromisoformat(tags["Finished"]).timestamp() if "Finished" in tags else 0.0,
            tags.get("Version", ""),
            tags.get("Machine", ""),
        ).checked()
    except (ValueError, OverflowError, OSError) as error:
        raise BadRecord(str(error)) from None


def _read_moves(text: str, rules: Rules) -> tuple[list[int], list[int], list[float], list[int]]:
    aimed: list[int] = []
    landed: list[int] = []
    seconds: list[float] = []
    lapses: list[int] = []
    for token in _TOKEN.findall(text):
        if re.fullmatch(r"\d+\.+", token) or token in ("1-0", "0-1", "1/2-1/2"):
            continue
        move = _MOVE.fullmatch(token)
        if not move:
            raise BadRecord(f"{shown(token)} is not a move")
        fell = parse_moves(move["landed"], rules.geometry)[0]
        landed.append(fell)
        aimed.append(parse_moves(move["aimed"], rules.geometry)[0] if move["aimed"] else fell)
        seconds.append(float(move["seconds"] or 0))
        if move["lapse"]:
            lapses.append(len(landed) - 1)
    return aimed, landed, seconds, lapses


def _escaped(value: str) -> str:
    return json.dumps(value)[1:-1]
