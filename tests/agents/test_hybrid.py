"""The hybrid agent: its options, its presets, its models."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from fourcast import Analysis, BadModel, BadOption, Limit, Position, Rules, agent
from fourcast.agents.hybrid import PRESETS, Preset
from fourcast.models.files import load_card
from tests.boards import play_peacefully
from tests.cli.command import fourcast
from tests.models.trained import saved

EARLY, LATE = Position.from_moves("4412"), Position.from_moves("47567112316426")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved(tmp_path_factory.mktemp("models"))


def settings_of(spec: str, **options: Any) -> Preset:
    player: Any = agent(spec, **options)
    settings: Preset = player.settings
    return settings


def test_it_plays_as_published_unless_it_is_told_otherwise() -> None:
    published = settings_of("hybrid:model=none")
    assert published == Preset(3, "none", 8, 12, 0.7, 75, "sharp", 0, 0.75, 12, None)
    assert settings_of("hybrid:preset=published,model=none") == published
    assert settings_of("hybrid:published,model=none") == published


def test_options_that_are_given_come_before_those_of_the_preset() -> None:
    strong = settings_of("hybrid:preset=strong,model=none")
    assert strong.seconds == 0.1
    assert strong.depth > 3
    assert settings_of("hybrid:model=none,depth=5,preset=strong").depth == 5
    options = (
        "depth=2,early=3,late=4,share=0.5,playouts=6,style=random,tactics=7,weight=0.8,alone=9,seconds=0.25"
    )
    changed = settings_of(f"hybrid:strong,model=none,{options}")
    assert changed == Preset(2, "none", 3, 4, 0.5, 6, "random", 7, 0.8, 9, 0.25)
    assert settings_of("hybrid:strong,model=none", playouts=9).playouts == 9


def test_options_reach_the_search(path: Path) -> None:
    early, late = EARLY, LATE
    found = agent(f"hybrid:model={path}", seed=1).analyze(early, Limit())
    assert (found.depth, found.simulations) == (3, 0), "the model knows"
    assert found.leaves > 100
    found = agent(f"hybrid:model={path}", seed=1).analyze(late, Limit())
    assert found.simulations == 75 * found.leaves > 0
    found = agent(f"hybrid:model={path},playouts=10,depth=2", seed=1).analyze(late, Limit())
    assert (found.depth, found.simulations) == (2, 10 * found.leaves)
    assert agent(f"hybrid:model={path},early=3,late=3", seed=1).analyze(early, Limit()).simulations > 0
    assert agent(f"hybrid:model={path},early=42,late=42", seed=1).analyze(late, Limit()).simulations == 0
    shares = [
        agent(f"hybrid:model={path},early=0,late=42,share={share}", seed=1).analyze(late, Limit()).value
        for share in (0.01, 0.5, 1)
    ]
    assert len(set(shares)) == 3


def test_its_own_time_is_kept_as_the_limits_is() -> None:
    """Without it, a search this deep would not end while anybody waits."""
    player = agent("hybrid:model=none,depth=40,playouts=10000,seconds=0.02", seed=1)
    assert player.analyze(EARLY, Limit()).depth < 10
    assert player.analyze(EARLY, Limit(seconds=1000)).depth < 10
    player = agent("hybrid:model=none,depth=40,playouts=10000,seconds=1000", seed=1)
    assert player.analyze(EARLY, Limit(seconds=0.02)).depth < 10


def test_without_a_shipped_model_for_its_board_it_plays_out() -> None:
    player: Any = agent("hybrid", Rules("5x6x4"), seed=1)
    assert player.settings.model == "none"
    found = player.analyze(Position("5x6x4"), Limit())
    assert found.simulations == 75 * found.leaves > 0
    strong: Any = agent("hybrid:preset=strong,model=auto", Rules("5x6x4"))
    assert strong.settings.model == "none"


@pytest.mark.parametrize("name", ["boosted", "boosted-6x7x4"])
def test_a_preset_takes_the_shipped_model_of_its_board(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fourcast.models.shelf.SHELF", tmp_path)
    saved(tmp_path, "uci")
    assert settings_of("hybrid").model == "none"
    assert settings_of("hybrid:preset=strong").model == "none", "that is of another family"
    saved(tmp_path, name)
    assert settings_of("hybrid:preset=strong").model == name
    assert settings_of("hybrid:preset=strong,model=auto").model == name
    assert settings_of("hybrid:preset=strong,model=uci").model == "uci"
    assert settings_of("hybrid:preset=strong,model=none").model == "none"
    assert settings_of("hybrid:preset=strong", rules=Rules("5x10x4")).model == "none"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("preset=mighty", "preset=mighty: it takes published or strong"),
        ("mighty", "preset=mighty"),
        ("depth=0", "depth=0: it takes a whole number, 1 to 128"),
        ("playouts=0", "playouts=0: it takes a whole number, 1 to 10000"),
        ("playouts=10001", "playouts=10001"),
        ("share=0", "share=0: it takes a number over 0, 1 at most"),
        ("share=1.1", "share=1.1"),
        ("early=-1", "early=-1"),
        ("late=129", "late=129"),
        ("seconds=0", "seconds=0"),
        ("model=", "model=: it takes a shipped model, the path of a card, auto or none"),
        ("early=13", "asked alone up to 13 discs cannot be asked up to 12 only"),
        ("late=7", "asked alone up to 8 discs cannot be asked up to 7 only"),
        ("wisdom=3", "agent hybrid has no option 'wisdom'"),
    ],
)
def test_wrong_options_are_one_line(options: str, message: str) -> None:
    with pytest.raises(BadOption, match=message) as caught:
        agent(f"hybrid:{options}")
    assert "\n" not in str(caught.value)


def test_models_that_it_cannot_play_with_are_one_line(path: Path, tmp_path: Path) -> None:
    with pytest.raises(BadModel, match=r"tiny\.json: it is for board 6x7x4, not 5x5x4"):
        agent(f"hybrid:model={path}", Rules("5x5x4"))
    with pytest.raises(BadModel, match="there is no model 'oracle'; shipped: "):
        agent("hybrid:model=oracle")
    (tmp_path / "some.txt").write_text("no model")
    with pytest.raises(BadModel, match=r"some\.txt: it is no model; a model goes by its card"):
        agent(f"hybrid:model={tmp_path / 'some.txt'}")
    with pytest.raises(BadModel, match=r"nobody\.json: No such file"):
        agent(f"hybrid:model={tmp_path / 'nobody.json'}")
    card = load_card(saved(tmp_path, "damaged"))
    damaged = tmp_path / card.file
    damaged.write_bytes(damaged.read_bytes()[:-1])
    with pytest.raises(BadModel, match=r"damaged\.txt\.gz: it is damaged") as caught:
        agent(f"hybrid:model={tmp_path / 'damaged.json'}")
    assert "\n" not in str(caught.value)


def test_the_command_says_in_one_line_what_is_wrong_with_a_model(path: Path, tmp_path: Path) -> None:
    saved(tmp_path, "damaged")
    (tmp_path / "damaged.txt.gz").write_bytes(b"")
    for arguments in (
        ("analyze", "44", "--agent", f"hybrid:model={tmp_path / 'damaged.json'}"),
        ("match", f"hybrid:model={path}", "random", "--games", "2", "--board", "5x5x4"),
    ):
        done = fourcast(*arguments)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert done.stderr.startswith("fourcast: model ")


def test_the_same_seed_gives_the_same_answer(path: Path) -> None:
    first, again, other = (
        agent(f"hybrid:model={path}", seed=seed).analyze(LATE, Limit()) for seed in (1, 1, 2)
    )
    assert (first.column, first.values, first.pv) == (again.column, again.values, again.pv)
    assert first.values != other.values


def test_two_threads_may_use_two_agents_at_once(path: Path) -> None:
    positions = [play_peacefully(EARLY.geometry, seed, 4 + seed) for seed in range(16)]
    positions = [position for position in positions if not position.is_over]
    expected = [agent(f"hybrid:model={path}", seed=1).analyze(each, Limit()).values for each in positions]
    answers: list[list[Analysis]] = [[], []]

    def ask(which: int) -> None:
        player = agent(f"hybrid:model={path}", seed=1)
        answers[which] = [player.analyze(position, Limit()) for position in positions]

    threads = [threading.Thread(target=ask, args=(which,)) for which in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    for found in answers:
        assert [each.values for each in found] == expected


def test_it_beats_a_random_player() -> None:
    player = agent("hybrid:model=none,playouts=10,depth=2", seed=1)
    lost = 0
    for game in range(6):
        other = agent("random", seed=game)
        position = Position()
        while not position.is_over:
            mine = position.turn == game % 2
            position = position.play((player if mine else other).analyze(position, Limit()).column)
        assert position.outcome is not None
        lost += position.outcome.winner != game % 2
    assert lost == 0


def test_presets_are_those_that_the_page_names() -> None:
    page = (Path(__file__).parents[2] / "docs" / "hybrid.md").read_text(encoding="utf-8")
    for name, preset in PRESETS.items():
        row = next(line for line in page.splitlines() if line.startswith(f"| `{name}` |"))
        cells = [cell.strip() for cell in row.strip("|").split("|")][1:]
        seconds = "none" if preset.seconds is None else f"{preset.seconds:g}"
        assert cells == [
            str(preset.depth),
            f"`{preset.model}`",
            str(preset.early),
            str(preset.late),
            f"{preset.share:g}",
            str(preset.playouts),
            f"{preset.tactics:,}",
            f"{preset.weight:g}",
            str(preset.alone),
            seconds,
        ]
