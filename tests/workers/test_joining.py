"""Joining a cluster: what is no address, who does not answer, and nodes that are not like us."""

from __future__ import annotations

import socket
import sys

import pytest

import fourcast
from fourcast.game.errors import MissingExtra, WorkersLost
from fourcast.workers import cluster
from fourcast.workers.cluster import ClusterWorkers
from tests.nodes import needs_ray


@needs_ray
@pytest.mark.parametrize(
    "address", ["nonsense", "127.0.0.1:", ":6379", "127.0.0.1:70000", "ray://127.0.0.1:1", "x:٣"]
)
def test_an_address_is_a_host_and_a_port(address: str) -> None:
    with pytest.raises(WorkersLost, match="HOST:PORT"):
        ClusterWorkers(address)


@needs_ray
def test_nobody_answers() -> None:
    with socket.socket() as silent:  # bound, and does not listen
        silent.bind(("127.0.0.1", 0))
        with pytest.raises(WorkersLost, match="nobody answers"):
            ClusterWorkers(f"127.0.0.1:{silent.getsockname()[1]}")


@needs_ray
@pytest.mark.slow
def test_something_else_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_REHEARSAL_TIME", 2.0)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(WorkersLost, match="is it a Ray cluster"):
            ClusterWorkers(f"127.0.0.1:{other.getsockname()[1]}")


def test_without_ray_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"fourcast\[cluster\]"):
        ClusterWorkers("127.0.0.1:6379")


def test_a_node_without_fourcast_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    task = cluster._task(".", "fourcast.arena.roster", "play_some")
    monkeypatch.setitem(sys.modules, "fourcast", None)
    with pytest.raises(RuntimeError, match=f"no Fourcast .* install {fourcast.__version__} there"):
        task(b"")


def test_a_node_with_another_version_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    task = cluster._task(".", "fourcast.arena.roster", "play_some")
    monkeypatch.setattr(fourcast, "__version__", "99.0")
    with pytest.raises(RuntimeError, match=r"has Fourcast 99\.0, and this is"):
        task(b"")
