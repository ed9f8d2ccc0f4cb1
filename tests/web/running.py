"""A server in a process of its own, and what can be asked of it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx

PATIENCE = 240.0  # seconds: the first search of all waits for its code to be compiled


class Running:
    """A server that runs.

    Attributes:
        process: Its process.
        address: Where it is: http://127.0.0.1:PORT.
        client: Asks it.
    """

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process = process
        self.address = address
        self.client = httpx.Client(base_url=address, timeout=PATIENCE)

    def ask(self, call: str, **body: Any) -> httpx.Response:
        """POST a body to a call."""
        return self.client.post(f"/api/{call}", json=body)

    def answer(self, call: str, **body: Any) -> dict[str, Any]:
        """The same, if it is answered."""
        response = self.ask(call, **body)
        assert response.status_code == 200, response.text
        return dict(response.json())

    def fault(self, call: str, **body: Any) -> tuple[int, str, str]:
        """The status, the kind and the line of a call that is refused."""
        response = self.ask(call, **body)
        error = response.json()["error"]
        assert set(error) == {"kind", "message"}
        assert "\n" not in error["message"]
        return response.status_code, error["kind"], error["message"]

    def get(self, path: str, **headers: str) -> httpx.Response:
        """GET a path."""
        return self.client.get(path, headers=headers)

    @contextmanager
    def events(self, call: str, **body: Any) -> Iterator[Iterator[tuple[str, Any]]]:
        """The events of a stream, as they come."""
        with self.client.stream("POST", f"/api/{call}", json=body) as response:
            assert response.status_code == 200, response.read()
            assert response.headers["content-type"].startswith("text/event-stream")
            yield read_events(response.iter_lines())

    def health(self) -> dict[str, Any]:
        """How busy it is."""
        return dict(self.get("/api/health").json())

    def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Wait until its health is as wanted."""
        end = time.monotonic() + PATIENCE
        while not wanted(seen := self.health()):
            assert time.monotonic() < end, seen
            time.sleep(0.02)
        return seen


def read_events(lines: Iterator[str]) -> Iterator[tuple[str, Any]]:
    """Names and data of server-sent events."""
    name = ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


@contextmanager
def serving(*arguments: str) -> Iterator[Running]:
    """A server of its own, on any free port."""
    process = start("--port", "0", *arguments)
    try:
        server = Running(process, address_of(process))
        with server.client:
            yield server
    finally:
        process.kill()
        process.communicate()


def start(*arguments: str) -> subprocess.Popen[str]:
    """Start `fourcast serve ARGUMENTS`."""
    return subprocess.Popen(
        [sys.executable, "-m", "fourcast", "serve", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )


def address_of(process: subprocess.Popen[str]) -> str:
    """The address that a server prints when it can be asked."""
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://\S+:\d+", line)
    assert found, (line, process.stderr.read() if process.stderr else "")
    address = found[0]
    end = time.monotonic() + PATIENCE
    while True:  # the line comes when it listens, which is a moment before it answers
        try:
            httpx.get(f"{address}/api/health", timeout=PATIENCE)
            return address
        except httpx.TransportError:
            assert time.monotonic() < end
            time.sleep(0.05)
