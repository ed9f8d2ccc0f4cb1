"""Data files: written beside their place and then put there, so that nothing is ever half written."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fourcast.extras import require
from fourcast.files import in_place
from fourcast.game.errors import BadData
from fourcast.learning.uci import CLASS, COLUMNS, UciSet

FORMATS = ("csv", "uci", "parquet")


def write_uci(given: UciSet, path: Path, form: str) -> None:
    """Write a set as CSV with a line of names, as UCI's file without, or as Parquet (extra `learn`).

    Raises:
        BadData: It cannot be written.
        MissingExtra: Parquet needs a package that is not installed.
    """
    if form == "parquet":
        arrow, parquet = require("pyarrow", "learn"), require("pyarrow.parquet", "learn")
        columns = list(zip(*given.rows(), strict=True))
        table = arrow.table(dict(zip([*COLUMNS, CLASS], columns, strict=True)))
        with data_file(path) as fresh:
            parquet.write_table(table, fresh)
        return
    with data_file(path) as fresh, fresh.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if form == "csv":
            writer.writerow([*COLUMNS, CLASS])
        writer.writerows(given.rows())


@contextmanager
def data_file(path: Path) -> Iterator[Path]:
    """A file to write to, which then takes its place; if anything goes wrong, what was there stays.

    Raises:
        BadData: It cannot be written.
    """
    try:
        with in_place(path) as fresh:
            yield fresh
    except OSError as error:
        raise BadData(f"{path}: {error.strerror or error}") from None
