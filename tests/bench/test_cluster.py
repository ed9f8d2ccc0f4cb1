"""The bench of clusters: everything is measured by everybody, on nodes that it starts and ends itself."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from fourcast.bench.cluster import HERE, ONE_NODE, PROCESSES, TWO_NODES, ClusterReport, chores
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


def test_the_table_says_how_many_times_as_many() -> None:
    report = ClusterReport({"games": {HERE: 20.0, PROCESSES: 40.0, ONE_NODE: 19.0}, "labels": {}})
    *_, games, labels = report.to_text().splitlines()
    assert games.split() == ["games", "20", "40", "2.00x", "19", "0.95x"]
    assert labels.split() == ["labels"]
    assert all(len(line) <= 80 for line in report.to_text().splitlines())
