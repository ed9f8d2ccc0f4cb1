"""Packages that bring agents, as anybody could install them."""

from __future__ import annotations

import os
from pathlib import Path
from textwrap import dedent

PARROT = """
    from fourcast.agents import register
    from fourcast.agents.options import one_of, whole
    from fourcast.game.analysis import Analysis

    FEATHERS = whole("feathers", 12, "how many it has")
    WORD = one_of("word", "hello", ("hello", "bye"), "what it says")

    @register("parrot", FEATHERS, WORD)
    class Parrot:
        '''Repeats itself in the leftmost open column.'''

        def __init__(self, rules, seed, *, feathers, word):
            self.word = word

        def new_game(self):
            print(f"parrot: {self.word}")

        def analyze(self, position, limit):
            return Analysis(position, position.legal[0])
"""

SLEEPER = """
    import time
    from fourcast.agents import register

    @register("sleeper")
    class Sleeper:
        '''Thinks for ever, and cannot be stopped.'''

        def __init__(self, rules, seed):
            pass

        def analyze(self, position, limit):
            time.sleep(1000)
"""


def install(folder: Path, **modules: str) -> dict[str, str]:
    """Put modules that bring agents into a folder, each with its metadata.

    Returns:
        The environment that makes Python find them.
    """
    for name, source in modules.items():
        (folder / f"{name}.py").write_text(dedent(source))
        facts = folder / f"{name}-1.0.dist-info"
        facts.mkdir()
        (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (facts / "entry_points.txt").write_text(f"[fourcast.agents]\n{name} = {name}\n")
    paths = filter(None, [str(folder), os.environ.get("PYTHONPATH")])
    return {"PYTHONPATH": os.pathsep.join(paths)}
