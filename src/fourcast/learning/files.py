"""Data files: written beside their place and then put there, so that nothing is ever half written."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from fourcast.extras import require
from fourcast.files import check_place, in_place
from fourcast.game.errors import BadData, BadOption, Unreadable, shown
from fourcast.learning.uci import CLASS, COLUMNS, UciSet, read_uci

FORMATS = ("csv", "uci", "parquet")


def format_of(path: Path, form: str | None, formats: Sequence[str]) -> str:
    """The format that is asked for, or else the one that the file's name says: CSV, if it says nothing.

    Raises:
        BadOption: There is no such format.
        MissingExtra: Parquet needs a package that is not installed; better said now than after hours.
    """
    if form is not None and form not in formats:
        raise BadOption(f"--format {shown(form)}: it is one of {', '.join(formats)}")
    form = form or ("parquet" if path.suffix.lower() == ".parquet" else "csv")
    if form == "parquet":
        require("pyarrow.parquet", "learn")
    return form


def write_uci(given: UciSet, path: Path, form: str | None = None) -> None:
    """Write a set as CSV with a line of names, as UCI's file without, or as Parquet (extra `learn`).

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
        columns = list(zip(*given.rows(), strict=True))
        table = arrow.table(dict(zip([*COLUMNS, CLASS], columns, strict=True)))
        with data_file(path) as fresh:
            parquet.write_table(table, fresh)
        return
    with data_file(path) as fresh, fresh.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if form != "uci":
            writer.writerow([*COLUMNS, CLASS])
        writer.writerows(given.rows())


def read_uci_file(path: Path) -> UciSet:
    """Read a file like UCI's, with a line of names or without.

    Raises:
        BadData: It is something else; the message says in which line.
        Unreadable: It cannot be read.
    """
    try:
        with path.open(encoding="utf-8") as file:
            return read_uci(file)
    except BadData as error:
        raise BadData(f"{path}, {error}") from None
    except UnicodeDecodeError:
        raise Unreadable(f"cannot read {shown(str(path))}: it is not UTF-8 text") from None
    except OSError as error:
        raise Unreadable(f"cannot read {shown(str(path))}: {error.strerror or error}") from None


@contextmanager
def data_file(path: Path) -> Iterator[Path]:
    """A file to write to, which then takes its place; if anything goes wrong, what was there stays.

    Raises:
        BadData: It cannot be written.
    """
    with _told(path), in_place(path) as fresh:
        yield fresh


def check_data_file(path: Path) -> None:
    """Say now that a file cannot be written, not when all is done.

    Raises:
        BadData: It is something else, or there is no folder for it that can be written to.
    """
    with _told(path):
        check_place(path)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """What cannot be written is told with its name."""
    try:
        yield
    except OSError as error:
        raise BadData(f"{path}: {error.strerror or error}") from None
