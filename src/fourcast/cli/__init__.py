"""The `fourcast` command: one module a verb, thin over the rooms below."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from io import TextIOWrapper

FINE, FOUND_WRONG, BAD_USE, INTERRUPTED = 0, 1, 2, 130


class Stopped(Exception):
    """A verb was stopped by Ctrl-C and has more to say of it than that."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit.

    0 is fine; 1 found wrong, or the output could not be written; 2 bad use; 130 stopped by Ctrl-C.
    """
    code = run(arguments)
    if code == INTERRUPTED:  # at once: nobody wants to wait for Python to tidy up
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; whatever is wrong with the input becomes one line on stderr and a 2."""
    warnings.showwarning = lambda message, *_, **__: complain(str(message))
    words = "stopped"
    try:
        _open_streams()
        code = _run_verb(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except Stopped as stop:
        code, words = INTERRUPTED, str(stop)
    except BrokenPipeError:  # the reader has seen enough
        _abandon_stdout()
        return FOUND_WRONG
    except OSError as error:
        _abandon_stdout()
        complain(f"cannot write: {error.strerror or error}")
        return FOUND_WRONG
    if code == INTERRUPTED:
        _flush_stdout()
        complain(words)
    return code


def _run_verb(arguments: Sequence[str] | None) -> int:
    import typer

    from fourcast.cli.app import app
    from fourcast.game.errors import FourcastError

    try:
        code = app(args=arguments, prog_name="fourcast", standalone_mode=False)
    except typer.TyperException as error:
        complain(f"{error.format_message().rstrip('.')}; see --help")
        return BAD_USE
    except FourcastError as error:
        complain(str(error))
        return BAD_USE
    return code if isinstance(code, int) else FINE


def complain(message: str) -> None:
    """One line to stderr."""
    print(f"fourcast: {' '.join(message.split())}", file=sys.stderr)


def _open_streams() -> None:
    """Make the standard streams usable whatever they are: closed, or of an encoding that lacks characters."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  # for good
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace" if name == "stdin" else "backslashreplace")


def _flush_stdout() -> None:
    try:
        sys.stdout.flush()
    except OSError:
        _abandon_stdout()


def _abandon_stdout() -> None:
    """Let what could not be written go, so that Python does not try again when it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
