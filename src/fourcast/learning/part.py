"""What is done of a set that is being made, kept in a file beside it, so that nothing is done twice.

What is measured for a study is kept the same way.

The first line says what was asked for; every further line is a step that is done. All are JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Any

from fourcast.files import claim
from fourcast.game.errors import BadData
from fourcast.learning.files import data_file

VERSION = 2


def part_of(path: Path) -> Path:
    """The file beside a set in which is kept what is done of it."""
    return path.with_name(path.name + ".part")


class Part:
    """The steps that are done. Use it as a context manager; a file without any step is not left behind.

    Attributes:
        path: The file; None keeps nothing.

    Raises:
        BadData: The file cannot be written, is of another set, damaged, or another process is at work on it.
    """

    def __init__(
        self, path: Path | None, request: dict[str, object], kind: str = "positions", version: int = VERSION
    ) -> None:
        """Open what is kept, or begin.

        Args:
            path: The file.
            request: What is asked for; a file that was begun for anything else is refused.
            kind: What is made: "positions" are a set.
            version: Of the lines.
        """
        self.path = path
        self._whole = "set" if kind == "positions" else kind
        self._steps: list[dict[str, Any]] = []
        self._file: FileIO | None = None
        self._is_empty = False
        if path is None:
            return
        header = json.dumps({f"fourcast {kind}": version} | request).encode() + b"\n"
        try:
            if not path.exists():
                with data_file(path) as fresh:
                    fresh.write_bytes(header)
            self._file = path.open("r+b", buffering=0)  # so that nothing is tried again if the disk is full
            claim(self._file)
            whole = self._read(path.read_bytes(), header)
            self._file.truncate(whole)
            self._file.seek(whole)
            self._is_empty = not self._steps
        except OSError as error:
            self.close()
            raise BadData(f"{path}: {error.strerror or error}") from None
        except BadData:
            self.close()
            raise

    def _read(self, data: bytes, header: bytes) -> int:
        """Take the steps from what is in the file; up to where it is good."""
        if not data.startswith(header):
            raise BadData(
                f"{self.path} was begun for another {self._whole}, or is damaged: remove it, or write to "
                "another file"
            )
        whole = data.rfind(b"\n") + 1  # what follows was being written when the end came
        for number, line in enumerate(data[len(header) : whole].splitlines(), start=2):
            try:
                step = json.loads(line)
            except ValueError:
                step = None
            if not isinstance(step, dict):
                raise BadData(f"{self.path}, line {number}: it is damaged; remove the line, or the file")
            self._steps.append(step)
        return whole

    def __enter__(self) -> Part:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file, which stays if there is anything in it."""
        if self._file is not None:
            self._file.close()
            self._file = None
            if self._is_empty and self.path is not None:
                self.path.unlink(missing_ok=True)

    def forget(self) -> None:
        """Leave no file behind: there is nothing to go on with."""
        self._is_empty = True

    def take(self, name: str) -> Iterator[dict[str, Any]]:
        """The steps that were done before and have an entry of that name."""
        return (step for step in self._steps if name in step)

    def add(self, step: dict[str, Any]) -> None:
        """Keep a step that is done.

        Raises:
            BadData: It cannot be written; what was kept before is still good.
        """
        if self._file is None:
            return
        line = memoryview(json.dumps(step, separators=(",", ":")).encode() + b"\n")
        try:
            while line:
                line = line[self._file.write(line) or 0 :]
            self._is_empty = False
        except OSError as error:
            raise BadData(f"{self.path}: {error.strerror or error}") from None

    def place(self, index: int) -> str:
        """What to call a position of the file in a message."""
        return f"{self.path} is damaged, remove it: position {index + 1}"
