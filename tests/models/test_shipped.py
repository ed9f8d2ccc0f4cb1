"""The networks that come with the package: which they are, how large, and that they play on their boards."""

from __future__ import annotations

import re

import pytest

from fourcast import BadModel, CannotPlay, Geometry, Limit, Rules
from fourcast.agents import agent
from fourcast.bench.contest import contest
from fourcast.models.card import NETWORKS, Card
from fourcast.models.shelf import SHELF, shipped, shipped_for

BOARDS = ("8x10x5", "5x10x4", "6x7x4", "10x5x4", "5x5x4", "6x7x3", "5x5x3")
EXPECTED = {f"{kind}-{board}" for kind in NETWORKS for board in BOARDS}
MOST_BYTES = 15_000_000  # of all that is shipped, cards too
ELSEWHERE = "4x9x4"  # a board that no network is shipped for
GAMES = 40  # against random
LEAST_WINS = 36  # of these, as it plays; fewer than any of them wins in the long run
LEAST_ALONE = 28  # without the guard, behind which a network that has learnt nothing wins as well

networks = pytest.mark.parametrize(
    "card", [pytest.param(card, id=card.name) for card in shipped() if card.kind in NETWORKS]
)


def test_a_network_is_shipped_for_every_board_that_contests_are_held_on() -> None:
    assert {card.name for card in shipped()} >= EXPECTED


def test_all_that_is_shipped_stays_small() -> None:
    assert sum(path.stat().st_size for path in SHELF.iterdir()) < MOST_BYTES


@networks
def test_a_shipped_network_is_found_by_its_board(card: Card) -> None:
    assert shipped_for(card.geometry, card.kind) == card


@networks
@pytest.mark.parametrize(("guard", "least"), [("", LEAST_WINS), (":guard=0", LEAST_ALONE)])
def test_a_shipped_network_beats_a_player_that_knows_nothing(card: Card, guard: str, least: int) -> None:
    rules = Rules(card.geometry)
    met = contest(card.kind + guard, "random", rules, GAMES, limit=Limit(), advance=lambda *_: None)
    assert met.wins >= least


@networks
def test_a_shipped_network_is_refused_by_name_on_another_board(card: Card) -> None:
    with pytest.raises(
        BadModel, match=rf"{re.escape(card.name)}\.json: it is for board {card.geometry}, not {ELSEWHERE}$"
    ):
        agent(f"{card.kind}:{card.name}", ELSEWHERE)


@pytest.mark.parametrize("kind", NETWORKS)
def test_a_board_without_a_network_is_refused_with_the_boards_that_have_one(kind: str) -> None:
    assert shipped_for(Geometry.parse(ELSEWHERE), kind) is None
    boards = [str(card.geometry) for card in shipped() if card.kind == kind]
    known = f"only for {', '.join(boards)}" if boards else "nor for any other"
    with pytest.raises(
        CannotPlay, match=f"^agent {kind} has no network for board {ELSEWHERE}, {known}; give it one of your"
    ):
        agent(kind, ELSEWHERE)
