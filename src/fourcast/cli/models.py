"""`fourcast models`: models that were trained, and what is known of them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fourcast.cli import BAD_USE, FINE, FOUND_WRONG, complain
from fourcast.cli.options import JsonOption
from fourcast.cli.screen import progress, write_json
from fourcast.game.errors import FourcastError
from fourcast.game.limit import check_seed

if TYPE_CHECKING:
    from fourcast.learning.checking import Checked
    from fourcast.models.card import Card

WIDTH = 80
FIGURES = {"positions": ",.0f", "log_loss": ".4f"}  # how they are written; others are shares
INDENT = 12  # of what stands beside a label

app = typer.Typer(
    name="models",
    help="List models, say what is known of them, measure them again.",
    epilog="Example: fourcast models list",
    no_args_is_help=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def models(context: typer.Context) -> None:
    """List models, say what is known of them, measure them again."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command("list", epilog="Example: fourcast models list ~/my-models")
def list_models(
    folders: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FOLDER", help="Look here; by default at those that are shipped."),
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """List models by their cards.

    Exit code 1: there is a card that cannot be read.
    """
    from fourcast.models.shelf import look_through, shipped

    looked = [look_through(folder) for folder in folders] if folders else [(shipped(), [])]
    cards = [card for found, _ in looked for card in found]
    wrong = [error for _, errors in looked for error in errors]
    if as_json:
        write_json({"models": [_document(card) for card in cards]})
    else:
        print("\n".join(_overview(cards)) if cards else "There are no models.")
    for fault in wrong:
        complain(str(fault))
    return FOUND_WRONG if wrong else FINE


@app.command(epilog="Example: fourcast models info my-models/boosted.json")
def info(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A shipped model, or the path of a card, NAME.json.")
    ],
    as_json: JsonOption = False,
) -> None:
    """Say all that a model's card says, if its file is whole."""
    from fourcast.models.files import read_model_bytes
    from fourcast.models.shelf import find

    card = find(name)
    read_model_bytes(card)
    if as_json:
        write_json({"models": [_document(card)]})
    else:
        print("\n".join(_all_of(card)))


@app.command(epilog="Example: fourcast models check uci")
def check(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="Shipped models, or paths of cards; by default all shipped."),
    ] = None,
    count: Annotated[
        int, typer.Option("--count", "-n", metavar="N", min=100, help="Fresh positions to draw.")
    ] = 2000,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Which ones are drawn.")] = 1,
    as_json: JsonOption = False,
) -> int:
    """Measure models again on positions that they have never learnt from, and compare with their cards.

    A model of UCI's set is measured on the part of it that was held out; others on positions that are drawn
    afresh, held out by their hash, and labelled by the solver. Of networks it is measured how many moves are
    good and perfect, without search.

    Exit code 1: a card says something else than is found; 2: a model cannot be read.
    """
    from fourcast.learning.checking import check_model
    from fourcast.models.shelf import find, shipped

    check_seed(seed)
    cards = [find(name) for name in names] if names else shipped()
    found: list[Checked] = []
    wrong: list[FourcastError] = []
    with progress() as advance:
        for card in cards:
            try:
                found.append(check_model(card, count, seed, advance))
            except FourcastError as error:  # the others are looked at all the same
                wrong.append(error)
    if as_json:
        write_json({"models": [each.to_json() for each in found]})
    elif not cards:
        print("There are no models.")
    for each in () if as_json else found:
        print("\n".join(_compared(each)))
    for fault in wrong:
        complain(str(fault))
    if wrong:
        return BAD_USE
    return FINE if all(each.same for each in found) else FOUND_WRONG


def _compared(checked: Checked) -> list[str]:
    """What a card says and what was measured, one under the other."""
    name = checked.card.name
    if checked.note:
        return _wrapped(f"{name}  whole; {checked.note}", 0)
    lines = [f"{name}  {'as its card says' if checked.same else 'NOT as its card says'}"]
    lines.append(" " * 14 + "".join(f"{figure.replace('_', '-'):>12}" for figure in checked.measured))
    for label, figures in (("its card", checked.claimed), ("measured now", checked.measured)):
        said = (format(figures[figure], FIGURES.get(figure, ".2%")) for figure in checked.measured)
        lines.append(f"  {label:<12}" + "".join(f"{each:>12}" for each in said))
    return lines


def _document(card: Card) -> dict[str, Any]:
    return card.to_json() | {"card": str(card.path)}


def _overview(cards: list[Card]) -> list[str]:
    """Each model with its board and size, and under it what it is for."""
    lines = []
    for card in cards:
        lines += [
            f"{card.name}  {card.kind}, {card.geometry}, {card.size:,} bytes",
            *_beside("", card.purpose),
        ]
    return lines


def _all_of(card: Card) -> list[str]:
    """A card, field by field."""
    lines = [*_wrapped(f"{card.name}: {card.purpose}", 0), ""]
    plain = {
        "kind": card.kind,
        "board": str(card.geometry),
        "file": f"{card.file}, {card.size:,} bytes",
        "sha256": card.sha256,
        **(
            {"planes": ", ".join(card.planes)}
            if card.planes
            else {"features": ", ".join(card.features), "classes": ", ".join(card.classes)}
        ),
        "mirror": "the mean with the mirror image" if card.mirror else "positions as they are",
    }
    for label, text in plain.items():
        lines += _beside(label, text)
    for label in ("data", "training", "metrics", "versions"):
        facts = list(_flat(getattr(card, label)))
        for number, fact in enumerate(facts):
            lines += _beside("" if number else label, fact)
    return lines


def _flat(facts: Mapping[str, Any], above: str = "") -> Iterator[str]:
    """Facts as `name value`, those within others under both names."""
    for name, value in facts.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{name}.")
        else:
            yield f"{above}{name} {_said(value)}"


def _said(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_said, value))
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    return (
        f"{value:,}" if isinstance(value, int) else f"{value:.6g}" if isinstance(value, float) else str(value)
    )


def _beside(label: str, text: str) -> list[str]:
    """A label with a text beside it, over as many lines as it needs."""
    lines = _wrapped(text, INDENT)
    return [f"{label:<{INDENT}}{lines[0].lstrip()}".rstrip(), *lines[1:]]


def _wrapped(text: str, indent: int) -> list[str]:
    margin = " " * indent
    return textwrap.wrap(text, WIDTH, initial_indent=margin, subsequent_indent=margin) or [""]
