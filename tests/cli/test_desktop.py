"""`fourcast desktop`: starting it, leaving it, and what can be wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import fourcast
from tests.packages import SLEEPER, install

UNSEEN = {"SDL_VIDEODRIVER": "dummy"}

#: Runs the command, and leaves its window as soon as somebody thinks: by QUIT or by CTRL-C.
LEAVING = """
import os, signal, sys, threading, time
import pygame
from fourcast.desktop.window import Window

def leave():
    while not (windows and windows[0].session.thought):
        time.sleep(0.01)
    if sys.argv[1] == "QUIT":
        pygame.event.post(pygame.event.Event(pygame.QUIT))
    else:
        os.kill(os.getpid(), signal.SIGINT)

windows = []
begin = Window.__init__
Window.__init__ = lambda self, *given: (begin(self, *given), windows.append(self))[0]
threading.Thread(target=leave, daemon=True).start()
from fourcast.cli import main
main(sys.argv[2:])
"""


def leave_while_it_thinks(
    how: str, *arguments: str, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", LEAVING, how, "desktop", *arguments],
        capture_output=True,
        text=True,
        env=os.environ | UNSEEN | (environment or {}) | {"PYGAME_HIDE_SUPPORT_PROMPT": "1"},
        timeout=120,
        check=False,
    )


def test_a_window_that_is_closed_says_how_to_go_on() -> None:
    done = leave_while_it_thinks("QUIT", "44", "--first", "minimax:depth=20", "--limit", "10min")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "Left after 2 moves. Go on with: fourcast desktop 44 --first minimax:depth=20 --limit 10min\n"
    )


def test_an_agent_that_cannot_be_stopped_keeps_nobody_waiting(tmp_path: Path) -> None:
    environment = install(tmp_path, sleepers=SLEEPER)
    done = leave_while_it_thinks("QUIT", "4", "--second", "sleeper", environment=environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "Left after 1 move. Go on with: fourcast desktop 4 --second sleeper\n"


def test_ctrl_c_closes_the_window_and_says_how_to_go_on() -> None:
    done = leave_while_it_thinks("CTRL-C", "4", "--second", "minimax:depth=20", "--limit", "10min")
    assert (done.returncode, done.stderr) == (130, "fourcast: stopped\n")
    assert done.stdout.startswith(
        "Left after 1 move. Go on with: fourcast desktop 4 --second minimax:depth=20"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--second", "nobody"], "there is no agent 'nobody'; known: "),
        (["--second", "cnn", "--board", "4x5x4"], "agent cnn has no network for board 4x5x4"),
        (["--board", "4x4"], "board '4x4'"),
        (["--limit", "soon"], "limit 'soon': write a time"),
        (["--slip", "1"], "slip 1.0: it must be a number in [0, 1)"),
        (["--size", "big"], "--size 'big': write it like 1080x760"),
        (["--size", "100x100"], "--size '100x100': each side takes 240 to 16000 pixels"),
        (["99"], "move 1: column '9' is off the board, which has 7 columns"),
    ],
)
def test_wrong_options_are_one_line_and_a_2(arguments: list[str], message: str) -> None:
    done = fourcast("desktop", *arguments, environment=UNSEEN)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"fourcast: {message}")
    assert len(done.stderr.splitlines()) == 1


def test_without_a_display_it_is_one_line_and_a_2() -> None:
    nowhere = {"SDL_VIDEODRIVER": "", "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    done = fourcast("desktop", environment=nowhere)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("fourcast: no window can be opened: ")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("module", "message"),
    [
        ("raise ModuleNotFoundError(name='pygame')", "pygame is not installed; bring it with: pip install"),
        ("", "pygame is installed, and the window needs pygame-ce: pip uninstall pygame"),
    ],
)
def test_without_the_extra_it_says_what_to_install(tmp_path: Path, module: str, message: str) -> None:
    (tmp_path / "pygame.py").write_text(module)
    paths = filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")])
    done = fourcast("desktop", environment={"PYTHONPATH": os.pathsep.join(paths)})
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"fourcast: {message}")
    assert "'fourcast[desktop]'" in done.stderr
