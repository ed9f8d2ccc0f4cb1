"""The process between us and a foreign agent: it starts the agent, and leaves nothing of it behind.

    us  --- questions, answers, standard error (three pipes) ---  agent, its children, theirs
     |                                                              |
     +------------------- channel ----------------  keeper  --------+

The keeper is the parent of the agent and adopts every descendant whose own parent ends (a "subreaper"), so
none can get away by forking twice or by starting a session of its own. It kills them all when we close the
channel, and when we are gone: killed ourselves, even. We cannot do this in our own process: adopting orphans
would change what becomes of all other children of the program that Fourcast is part of.

This file is run by its path, without the package, so that it starts in a few milliseconds: it may import
nothing but the standard library, and little of that (and psutil where there is no /proc).
"""

from __future__ import annotations

import os
import resource
import select
import signal
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself would have to be imported
    from collections.abc import Sequence

PIPES = (0, 1, 2)  # the agent's; the keeper itself is silent

_SET_PDEATHSIG, _SET_CHILD_SUBREAPER = 1, 36  # of prctl
_PARENT_GONE = signal.SIGUSR1
_NOT_STARTED = 127
_BETWEEN_KILLS = 0.001

_HAS_PROC = os.path.isdir("/proc/self/task")


def descendants(pid: int) -> list[int]:
    """The children of a process, theirs, and so on: parents before children. Ended ones may be among them."""
    if not _HAS_PROC:
        import psutil

        try:
            return [child.pid for child in psutil.Process(pid).children(recursive=True)]
        except psutil.Error:
            return []
    found = _children(pid)
    for parent in found:  # which grows meanwhile
        found += _children(parent)
    return found


def _children(pid: int) -> list[int]:
    """The children of all threads of a process; none if it has ended."""
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as children:
                found += map(int, children.read().split())
    except OSError:
        pass
    return found


def kill(pids: Sequence[int]) -> None:
    """End processes at once; those that have ended already are passed over."""
    for pid in pids:
        try:  # noqa: SIM105  # contextlib would have to be imported
            os.kill(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):  # it has ended, or is no longer the one that it was
            pass


def main(arguments: Sequence[str]) -> int:
    """Start an agent and stay until it has to go.

    Args:
        arguments: The process that has to live, the descriptor of the channel to it, bytes of data that each
            process of the agent may ask for, the folder to run in, and the command.
    """
    parent, channel, data = map(int, arguments[:3])
    folder, command = arguments[3], list(arguments[4:])
    os.set_inheritable(channel, False)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    asked_to_end: list[int] = []
    for number in (signal.SIGCHLD, _PARENT_GONE):
        signal.signal(number, lambda _number, _frame: None)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda number, _frame: asked_to_end.append(number))
    _control(_SET_CHILD_SUBREAPER, 1)
    _control(_SET_PDEATHSIG, _PARENT_GONE)

    agent = os.fork()
    if agent == 0:
        _become(command, folder, data, channel)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for pipe in PIPES:
        os.dup2(nowhere, pipe)
    _tell(channel, f"agent {agent}")
    look = select.poll()
    look.register(channel, select.POLLIN)
    look.register(woken, select.POLLIN)
    # The signal of a parent's death comes when the thread ends that started us, too; then the process is
    # still our parent, and there is nothing to do.
    while os.getppid() == parent and not asked_to_end:
        ready = [descriptor for descriptor, _ in look.poll()]
        if channel in ready:  # nothing is ever sent this way: it was closed
            break
        os.read(woken, 4096)
        _reap(agent, channel)
    _end_all()
    return 0


def _become(command: list[str], folder: str, data: int, channel: int) -> None:
    """Turn this process, a copy of the keeper, into the agent."""
    try:
        _control(_SET_PDEATHSIG, signal.SIGKILL)  # should the keeper be killed
        os.setsid()
        signal.set_wakeup_fd(-1)
        for number in signal.valid_signals():
            if number not in (signal.SIGKILL, signal.SIGSTOP):
                signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if sys.platform == "linux":
            resource.setrlimit(resource.RLIMIT_DATA, (data, data))
        os.chdir(folder)
        os.execvp(command[0], command)
    except OSError as error:
        _tell(channel, f"failed {error.strerror}")
    finally:
        os._exit(_NOT_STARTED)


def _reap(agent: int, channel: int) -> None:
    """Bury children that have ended, adopted ones too, and tell when the agent is among them."""
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not pid:
            return
        if pid == agent:
            _tell(channel, f"ended {os.waitstatus_to_exitcode(status)}")


def _end_all() -> None:
    """Kill all descendants, until there are none: whoever is orphaned by it becomes a child of the keeper."""
    while True:
        kill(descendants(os.getpid()))
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(_BETWEEN_KILLS)


def _tell(channel: int, line: str) -> None:
    try:  # noqa: SIM105
        os.write(channel, f"{line}\n".encode())
    except OSError:  # nobody listens any more; that the channel is closed is seen next
        pass


def _control(what: int, value: int) -> None:
    """Set a property of this process, where the system knows it."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(what, value, 0, 0, 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
