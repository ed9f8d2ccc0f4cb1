"""A Ctrl-C that comes where no exception gets out is not lost."""

from __future__ import annotations

import signal
import sys

import pytest

from fourcast.cli.ctrl_c import remembered


class Deaf:
    """Swallows a Ctrl-C, as code does that a library calls in between."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


def test_it_is_heeded_when_progress_is_told_next(capsys: pytest.CaptureFixture[str]) -> None:
    handler, hook = signal.getsignal(signal.SIGINT), sys.unraisablehook
    told: list[str] = []
    with remembered() as heeding:
        advance = heeding(lambda what, _done, _total: told.append(what))
        advance("before", 0, 2)
        deaf = Deaf()
        del deaf
        with pytest.raises(KeyboardInterrupt):
            advance("after", 1, 2)
    assert told == ["before"]
    assert capsys.readouterr().err == "", "nobody is bothered with it"
    assert (signal.getsignal(signal.SIGINT), sys.unraisablehook) == (handler, hook)


def test_elsewhere_it_comes_at_once() -> None:
    with remembered(), pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
