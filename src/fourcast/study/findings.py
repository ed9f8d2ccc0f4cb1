"""What a study comes to: sections with tables and plots, and figures beside those that were published."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from fourcast.study.wording import KINDS

Cell = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        name: Of the column in the data files, in snake_case.
        title: Of the column in the report.
        kind: How its cells are written in the report: one of `study.wording.KINDS`.
        optional: Whether a cell may be empty (None).
    """

    name: str
    title: str
    kind: str = "text"
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table.

    Attributes:
        name: Of its file.
        title: Its caption.
        columns: Its columns.
        rows: Its rows, a cell for each column.
        expected: How each row must begin, in this order: its first cell, or as many as are given. To be made
            from the settings, not from what was measured.
        note: What is to be said below it.
        shown: Whether the report has it; those that only feed a plot are in the data files alone.
    """

    name: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    expected: Sequence[Cell | Sequence[Cell]]
    note: str = ""
    shown: bool = True

    def faults(self) -> Iterator[str]:
        """What is missing or too much."""
        starts = [each if isinstance(each, list | tuple) else (each,) for each in self.expected]
        if not starts:
            yield f"table {self.name}: it expects no rows"
        if len(self.rows) != len(starts):
            yield f"table {self.name}: it has {len(self.rows)} rows, not {len(starts)}"
        for number, (row, start) in enumerate(zip(self.rows, starts, strict=False), 1):
            if len(row) != len(self.columns):
                yield f"table {self.name}, row {number}: it has {len(row)} cells, not {len(self.columns)}"
            if tuple(row[: len(start)]) != tuple(start):
                yield f"table {self.name}, row {number}: it begins with {row[: len(start)]}, not {start}"
            for column, cell in zip(self.columns, row, strict=False):
                if cell is None and not column.optional:
                    yield f"table {self.name}, row {number}: {column.name} is missing"
        for column in self.columns:
            if column.kind not in KINDS:
                yield f"table {self.name}: there is no kind {column.kind}"


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot.

    Attributes:
        name: Of its files.
        title: What it shows; above it in the report, so the drawing needs no title of its own.
        draw: Draws it on an empty matplotlib figure (`study.charts` has what is often needed).
        caption: What is to be seen in it, below.
        width: In inches; the report has room for 9.6.
        height: In inches.
    """

    name: str
    title: str
    draw: Callable[[Any], None]
    caption: str = ""
    width: float = 9.6
    height: float = 4.2


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a study's report.

    Attributes:
        title: Its heading.
        words: Paragraphs; what is between backticks is set as code.
        items: Tables and plots, in that order.
    """

    title: str
    words: Sequence[str] = ()
    items: Sequence[Table | Plot] = ()


@dataclass(frozen=True, slots=True)
class Beside:
    """What was measured here, beside a published figure.

    Attributes:
        name: That of the `Published` figure.
        measured: The figure that was measured, in words.
        remark: How they compare; where a published figure cannot be right, why.
    """

    name: str
    measured: str
    remark: str


@dataclass(frozen=True, slots=True)
class Findings:
    """What a study comes to.

    Attributes:
        sections: In the order of the report.
        beside: A figure for each that was published.
    """

    sections: Sequence[Section]
    beside: Sequence[Beside] = ()

    @property
    def tables(self) -> list[Table]:
        """The tables of all sections."""
        return [each for each in self._items if isinstance(each, Table)]

    @property
    def plots(self) -> list[Plot]:
        """The plots of all sections."""
        return [each for each in self._items if isinstance(each, Plot)]

    @property
    def _items(self) -> Iterator[Table | Plot]:
        return chain.from_iterable(section.items for section in self.sections)

    def faults(self, published: Sequence[str]) -> Iterator[str]:
        """What is wrong with tables, names and the figures beside the published ones.

        Args:
            published: The names of the published figures.
        """
        for table in self.tables:
            yield from table.faults()
        for kind, names in (
            ("tables", [each.name for each in self.tables]),
            ("plots", [each.name for each in self.plots]),
        ):
            for name in sorted({name for name in names if names.count(name) > 1}):
                yield f"{name}: two {kind} have this name"
        measured = {each.name: each.measured for each in self.beside if each.measured.strip()}
        for name in published:
            if name not in measured:
                yield f"published figure {name}: there is none measured beside it"
        for name in measured:
            if name not in published:
                yield f"measured figure {name}: none was published"
