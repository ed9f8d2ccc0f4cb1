"""`fourcast train selfplay`, as a process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from fourcast.cli.selfplay_screen import _error
from tests.cli.command import fourcast, open_terminal, read_until, start
from tests.learning.nets import needs_training

SMALL = (
    *("train", "selfplay", "--board", "3x4x3", "--games", "12", "--simulations", "16", "--channels", "4"),
    *("--blocks", "1", "--batch", "16", "--gate", "8", "--grade", "30", "--fresh", "20", "--jobs", "1"),
)


def test_help_has_an_example_and_needs_nothing_heavy() -> None:
    done = fourcast("train", "selfplay", "--help")
    assert done.returncode == 0
    assert "Example: fourcast train selfplay --board 4x5x4" in " ".join(done.stdout.split())


def test_what_is_missing_is_one_line_that_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "keras.py").write_text(
        "raise ModuleNotFoundError(\"No module named 'keras'\", name='keras')\n"
    )
    (tmp_path / "jax.py").write_text("")
    paths = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    done = fourcast(*SMALL, "-o", str(tmp_path / "deep" / "net"), environment={"PYTHONPATH": paths})
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "fourcast: keras is not installed; bring it with: pip install 'fourcast[train]'\n"
    assert not (tmp_path / "deep").exists()


class TestTraining:
    """What needs the extra."""

    @pytest.fixture(autouse=True)
    def _extra(self) -> None:
        needs_training()

    def test_two_generations_are_played_learnt_graded_and_written(self, tmp_path: Path) -> None:
        out, report = tmp_path / "new" / "net", tmp_path / "report"
        done = fourcast(*SMALL, "--generations", "2", "-o", str(out), "--report", str(report))
        assert done.returncode == 0
        said = done.stderr.splitlines()
        assert [line.partition(":")[0] for line in said] == ["generation 1", "generation 2"]
        assert all("12 games" in line and "gate" in line and "good" in line for line in said)
        lines = done.stdout.splitlines()
        assert lines[0].split() == [
            *("gen", "games", "plies", "lessons", "policy", "value", "gate", "good", "perfect", "error", "s"),
        ]
        card = json.loads(out.with_name("net.json").read_text())
        assert (card["kind"], card["data"]["games"]) == ("network", 24)
        fresh = card["metrics"]["fresh"]
        assert f"on {fresh['positions']} fresh positions: good moves {fresh['good']:.1%}" in done.stdout
        assert sorted(each.name for each in report.iterdir()) == [
            *("figures.json", "strength.png", "strength.svg"),
        ]
        assert len(json.loads((report / "figures.json").read_text())["generations"]) == 2

        more = fourcast(*SMALL, "--generations", "3", "-o", str(out), "--json")
        found = json.loads(more.stdout)
        assert [each["number"] for each in found["generations"]] == [1, 2, 3]
        assert [line.partition(":")[0] for line in more.stderr.splitlines()] == ["generation 3"]
        other = fourcast(*SMALL, "--generations", "3", "--seed", "5", "-o", str(out))
        assert (other.returncode, other.stdout) == (2, "")
        assert "was begun with other settings (seed): remove it" in other.stderr
        assert len(other.stderr.splitlines()) == 1

    @pytest.mark.slow
    def test_ctrl_c_and_kill_lose_nothing_and_the_same_command_goes_on(self, tmp_path: Path) -> None:
        command = (*SMALL, "--generations", "3", "--fresh", "0", "-o")
        ours, theirs = open_terminal(100)
        process = start([*command, str(tmp_path / "net")], stderr=theirs)
        os.close(theirs)
        seen = read_until(ours, b"generation 2, games")
        process.send_signal(signal.SIGINT)
        told = (seen + read_until(ours, None)).decode()
        process.communicate(timeout=60)
        os.close(ours)
        assert process.returncode == 130
        assert "what is done is in" in told
        assert "perfect" in told, "there is a live table"
        assert [each.name for each in tmp_path.iterdir()] == ["net.selfplay"]
        killed = start([*command, str(tmp_path / "net")], stderr=subprocess.PIPE)
        assert killed.stderr is not None
        assert killed.stderr.readline().startswith("generation 2")
        killed.kill()
        killed.communicate(timeout=60)
        for name in ("net", "whole"):
            assert fourcast(*command, str(tmp_path / name)).returncode == 0
        assert (tmp_path / "net.onnx").read_bytes() == (tmp_path / "whole.onnx").read_bytes()

    @pytest.mark.slow
    def test_with_slip_nothing_is_graded(self, tmp_path: Path) -> None:
        done = fourcast(
            *SMALL, "--slip", "0.2", "--generations", "1", "-o", str(tmp_path / "net"), "--json", "--half"
        )
        assert done.returncode == 0
        found = json.loads(done.stdout)
        assert found["generations"][0]["grades"] == {}
        assert json.loads((tmp_path / "net.json").read_text())["data"]["slip"] == 0.2

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (("--board", "1x1x1"), "board"),
            (("--board", "9x20x4"), "board"),
            (("--games", "0"), "games 0: it must be 1 to"),
            (("--simulations", "1"), "simulations 1: it must be 2 to"),
            (("--channels", "0"), "channels 0: it must be 1 to 512"),
            (("--gate", "1"), "gate 1: its games come in pairs"),
            (("--minutes", "0"), "minutes 0.0: it must be more than 0"),
            (("--generations", "0"), "generations 0: it must be 1 to"),
            (("--slip", "1"), "slip 1.0"),
            (("--window", "0"), "window 0"),
            (("--learning-rate", "nan"), "learning_rate nan"),
            (("--cluster", "nowhere"), "cluster 'nowhere': write it as HOST:PORT, or auto"),
            (("--cluster", "127.0.0.1:1"), "nobody answers there"),
            (("--jobs", "0"), "--jobs"),
            (("--purpose", "two\nlines"), "--purpose"),
        ],
    )
    def test_bad_input_is_one_line_and_nothing_is_written(
        self, arguments: tuple[str, ...], words: str, tmp_path: Path
    ) -> None:
        done = fourcast("train", "selfplay", *arguments, "-o", str(tmp_path / "net"))
        assert (done.returncode, done.stdout) == (2, "")
        assert words in done.stderr
        assert len(done.stderr.splitlines()) == 1
        assert not list(tmp_path.iterdir())

    def test_a_name_is_needed(self) -> None:
        done = fourcast("train", "selfplay")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("fourcast: -o NAME is missing")

    @pytest.mark.slow
    @pytest.mark.parametrize("name", ["settings.json", "generations.jsonl"])
    def test_a_damaged_folder_is_one_line(self, name: str, tmp_path: Path) -> None:
        folder = tmp_path / "net.selfplay"
        command = (*SMALL, "--generations", "1", "--fresh", "0", "-o", str(tmp_path / "net"))
        assert fourcast(*command).returncode == 0
        (folder / name).write_text("{}\n")
        done = fourcast(*command)
        assert (done.returncode, done.stdout) == (2, "")
        assert "remove it" in done.stderr
        assert len(done.stderr.splitlines()) == 1

    def test_a_network_that_no_gate_let_in_is_not_written(self, tmp_path: Path) -> None:
        """Seed and rate are such that what is learnt loses to what knows nothing."""
        wild = (
            "--board",
            "4x4x3",
            "--games",
            "4",
            "--simulations",
            "4",
            "--gate",
            "2",
            "--learning-rate",
            "0.5",
        )
        size = (
            "--channels",
            "4",
            "--blocks",
            "1",
            "--jobs",
            "1",
            "--grade",
            "0",
            "--fresh",
            "0",
            "--seed",
            "11",
        )
        out = tmp_path / "net"
        done = fourcast("train", "selfplay", *wild, *size, "--generations", "1", "-o", str(out))
        assert (done.returncode, done.stdout) == (1, "")
        assert "no generation has passed the gate, so no model is written" in done.stderr.splitlines()[-1]
        assert [each.name for each in tmp_path.iterdir()] == ["net.selfplay"]


def test_an_error_that_is_nearly_one_is_not_shown_as_none() -> None:
    assert [_error(error) for error in (0.254, 0.994, 0.997, 1.04)] == [".25", ".99", "1.0", "1.0"]
