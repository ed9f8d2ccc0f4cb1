"""Running the real command, with pipes or on a terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence


def fourcast(
    *arguments: str, stdin: str = "", environment: Mapping[str, str] | None = None, timeout: float = 300
) -> subprocess.CompletedProcess[str]:
    """Run `fourcast ARGUMENTS` in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "fourcast", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        env=os.environ | (environment or {}),
        timeout=timeout,
        check=False,
    )


def on_a_terminal(*arguments: str, environment: Mapping[str, str]) -> str:
    """What `fourcast ARGUMENTS` writes to stdout where that is a terminal."""
    ours, theirs = pty.openpty()
    process = start(arguments, stdout=theirs, environment=environment)
    os.close(theirs)
    seen = read_until(ours, None)
    _, stderr = process.communicate(timeout=60)
    os.close(ours)
    assert (process.returncode, stderr) == (0, "")
    return seen.decode()


def start(
    arguments: Sequence[str],
    *,
    stdin: int | None = None,
    stdout: int = subprocess.PIPE,
    stderr: int = subprocess.PIPE,
    environment: Mapping[str, str] | None = None,
) -> subprocess.Popen[str]:
    """Start `fourcast ARGUMENTS` and go on."""
    return subprocess.Popen(
        [sys.executable, "-m", "fourcast", *arguments],
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        text=True,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "80", **(environment or {})},
    )


def read_until(terminal: int, wanted: bytes | None) -> bytes:
    """Read a terminal's screen until something is seen on it, or to its end."""
    seen = b""
    while wanted is None or wanted not in seen:
        try:
            chunk = os.read(terminal, 65536)
        except OSError:  # how Linux says that the other end is closed
            chunk = b""
        if not chunk:
            assert wanted is None, f"{wanted!r} was not seen in {seen!r}"
            break
        seen += chunk
    return seen


def open_terminal(columns: int = 80) -> tuple[int, int]:
    """Our end and their end of a terminal of that width."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    return ours, theirs


def lines_left(written: bytes) -> list[str]:
    """What is to be seen in the end on a terminal that was written to, without colours."""
    lines: list[str] = []
    for line in re.sub(r"\x1b\[\d*m", "", written.decode()).split("\n"):
        shown = ""
        for part in line.rstrip("\r").split("\r"):
            text, erases, rest = part.partition("\x1b[K")
            shown = text + (rest if erases else shown[len(text) :])
        lines.append(shown.rstrip())
    return lines
