"""What the study of learning counts as the cost of a model."""

from __future__ import annotations

from fourcast.game.geometry import STANDARD
from fourcast.models.card import Card
from fourcast.study.learning.measures import training_seconds


def test_what_a_network_has_gone_on_from_counts_as_training_too() -> None:
    first = {"seconds": 100.0, "data": {}}
    second = {"seconds": 20.0, "data": {"start": first}}
    for data, seconds in (({}, 3.0), ({"start": first}, 103.0), ({"start": second}, 123.0)):
        card = Card("net", "network", "a test", STANDARD, data=data, training={"seconds": 3.0})
        assert training_seconds(card) == seconds
