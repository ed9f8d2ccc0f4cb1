"""Model files: they come back as they were, nothing is half written, and what is not sound is refused."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourcast import BadModel, Geometry
from fourcast.models import files, shelf
from fourcast.models.card import Card
from fourcast.models.files import load_card, read_model_bytes, save_model
from fourcast.models.shelf import find, look_through, shipped
from tests.models.trained import card_of

TEXT = b"tree\nnot much of one\n"


def rewrite(path: Path, **changes: Any) -> None:
    """Put other facts on a card; those that are ... go."""
    document = json.loads(path.read_text()) | changes
    path.write_text(json.dumps({name: value for name, value in document.items() if value is not ...}))


def put_model(path: Path, packed: bytes) -> Card:
    """Put another file beside a card, with a hash that agrees."""
    path.with_name("tiny.txt.gz").write_bytes(packed)
    rewrite(path, sha256=hashlib.sha256(packed).hexdigest(), bytes=len(packed))
    return load_card(path)


def test_a_model_comes_back_as_it_was(tmp_path: Path) -> None:
    card = card_of(mirror=True)
    path = save_model(tmp_path / "new" / "folder", card, TEXT)
    assert path == tmp_path / "new" / "folder" / "tiny.json"
    assert sorted(each.name for each in path.parent.iterdir()) == ["tiny.json", "tiny.txt.gz"]
    again = load_card(path)
    packed = (path.parent / "tiny.txt.gz").read_bytes()
    assert (again.sha256, again.size) == (hashlib.sha256(packed).hexdigest(), len(packed))
    assert again.to_json() == card.to_json() | {"sha256": again.sha256, "bytes": again.size}
    assert (again.geometry, again.features, again.mirror) == (card.geometry, card.features, True)
    assert read_model_bytes(again) == gzip.decompress(packed) == TEXT


def test_the_same_model_is_the_same_file_whenever_it_is_saved(tmp_path: Path) -> None:
    one, other = (save_model(tmp_path / each, card_of(), TEXT) for each in ("one", "other"))
    assert one.read_bytes() == other.read_bytes()
    assert one.with_name("tiny.txt.gz").read_bytes() == other.with_name("tiny.txt.gz").read_bytes()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"format": 2}, "its format is 2, and only 1 is known here"),
        ({"format": True}, "its format is True"),
        ({"format": ...}, "not a model's card"),
        ({"name": "../tiny"}, "name is '../tiny', not a name of small letters"),
        ({"name": ""}, "name is ''"),
        ({"name": "other", "file": "other.txt.gz"}, "the card of other, and its file is called otherwise"),
        ({"kind": "pickle"}, "kind is 'pickle', not boosted, cnn or network"),
        ({"kind": ["boosted"]}, "kind is"),
        ({"purpose": "two\nlines"}, "purpose is"),
        ({"purpose": "\x1b[2J"}, "purpose is"),
        ({"purpose": "x" * 501}, "purpose is"),
        ({"board": "6x7"}, "write it as ROWSxCOLUMNSxCONNECT"),
        ({"board": 6}, "board is 6, not a board"),
        ({"file": "/etc/passwd"}, "file is '/etc/passwd', not 'tiny.txt.gz'"),
        ({"sha256": "0" * 63}, "sha256 is"),
        ({"bytes": -1}, "bytes is -1"),
        ({"bytes": 1.5}, "bytes is 1.5"),
        ({"features": []}, "features is"),
        ({"features": ["cells", "cells"]}, "features is"),
        ({"features": "cells"}, "features is 'cells', not a list"),
        ({"features": [["cells"]]}, "features is"),
        ({"classes": ["win", "draw", "loss"]}, "classes is"),
        ({"mirror": 1}, "mirror is 1, not true or false"),
        ({"data": []}, "data is"),
        ({"data": {"a": {"b": "\x07"}}}, "data is"),
        ({"training": None}, "training is None"),
        ({"metrics": {"accuracy": "high"}}, "metrics is"),
        ({"metrics": {"accuracy": {"test": True}}}, "metrics is"),
        ({"metrics": {"accuracy": 10**400}}, "metrics is"),
        ({"versions": {"lightgbm": 4}}, "versions is"),
        ({"versions": ...}, "versions is missing"),
        ({"pickle": "yes"}, "there is no field 'pickle' in a card"),
    ],
)
def test_a_card_that_is_not_sound_is_refused_by_name(
    tmp_path: Path, changes: dict[str, Any], reason: str
) -> None:
    path = save_model(tmp_path, card_of(), TEXT)
    rewrite(path, **changes)
    with pytest.raises(BadModel) as caught:
        load_card(path)
    assert str(caught.value).startswith(f"model {path}: ")
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b'{"format": NaN}', "not JSON"),
        (b'{"format": ' + b"9" * 5000 + b"}", "not JSON"),
        (b"[1]", "not a model's card"),
        (b'{"a": 1}', "not a model's card"),
        (b" " * 1_000_001, "1,000,000 bytes"),
    ],
)
def test_what_is_no_card_is_refused(tmp_path: Path, text: bytes, reason: str) -> None:
    (tmp_path / "odd.json").write_bytes(text)
    with pytest.raises(BadModel, match=rf"odd\.json: .*{reason}"):
        load_card(tmp_path / "odd.json")


def test_facts_within_facts_have_a_limit(tmp_path: Path) -> None:
    facts: dict[str, Any] = {"a": [1, "b", None, True, {"c": 0.5}]}
    assert load_card(save_model(tmp_path, card_of(data=facts), TEXT)).data == facts
    for _ in range(9):
        facts = {"a": facts}
    with pytest.raises(BadModel, match="data is"):
        save_model(tmp_path, card_of(data=facts), TEXT)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_damaged_card_is_refused_or_a_card(data: st.DataObject) -> None:
    signed = Card.from_json(card_of().to_json() | {"sha256": "0" * 64})
    text = json.dumps(signed.to_json()).encode()
    place = data.draw(st.integers(0, len(text) - 1))
    damaged = text[:place] + data.draw(st.binary(max_size=3)) + text[place + data.draw(st.integers(0, 40)) :]
    try:
        assert isinstance(Card.decode(damaged), Card)
    except BadModel as error:
        assert "\n" not in str(error)


def test_a_model_that_its_card_does_not_describe_is_refused_by_name(tmp_path: Path) -> None:
    path = save_model(tmp_path, card_of(), TEXT)
    card, model = load_card(path), tmp_path / "tiny.txt.gz"
    packed = model.read_bytes()
    for damaged in (packed[:-1], b"", packed[:20] + b"x" + packed[21:], packed + b"\0", b"x" * 1000):
        model.write_bytes(damaged)
        with pytest.raises(BadModel, match=r"tiny\.txt\.gz: it is damaged"):
            read_model_bytes(card)
    model.unlink()
    with pytest.raises(BadModel, match=r"tiny\.txt\.gz: No such file"):
        read_model_bytes(card)


def test_a_model_is_one_whole_gzip_file_of_limited_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save_model(tmp_path, card_of(), TEXT)
    packed = gzip.compress(TEXT)
    for odd, reason in (
        (b"no gzip at all", "not a gzip file"),
        (packed[:-4], "not one whole gzip file"),
        (packed + b"more", "not one whole gzip file"),
        (packed[:15] + b"\xff" * 5 + packed[20:], "gzip file"),
    ):
        with pytest.raises(BadModel, match=reason):
            read_model_bytes(put_model(path, odd))
    monkeypatch.setattr(files, "MOST_BYTES", 100_000)
    assert len(read_model_bytes(put_model(path, gzip.compress(bytes(100_000))))) == 100_000
    bomb = put_model(path, gzip.compress(bytes(50_000_000)))
    tracemalloc.start()
    with pytest.raises(BadModel, match="unfolds to more than 100,000 bytes"):
        read_model_bytes(bomb)
    assert tracemalloc.get_traced_memory()[1] < 5_000_000, "it is not unfolded first and measured then"
    tracemalloc.stop()
    with pytest.raises(BadModel, match="more than 100,000 bytes"):
        read_model_bytes(put_model(path, os.urandom(100_001)))
    with pytest.raises(BadModel, match="could not be read again"):
        save_model(tmp_path, card_of("large"), bytes(100_001))


def test_pipes_and_folders_are_no_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "folder.json").mkdir()
    for name in ("pipe.json", "folder.json"):
        with pytest.raises(BadModel, match=f"{name}: it is not a file"):
            load_card(tmp_path / name)
    with pytest.raises(BadModel, match="null"):
        load_card(tmp_path / "a\0b.json")


def test_a_disk_that_fills_leaves_what_was_there(tmp_path: Path) -> None:
    """The process may write files of 1,000 bytes only: the model does not fit, or the card does not."""
    path = save_model(tmp_path, card_of(), TEXT)
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
    script = """
import os, resource, signal, sys
from pathlib import Path
from fourcast.game.errors import BadModel
from fourcast.models.files import save_model
from tests.models.trained import card_of
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
facts = {str(number): number for number in range(200)}
for text, data in ((os.urandom(5000), {}), (b"short", facts)):
    try:
        save_model(Path(sys.argv[1]), card_of(data=data), text)
    except BadModel as error:
        print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, f"model {path}: File too large\n" * 2), done.stderr
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == before


@pytest.mark.parametrize("files_in_place", [0, 1])
def test_a_save_that_is_killed_leaves_the_old_pair_or_one_that_is_refused(
    tmp_path: Path, files_in_place: int
) -> None:
    """The process ends, cleaning nothing up, before the files take their places, or between the two."""
    path = save_model(tmp_path, card_of(), TEXT)
    script = """
import os, sys
from pathlib import Path
from fourcast.models.files import save_model
from tests.models.trained import card_of
put, left = Path.replace, int(sys.argv[2])
def replace(self, target):
    global left
    if not left:
        os._exit(9)
    left -= 1
    return put(self, target)
Path.replace = replace
save_model(Path(sys.argv[1]), card_of(), b"another one")
"""
    command = [sys.executable, "-c", script, str(tmp_path), str(files_in_place)]
    assert subprocess.run(command, check=False).returncode == 9
    if files_in_place:
        with pytest.raises(BadModel, match=r"tiny\.txt\.gz: it is damaged, or not the file that its card"):
            read_model_bytes(load_card(path))
    else:
        assert read_model_bytes(load_card(path)) == TEXT
    save_model(tmp_path, card_of(), b"another one")
    assert read_model_bytes(load_card(path)) == b"another one"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["tiny.json", "tiny.txt.gz"]


def test_the_card_is_put_in_its_place_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who finds a card finds its model, at any time."""
    places: list[str] = []
    put = Path.replace

    def watched(self: Path, target: Path) -> Path:
        places.append(target.name)
        return put(self, target)

    monkeypatch.setattr(Path, "replace", watched)
    save_model(tmp_path, card_of(), TEXT)
    assert places == ["tiny.txt.gz", "tiny.json"]


def test_a_card_that_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    for wrong, reason in (
        (card_of("Not A Name"), "name is"),
        (card_of(kind="pickle"), "kind is"),
        (card_of(purpose="two\nlines"), "purpose is"),
        (card_of(metrics={"a": float("nan")}), "not JSON"),
        (card_of(data={"a": object()}), "not JSON serializable"),
    ):
        with pytest.raises(BadModel, match=reason):
            save_model(tmp_path, wrong, TEXT)
    assert not list(tmp_path.iterdir())


def test_models_are_found_by_name_and_by_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "SHELF", tmp_path / "shelf")
    ours = [load_card(save_model(tmp_path / "shelf", card_of(name), TEXT)) for name in ("ash", "birch")]
    other = save_model(tmp_path, card_of("cedar", geometry=Geometry(8, 10, 5)), TEXT)
    assert shipped() == ours
    assert find("birch") == ours[1]
    for path in (other, str(other), other.with_name("cedar.txt.gz")):
        assert find(path).geometry == Geometry(8, 10, 5)
    for name in ("cedar", "", "Ash", "../shelf/ash", str(tmp_path / "nowhere")):
        with pytest.raises(BadModel, match=r"there is no model .*; shipped: ash, birch; "):
            find(name)
    with pytest.raises(BadModel, match=r"pine\.json: No such file"):
        find(tmp_path / "pine.txt.gz")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (
            "some.csv",
            "it is no model; a model goes by its card, NAME.json, or the file beside it, NAME.txt.gz",
        ),
        ("some.txt", "it is no model; "),
        ("some", "it is no model; "),
        ("folder", "it is a folder; a model goes by its card"),
        ("some.txt.gz", "there is no card some.json beside it"),
        ("odd.json", "it is not a card: it is not JSON"),
        ("pine.txt.gz", "it is not a card: it is not JSON"),
    ],
)
def test_a_foreign_file_is_not_called_missing(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "folder").mkdir()
    for each in ("some.csv", "some.txt", "some", "some.txt.gz", "odd.json", "pine.json", "pine.txt.gz"):
        (tmp_path / each).write_text("a,b\n1,2\n")
    with pytest.raises(BadModel, match=f"^model .*: {reason}") as caught:
        find(tmp_path / name)
    assert "there is no model" not in str(caught.value)


def test_a_folder_is_looked_through_and_what_is_wrong_is_told_apart(tmp_path: Path) -> None:
    save_model(tmp_path, card_of("ash"), TEXT)
    (tmp_path / "package.json").write_text("{}")
    found, wrong = look_through(tmp_path)
    assert [card.name for card in found] == ["ash"]
    assert [str(error) for error in wrong] == [f"model {tmp_path / 'package.json'}: it is not a model's card"]
    with pytest.raises(BadModel, match="there is no folder"):
        look_through(tmp_path / "nowhere")


def test_every_shipped_model_is_whole() -> None:
    for card in shipped():
        assert len(read_model_bytes(card)) > 0
