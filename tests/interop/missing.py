"""What is said where a package is not installed."""

from __future__ import annotations

import subprocess
import sys


def says_what_to_install(module: str, package: str, extra: str) -> bool:
    """Import one of our modules in a Python without some package."""
    script = f"""
import sys
sys.modules[{package!r}] = None
import fourcast
try:
    import {module}
except fourcast.MissingExtra as missing:
    print(missing)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout == f"{package} is not installed; bring it with: pip install 'fourcast[{extra}]'\n"
