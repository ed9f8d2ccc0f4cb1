"""Agents that misbehave, each in its own way; the tests write them into files."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent


@dataclass(frozen=True)
class Bad:
    """An agent that fails.

    Attributes:
        source: The program.
        reason: How its failure is called.
        says: Part of the message.
    """

    source: str
    reason: str
    says: str


def inside(*body: str, reason: str, says: str) -> Bad:
    """A Kaggle agent that does something bad when it is asked for a move."""
    lines = "\n".join(f"    {line}" for line in body)
    imports = "import ctypes, os, random, signal, sys, time\n"
    return Bad(f"{imports}def agent(observation, configuration):\n{lines}\n", reason, says)


#: Python files. Those that might eat the machine stop by themselves, far beyond what they may have.
FILES = {
    "sleeps": inside("time.sleep(600)", reason="timeout", says="no answer within 0.3 s"),
    "sleeps-soundly": inside(
        "for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):",
        "    signal.signal(number, signal.SIG_IGN)",
        "time.sleep(600)",
        reason="timeout",
        says="no answer within 0.3 s",
    ),
    "loops": inside("while True: pass", reason="timeout", says="no answer within 0.3 s"),
    "prints-a-gigabyte": inside(
        "for _ in range(1024): print('x' * 2**20)",
        "return 3",
        reason="output",
        says="more than 1048576 bytes to standard error",
    ),
    "complains-a-gigabyte": inside(
        "for _ in range(1024): os.write(2, b'x' * 2**20)",
        "return 3",
        reason="output",
        says="more than 1048576 bytes to standard error",
    ),
    "eats-memory": inside(
        "hoard = []",
        "for _ in range(4000): hoard.append(b'x' * 2**20)",
        reason="memory",
        says="128 are allowed",
    ),
    "eats-memory-at-once": inside("return len(bytearray(10**12))", reason="memory", says="MemoryError"),
    "eats-memory-in-a-child": inside(
        "if os.fork() == 0:",
        "    hoard = []",
        "    for _ in range(200): hoard.append(b'x' * 2**20)",
        "    time.sleep(600)",
        "time.sleep(600)",
        reason="memory",
        says="128 are allowed",
    ),
    "returns-none": inside("return None", reason="illegal", says="it returned None"),
    "returns-half": inside("return 3.5", reason="illegal", says="it returned 3.5"),
    "returns-text": inside("return '3'", reason="illegal", says="it returned '3'"),
    "returns-99": inside("return 99", reason="illegal", says="it returned 99; the columns are 0 to 6"),
    "returns-less": inside("return -1", reason="illegal", says="it returned -1"),
    "returns-true": inside("return True", reason="illegal", says="it returned True"),
    "returns-much": inside("return 'x' * 10**6", reason="illegal", says="it returned 'xxx"),
    "returns-huge": inside("return 10**9999", reason="illegal", says="it returned a"),
    "returns-full": inside("return 0", reason="illegal", says="column 1 is full"),
    "raises": inside("raise ValueError('no\\nidea')", reason="crash", says="ValueError: no idea"),
    "interrupts": inside("raise KeyboardInterrupt", reason="crash", says="KeyboardInterrupt"),
    "exits": inside("sys.exit(3)", reason="exit", says="it ended with status 3"),
    "exits-at-once": inside(
        "os.write(2, b'bye\\n'); os._exit(0)", reason="exit", says="status 0; it last wrote 'bye'"
    ),
    "segfaults": inside("ctypes.string_at(0)", reason="crash", says="SIGSEGV"),
    "kills-itself": inside("os.kill(os.getpid(), 9)", reason="crash", says="SIGKILL"),
    "kills-its-keeper": inside("os.kill(os.getppid(), 9); time.sleep(600)", reason="exit", says="keeper"),
    "forks": inside(
        "for _ in range(40):",
        "    if os.fork() == 0: time.sleep(600)",
        "return 3",
        reason="processes",
        says="4 are allowed",
    ),
    "forks-and-answers": inside(
        "for _ in range(4):",
        "    if os.fork() == 0: time.sleep(600)",
        "return 3",
        reason="processes",
        says="it has 5 processes at once; 4 are allowed",
    ),
    "forks-zombies": inside(
        "for _ in range(80):",
        "    if os.fork() == 0: os._exit(0)",
        "time.sleep(600)",
        reason="processes",
        says="4 are allowed",
    ),
    "forks-away": inside(
        "if os.fork() == 0:",
        "    os.setsid()",
        "    if os.fork() == 0:",
        "        signal.signal(signal.SIGHUP, signal.SIG_IGN)",
        "        for number in range(3): os.close(number)",
        "        time.sleep(600)",
        "    os._exit(0)",
        "os.wait()",
        "time.sleep(600)",
        reason="timeout",
        says="no answer",
    ),
    "closes-everything": inside(
        "os.closerange(0, 100)", "time.sleep(600)", reason="exit", says="it closed its standard output"
    ),
    "syntax": Bad("def agent(observation, configuration:\n", "start", "SyntaxError"),
    "import": Bad("import no_such_module_anywhere\n", "start", "ModuleNotFoundError: No module named"),
    "nobody": Bad("x = 3\n", "start", "has neither a function to call nor a class with make_move"),
    "empty": Bad("", "start", "has neither a function"),
    "not-utf-8": Bad("# coding: nonsense\n", "start", "SyntaxError"),
    "raises-early": Bad("1 / 0\n", "start", "ZeroDivisionError"),
    "forks-early": Bad(
        "import os, time\nfor _ in range(40):\n    if os.fork() == 0: time.sleep(600)\ntime.sleep(600)\n",
        "processes",
        "16 are allowed",
    ),
    "exits-early": Bad("import sys; sys.exit(5)\n", "start", "it ended with status 5"),
    "class-raises": Bad(
        "class A:\n    def __init__(self, who): raise OSError('no')\n    def make_move(self, s): return 1\n",
        "start",
        "OSError: no",
    ),
}

_READY = """
import os, sys, time
for line in sys.stdin:
    word = line.split()[0]
    if word in ("fourcast", "game"):
        print("ready", flush=True)
    if word == "move":
"""


def _on_move(*body: str, reason: str, says: str) -> Bad:
    lines = "\n".join(f"        {line}" for line in body)
    return Bad(dedent(_READY).strip() + f"\n{lines}\n", reason, says)


#: Programs that speak the lines, up to a point.
PROGRAMS = {
    "says-nothing": Bad("import time; time.sleep(600)\n", "start", "no answer within 0.3 s"),
    "says-too-early": Bad("print(4, flush=True)\n", "start", "it said '4' instead of ready"),
    "says-something-else": Bad("print('Hello\\tyou', flush=True)\n", "start", "it said 'Hello you' instead"),
    "ends": Bad("", "start", "it ended with status 0"),
    "answers-twice": _on_move("print('4\\n4', flush=True)", reason="output", says="it said '4' after its"),
    "answers-unasked": Bad(
        "print('ready\\nready\\n4', flush=True); input()\n", "output", "after its answer 'ready'"
    ),
    "floods": _on_move(
        "for _ in range(1024): os.write(1, b'x' * 2**20)",
        reason="output",
        says="its answer is longer than 4096 bytes: 'xxx",
    ),
    "floods-lines": _on_move("while True: print(4)", reason="output", says="4"),
    "answers-in-bytes": _on_move("os.write(1, b'\\xff\\x00\\n')", reason="illegal", says="it answered"),
    "answers-nothing": _on_move("print(flush=True)", reason="illegal", says="it answered ''"),
    "answers-0": _on_move("print(0, flush=True)", reason="illegal", says="there is no column 0"),
    "answers-8": _on_move("print(8, flush=True)", reason="illegal", says="there is no column 8"),
    "answers-words": _on_move("print('four', flush=True)", reason="illegal", says="'four' is not a column"),
    "forgets-to-end-the-line": _on_move(
        "sys.stdout.write('4'); sys.stdout.flush()", reason="timeout", says="no answer within 0.3 s"
    ),
    "gives-up": _on_move(
        "print('error crash out of ideas', flush=True)", reason="crash", says="out of ideas"
    ),
    "gives-up-oddly": _on_move("print('error', flush=True)", reason="crash", says="no more than error"),
    "closes-its-output": _on_move("os.close(1); time.sleep(600)", reason="exit", says="it closed its"),
    "closes-its-input": _on_move("os.close(0); time.sleep(600)", reason="timeout", says="no answer"),
}
