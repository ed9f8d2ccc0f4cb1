"""Networks on the command line: one that will not do is one line, whoever asks for it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fourcast import Geometry
from tests.cli.command import fourcast
from tests.models.networks import save_network


def refused(*arguments: str, **environment: str) -> str:
    """What is said by a command that ends with code 2, in one line, and says nothing else."""
    done = fourcast(*arguments, environment=environment)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    return done.stderr


@pytest.mark.parametrize("spec", ["network:{}", "mcts:net={}"])
def test_a_network_of_another_board_or_of_another_kind_is_refused(tmp_path: Path, spec: str) -> None:
    path = save_network(tmp_path, geometry=Geometry.parse("4x5x4"), name="mine")
    said = refused("analyze", "44", "--agent", spec.format(path))
    assert said == f"fourcast: model {path}: it is for board 4x5x4, not 6x7x4\n"
    other = save_network(tmp_path, "cnn", name="other")
    said = refused("analyze", "44", "--agent", spec.format(other))
    assert said == f"fourcast: model {other}: it is of the kind cnn, not network\n"


@pytest.mark.parametrize("damage", ["cut", "altered", "another"])
def test_a_damaged_network_is_refused_by_all_that_open_it(tmp_path: Path, damage: str) -> None:
    path = save_network(tmp_path, name="mine")
    file = path.with_suffix(".onnx")
    data = bytearray(file.read_bytes())
    if damage == "cut":
        del data[len(data) // 2 :]
    elif damage == "altered":
        data[len(data) // 2] ^= 1
    else:
        data = bytearray(save_network(tmp_path, seed=5, name="other").with_suffix(".onnx").read_bytes())
    file.write_bytes(data)
    store = str(tmp_path / "games.db")
    for arguments in (
        ("analyze", "44", "--agent", f"network:{path}"),
        ("match", f"mcts:net={path}", "random", "--games", "2", "-o", store),
    ):
        said = refused(*arguments)
        assert said.startswith(f"fourcast: model {file}: it is damaged, or not the file that its card ")
    assert not Path(store).exists()


def test_without_onnxruntime_the_line_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "onnxruntime.py").write_text(
        "raise ModuleNotFoundError(\"No module named 'onnxruntime'\", name='onnxruntime')\n"
    )
    paths = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    path = str(save_network(tmp_path, name="mine"))
    for arguments in (("analyze", "44", "--agent", f"network:{path}"), ("bench", "networks", path)):
        said = refused(*arguments, PYTHONPATH=paths)
        assert said == (
            "fourcast: onnxruntime is not installed; bring it with: pip install 'fourcast[learn]'\n"
        )
