"""The kernels without Numba: their own sources, run as plain Python.

Kernels lean on five modules that speak to the machine. Each has a twin here which does the same with Python's
integers; `stand_in` puts the twins in their places, and from then on whatever imports a kernel gets a Python
function. It is some hundreds of times slower, and gives the same answers.

It is for places where Numba is not to be had, like a file that somebody else runs. Fourcast itself never
falls back to it.
"""

from __future__ import annotations

import sys
from importlib import import_module

TWINS = ("words", "memory", "clock", "board", "distinct")


def stand_in() -> None:
    """Put the twins in the places of the modules that need Numba.

    Raises:
        RuntimeError: A kernel has been imported already, and is compiled.
    """
    plain = __name__
    kernels = plain.rpartition(".")[0]
    twins = {f"{kernels}.{name}": import_module(f"{plain}.{name}") for name in TWINS}
    for name, twin in twins.items():
        if sys.modules.setdefault(name, twin) is not twin:
            raise RuntimeError(f"{name} is in use: the plain kernels come before the first import of any")
