"""Looking for better settings, by Optuna, on the training side only.

A fifth of the training side is set apart to compare settings by; what is held out is never looked at. The
study is kept in a file, trial by trial, and goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from fourcast.evaluators.features import Features
from fourcast.extras import require
from fourcast.game.errors import BadData
from fourcast.game.limit import check_count
from fourcast.learning.boosted import Round, Settings, Table, predict, train_boosted
from fourcast.learning.examples import Examples, split_by_hash
from fourcast.learning.metrics import log_loss_of
from fourcast.models.forest import Forest

STUDY = "fourcast-boosted"
SHARE = 0.2

Advance = Callable[[str, int, int], None]


def search_settings(
    examples: Examples,
    features: Features,
    start: Settings,
    trials: int,
    study_file: Path,
    *,
    mirror: bool = True,
    threads: int = 2,
    advance: Advance = lambda _what, _done, _total: None,
) -> tuple[Settings, float]:
    """Try settings until so many trials are done, those of earlier calls counted.

    Args:
        examples: What may be learnt from; nothing that is held out.
        features: What the model looks at.
        start: The settings of the first trial; rounds and seed are those of all.
        trials: How many there are to be in the study.
        study_file: Where the study is kept.
        mirror: Whether a model is asked of mirror images too.
        threads: How many threads to train with.
        advance: Told how far it is.

    Returns:
        The best settings, and their log-loss.

    Raises:
        BadData: The file is not a study of this kind, or cannot be written.
        MissingExtra: Optuna is not installed.
    """
    check_count("trials", trials)
    optuna = require("optuna", "learn")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    split = split_by_hash(examples, SHARE, start.seed + 1)
    table = Table.of(features, examples.batch, examples.classes)
    train, apart = table.only(split.train), table.only(split.held)
    study = _open(optuna, study_file, start.seed)
    if not study.trials:
        study.enqueue_trial({name: getattr(start, name) for name in _RANGES})

    def loss(trial: Any) -> float:
        chosen: dict[str, Any] = {name: suggest(trial, name) for name, suggest in _RANGES.items()}
        settings = replace(start, **chosen)

        def watch(done: Round) -> None:
            best = f", best {study.best_value:.4f}" if _finished(study) else ""
            advance(
                f"search: trial {trial.number + 1}, log-loss {done.held:.4f}{best}", _finished(study), trials
            )
            trial.report(done.held, done.rounds)
            if trial.should_prune():
                raise optuna.TrialPruned

        text, _ = train_boosted(train, apart, features, settings, threads=threads, watch=watch)
        return log_loss_of(apart.classes, predict(Forest.from_text(text), features, apart, mirror=mirror))

    left = trials - len(study.get_trials(states=_ended(optuna)))
    if left > 0:
        study.optimize(loss, n_trials=left)
    if not _finished(study):
        raise BadData(f"{study_file}: no trial has come to its end")
    best = {name: study.best_params[name] for name in _RANGES}
    return replace(start, **best), float(study.best_value)


_RANGES: dict[str, Callable[[Any, str], float]] = {
    "learning_rate": lambda trial, name: trial.suggest_float(name, 0.02, 0.3, log=True),
    "leaves": lambda trial, name: trial.suggest_int(name, 15, 127, log=True),
    "least": lambda trial, name: trial.suggest_int(name, 5, 200, log=True),
    "l2": lambda trial, name: trial.suggest_float(name, 0.1, 300.0, log=True),
    "feature_share": lambda trial, name: trial.suggest_float(name, 0.05, 0.6, log=True),
}


def _open(optuna: Any, path: Path, seed: int) -> Any:
    """The study in a file, a new one if there is none."""
    import sqlalchemy.exc

    if path.exists() and path.stat().st_size and path.open("rb").read(16) != b"SQLite format 3\0":
        raise BadData(f"{path}: it is not a study")
    if not path.parent.is_dir():
        raise BadData(f"{path}: there is no folder {path.parent}")
    try:
        storage = optuna.storages.RDBStorage(f"sqlite:///{path}")
        study = optuna.create_study(
            study_name=STUDY, storage=storage, direction="minimize", load_if_exists=True
        )
        # A sampler that begins anew would propose again what it proposed before.
        study.sampler = optuna.samplers.TPESampler(seed=seed + len(study.trials))
        study.pruner = optuna.pruners.MedianPruner(n_startup_trials=4)
    except (sqlalchemy.exc.SQLAlchemyError, OSError, RuntimeError) as error:
        raise BadData(f"{path}: {str(error).splitlines()[0]}") from None
    return study


def _ended(optuna: Any) -> tuple[Any, ...]:
    return optuna.trial.TrialState.COMPLETE, optuna.trial.TrialState.PRUNED


def _finished(study: Any) -> int:
    """How many trials have a result."""
    return sum(trial.value is not None and trial.state.name == "COMPLETE" for trial in study.trials)
