"""`fourcast study`: what it says, and what it refuses."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fourcast.cli import INTERRUPTED, run
from fourcast.study.registry import NAMES
from tests.cli.command import fourcast
from tests.cli.test_ctrl_c import Deaf


def refused(*arguments: str) -> str:
    done = fourcast("study", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_the_list_has_every_study_on_a_line() -> None:
    done = fourcast("study", "list")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(NAMES)
    assert max(map(len, lines)) <= 80
    listed = json.loads(fourcast("study", "list", "--json").stdout)
    assert [each["study"] for each in listed] == list(NAMES)


def test_an_unknown_study_is_one_line() -> None:
    assert "there is no study 'chess': it is one of search, tree" in refused("chess")
    assert "list or all alone" in refused("all", "tree")


def test_a_folder_that_cannot_be_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    assert "Not a directory" in refused("tree", "--quick", "-o", str(file))
    assert file.read_text() == "mine"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_to_is_one_line(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert "Permission denied" in refused("tree", "--quick", "-o", str(tmp_path / "out"))


def test_a_page_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    page.write_text("mine")
    assert "not a report of studies" in refused("tree", "--quick", "-o", str(tmp_path))
    assert page.read_text() == "mine"


def test_a_missing_extra_is_said_before_anything_is_done(tmp_path: Path) -> None:
    script = "import sys; sys.modules['matplotlib'] = None; from fourcast.cli import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", script, "study", "tree", "--quick", "-o", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        done.stderr == "fourcast: matplotlib is not installed; bring it with: pip install 'fourcast[learn]'\n"
    )
    assert not (tmp_path / "out").exists()


def test_a_study_is_written_and_said_in_a_line(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = fourcast("study", "tree", "--quick", "-o", str(out))
    assert (done.returncode, done.stderr) == (0, "")
    first, last = done.stdout.splitlines()
    assert first.startswith("tree: 2 tables, 2 plots, 0 published figures beside ours, ")
    assert last == str(out / "report.html")
    assert "Search trees, side by side" in (out / "report.html").read_text(encoding="utf-8")


def test_ctrl_c_stops_and_the_same_command_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "fourcast", "study", "search", "--quick", "-o", str(tmp_path)]
    journal = tmp_path / "search-quick" / "measurements.jsonl"
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        while running.poll() is None and (not journal.exists() or journal.read_bytes().count(b"\n") < 3):
            time.sleep(0.02)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=60)
    assert running.returncode == 130
    assert said == f"fourcast: stopped; what is measured is in {tmp_path}, and the same command goes on\n"
    kept = journal.read_text(encoding="utf-8").splitlines()
    assert len(kept) >= 3
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        while running.poll() is None and journal.read_bytes().count(b"\n") < len(kept) + 1:
            time.sleep(0.02)
        running.kill()
    lines = journal.read_text(encoding="utf-8").splitlines()
    assert lines[: len(kept)] == kept
    asked = [json.dumps(json.loads(line)["asked"]) for line in lines[1 : len(kept) + 1]]
    assert len(asked) == len(set(asked)), "nothing is measured twice"


def test_a_ctrl_c_that_a_library_swallows_is_heeded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def conduct(*_: Any, advance: Any, **__: Any) -> Iterator[dict[str, Any]]:
        deaf = Deaf()
        del deaf
        advance("the next task", 1, 2)
        yield {}

    monkeypatch.setattr("fourcast.study.conducting.conduct", conduct)
    assert run(["study", "tree", "-o", str(tmp_path)]) == INTERRUPTED
    assert "the same command goes on" in capsys.readouterr().err
