"""The `fourcast` command: one module a verb, thin over the rooms below."""

from __future__ import annotations

import sys
from collections.abc import Sequence

FINE, FOUND_WRONG, BAD_USE, INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 fine, 1 found wrong, 2 bad use, 130 stopped by Ctrl-C."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; whatever is wrong with the input becomes one line on stderr and a 2."""
    from fourcast.cli.app import UsageError, app
    from fourcast.game.errors import FourcastError

    try:
        code = app(args=arguments, prog_name="fourcast", standalone_mode=False)
    except UsageError as error:
        print(f"fourcast: {_one_line(error.format_message())}; see --help", file=sys.stderr)
        return BAD_USE
    except FourcastError as error:
        print(f"fourcast: {_one_line(str(error))}", file=sys.stderr)
        return BAD_USE
    except KeyboardInterrupt:
        code = INTERRUPTED
    if code == INTERRUPTED:
        print("fourcast: stopped", file=sys.stderr)
    return code if isinstance(code, int) else FINE


def _one_line(message: str) -> str:
    return " ".join(message.split()).rstrip(".")
