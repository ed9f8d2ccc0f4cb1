"""Where models are found: those that come with the package by name, others by their path."""

from __future__ import annotations

from pathlib import Path

from fourcast.game.errors import BadModel, shown
from fourcast.game.geometry import Geometry
from fourcast.models.card import ENDINGS, Card, is_name
from fourcast.models.files import load_card

SHELF = Path(__file__).parent / "shipped"


def shipped() -> list[Card]:
    """The cards of the models that come with the package, by name.

    Raises:
        BadModel: One of them is not sound.
    """
    return [load_card(path) for path in _cards(SHELF)]


def shipped_for(geometry: Geometry, family: str) -> Card | None:
    """The shipped model of a family that is for this board, FAMILY or FAMILY-BOARD; None if there is none.

    Raises:
        BadModel: One of the shipped models is not sound.
    """
    names = (family, f"{family}-{geometry}")
    return next((card for card in shipped() if card.geometry == geometry and card.name in names), None)


def look_through(folder: Path) -> tuple[list[Card], list[BadModel]]:
    """The cards in a folder, by name, and what is wrong with those that are none.

    Raises:
        BadModel: There is no such folder.
    """
    if not folder.is_dir():
        raise BadModel(f"there is no folder {shown(str(folder))}")
    found: list[Card] = []
    wrong: list[BadModel] = []
    for path in _cards(folder):
        try:
            found.append(load_card(path))
        except BadModel as error:
            wrong.append(error)
    return found, wrong


def find(name: str | Path) -> Card:
    """The card of a model.

    Args:
        name: The name of one that comes with the package, or the path of a card or of the model beside it.

    Raises:
        BadModel: There is none, or it is not sound.
    """
    if is_name(name) and (SHELF / f"{name}.json").is_file():
        return load_card(SHELF / f"{name}.json")
    path = Path(name)
    for ending in dict.fromkeys(ENDINGS.values()):
        if path.name.endswith(ending):
            card = path.with_name(path.name.removesuffix(ending) + ".json")
            if path.exists() and not card.exists():
                raise BadModel(f"model {path}: there is no card {card.name} beside it, so it is none of ours")
            path = card
    if path.suffix == ".json":
        return load_card(path)
    if str(name) and path.exists():
        what = "a folder" if path.is_dir() else "no model"
        raise BadModel(
            f"model {path}: it is {what}; a model goes by its card, NAME.json, or the file "
            f"beside it, {' or '.join(f'NAME{ending}' for ending in dict.fromkeys(ENDINGS.values()))}"
        )
    known = ", ".join(each.stem for each in _cards(SHELF)) or "none"
    raise BadModel(
        f"there is no model {shown(str(name))}; shipped: {known}; others go by the path of their card"
    )


def _cards(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.json"))
