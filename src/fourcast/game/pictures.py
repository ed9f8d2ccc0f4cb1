"""Analyses and games as notebooks show them: one SVG each, the board and all that is said of it.

They stand on a sheet of their own, so that they can be read in the light and in the dark. Every text is made
safe: names and words of records come from anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from fourcast.game.analysis import Analysis, plies_to_end
from fourcast.game.drawing import CELL, FACES, INKS, RIMS, board_parts, board_size, column_x, title_of
from fourcast.game.notation import column_name, moves_text
from fourcast.game.outcome import DISCS, FIRST, SECOND
from fourcast.game.position import Position
from fourcast.game.record import FULL, LINE, GameRecord
from fourcast.game.thoughts import best_columns, effort_words, line_of_play
from fourcast.game.words import counted, signed, verdict

# All in SVG units.
_PAD = 14
_LEAST = 300  # width: narrower boards leave their text too little room
_TEXT, _ROW = 13, 19  # font size, and from one line to the next
_LETTER = 8.3  # what a letter of that size is wide: digits are, in the widest of the usual fonts
_WORTH = 36  # height of what columns are worth
_LABEL = 62  # width of the labels before the texts
_MOST_LINES = 5  # of one text

_SHEET, _EDGE, _INK, _MUTED = "#fffefb", "#ddd8ca", "#1f2437", "#5a6077"
_GOOD, _BAD, _ACCENT = "#17683b", "#a8322b", "#3a4ea8"
_EVEN = 0.06  # a value no farther from 0 is good for nobody

Text = tuple[str, str]  # a label, and what it labels


def analysis_svg(analysis: Analysis) -> str:
    """What was said of a position: the columns' worth over the board, the best framed; the rest below."""
    position = analysis.position
    texts = [("worth", _worth_words(analysis)), ("best", column_name(analysis.column))]
    if analysis.pv:
        texts.append(("line", line_of_play(analysis)))
    texts.append(("effort", ", ".join(effort_words(analysis))))
    over = [_column_worth(analysis, column) for column in position.legal]
    board = [
        *over,
        f'<g transform="translate(0 {_WORTH})">',
        *board_parts(position),
        "</g>",
    ]
    width, height = board_size(position)
    title = f"{title_of(position)}, best column {column_name(analysis.column)}"
    return _sheet(title, board, (width, height + _WORTH), [], texts)


def record_svg(record: GameRecord) -> str:
    """A game: who played, its end with every disc numbered, how it ended, its moves."""
    numbers: dict[tuple[int, int], int] = {}
    slipped: dict[tuple[int, int], str] = {}
    slips = []
    heights = [0] * record.rules.geometry.columns
    aims = (*record.opening, *record.aimed)
    for number, (aim, column) in enumerate(zip(aims, (*record.opening, *record.landed), strict=False), 1):
        cell = (heights[column], column)
        heights[column] += 1
        numbers[cell] = number
        if aim != column:
            slipped[cell] = f"move {number} was aimed at {column_name(aim)}"
            slips.append(f"{number} from {column_name(aim)} to {column_name(column)}")
    last = Position.from_moves((*record.opening, *record.landed), record.rules.geometry)
    ending = {LINE: "a line", FULL: "the board is full"}.get(record.ending, record.ending)
    words = f": {record.words}" if record.words else ""
    texts = [
        ("result", f"{record.result}, {ending} after {counted(record.plies, 'disc')}{words}"),
        ("opening", moves_text(record.opening)),
        ("moves", moves_text(record.landed)),
        ("slipped", ", ".join(slips)),
    ]
    title = f"{title_of(last)}, {record.players[FIRST]} - {record.players[SECOND]} {record.result}"
    board = board_parts(last, numbers=numbers, slipped=slipped)
    return _sheet(title, board, board_size(last), [*record.players], texts)


def _sheet(
    title: str, board: Sequence[str], size: tuple[int, int], players: Sequence[str], texts: Sequence[Text]
) -> str:
    """The players above, the board, the texts below; those that are empty are left out."""
    width = max(size[0], _LEAST)
    parts, y = [], float(_PAD)
    for side, name in enumerate(players):
        parts += _player(side, _cut(name, width - 34), y + _ROW / 2)
        y += _ROW + 6
    left = _PAD + (width - size[0]) / 2
    parts += [f'<g transform="translate({left:g} {y:g})" text-anchor="middle">', *board, "</g>"]
    y += size[1] + 6
    for label, words in texts:
        lines = _wrapped(words, width - _LABEL)
        for number, line in enumerate(lines):
            if number == 0:
                parts.append(_text(_PAD, y + _TEXT, label, _MUTED))
            parts.append(_text(_PAD + _LABEL, y + _TEXT, line, _INK))
            y += _ROW
    wide, high = width + 2 * _PAD, y + _PAD - 4
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" width="{wide:g}" '
            f'height="{high:g}" role="img" font-family="sans-serif" font-size="{_TEXT}">',
            f"<title>{_safe(title)}</title>",
            f'<rect x="0.5" y="0.5" width="{wide - 1:g}" height="{high - 1:g}" rx="10" fill="{_SHEET}" '
            f'stroke="{_EDGE}"/>',
            *parts,
            "</svg>",
        ]
    )


def _player(side: int, name: str, y: float) -> list[str]:
    """A player's disc and name."""
    x, ink = _PAD + 11, INKS[side]
    return [
        f'<circle cx="{x}" cy="{y:g}" r="10" fill="{FACES[side]}" stroke="{RIMS[side]}" stroke-width="2"/>',
        f'<text x="{x}" y="{y + 4:g}" font-size="11" text-anchor="middle" fill="{ink}">{DISCS[side]}</text>',
        _text(x + 20, y + 4.5, name, _INK),
    ]


def _column_worth(analysis: Analysis, column: int) -> str:
    """What is said of a column, in one or two lines; framed if it is a best one."""
    first, second, colour = _short_worth(analysis, column)
    x, best = column_x(column), column in best_columns(analysis)
    parts = []
    if best:
        parts.append(
            f'<rect class="best" x="{x - CELL / 2 + 1:g}" y="1" width="{CELL - 2}" height="{_WORTH - 6}" '
            f'rx="6" fill="none" stroke="{_ACCENT}" stroke-width="2"/>'
        )
    lines = [line for line in (first, second) if line]
    for number, line in enumerate(lines):
        y = _WORTH / 2 + 1 + 12 * (number - (len(lines) - 1) / 2)
        parts.append(f'<text x="{x}" y="{y:g}" font-size="11" fill="{colour}">{line}</text>')
    return "".join(parts)


def _short_worth(analysis: Analysis, column: int) -> tuple[str, str, str]:
    """Two short lines about a column, and their colour."""
    score = analysis.scores[column] if analysis.scores else None
    value = analysis.values[column] if analysis.values else None
    if column == analysis.column and score is None and value is None:  # what is known of the position
        score, value = analysis.score if analysis.exact else None, analysis.value
    if score is not None:
        if score == 0:
            return "Draw", "", _INK
        moves = (plies_to_end(analysis.position, score) + 1) // 2
        return "Win" if score > 0 else "Loss", f"in {moves}", _GOOD if score > 0 else _BAD
    if value is not None:
        return signed(value), "", _GOOD if value > _EVEN else _BAD if value < -_EVEN else _INK
    if analysis.policy:
        return f"{analysis.policy[column]:.0%}", "", _INK
    return ("best" if column == analysis.column else ""), "", _INK


def _worth_words(analysis: Analysis) -> str:
    """What the position is worth, in words."""
    side = f"{DISCS[analysis.position.turn]} to move"
    if analysis.exact and analysis.score is not None:
        return f"{side}, {verdict(analysis.position, analysis.score)} (score {analysis.score})"
    if analysis.value is not None:
        return f"{side}, value {signed(analysis.value)}"
    if analysis.bounds is not None:
        return f"{side}, score from {analysis.bounds[0]} to {analysis.bounds[1]}"
    return side


def _text(x: float, y: float, words: str, colour: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" fill="{colour}">{_safe(words)}</text>'


def _safe(words: str) -> str:
    """The text for an SVG: escaped, and without what XML does not know."""
    return escape("".join(letter if letter.isprintable() else " " for letter in words))


def _cut(words: str, room: float) -> str:
    """The text, cut to its room."""
    most = int(room / _LETTER)
    return words if len(words) <= most else f"{words[: most - 1]}\u2026"


def _wrapped(words: str, room: float) -> list[str]:
    """The text in lines that fit the room; longer words, like those of many moves, are broken."""
    most = int(room / _LETTER)
    lines: list[str] = []
    for word in words.split():
        if lines and len(lines[-1]) + 1 + len(word) <= most:
            lines[-1] += f" {word}"
        else:
            lines += [word[start : start + most] for start in range(0, len(word), most)]
        if len(lines) > _MOST_LINES:
            return [*lines[: _MOST_LINES - 1], f"{lines[_MOST_LINES - 1][: most - 1]}\u2026"]
    return lines
