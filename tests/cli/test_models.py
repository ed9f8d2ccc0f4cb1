"""`fourcast models`: what there is, and what is known of it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from fourcast import Geometry
from fourcast.models.card import Card
from fourcast.models.shelf import shipped
from tests.cli.command import fourcast
from tests.learning.sets import small_training
from tests.models.networks import save_network
from tests.models.trained import saved


def test_models_of_a_folder_are_listed(tmp_path: Path) -> None:
    purpose = "says who has more windows of three, " * 4
    saved(tmp_path, "birch", purpose=purpose)
    saved(tmp_path, "ash")
    done = fourcast("models", "list", str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("ash  boosted, 6x7x4, ")
    assert " ".join(done.stdout.split()).endswith(purpose.strip())
    assert max(map(len, lines)) <= 80
    document = json.loads(fourcast("models", "list", str(tmp_path), "--json").stdout)
    assert [each["name"] for each in document["models"]] == ["ash", "birch"]
    assert document["models"][0]["card"] == str(tmp_path / "ash.json")
    assert document["models"][0]["board"] == "6x7x4"


def test_without_a_folder_the_shipped_ones_are_listed() -> None:
    document = json.loads(fourcast("models", "list", "--json").stdout)
    assert [each["name"] for each in document["models"]] == [card.name for card in shipped()]
    assert fourcast("models", "list").returncode == 0


def test_a_folder_without_models_says_so(tmp_path: Path) -> None:
    done = fourcast("models", "list", str(tmp_path))
    assert (done.returncode, done.stdout) == (0, "There are no models.\n")
    assert json.loads(fourcast("models", "list", str(tmp_path), "--json").stdout) == {"models": []}


def test_a_card_that_cannot_be_read_is_one_line_and_a_1_and_the_others_are_listed(tmp_path: Path) -> None:
    saved(tmp_path, "ash")
    (tmp_path / "odd.json").write_text("hello")
    done = fourcast("models", "list", str(tmp_path), "--json")
    assert done.returncode == 1
    assert [each["name"] for each in json.loads(done.stdout)["models"]] == ["ash"]
    assert done.stderr == f"fourcast: model {tmp_path / 'odd.json'}: it is not a card: it is not JSON\n"


def test_one_model_is_told_in_full(tmp_path: Path) -> None:
    path = saved(tmp_path, mirror=True)
    done = fourcast("models", "info", str(path))
    assert (done.returncode, done.stderr) == (0, "")
    text = " ".join(done.stdout.split())
    for words in (
        "tiny: who has more windows of three",
        "kind boosted",
        "board 6x7x4",
        "features windows, threats, clock",
        "mirror the mean with the mirror image",
        "data source random games rows 800",
        "training rounds 8 settings.num_leaves 7",
        "metrics test.accuracy 0.75 test.log_loss 0.5",
        "versions lightgbm ",
    ):
        assert words in text, words
    assert max(map(len, done.stdout.splitlines())) <= 80
    (document,) = json.loads(fourcast("models", "info", str(path), "--json").stdout)["models"]
    assert document.pop("card") == str(path)
    assert Card.from_json(document, tmp_path).features == ("windows", "threats", "clock")


def test_what_is_no_model_is_one_line_and_a_2(tmp_path: Path) -> None:
    path = saved(tmp_path)
    (tmp_path / "tiny.txt.gz").write_bytes(b"x")
    (tmp_path / "odd.json").write_text("{}")
    (tmp_path / "some.csv").write_text("a,b")
    for arguments, message in {
        ("info", "nobody"): "there is no model 'nobody'; shipped: ",
        ("info", str(path)): "tiny.txt.gz: it is damaged",
        ("info", str(tmp_path / "odd.json")): "odd.json: it is not a model's card",
        ("info", str(tmp_path / "lost.json")): "lost.json: No such file",
        ("info", str(tmp_path / "some.csv")): "some.csv: it is no model; a model goes by its card",
        ("check", str(tmp_path / "some.csv")): "some.csv: it is no model; a model goes by its card",
        ("list", str(tmp_path / "nowhere")): "there is no folder",
        ("info",): "NAME",
        ("burn",): "burn",
    }.items():
        done = fourcast("models", *arguments)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), arguments
        assert message in done.stderr


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The card of a model that was trained on a small set, and measured on fresh positions."""
    run, path = small_training(), tmp_path_factory.mktemp("models") / "oak"
    return run.save(run.boosted(repeats=0), path, "a test", quiet=False, fresh=300).path


def lying(card: Path, folder: Path) -> Path:
    """The same model with a better card."""
    document = json.loads(card.read_text())
    document["metrics"]["fresh"]["accuracy"] = 0.999
    shutil.copy(card.with_name("oak.txt.gz"), folder / "oak.txt.gz")
    (folder / "oak.json").write_text(json.dumps(document))
    return folder / "oak.json"


def test_a_model_is_measured_again_and_is_what_its_card_says(trained: Path) -> None:
    done = fourcast("models", "check", str(trained), "--count", "300", "--seed", "4")
    assert (done.returncode, done.stderr) == (0, "")
    first, title, claimed, measured = done.stdout.splitlines()
    assert first == "oak  as its card says"
    assert title.split() == ["positions", "accuracy", "log-loss"]
    fresh = json.loads(trained.read_text())["metrics"]["fresh"]
    assert claimed.split()[2:] == [
        str(fresh["positions"]),
        f"{fresh['accuracy']:.2%}",
        f"{fresh['log_loss']:.4f}",
    ]
    assert measured.split()[:2] == ["measured", "now"]
    assert measured.split()[2:] != claimed.split()[2:], "other positions, other figures"


@pytest.mark.slow
def test_a_card_that_says_something_else_is_told_and_a_1(trained: Path, tmp_path: Path) -> None:
    wrong = lying(trained, tmp_path)
    done = fourcast("models", "check", str(trained), str(wrong), "-n", "300")
    assert (done.returncode, done.stderr) == (1, "")
    assert "oak  as its card says" in done.stdout
    assert "oak  NOT as its card says" in done.stdout
    done = fourcast("models", "check", str(trained), str(wrong), "-n", "300", "--json")
    assert done.returncode == 1
    one, other = json.loads(done.stdout)["models"]
    assert (one["name"], one["board"], one["same"], other["same"]) == ("oak", "4x5x4", True, False)
    assert other["claimed"]["accuracy"] == 0.999
    assert one["measured"] == other["measured"]


def test_what_cannot_be_checked_is_one_line_and_a_2(trained: Path, tmp_path: Path) -> None:
    untold = saved(tmp_path)
    for arguments, message in {
        (str(untold),): "tiny.json: its card has no figures to compare with",
        ("nobody",): "there is no model 'nobody'",
        (str(trained), "-n", "99"): "100",
        (str(trained), "--seed", "-1"): "--seed",
        (str(trained), "--seed", str(2**32)): "seed 4294967296",
    }.items():
        done = fourcast("models", "check", *arguments)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), arguments
        assert message in done.stderr


@pytest.mark.slow
def test_networks_are_listed_told_and_checked(tmp_path: Path) -> None:
    path = save_network(tmp_path, geometry=Geometry.parse("4x5x4"))
    listed = fourcast("models", "list", str(tmp_path))
    assert listed.returncode == 0
    assert "network-4x5x4  network, 4x5x4, " in listed.stdout
    told = fourcast("models", "info", str(path)).stdout
    assert "planes      own, other, own_wins, other_wins, playable, turn, odd, inside" in told
    assert "features" not in told
    silent = fourcast("models", "check", str(path), "--count", "100")
    assert (silent.returncode, silent.stderr) == (0, "")
    assert silent.stdout.startswith("network-4x5x4  whole; its card tells no figures of fresh positions")
    document = json.loads(path.read_text())
    for good, code in ((0.7, 0), (0.0, 1)):
        document["metrics"] = {"fresh": {"positions": 50, "good": good, "perfect": 0.45 * (good > 0)}}
        path.write_text(json.dumps(document))
        checked = fourcast("models", "check", str(path), "--count", "100")
        assert (checked.returncode, checked.stderr) == (code, "")
        first, heads, claimed, measured = checked.stdout.splitlines()
        assert first == f"network-4x5x4  {'as' if code == 0 else 'NOT as'} its card says"
        assert heads.split() == ["positions", "good", "perfect"]
        assert claimed.split()[:4] == ["its", "card", "50", f"{good:.2%}"]
        assert measured.split()[:2] == ["measured", "now"]
    path.with_suffix(".onnx").write_bytes(b"nothing")
    for verb in ("info", "check"):
        wrong = fourcast("models", verb, str(path))
        assert wrong.returncode == 2
        assert "network-4x5x4.onnx: it is damaged, or not the file that its card describes" in wrong.stderr
        assert wrong.stderr.count("\n") == 1
    beside = save_network(tmp_path, geometry=Geometry.parse("4x4x3"))
    both = fourcast("models", "check", str(path), str(beside), "--count", "100")
    assert both.returncode == 2
    assert both.stdout.startswith("network-4x4x3  whole")
    assert both.stderr.count("\n") == 1


@pytest.mark.parametrize("arguments", [[], ["list"], ["info"], ["check"]])
def test_the_help_has_an_example(arguments: list[str]) -> None:
    done = fourcast("models", *arguments, "--help")
    assert done.returncode == 0
    assert "Example: fourcast models " in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
