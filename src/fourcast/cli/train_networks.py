"""What `fourcast train cnn`, `fourcast train network` and `fourcast train selfplay` have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fourcast.cli import FINE, Stopped
from fourcast.cli.ctrl_c import remembered
from fourcast.cli.screen import Advance, write_json
from fourcast.files import check_folder, check_place, claimed
from fourcast.game.errors import BadOption, shown

if TYPE_CHECKING:
    from fourcast.learning.distilling import Trained

OutOption = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="NAME", help="Write NAME.onnx and its card, NAME.json."),
]
ReportOption = Annotated[
    Path | None, typer.Option("--report", metavar="FOLDER", help="Write learning curves and figures there.")
]
BatchOption = Annotated[int, typer.Option("--batch", metavar="N", help="Positions of a step.")]
RateOption = Annotated[
    float, typer.Option("--learning-rate", metavar="X", help="The highest; it rises to it and falls.")
]
HalfOption = Annotated[bool, typer.Option("--half", help="Store weights as float16, in half the bytes.")]
PurposeOption = Annotated[
    str | None, typer.Option("--purpose", metavar="TEXT", help="What the card says it is for.")
]
ChannelsOption = Annotated[int, typer.Option("--channels", metavar="N", help="Of each convolution.")]
BlocksOption = Annotated[
    int, typer.Option("--blocks", metavar="N", help="Of two convolutions, with a way past them.")
]
PlayersOption = Annotated[int, typer.Option("--jobs", metavar="N", min=1, help="Processes that play.")]
FreshOption = Annotated[
    int, typer.Option("--fresh", metavar="N", min=0, help="Fresh positions to grade it on; 0: none.")
]
TrainSeedOption = Annotated[int, typer.Option("--seed", metavar="N", help="Of all that goes by chance.")]


def prepare(out: Path | None, report: Path | None, purpose: str | None) -> list[Path]:
    """Refuse what cannot be written, and say what is not installed, before anything takes its time.

    Returns:
        The folders that were made for it, the innermost first.

    Raises:
        BadOption: A name, a folder or a text will not do.
        MissingExtra: Something of the extra `train`, or matplotlib, is not installed.
    """
    from fourcast.extras import require
    from fourcast.learning.networks import check_extra
    from fourcast.models.card import MOST_LETTERS, is_name, is_text

    if out is not None and out.suffix in (".json", ".onnx"):
        raise BadOption(f"-o {out}: give the name alone; {out.stem}.json and {out.stem}.onnx are written")
    if out is not None and not is_name(out.name):
        raise BadOption(f"-o {shown(out.name)}: a model's name has small letters, digits, '.', '_' and '-'")
    if purpose is not None and out is None:
        raise BadOption("--purpose: it goes with -o NAME: it is for the card of a model that is written")
    if purpose is not None and not (purpose.strip() and is_text(purpose)):
        raise BadOption(f"--purpose {shown(purpose)}: it must be one line of 1 to {MOST_LETTERS} letters")
    check_extra()
    if report is not None:
        require("matplotlib", "learn")
    made: list[Path] = []
    with _without_empty(made):
        for option, folder in (("-o", None if out is None else out.parent), ("--report", report)):
            if folder is not None:
                made[:0] = [each for each in (folder, *folder.parents) if not each.exists()]
                with _told(f"{option} {folder}"):
                    folder.mkdir(parents=True, exist_ok=True)
                    check_folder(folder)
        if out is not None:
            for ending in (".json", ".onnx"):
                path = out.with_name(out.name + ending)
                with _told(f"-o {out}: {path}"):
                    check_place(path)
    return made


@contextmanager
def stoppable(
    *files: Path | None, folders: Sequence[Path] = (), out: Path | None = None
) -> Iterator[Callable[[Advance], Advance]]:
    """Ctrl-C is told with the files in which what is done is kept.

    Args:
        files: Those.
        folders: What `prepare` has made; where it comes to nothing, the empty ones go.
        out: A name to have to oneself meanwhile.

    Yields:
        What makes of a function that is told of progress one that heeds Ctrl-C, too.

    Raises:
        BadOption: Another process is at work on that name.
    """
    try:
        with ExitStack() as stack:
            stack.enter_context(_without_empty(folders))
            if out is not None:
                with _told(f"-o {out}"):
                    stack.enter_context(claimed(out.with_name(out.name + ".lock")))
            yield stack.enter_context(remembered())
    except KeyboardInterrupt:
        kept = [str(file) for file in files if file is not None and file.exists()]
        if not kept:
            raise
        raise Stopped(f"stopped; what is done is in {', '.join(kept)}; the same command goes on") from None


def write_report(trained: Trained, folder: Path) -> None:
    """Figures as JSON, and the learning curves drawn."""
    import json

    from fourcast.learning.curves import draw_course
    from fourcast.learning.files import data_file

    with data_file(folder / "figures.json") as fresh:
        fresh.write_text(json.dumps(trained.to_json(), indent=2) + "\n", encoding="utf-8")
    draw_course(trained.curve, folder / "learning", f"{trained.kind} of board {trained.geometry}")


def finish(
    trained: Trained,
    card: Path | None,
    report: Path | None,
    parts: Sequence[Path | None],
    facts: dict[str, Any],
    *,
    as_json: bool,
) -> int:
    """Write the report, remove what was kept on the way, and say how it went.

    Args:
        trained: The network.
        card: Its card, if it was written.
        report: Where the report goes, if it is wanted.
        parts: The files in which what is done was kept.
        facts: What else a JSON document says.
        as_json: Whether to write one.
    """
    if report is not None:
        write_report(trained, report)
    for file in parts:
        if file is not None:
            file.unlink(missing_ok=True)
    if as_json:
        write_json(trained.to_json() | facts | {"card": None if card is None else str(card)})
    else:
        print("\n".join(lines_of(trained, card, report)))
    return FINE


def lines_of(trained: Trained, card: Path | None, report: Path | None) -> Iterator[str]:
    """What is said in the end."""
    from fourcast.learning.distilling import curve_lines

    yield from curve_lines(trained.curve)
    yield ""
    held = trained.judgement
    yield f"{trained.learnt:,} positions to learn from, {held.positions:,} held out"
    error = "" if held.value_error is None else f", value error {held.value_error:.3f}"
    if trained.kind == "cnn":
        yield f"the likeliest column is the one that was meant in {held.perfect:.1%}"
    else:
        yield f"good moves {held.good:.1%}, perfect ones {held.perfect:.1%}{error}"
    yield f"training {trained.seconds:.1f} s; {len(trained.graph):,} bytes"
    if card is not None:
        yield fresh_line(card)
        yield f"Written to {card} and {card.with_suffix('.onnx')}"
    if report is not None:
        yield f"Learning curves and figures are in {report}"


def fresh_line(card: Path) -> str:
    """How good a written model's moves are, as its card says."""
    import json

    fresh = json.loads(card.read_bytes())["metrics"].get("fresh")
    if fresh is None:
        return "not graded on fresh positions"
    return (
        f"on {fresh['positions']:,} fresh positions: good moves {fresh['good']:.1%}, "
        f"perfect ones {fresh['perfect']:.1%}"
    )


@contextmanager
def _without_empty(folders: Sequence[Path]) -> Iterator[None]:
    """If it fails, folders with nothing in them are removed, the first one first."""
    try:
        yield
    except BaseException:
        for folder in folders:
            with suppress(OSError):  # there is something in it
                folder.rmdir()
        raise


@contextmanager
def _told(what: str) -> Iterator[None]:
    """What cannot be written is told in one line."""
    try:
        yield
    except OSError as error:
        raise BadOption(f"{what}: {error.strerror or error}") from None
