"""How the server starts, what it writes, and how it ends."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import time
from pathlib import Path

import httpx
import psutil
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


@pytest.mark.slow
def test_it_ends_while_code_is_compiled_and_leaves_no_process() -> None:
    with (
        serving("--no-prepare") as running,
        running.events("analyze/stream", board="3x14x3", agent="negamax") as events,
    ):
        server = psutil.Process(running.process.pid)
        while not (compiling := server.children()):
            assert next(events)[0] != "analysis"
        running.process.send_signal(signal.SIGTERM)
        assert list(events)[-1][0] == "analysis"
        assert running.process.wait(PATIENCE) == 0
        assert psutil.wait_procs(compiling, PATIENCE)[1] == []


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


def test_beyond_the_connections_that_may_be_open_it_is_busy() -> None:
    with serving("--no-prepare", "--connections", "3") as running:
        running.client.close()
        idle = [_connected(running) for _ in range(3)]
        with _connected(running) as late:
            answer = b"".join(iter(lambda: late.recv(65536), b""))
        assert answer.startswith(b"HTTP/1.1 429 ")
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["kind"] == "Busy"
        for line in idle:
            line.close()
        end = time.monotonic() + PATIENCE
        while (seen := httpx.get(f"{running.address}/api/health")).status_code == 429:
            assert time.monotonic() < end
        assert seen.json()["status"] == "ok"


@pytest.mark.slow  # waits for the server's patience to end
def test_who_does_not_say_what_it_wants_is_hung_up_on() -> None:
    with serving("--no-prepare") as running, _connected(running) as line:
        line.sendall(b"GET /api/health HTTP/1.1\r\nhost: localhost\r\n")
        for _ in range(3):
            time.sleep(1)
            line.sendall(b"x: y\r\n")  # every byte comes in time, and the end never does
        assert line.recv(1) == b""


def _connected(running: Running) -> socket.socket:
    host, _, port = running.address.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), timeout=PATIENCE)


def stop(running: Running) -> None:
    """End it, and see that it ends well."""
    running.process.send_signal(signal.SIGTERM)
    try:
        assert running.process.wait(PATIENCE) == 0
    except subprocess.TimeoutExpired:
        pytest.fail("it does not end")
