"""Files are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fourcast.files import all_in_place, in_place


def contents(folder: Path) -> dict[str, str]:
    return {each.name: each.read_text() for each in folder.iterdir()}


def test_a_file_takes_its_place_when_it_is_complete(tmp_path: Path) -> None:
    (tmp_path / "set").write_text("before")
    with in_place(tmp_path / "set") as fresh:
        fresh.write_text("half")
        assert (tmp_path / "set").read_text() == "before"
        fresh.write_text("whole")
    assert contents(tmp_path) == {"set": "whole"}


@pytest.mark.parametrize("fault", [OSError, ValueError, KeyboardInterrupt])
def test_whatever_goes_wrong_leaves_what_was_there(tmp_path: Path, fault: type[BaseException]) -> None:
    (tmp_path / "set").write_text("before")
    with pytest.raises(fault), all_in_place(tmp_path / "set", tmp_path / "other") as (one, other):
        one.write_text("half")
        other.write_text("half")
        raise fault
    assert contents(tmp_path) == {"set": "before"}


def test_several_files_take_their_places_in_turn_once_all_are_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    put, sync = Path.replace, os.fsync

    def watched(self: Path, target: Path) -> Path:
        seen.append(target.name)
        return put(self, target)

    def watched_sync(file: int) -> None:
        seen.append("sync")
        sync(file)

    monkeypatch.setattr(Path, "replace", watched)
    monkeypatch.setattr(os, "fsync", watched_sync)
    with all_in_place(tmp_path / "model", tmp_path / "card") as (model, card):
        card.write_text("c")
        model.write_text("m")
    assert seen == ["sync", "sync", "model", "card"]
    assert contents(tmp_path) == {"model": "m", "card": "c"}


def test_a_disk_that_fills_at_the_last_moment_moves_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with (
        pytest.raises(OSError, match="No space left"),
        all_in_place(tmp_path / "model", tmp_path / "card") as both,
    ):
        for each in both:
            each.write_text("new")
    assert not list(tmp_path.iterdir())


def test_devices_pipes_and_folders_stay_what_they_are(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/dev/null")
    for name, reason in {
        "folder": "it is a folder",
        "pipe": "it is not a file",
        "link": "it is not a file",
    }.items():
        with pytest.raises(OSError, match=reason), in_place(tmp_path / name) as fresh:
            fresh.write_text("new")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["folder", "link", "pipe"]
    assert (tmp_path / "pipe").is_fifo()
