"""A process that has an exported file and nothing of Fourcast."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

# Loads the file as Kaggle does, and answers questions: what to call, with what.
SCRIPT = """
import json, sys
path, blocked, questions = json.loads(sys.stdin.read())
for name in blocked:
    sys.modules[name] = None
if "folders" in blocked:
    import tempfile
    def mkdtemp(*_, **__): raise OSError("nothing can be written")
    tempfile.mkdtemp = mkdtemp
env = {}
exec(compile(open(path).read(), path, "exec"), env)
last = [value for value in env.values() if callable(value)][-1]

class Struct(dict):
    __getattr__ = dict.__getitem__

answers = []
for question in questions:
    try:
        if "player" in question:
            import numpy as np
            player = np.int64(question["player"]) if question.get("numpy") else question["player"]
            answer = last(player).make_move(np.array(question["state"]))
        else:
            answer = last(Struct(question["observation"]), Struct(question["configuration"]))
        answers.append(answer)
    except Exception as error:
        answers.append(f"{type(error).__name__}: {error}")
print(json.dumps({"last": last.__name__, "compiled": env["COMPILED"], "answers": answers}))
"""


def ask(
    path: Path,
    questions: Sequence[dict[str, Any]],
    *,
    cache: Path,
    numba: bool = False,
    folders: bool = True,
) -> dict[str, Any]:
    """What the file says to questions.

    Args:
        path: The file.
        questions: An observation and a configuration each, or a player ("numpy": one of NumPy's) and
            a state.
        cache: The user's cache folder.
        numba: Whether there is Numba.
        folders: Whether folders can be written to.
    """
    blocked = ["fourcast", *([] if numba else ["numba", "llvmlite"]), *([] if folders else ["folders"])]
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input=json.dumps([str(path), blocked, list(questions)]),
        capture_output=True,
        text=True,
        env=os.environ | {"XDG_CACHE_HOME": str(cache if folders else "/dev/null/none")},
        timeout=280,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stderr
    said: dict[str, Any] = json.loads(ran.stdout)
    return said


def kaggle_question(cells: Sequence[int], mark: int = 1, overage: float = 0.0, **more: Any) -> dict[str, Any]:
    """What Kaggle asks on the standard board, if nothing else is said."""
    configuration = {"rows": 6, "columns": 7, "inarow": 4, "actTimeout": 2, "timeout": 2} | more
    return {
        "observation": {"board": list(cells), "mark": mark, "step": 0, "remainingOverageTime": overage},
        "configuration": configuration,
    }
