"""Files of labelled positions: a line of CSV, or a row of a Parquet table, for each.

| column | what it is |
|---|---|
| `board` | the board, `6x7x4`; the same in all rows |
| `moves` | one way to reach the position, a move string |
| `ply` | how many discs have been dropped; where it is odd, the second player is to move |
| `cells` | its cells, column by column from the left, each from the bottom: `x`, `o`, and `b` for empty |
| `score` | the exact score, from the side to move; or instead |
| `value` | what an agent thinks it worth to the side to move, in [-1, 1] |
| `best` | the best columns, as in move strings: `345` |
| `scores` | the exact score of each column from the left, `.` where it is full: `-3 -2 . 4` |
| `values` | instead of it, what the agent thinks each worth, `.` where it is full or the agent does not say |
| `slip` | the chance of a slip that the agent reckoned with, the same in all rows; only where there is one |
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from fourcast.extras import require
from fourcast.game.errors import BadData, FourcastError, Unreadable, shown
from fourcast.game.geometry import Geometry
from fourcast.kernels.batch import Batch
from fourcast.learning.files import data_file, format_of
from fourcast.learning.labelled import (
    MOST_POSITIONS,
    LabelledSet,
    Place,
    best_of,
    cells_texts,
    check_labels,
    columns_texts,
    flags_of,
    replay,
    worths_of,
    worths_texts,
)

FORMATS = ("csv", "parquet")
_NEEDED, _OTHERS = ("board", "moves"), ("ply", "cells", "score", "value", "best", "scores", "values", "slip")
_MOST_LINE = 2000  # characters; a line has some 400 at most
_WHOLE = re.compile(r"-?[0-9]{1,4}")
_BLOCK = 65_536  # positions that are written at once


def write_positions(given: LabelledSet, path: Path, form: str | None = None) -> None:
    """Write a set as CSV or Parquet (extra `learn`); the file takes its place when it is complete.

    Args:
        given: The set.
        path: The file.
        form: One of `FORMATS`; None goes by the file's name.

    Raises:
        BadData: It cannot be written.
        MissingExtra: Parquet needs a package that is not installed.
    """
    if format_of(path, form, FORMATS) == "parquet":
        arrow, parquet = require("pyarrow", "learn"), require("pyarrow.parquet", "learn")
        with data_file(path) as fresh:
            parquet.write_table(arrow.table(_columns(given, 0, len(given))), fresh)
        return
    with data_file(path) as fresh, fresh.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(_columns(given, 0, 0))
        for start in range(0, len(given), _BLOCK):
            columns = _columns(given, start, start + _BLOCK).values()
            writer.writerows(zip(*(_plain(column) for column in columns), strict=True))


def _columns(given: LabelledSet, start: int, end: int) -> dict[str, Any]:
    """The columns of a file, for some of the positions."""
    batch = Batch(given.geometry, given.stones[start:end])
    columns: dict[str, Any] = {
        "board": [str(given.geometry)] * len(batch),
        "moves": list(given.moves[start:end]),
        "ply": given.plies[start:end].astype(np.int16),
        "cells": cells_texts(batch),
    }
    if given.scores is not None:
        columns["score"] = given.scores[start:end]
    if given.values is not None:
        columns["value"] = given.values[start:end]
    if given.best is not None:
        columns["best"] = columns_texts(given.best[start:end])
    if given.columns is not None:
        texts = worths_texts(given.columns[start:end])
        columns["values" if given.scores is None else "scores"] = texts
    if given.slip:
        columns["slip"] = [given.slip] * len(batch)
    return columns


def _plain(column: Any) -> list[Any]:
    """A column as Python has it, so that numbers are written to their last digit."""
    plain: list[Any] = column.tolist() if isinstance(column, np.ndarray) else column
    return plain


def read_positions(path: Path) -> LabelledSet:
    """Read a set that `write_positions` has written, or one like it, and check all of it.

    `board`, `moves` and either `score` or `value` are needed; the others are looked at where they are. The
    best columns follow from `scores`.

    Raises:
        BadData: It is not such a set; the message says in which line or row.
        Unreadable: The file cannot be read.
        MissingExtra: Parquet needs a package that is not installed.
    """
    try:
        with path.open("rb") as file:
            is_parquet = file.read(4) == b"PAR1"
        if is_parquet:
            return _checked(_read_parquet(path), lambda index: f"{path}, row {index + 1}", path)
        with path.open(encoding="utf-8", newline="") as text:
            return _checked(_read_csv(text, path), lambda index: f"{path}, line {index + 2}", path)
    except UnicodeDecodeError:
        raise Unreadable(f"cannot read {shown(str(path))}: it is not UTF-8 text") from None
    except OSError as error:
        raise Unreadable(f"cannot read {shown(str(path))}: {error.strerror or error}") from None


def _read_csv(file: TextIO, path: Path) -> dict[str, list[Any]]:
    """The columns of a CSV file by name."""
    rows = csv.reader(_short_lines(file, path))
    try:
        names = next(rows, [])
        _check_names(names, path)
        columns: list[list[Any]] = [[] for _ in names]
        for row in rows:
            if len(row) != len(names):
                raise BadData(f"{path}, line {rows.line_num}: {len(row)} fields, not {len(names)}")
            if len(columns[0]) == MOST_POSITIONS:
                raise BadData(f"{path}: there are more than {MOST_POSITIONS:,} positions")
            for column, field in zip(columns, row, strict=True):
                column.append(field)
    except csv.Error as error:
        raise BadData(f"{path}, line {rows.line_num}: {error}") from None
    return dict(zip(names, columns, strict=True))


def _short_lines(file: TextIO, path: Path) -> Iterator[str]:
    """The lines of a file, none of them endless."""
    number = 0
    while line := file.readline(_MOST_LINE):
        number += 1
        if len(line) == _MOST_LINE:
            raise BadData(f"{path}, line {number}: it has {_MOST_LINE:,} characters or more")
        yield line


def _read_parquet(path: Path) -> dict[str, list[Any]]:
    """The columns of a Parquet file by name."""
    arrow, parquet = require("pyarrow", "learn"), require("pyarrow.parquet", "learn")
    try:
        with parquet.ParquetFile(path) as file:
            _check_names(file.schema_arrow.names, path)
            if file.metadata.num_rows > MOST_POSITIONS:
                raise BadData(f"{path}: there are more than {MOST_POSITIONS:,} positions")
            found: dict[str, list[Any]] = file.read().to_pydict()
    except (arrow.ArrowException, OSError) as error:  # of either kind, as the damage has it
        raise BadData(f"{path}: it is damaged: {' '.join(str(error).split())[:200]}") from None
    return found


def _check_names(names: Sequence[str], path: Path) -> None:
    known = (*_NEEDED, *_OTHERS)
    missing = [name for name in _NEEDED if name not in names]
    if missing or ("score" in names) == ("value" in names):
        lacks = missing[0] if missing else "either score or value"
        raise BadData(f"{path}: it is no set of positions: its columns need {lacks}")
    for name, beside in (("scores", "score"), ("values", "value")):
        if name in names and beside not in names:
            raise BadData(f"{path}: column {name} goes with {beside}")
    for index, name in enumerate(names):
        if name not in known or name in names[:index]:
            raise BadData(f"{path}: column {shown(name)} is none of {', '.join(known)}, each once")


def _checked(columns: dict[str, list[Any]], place: Place, path: Path) -> LabelledSet:
    """A set from its columns, if all of it is sound."""
    for name in ("board", "moves", "cells", "best", "scores", "values"):
        for index, text in enumerate(columns.get(name, ())):
            if not isinstance(text, str):
                raise BadData(f"{place(index)}: {name} {shown(text)} is not a text")
    boards = columns["board"]
    if not boards:
        raise BadData(f"{path}: there is no position in it")
    try:
        geometry = Geometry.parse(boards[0])
    except FourcastError as error:
        raise BadData(f"{place(0)}: {error}") from None
    for index, board in enumerate(boards):
        if board != boards[0]:
            raise BadData(f"{place(index)}: board {shown(board)}, and {geometry} before")
    numbers: dict[str, list[int]] = {
        name: [_whole(name, given, place, index) for index, given in enumerate(columns[name])]
        for name in ("ply", "score")
        if name in columns
    }
    values, slips = (
        [_number(name, given, place, index) for index, given in enumerate(columns.get(name, ()))]
        for name in ("value", "slip")
    )
    if slips and (not 0 <= slips[0] < 1 or "score" in columns):
        raise BadData(f"{place(0)}: slip {slips[0]:g}: it is a number in [0, 1), and exact scores know none")
    for index, slip in enumerate(slips):
        if slip != slips[0]:
            raise BadData(f"{place(index)}: slip {slip}, and {slips[0]} before")
    name = "values" if "value" in columns else "scores"
    worths = worths_of(columns[name], geometry, name, place) if name in columns else None
    best = flags_of(columns["best"], geometry, place) if "best" in columns else None
    if best is None and name == "scores" and worths is not None:
        best = best_of(worths)
    made = LabelledSet(
        geometry,
        replay(geometry, columns["moves"], place),
        tuple(columns["moves"]),
        scores=np.array(numbers["score"], dtype=np.int16) if "score" in numbers else None,
        values=np.array(values) if "value" in columns else None,
        best=best,
        columns=worths,
        slip=slips[0] if slips else 0.0,
    )
    given = columns | numbers
    for name, ours in (("ply", made.plies.tolist()), ("cells", cells_texts(made.batch))):
        for index, (here, there) in enumerate(zip(ours, given.get(name, ours), strict=True)):
            if here != there:
                raise BadData(f"{place(index)}: {name} {shown(there)} is not that of the moves")
    check_labels(made, place)
    return made


def _whole(name: str, given: object, place: Place, index: int) -> int:
    """A whole number of a file, from text or as it is."""
    if isinstance(given, str) and _WHOLE.fullmatch(given):
        return int(given)
    if isinstance(given, int) and not isinstance(given, bool) and abs(given) < 10_000:
        return given
    raise BadData(f"{place(index)}: {name} {shown(given)} is not a whole number, or far too large")


def _number(name: str, given: object, place: Place, index: int) -> float:
    """A number of a file; whether it can be is looked at later."""
    try:
        if isinstance(given, str | float | int) and not isinstance(given, bool):
            return float(given)
    except (ValueError, OverflowError):
        pass
    raise BadData(f"{place(index)}: {name} {shown(given)} is not a number")
