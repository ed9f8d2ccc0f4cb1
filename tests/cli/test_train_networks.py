"""`fourcast train cnn` and `fourcast train network`, as processes."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

from fourcast.learning.position_files import write_positions
from fourcast.models.shelf import find
from tests.cli.command import fourcast, open_terminal, read_until, start
from tests.learning.nets import needs_training, solved

SMALL_NET = ("--channels", "8", "--blocks", "1", "--batch", "32")
MADE = ("network", "--plies", "2-4", "--positions", "9")
SMALL_CNN = (
    "--board",
    "4x5x4",
    "--games",
    "8",
    "--teacher",
    "greedy",
    "--epochs",
    "3",
    "--jobs",
    "1",
    "--fresh",
    "0",
)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("sets") / "small.csv"
    write_positions(solved(300), path)
    return str(path)


def outputs(path: Path) -> dict[str, list[Any]]:
    onnxruntime: Any = pytest.importorskip("onnxruntime")
    session = onnxruntime.InferenceSession(path.read_bytes(), providers=["CPUExecutionProvider"])
    return {each.name: each.shape for each in session.get_outputs()}


def test_what_is_missing_is_one_line_that_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "keras.py").write_text(
        "raise ModuleNotFoundError(\"No module named 'keras'\", name='keras')\n"
    )
    (tmp_path / "jax.py").write_text("")
    paths = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    for verb in ("cnn", "network"):
        done = fourcast(
            "train", verb, "-o", str(tmp_path / "deep" / "net"), environment={"PYTHONPATH": paths}
        )
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == (
            "fourcast: keras is not installed; bring it with: pip install 'fourcast[train]'\n"
        )
    assert not (tmp_path / "deep").exists()


@pytest.mark.parametrize("verb", ["cnn", "network"])
def test_help_has_an_example(verb: str) -> None:
    done = fourcast("train", verb, "--help")
    assert done.returncode == 0
    assert f"Example: fourcast train {verb}" in done.stdout


class TestTraining:
    """What needs the extra."""

    @pytest.fixture(autouse=True)
    def _extra(self) -> None:
        needs_training()

    def test_a_network_is_trained_judged_and_written(self, small: str, tmp_path: Path) -> None:
        out, report = tmp_path / "new" / "net", tmp_path / "deep" / "report"
        done = fourcast(
            *("train", "network", "--data", small, *SMALL_NET, "--epochs", "4"),
            *("-o", str(out), "--report", str(report), "--fresh", "40"),
        )
        assert (done.returncode, done.stderr) == (0, "")
        card = json.loads(out.with_name("net.json").read_text())
        lines = done.stdout.splitlines()
        assert lines[0].split() == ["epoch", "loss", "held", "out", "good", "perfect", "value", "error"]
        held = card["metrics"]["held"]
        assert f"{card['data']['learnt_from']} positions to learn from, {held['positions']} held out" in lines
        assert f"good moves {held['good']:.1%}, perfect ones {held['perfect']:.1%}" in done.stdout
        assert re.search(r"training \d+\.\d s; [\d,]+ bytes", done.stdout)
        assert card["data"]["sources"] == ["file small.csv"]
        fresh = card["metrics"]["fresh"]
        assert f"on {fresh['positions']} fresh positions: good moves {fresh['good']:.1%}" in done.stdout
        assert sorted(each.name for each in out.parent.iterdir()) == ["net.json", "net.onnx"], (
            "no part is left"
        )
        names = ["figures.json", "learning.png", "learning.svg"]
        assert sorted(each.name for each in report.iterdir()) == names
        assert outputs(out.with_name("net.onnx")) == {"policy": ["N", 5], "value": ["N"]}

    def test_positions_are_made_to_order_by_an_agent_with_slip(self, tmp_path: Path) -> None:
        done = fourcast(
            *("train", "network", "--board", "4x4x3", "--positions", "60", "--plies", "2-8", "--epochs", "1"),
            *("--teacher", "expectimax:depth=2,values=all", "--slip", "0.2", *SMALL_NET, "--half", "--json"),
            *("-o", str(tmp_path / "net"), "--seed", "5", "--purpose", "to see"),
        )
        assert (done.returncode, done.stderr) == (0, "")
        found = json.loads(done.stdout)
        assert (found["kind"], found["board"]) == ("network", "4x4x3")
        assert found["settings"]["seed"] == 5
        assert found["data"]["slip"] == 0.2
        assert found["learnt_from"] + found["held"]["positions"] == 60
        card = json.loads(Path(found["card"]).read_text())
        assert (card["purpose"], card["data"]["slip"]) == ("to see", 0.2)

    def test_the_published_network_is_trained_and_written(self, tmp_path: Path) -> None:
        out = tmp_path / "conv"
        done = fourcast("train", "cnn", *SMALL_CNN, "-o", str(out), "--json")
        assert (done.returncode, done.stderr) == (0, "")
        found = json.loads(done.stdout)
        assert (found["kind"], found["games"], len(found["curve"])) == ("cnn", 8, 3)
        card = json.loads((tmp_path / "conv.json").read_text())
        assert card["planes"] == ["own", "other"]
        assert card["data"]["misplay"] == 0.5
        assert outputs(tmp_path / "conv.onnx") == {"policy": ["N", 5]}
        again = fourcast("train", "cnn", *SMALL_CNN, "-o", str(tmp_path / "same"), "--json")
        assert json.loads(again.stdout)["curve"] == found["curve"]
        assert (tmp_path / "same.onnx").read_bytes() == (tmp_path / "conv.onnx").read_bytes()
        assert sorted(each.name for each in tmp_path.iterdir()) == [
            *("conv.json", "conv.onnx", "same.json", "same.onnx"),
        ]

    def test_ctrl_c_keeps_what_is_done_and_the_same_command_goes_on(self, small: str, tmp_path: Path) -> None:
        command = ("train", "network", "--data", small, *SMALL_NET, "--epochs", "60", "--fresh", "0", "-o")
        ours, theirs = open_terminal()
        process = start([*command, str(tmp_path / "net")], stderr=theirs)
        os.close(theirs)
        read_until(ours, b"perfect")  # an epoch is done
        process.send_signal(signal.SIGINT)
        told = read_until(ours, None).decode()
        process.communicate(timeout=60)
        os.close(ours)
        assert process.returncode == 130
        assert "what is done is in" in told
        assert [each.name for each in tmp_path.iterdir()] == ["net.part"]
        for name in ("net", "whole"):
            assert fourcast(*command, str(tmp_path / name)).returncode == 0
        assert (tmp_path / "net.onnx").read_bytes() == (tmp_path / "whole.onnx").read_bytes()
        assert not (tmp_path / "net.part").exists()

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (("network", "--data", "SMALL", "--board", "5x5x4"), "is of board 4x5x4, not 5x5x4"),
            (("network", "--data", "SMALL", "--slip", "0.2"), "--slip: it does not go with --data"),
            (("network", "--data", "nowhere.csv"), "cannot read 'nowhere.csv'"),
            (("network", "--channels", "0"), "channels 0: it must be 1 to 512"),
            (("network", "--epochs", "0"), "epochs 0"),
            (("network", "--purpose", "x"), "--purpose: it goes with -o NAME"),
            (("network", "-o", "UPPER"), "-o 'UPPER': a model's name has small letters"),
            ((*MADE, "--slip", "0.2"), "the solver knows no slip"),
            ((*MADE, "--teacher", "greedy"), "does not say what"),
            ((*MADE, "--teacher", "nobody"), "there is no agent 'nobody'"),
            ((*MADE, "--teacher", "perfect", "--slip", "0.2"), "perfect is the solver, which knows no slip"),
            ((*MADE, "--teacher", "cnn", "--board", "4x9x4"), "agent cnn has no network for board 4x9x4"),
            (("cnn", "--teacher", "nobody"), "there is no agent 'nobody'"),
            (("cnn", "--teacher", "human"), "human: people play with fourcast play"),
            (("cnn", "--teacher", "cnn", "--board", "4x9x4"), "agent cnn has no network for board 4x9x4"),
            (("cnn", "--games", "1"), "games 1: it must be 4 to"),
            (("cnn", "--misplay", "2"), "misplay 2.0"),
            (("cnn", "--board", "1x1x1"), "board"),
        ],
    )
    def test_bad_input_is_one_line_and_nothing_is_written(
        self, arguments: tuple[str, ...], words: str, small: str, tmp_path: Path
    ) -> None:
        given = [small if each == "SMALL" else each for each in arguments]
        if "-o" not in given and "--purpose" not in given:
            given += ["-o", str(tmp_path / "new" / "deep" / "net"), "--report", str(tmp_path / "report")]
        done = fourcast("train", *given)
        assert (done.returncode, done.stdout) == (2, "")
        assert words in done.stderr
        assert len(done.stderr.splitlines()) == 1
        assert not list(tmp_path.iterdir()), "not even a folder"

    def test_a_folder_that_was_there_stays_and_so_does_what_is_in_it(self, tmp_path: Path) -> None:
        there = tmp_path / "there"
        there.mkdir()
        fourcast("train", "cnn", "--teacher", "nobody", "-o", str(there / "new" / "net"))
        assert [each.name for each in tmp_path.rglob("*")] == ["there"]
        for name in ("net.json", "net.onnx"):
            (there / name).write_text("of yesterday")
        done = fourcast("train", "cnn", "--teacher", "nobody", "-o", str(there / "net"))
        assert done.returncode == 2
        assert {each.name: each.read_text() for each in there.iterdir()} == {
            "net.json": "of yesterday",
            "net.onnx": "of yesterday",
        }

    def test_what_grading_needs_is_asked_for_before_training(self, small: str, tmp_path: Path) -> None:
        (tmp_path / "onnxruntime.py").write_text(
            "raise ModuleNotFoundError(\"No module named 'onnxruntime'\", name='onnxruntime')\n"
        )
        paths = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
        out = tmp_path / "new" / "net"
        done = fourcast(
            "train", "network", "--data", small, "-o", str(out), environment={"PYTHONPATH": paths}
        )
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == (
            "fourcast: onnxruntime is not installed; bring it with: pip install 'fourcast[train]'\n"
        )
        assert not out.parent.exists()


def test_a_start_that_cannot_be_gone_on_from_is_refused_at_once(small: str, tmp_path: Path) -> None:
    needs_training()
    out = ("-o", str(tmp_path / "net"))
    for given, said in (
        (("--start", "network-5x5x3"), "it is a network of board 5x5x3, not a network of 6x7x4"),
        (("--start", "cnn-6x7x4"), "model cnn-6x7x4: its card does not tell channels and blocks"),
        (("--start", "network-6x7x4", "--seed", "5"), "by the seed 229 and not 5"),
        (("--start", "network-6x7x4", "--channels", "8"), "--channels: it does not go with --start"),
        (("--start", "nothing"), "there is no model 'nothing'"),
    ):
        done = fourcast("train", "network", *given, *out)
        assert (done.returncode, done.stdout) == (2, "")
        assert said in done.stderr
        assert done.stderr.count("\n") == 1
    done = fourcast("train", "network", "--data", small, "--start", "network-6x7x4", *out)
    assert (done.returncode, done.stdout) == (2, "")
    assert "it is a network of board 6x7x4, not a network of 4x5x4" in done.stderr
    assert not list(tmp_path.glob("net*"))


def test_a_damaged_start_is_refused_before_positions_are_made(tmp_path: Path) -> None:
    needs_training()
    card = find("network-5x5x3")
    shutil.copy(card.path, tmp_path)
    graph = bytearray(card.path.with_name(card.file).read_bytes())
    graph[len(graph) // 2] ^= 1
    (tmp_path / card.file).write_bytes(graph)
    asked = ("--board", "5x5x3", "--positions", "50", "--start", str(tmp_path / card.path.name))
    done = fourcast("train", "network", *asked, "-o", str(tmp_path / "deep" / "net"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "the hash does not agree" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "deep").exists()
