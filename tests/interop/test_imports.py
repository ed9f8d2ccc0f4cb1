"""Other people's packages are loaded by whoever uses them, and by nobody else."""

from __future__ import annotations

import subprocess
import sys

import pytest

PACKAGES = {"gymnasium", "pettingzoo", "pyspiel", "open_spiel"}


@pytest.mark.parametrize(
    ("command", "loaded"),
    [
        ("import fourcast, fourcast.interop; fourcast.agent_names()", set()),
        ("from fourcast.cli import run; run(['bench', 'environments', '--help'])", set()),
        ("import fourcast.bench.environments", set()),
        ("import fourcast.interop.gymnasium", {"gymnasium"}),
        ("import fourcast.interop.gymnasium_vector", {"gymnasium"}),
        ("import fourcast.interop.pettingzoo", {"gymnasium", "pettingzoo"}),
        ("import fourcast.interop.openspiel", {"pyspiel"}),
    ],
)
def test_only_what_is_used_is_loaded(command: str, loaded: set[str]) -> None:
    script = f"{command}\nimport sys\nfound = {PACKAGES} & set(sys.modules)\nassert found == {loaded}, found"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
