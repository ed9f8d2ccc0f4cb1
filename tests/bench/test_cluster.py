"""The bench of clusters: everything is measured by everybody, on nodes that it starts and ends itself."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from fourcast.bench.cluster import HERE, ONE_NODE, PROCESSES, TWO_NODES, ClusterReport, chores
from fourcast.bench.nodes import end_sessions, session_processes
from tests.cli.command import fourcast
from tests.nodes import needs_ray


@needs_ray
@pytest.mark.slow
def test_everything_is_measured_by_everybody_and_no_node_stays(tmp_path: Path) -> None:
    mark = {"FOURCAST_TEST_MARK": str(tmp_path)}  # other tests have nodes too, at the same time
    done = fourcast(
        *("bench", "cluster", "--share", "0.01", "--repeat", "1", "--json"), environment=mark, timeout=300
    )
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert report["complete"]
    assert list(report["rates"]) == [chore.name for chore in chores(1)]
    for rates in report["rates"].values():
        assert set(rates) == {HERE, PROCESSES, ONE_NODE, TWO_NODES}
        assert min(rates.values()) > 0
    assert not processes_with(mark)


def processes_with(mark: dict[str, str]) -> list[psutil.Process]:
    """The processes that have these in their environment."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if mark.items() <= process.environ().items() and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


STUBBORN = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print(flush=True)
time.sleep(60)
"""
APART = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {STUBBORN!r}], process_group=0)"


def test_nothing_is_left_of_a_session_that_does_not_want_to_end() -> None:
    command = [sys.executable, "-c", APART]
    with subprocess.Popen(command, start_new_session=True, stdout=subprocess.PIPE) as node:
        assert node.stdout is not None
        node.stdout.readline()
        assert len(session_processes([node.pid])) == 2
        end_sessions([node.pid])
        assert not session_processes([node.pid])


def test_the_table_says_how_many_times_as_many() -> None:
    report = ClusterReport({"games": {HERE: 20.0, PROCESSES: 40.0, ONE_NODE: 19.0}, "labels": {}})
    *_, games, labels = report.to_text().splitlines()
    assert games.split() == ["games", "20", "40", "2.00x", "19", "0.95x"]
    assert labels.split() == ["labels"]
    assert all(len(line) <= 80 for line in report.to_text().splitlines())
