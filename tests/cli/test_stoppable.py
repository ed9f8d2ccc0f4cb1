"""Ctrl-C while networks are trained, and two that would write to the same name."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from fourcast.cli import Stopped, train_cnn
from fourcast.cli.train_networks import prepare, stoppable
from fourcast.game.errors import BadOption
from tests.learning.nets import needs_training


def test_ctrl_c_that_was_swallowed_is_heeded_when_progress_is_told() -> None:
    before, told = signal.getsignal(signal.SIGINT), []
    with pytest.raises(KeyboardInterrupt), stoppable() as heeding:
        advance = heeding(lambda what, _done, _total: told.append(what))
        advance("first", 1, 3)
        with pytest.raises(KeyboardInterrupt):  # as code does that lets no exception out
            signal.raise_signal(signal.SIGINT)
        advance("second", 2, 3)
    assert told == ["first"]
    assert signal.getsignal(signal.SIGINT) is before


def test_two_cannot_train_under_one_name(tmp_path: Path) -> None:
    out = tmp_path / "net"
    with (
        stoppable(out=out),
        pytest.raises(BadOption, match="another process is at work on it"),
        stoppable(out=out),
    ):
        pass
    with stoppable(out=out):
        pass
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ending", [".json", ".onnx"])
def test_a_name_has_no_ending(ending: str, tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=r"give the name alone; net.json and net.onnx are written"):
        prepare(tmp_path / f"net{ending}", None, None)


def test_ctrl_c_at_the_report_tells_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needs_training()

    def pressed(*_: object, **__: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(train_cnn, "finish", pressed)
    with pytest.raises(Stopped, match=r"net\.games\.part, .*net\.part; the same command goes on"):
        train_cnn.cnn("4x5x4", 8, "greedy", epochs=1, fresh=0, jobs=1, out=tmp_path / "net")
