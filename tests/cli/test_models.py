"""`fourcast models`: what there is, and what is known of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fourcast.models.card import Card
from fourcast.models.shelf import shipped
from tests.cli.command import fourcast
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
    for arguments, message in {
        ("info", "nobody"): "there is no model 'nobody'; shipped: ",
        ("info", str(path)): "tiny.txt.gz: it is damaged",
        ("info", str(tmp_path / "odd.json")): "odd.json: it is not a model's card",
        ("info", str(tmp_path / "lost.json")): "lost.json: No such file",
        ("list", str(tmp_path / "nowhere")): "there is no folder",
        ("info",): "NAME",
        ("burn",): "burn",
    }.items():
        done = fourcast("models", *arguments)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), arguments
        assert message in done.stderr


@pytest.mark.parametrize("arguments", [[], ["list"], ["info"]])
def test_the_help_has_an_example(arguments: list[str]) -> None:
    done = fourcast("models", *arguments, "--help")
    assert done.returncode == 0
    assert "Example: fourcast models " in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
