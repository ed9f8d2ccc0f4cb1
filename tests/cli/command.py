"""Running the real command."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping


def fourcast(
    *arguments: str, stdin: str = "", environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run `fourcast ARGUMENTS` in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "fourcast", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        env=os.environ | (environment or {}),
        timeout=300,
        check=False,
    )
