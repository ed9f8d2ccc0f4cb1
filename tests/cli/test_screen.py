"""What a bar of progress shows where there is little room."""

from __future__ import annotations

import io
import re
import sys

import pytest

from fourcast.cli.screen import progress


class Terminal(io.StringIO):
    """Text that was written to a terminal."""

    def isatty(self) -> bool:
        return True


def narrow(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal of 80 columns as stderr."""
    found = Terminal()
    monkeypatch.setattr(sys, "stderr", found)
    for name, value in (("COLUMNS", "80"), ("LINES", "24"), ("TERM", "xterm")):
        monkeypatch.setenv(name, value)
    return found


def rows_of(terminal: Terminal) -> list[str]:
    """The rows that were shown, without colours."""
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.getvalue())
    return [row for row in re.split(r"[\r\n]+", text) if row.strip()]


@pytest.mark.parametrize(
    ("words", "seen"),
    [
        ("training: loss 12.360, good 100.0%, perfect 100.0%, 111,934/s", "perfect 100.0%, 111,934/s ━"),
        ("training: " + 20 * "very long words ", "words ver… ━"),
    ],
)
def test_share_and_time_left_are_whole_in_80_columns(
    words: str, seen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = narrow(monkeypatch)
    with progress() as advance:
        advance(words, 92, 100)
        advance(words, 93, 100)
    row = rows_of(terminal)[-1]
    assert len(row) <= 80
    assert seen in row
    assert re.search(r" 93% (\d:\d\d:\d\d|-:--:--)$", row.rstrip())
