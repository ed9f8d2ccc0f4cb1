"""What learning costs and brings, family by family: the study `learning`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fourcast.study.learning.results import findings
from fourcast.study.learning.settings import courses, groups, shipped
from fourcast.study.study import Desk, Found, Settings, Study, Task


def make_sets(arguments: dict[str, Any], desk: Desk) -> Found:
    """Draw and solve the positions."""
    from fourcast.study.learning.sets import make_sets as make

    return make(arguments, desk)


def train_boosted(arguments: dict[str, Any], desk: Desk) -> Found:
    """Boosted trees."""
    from fourcast.study.learning.measures import train_boosted as train

    return train(arguments, desk)


def train_network(arguments: dict[str, Any], desk: Desk) -> Found:
    """A network."""
    from fourcast.study.learning.measures import train_network as train

    return train(arguments, desk)


def ask_shipped(arguments: dict[str, Any], desk: Desk) -> Found:
    """A shipped model."""
    from fourcast.study.learning.measures import ask_shipped as ask

    return ask(arguments, desk)


def tasks(settings: Settings) -> Sequence[Task]:
    """The sets, the models of each family, the shipped ones, and the groups of features."""
    common: dict[str, Any] = {
        "learn_from": settings.choose(600, 12_000),
        "judge_by": settings.choose(150, 1_000),
        "plies": [14, 30],
        "seed": settings.seed,
    }
    made = [Task("sets", make_sets, common)]
    played = common | {"games": settings.choose(4, 60)}
    for name, course in courses(settings).items():
        measure = train_network if "kind" in course else train_boosted
        made.append(Task(name, measure, played | dict(course)))
    for family, model in shipped().items():
        made.append(Task(f"shipped, {family}", ask_shipped, played | {"model": model}))
    alone: Mapping[str, Any] = common | {"games": 0, "repeats": 0, "rounds": settings.choose(20, 150)}
    return made + [
        Task(f"group, {group}", train_boosted, dict(alone) | {"features": [group]}) for group in groups()
    ]


STUDY = Study(
    "learning",
    "Learning: what it costs, and what it brings",
    "Boosted trees, the published convolutional network and a residual one learn from the same solved "
    "positions, and are judged by others that no model has seen. How well do they foresee who wins, how "
    "well do they play, and what does that cost? Are their chances to be trusted, and which features do "
    "trees live on?",
    tasks,
    findings,
    extras=(("lightgbm", "learn"), ("onnxruntime", "learn")),
)
