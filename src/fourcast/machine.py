"""The machine and the versions that figures depend on."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any

PACKAGES = ("numba", "numpy")


def machine(*packages: str) -> dict[str, Any]:
    """The versions and the processor that figures depend on.

    Args:
        packages: More packages whose versions count; those that are not installed are left out.
    """
    from fourcast import __version__

    return {
        "fourcast": __version__,
        "python": platform.python_version(),
        **{name: found for name in (*PACKAGES, *packages) if (found := _version(name))},
        "processor": _processor(),
    }


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
