"""How the server starts, what it writes, and how it ends."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import fourcast
from tests.web.running import PATIENCE, Running, address_of, serving, start


def test_a_port_that_is_taken_is_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        seen = fourcast("serve", "--port", str(port))
    assert seen.returncode == 2
    assert seen.stderr.count("\n") == 1
    assert f"port {port} of 127.0.0.1" in seen.stderr


def test_without_a_port_the_next_free_one_is_taken() -> None:
    first, second = start("--no-prepare"), start("--no-prepare")
    try:
        assert address_of(first) != address_of(second)
    finally:
        for process in (first, second):
            process.kill()
            process.communicate()


@pytest.mark.parametrize(
    "arguments",
    [
        ("--games", "/nowhere/games.db"),
        ("--log", "loud"),
        ("--seconds", "0"),
        ("--host", "no.such.host.invalid"),
        ("--port", "99999"),
    ],
)
def test_wrong_use_is_one_line(arguments: tuple[str, ...]) -> None:
    seen = fourcast("serve", *arguments)
    assert seen.returncode == 2
    assert seen.stderr.count("\n") == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_with_the_best_so_far_while_it_searches(number: signal.Signals) -> None:
    with (
        serving("--no-prepare") as running,
        running.events("analyze/stream", agent="minimax:depth=40") as events,
    ):
        for _, data in events:
            if data.get("nodes"):
                break
        running.process.send_signal(number)
        assert list(events)[-1][0] == "analysis"
        assert running.process.wait(PATIENCE) == 0
        assert running.process.stderr is not None
        assert running.process.stderr.read() == ""


def test_the_log_is_a_line_of_json_for_each_request(games: Path) -> None:
    with serving("--no-prepare", "--log", "json", "--games", str(games)) as running:
        running.ask("position", moves="44")
        running.get("/nowhere")
        stop(running)
        assert running.process.stderr is not None
        lines = [json.loads(line) for line in running.process.stderr.read().splitlines()]
    seen = [(line["method"], line["path"], line["status"]) for line in lines]
    assert seen[-2:] == [("POST", "/api/position", 200), ("GET", "/nowhere", 404)]
    assert {"time", "client", "bytes", "seconds"} <= set(lines[0])


def test_a_name_that_is_allowed() -> None:
    with serving("--no-prepare", "--allow-host", "four.example") as running:
        assert running.get("/api/health", host="four.example").status_code == 200
        assert running.get("/api/health").status_code == 403


def stop(running: Running) -> None:
    """End it, and see that it ends well."""
    running.process.send_signal(signal.SIGTERM)
    try:
        assert running.process.wait(PATIENCE) == 0
    except subprocess.TimeoutExpired:
        pytest.fail("it does not end")
