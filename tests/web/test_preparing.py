"""What is compiled for searches, by a process of its own."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from fourcast.web.preparing import NotPrepared, Preparing
from fourcast.web.settings import Settings


@pytest.mark.skipif(sys.platform == "win32", reason="the process is played by a shell script")
def test_what_is_being_compiled_goes_on_without_who_asked_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "compiler"
    script.write_text("#!/bin/sh\nexec sleep 60\n")
    script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(script))
    preparing, gone = Preparing(Settings()), SimpleNamespace(is_stopped=True)

    def ask(key: str) -> Any:
        with pytest.raises(NotPrepared):
            preparing._compile(gone, (key,), "4x5x3", "0", "mcts")  # type: ignore[arg-type]
        assert preparing._left is not None
        return preparing._left[1]

    process = ask("one")
    assert process.poll() is None
    assert ask("one") is process, "who asks for the same waits for the same"
    other = ask("other")
    assert process.poll() is not None, "one at a time"
    preparing.close()
    assert other.poll() is not None
