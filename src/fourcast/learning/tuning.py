"""Looking for better settings, by Optuna, on the training side only.

A fifth of the training side is set apart to compare settings by; what is held out is never looked at. The
study is kept in a file, trial by trial, and goes on from there.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from fourcast.evaluators.features import Features
from fourcast.extras import require
from fourcast.game.errors import BadData
from fourcast.game.limit import check_count
from fourcast.learning.boosted import Settings, Table, predict, train_boosted
from fourcast.learning.checkpoint import Round
from fourcast.learning.examples import Examples, split_by_hash
from fourcast.learning.metrics import log_loss_of
from fourcast.learning.splits import balance
from fourcast.models.forest import Forest

STUDY = "fourcast-boosted"
SHARE = 0.2
#: Where settings are looked for; those of whole numbers stay whole.
RANGES: dict[str, tuple[float, float]] = {
    "learning_rate": (0.02, 0.3),
    "leaves": (15, 127),
    "least": (5, 200),
    "l2": (0.1, 300.0),
    "feature_share": (0.05, 0.6),
}
_REQUEST = "fourcast request"  # the attribute of a study that says what it is of
_ENDED = ("COMPLETE", "PRUNED")

Advance = Callable[[str, int, int], None]


def search_settings(
    examples: Examples,
    features: Features,
    start: Settings,
    trials: int,
    study_file: Path,
    *,
    mirror: bool = True,
    balanced: bool = False,
    threads: int = 2,
    advance: Advance = lambda _what, _done, _total: None,
) -> tuple[Settings, float]:
    """Try settings until so many trials are done, those of earlier calls counted.

    Args:
        examples: What may be learnt from; nothing that is held out.
        features: What the model looks at.
        start: The settings of the first trial, brought into `RANGES`; rounds and seed are those of all.
        trials: How many there are to be in the study.
        study_file: Where the study is kept.
        mirror: Whether a model is asked of mirror images too.
        balanced: Whether rare classes are repeated in what is learnt from.
        threads: How many threads to train with.
        advance: Told how far it is.

    Returns:
        The best settings, and their log-loss.

    Raises:
        BadData: The file is not a study, or one of something else, or cannot be written.
        MissingExtra: Optuna is not installed.
    """
    check_count("trials", trials)
    optuna = require("optuna", "learn")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    split = split_by_hash(examples, SHARE, (start.seed + 1) % 2**32)
    table = Table.of(features, examples.batch, examples.classes)
    rows = balance(examples.classes, split.train, start.seed) if balanced else split.train
    train, apart = table.only(rows), table.only(split.held)
    request = _request(examples, features, start, mirror=mirror, balanced=balanced)
    with _study(optuna, study_file, start.seed, request) as study:
        known = study.get_trials(deepcopy=False)
        if not any(trial.state.name in (*_ENDED, "WAITING") for trial in known):
            study.enqueue_trial({name: _within(name, getattr(start, name)) for name in RANGES})

        def loss(trial: Any) -> float:
            chosen: dict[str, Any] = {name: _suggested(trial, name) for name in RANGES}
            settings = replace(start, **chosen)

            def watch(done: Round) -> None:
                ended = _count(study, _ENDED)
                best = f", best {study.best_value:.4f}" if _count(study, ("COMPLETE",)) else ""
                advance(f"search: trial {ended + 1}, log-loss {done.held:.4f}{best}", ended, trials)
                trial.report(done.held, done.rounds)
                if trial.should_prune():
                    raise optuna.TrialPruned

            text, _ = train_boosted(train, apart, features, settings, threads=threads, watch=watch)
            found = predict(Forest.from_text(text), features, apart, mirror=mirror)
            return log_loss_of(apart.classes, found)

        while _count(study, _ENDED) < trials:
            _try(optuna, study, loss)
        best = {name: study.best_params[name] for name in RANGES}
        return replace(start, **best), float(study.best_value)


def _try(optuna: Any, study: Any, loss: Callable[[Any], float]) -> None:
    """One more trial. Optuna's own loop turns a Ctrl-C that comes between two trials into an error."""
    states = optuna.trial.TrialState
    trial = study.ask()
    try:
        found = loss(trial)
    except optuna.TrialPruned:
        study.tell(trial, state=states.PRUNED)
    except BaseException:
        study.tell(trial, state=states.FAIL)
        raise
    else:
        study.tell(trial, found)


def _within(name: str, value: float) -> float:
    """A setting, brought into its range."""
    low, high = RANGES[name]
    return type(value)(min(max(value, low), high))


def _suggested(trial: Any, name: str) -> float:
    """What a trial shall take for a setting."""
    suggest = trial.suggest_int if isinstance(getattr(Settings(), name), int) else trial.suggest_float
    chosen: float = suggest(name, *RANGES[name], log=True)
    return chosen


def _request(examples: Examples, features: Features, start: Settings, *, mirror: bool, balanced: bool) -> str:
    """What a study must be of, for its trials to be compared."""
    digest = hashlib.sha256(examples.stones.tobytes())
    digest.update(examples.classes.tobytes())
    groups = ",".join(group.name for group in features.groups)
    return (
        f"board {examples.geometry}, groups {groups}, rounds {start.rounds}, "
        f"members {start.members}, seed {start.seed}, "
        f"mirror {mirror}, balanced {balanced}, positions {digest.hexdigest()}"
    )


@contextmanager
def _study(optuna: Any, path: Path, seed: int, request: str) -> Iterator[Any]:
    """The study in a file, a new one if there is none; closed in the end.

    Raises:
        BadData: It is not a study, is one of something else, or cannot be read or written.
    """
    import sqlalchemy.exc

    _check_file(path)
    errors = (optuna.exceptions.OptunaError, sqlalchemy.exc.SQLAlchemyError, OSError, RuntimeError)
    storage = None
    try:
        storage = optuna.storages.RDBStorage(f"sqlite:///{path}")
        study = optuna.create_study(
            study_name=STUDY, storage=storage, direction="minimize", load_if_exists=True
        )
        if not study.get_trials(deepcopy=False) and _REQUEST not in study.user_attrs:
            study.set_user_attr(_REQUEST, request)
        if study.user_attrs.get(_REQUEST) != request:
            raise BadData(
                f"{path}: it is a study of other positions, features or rounds; search in another file"
            )
        # A sampler that begins anew would propose again what it proposed before.
        study.sampler = optuna.samplers.TPESampler(
            seed=(seed + len(study.get_trials(deepcopy=False))) % 2**32
        )
        study.pruner = optuna.pruners.MedianPruner(n_startup_trials=4)
        yield study
    except errors as error:
        raise BadData(f"{path}: {str(error).splitlines()[0]}") from None
    finally:
        if storage is not None:
            storage.remove_session()
            storage.engine.dispose()


def _check_file(path: Path) -> None:
    """Refuse what Optuna would write its tables into, though it is something else.

    Raises:
        BadData: It is there, and not a study; or there is no folder for it.
    """
    if not path.parent.is_dir():
        raise BadData(f"{path}: there is no folder {path.parent}")
    if not path.exists():
        return
    try:
        if not path.is_file():
            raise BadData(f"{path}: it is not a file")
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    except sqlite3.Error:
        raise BadData(f"{path}: it is not a study") from None
    if tables and "studies" not in tables:
        raise BadData(f"{path}: it is not a study")


def _count(study: Any, states: tuple[str, ...]) -> int:
    """How many trials are in one of these states."""
    return sum(trial.state.name in states for trial in study.get_trials(deepcopy=False))
