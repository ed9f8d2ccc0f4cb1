"""The options of `fourcast train boosted`: what goes together, looked at before anything takes its time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from fourcast.files import check_folder, check_place
from fourcast.game.errors import BadOption, shown
from fourcast.game.limit import check_count, check_seed

PROTOCOLS, MODELS = ("honest", "published"), ("lightgbm", "hist")
SETTINGS = ("rounds", "learning_rate", "leaves", "least", "l2", "feature_share", "members")
MOST_THREADS = 256  # with tens of thousands LightGBM does not fail, it crashes
_FLAGS = {"out": "-o"}


def model_of(protocol: str, model: str | None) -> str:
    """The model that is asked for; without that the one of the protocol."""
    return model or ("hist" if protocol == "published" else "lightgbm")


def check_options(context: typer.Context) -> None:
    """Refuse options that are nothing, and those that would change nothing beside the others.

    Raises:
        BadOption, BadLimit: There is such an option; the message names it.
    """
    options = context.params
    for name, known in (("protocol", PROTOCOLS), ("model", MODELS)):
        if options[name] is not None and options[name] not in known:
            raise BadOption(f"--{name} {shown(options[name])}: it is one of {', '.join(known)}")
    given = {name for name in options if _is_given(context, name)}
    protocol = options["protocol"]
    for names, reason in _needless(given, protocol, model_of(protocol, options["model"])):
        for name in names:
            if name in given:
                flag = _FLAGS.get(name, f"--{name.replace('_', '-')}")
                flag = "--no-mirror" if name == "mirror" and not options[name] else flag
                raise BadOption(f"{flag}: {reason}")
    check_seed(options["seed"])
    for name, least in (("threads", 1), ("fresh", 0), ("folds", 2), ("search", 1)):
        if options[name] is not None:
            check_count(f"--{name}", options[name], least=least)
    if options["threads"] > MOST_THREADS:
        raise BadOption(f"--threads {shown(options['threads'])}: {MOST_THREADS} is the most")
    _check_texts(options["out"], options["purpose"])


def _is_given(context: typer.Context, name: str) -> bool:
    """Whether an option is on the command line; one that says what it would say anyway is, too."""
    source = context.get_parameter_source(name)
    return source is not None and not source.name.startswith("DEFAULT")


def _needless(given: set[str], protocol: str, model: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Options that would be ignored, and why."""
    if model == "hist":
        compared = "--model hist is there to compare with: it"
        yield SETTINGS, f"{compared} has the settings that were published, and no others"
        yield ("mirror",), f"{compared} is asked of positions as they are, as was published"
        yield ("out", "search", "study"), f"{compared} writes no model and searches no settings"
        yield ("folds",), f"{compared} is trained once"
    if protocol == "published":
        compared = "--protocol published is there to compare with:"
        yield ("out", "folds", "search", "study"), f"{compared} no model is written, and no settings searched"
        yield ("balance",), f"{compared} it balances before the split, always"
        if model == "hist":
            yield ("seed",), f"{compared} its seed is the one that was published"
    if "folds" in given:
        written = ("out", "report", "fresh", "purpose", "search", "study")
        yield written, "it does not go with --folds, which writes nothing and searches no settings"
    if "out" not in given:
        yield ("fresh", "purpose"), "it goes with -o NAME: it is for the card of a model that is written"
    if ("search" in given) != ("study" in given):
        yield ("search", "study"), "--search N and --study FILE go together: the search is kept in the file"


def _check_texts(out: Path | None, purpose: str | None) -> None:
    """Refuse what a card could not hold."""
    from fourcast.models.card import MOST_LETTERS, is_name, is_text

    if out is not None and not is_name(out.name):
        raise BadOption(f"-o {shown(out.name)}: a model's name has small letters, digits, '.', '_' and '-'")
    if purpose is not None and not (purpose.strip() and is_text(purpose)):
        raise BadOption(f"--purpose {shown(purpose)}: it must be one line of 1 to {MOST_LETTERS} letters")


def require_extras(model: str, search: int | None, report: Path | None) -> None:
    """Say at once what is not installed, not when training is done."""
    from fourcast.extras import require

    wanted = {"sklearn": True, "lightgbm": model == "lightgbm"}
    wanted |= {"optuna": search is not None, "matplotlib": report is not None}
    for module, needed in wanted.items():
        if needed:
            require(module, "learn")


def make_folders(out: Path | None, report: Path | None) -> None:
    """Make the folders to write to before anything takes its time, as that may not be allowed.

    Raises:
        BadOption: A folder cannot be had, or something else has a place that files shall take.
    """
    from fourcast.models.card import ENDINGS

    for option, folder in (("-o", None if out is None else out.parent), ("--report", report)):
        if folder is not None:
            with _told(f"{option} {folder}"):
                folder.mkdir(parents=True, exist_ok=True)
                check_folder(folder)
    if out is not None:
        for ending in (".json", *ENDINGS.values()):
            path = out.with_name(out.name + ending)
            with _told(f"-o {out}: {path}"):
                check_place(path)


@contextmanager
def _told(what: str) -> Iterator[None]:
    """What cannot be written is told in one line."""
    try:
        yield
    except OSError as error:
        raise BadOption(f"{what}: {error.strerror or error}") from None
