"""Training a boosted model from examples to a model file, and judging it honestly.

By the default protocol, positions are held out before anything is learnt, mirror images on the same side, and
only the training side may be balanced. By the `published` one every class is balanced first and split later:
rows that are judged are then known by heart, and the figure is better than the model.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from fourcast.evaluators.boosted import ask_forest
from fourcast.evaluators.features import Features
from fourcast.extras import require
from fourcast.game.errors import BadLimit, BadModel
from fourcast.kernels.batch import Batch
from fourcast.learning.boosted import (
    PublishedSettings,
    Settings,
    Table,
    predict,
    train_boosted,
    train_published,
)
from fourcast.learning.checking import fresh_examples
from fourcast.learning.checkpoint import Round
from fourcast.learning.examples import Examples, split_by_hash
from fourcast.learning.importance import Importance, importances_of
from fourcast.learning.metrics import Chances, Interval, Report, interval, report_of
from fourcast.learning.splits import (
    Leaks,
    Rows,
    Split,
    balance,
    balanced_subset,
    folds,
    groups_of,
    leaks_of,
    positions_of,
    published_split,
)
from fourcast.learning.tuning import search_settings
from fourcast.models.card import Card
from fourcast.models.files import load_card, save_model
from fourcast.models.forest import Forest

SHARE = 0.2  # of the positions, held out
PUBLISHED_ACCURACY = 0.8955

Advance = Callable[[str, int, int], None]
Ask = Callable[[Batch], Chances]  # what a model makes of positions


@dataclass(frozen=True, slots=True)
class Latency:
    """Microseconds from a position to its chances, features and mirror image counted.

    Attributes:
        one: Of a position that is asked of alone.
        batch: Of one of a batch of 1,000.
    """

    one: float
    batch: float


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What training has come to.

    Attributes:
        natural: How good the model is on the positions held out.
        balanced: The same on as many of them from each class.
        leaks: What of the positions held out the training side knew.
        rows: Positions learnt from, without mirror images.
        seconds: What training took.
        latency: How long an answer takes.
        curve: Log-loss by round.
        importances: What the groups of features are worth.
        text: The model, as LightGBM's text; None for scikit-learn's.
    """

    natural: Report
    balanced: Report
    leaks: Leaks
    rows: int
    seconds: float
    latency: Latency
    curve: tuple[Round, ...] = ()
    importances: tuple[Importance, ...] = ()
    text: bytes | None = None

    def to_json(self) -> dict[str, Any]:
        """The figures as JSON knows them."""
        return {
            "natural": self.natural.to_json(),
            "balanced": self.balanced.to_json(),
            "leaks": self.leaks.to_json(),
            "rows": self.rows,
            "seconds": self.seconds,
            "latency_us": {"one": self.latency.one, "batch": self.latency.batch},
            "curve": [{"rounds": each.rounds, "train": each.train, "held": each.held} for each in self.curve],
            "importance": [each.to_json() for each in self.importances],
        }


@dataclass(frozen=True, slots=True, eq=False)
class Training:
    """What is to be trained, of what, and how.

    Attributes:
        examples: The positions.
        features: What the model looks at.
        settings: How LightGBM learns; the seed is that of the split too.
        mirror: Whether the model is asked of mirror images too.
        balanced: Whether rare classes are repeated on the training side.
        threads: How many threads train.
        advance: Told what is being done, how much of it is done and how much there is.
    """

    examples: Examples
    features: Features
    settings: Settings
    mirror: bool = True
    balanced: bool = False
    threads: int = 2
    advance: Advance = lambda _what, _done, _total: None

    def boosted(
        self, checkpoint: Path | None = None, split: Split | None = None, repeats: int = 3
    ) -> Outcome:
        """Hold out first, then let LightGBM learn, then judge by what was held out.

        Args:
            checkpoint: Where to keep what is done, and to go on from.
            split: Which rows to learn from and to hold out; None holds out a fifth by hash.
            repeats: Shuffles of each group of features; 0 leaves their importance out.
        """
        settings, features, classes = self.settings, self.features, self.examples.classes
        split = split or split_by_hash(self.examples, SHARE, settings.seed)
        table = Table.of(features, self.examples.batch, classes)
        held = table.only(split.held)
        rows = self._learnt(split)

        def watch(done: Round) -> None:
            self.advance(
                f"training: log-loss {done.held:.4f}", done.rounds, settings.rounds * settings.members
            )

        text, curve = train_boosted(
            table.only(rows),
            held,
            features,
            settings,
            threads=self.threads,
            checkpoint=checkpoint,
            watch=watch,
        )
        forest = Forest.from_text(text)

        importances: list[Importance] = []
        if repeats:
            importances = importances_of(
                lambda matrix: forest.probabilities(features.geometry, matrix),
                held.features,
                held.classes,
                features.spans,
                repeats=repeats,
                seed=settings.seed,
                advance=lambda done, total: self.advance("importance", done, total),
            )
        found = predict(forest, features, held, mirror=self.mirror)

        def ask(batch: Batch) -> Chances:
            return ask_forest(forest, features, batch, mirror=self.mirror)

        return self._outcome(split, found, ask, curve[-1].seconds, curve, importances, text)

    def published_split(self) -> Split:
        """The split of the published protocol: balanced first, divided later."""
        return published_split(self.examples.classes, PublishedSettings().random_state)[0]

    def baseline(self, *, published: bool) -> Outcome:
        """Scikit-learn's model with the published settings, by the published protocol or honestly."""
        if published:
            split = self.published_split()
        else:
            split = split_by_hash(self.examples, SHARE, self.settings.seed)
        table = Table.of(self.features, self.examples.batch, self.examples.classes)
        self.advance("training scikit-learn's model", 0, 1)
        require("sklearn.ensemble", "learn")  # only what is loaded can be limited
        # It takes no number of threads itself, and would have all cores.
        with require("threadpoolctl", "learn").threadpool_limits(self.threads, user_api="openmp"):
            model, seconds = train_published(table.only(self._learnt(split)))
            found = model.predict_proba(table.features[split.held])

            def ask(batch: Batch) -> Chances:
                chances: Chances = model.predict_proba(self.features.matrix(batch))
                return chances

            return self._outcome(split, found, ask, seconds)

    def cross_validate(self, count: int) -> dict[str, Interval]:
        """Hold out each of several parts once, and sum the figures up."""
        reports = []
        parts = folds(groups_of(self.examples.batch), self.examples.classes, count, self.settings.seed)
        for number, split in enumerate(parts, start=1):

            def note(what: str, done: int, total: int, number: int = number) -> None:
                self.advance(f"fold {number} of {count}: {what}", done, total)

            reports.append(replace(self, advance=note).boosted(split=split, repeats=0).natural)
        figures = ("accuracy", "balanced_accuracy", "macro_f1", "log_loss")
        return {name: interval(getattr(report, name) for report in reports) for name in figures}

    def search(self, trials: int, study: Path) -> tuple[Settings, float]:
        """Look for better settings on the training side; these and their log-loss there."""
        split = split_by_hash(self.examples, SHARE, self.settings.seed)
        return search_settings(
            self.examples.only(split.train),
            self.features,
            self.settings,
            trials,
            study,
            mirror=self.mirror,
            balanced=self.balanced,
            threads=self.threads,
            advance=self.advance,
        )

    def save(self, outcome: Outcome, path: Path, purpose: str, *, quiet: bool, fresh: int) -> Card:
        """Measure the model on fresh positions for its card, and write both.

        If there are none, or the solver needs too long for them, the card has no figures of them.

        Args:
            outcome: What training has come to.
            path: The folder and the name of the model.
            purpose: What it is for, in one line.
            quiet: Whether positions that the next disc wins were left out.
            fresh: About how many fresh positions to draw; 0 leaves them out.

        Raises:
            BadModel: It cannot be written, or there is nothing to write.
        """
        if outcome.text is None:
            raise BadModel(f"model {path}: scikit-learn's model cannot be kept as LightGBM's text")
        settings = asdict(self.settings) | {"balanced": self.balanced, "seconds": round(outcome.seconds, 1)}
        card = Card(
            name=path.name,
            kind="boosted",
            purpose=purpose,
            geometry=self.examples.geometry,
            features=tuple(group.name for group in self.features.groups),
            mirror=self.mirror,
            data={
                "sources": list(self.examples.sources),
                "positions": len(self.examples),
                "plies": list(self.examples.plies),
                "quiet": quiet,
                "learnt_from": outcome.rows,
                "held_out": outcome.natural.positions,
                "share_held_out": SHARE,
                "seed": self.settings.seed,
            },
            training=settings,
            metrics={"natural": figures_of(outcome.natural), "balanced": figures_of(outcome.balanced)},
            versions={name: version(name) for name in ("fourcast", "lightgbm", "numpy", "scikit-learn")},
        )
        if fresh:
            try:
                again = self._measure(
                    outcome.text, fresh_examples(card, fresh, card.data["seed"], self.advance)
                )
                card = replace(card, metrics=dict(card.metrics) | {"fresh": figures_of(again)})
            except (BadLimit, BadModel):  # a board that is too large to be solved, or too small to have any
                pass
        return load_card(save_model(path.parent, card, outcome.text))

    def _measure(self, text: bytes, examples: Examples) -> Report:
        """How good a model is on other positions."""
        forest = Forest.from_text(text)
        found = ask_forest(forest, self.features, examples.batch, mirror=self.mirror)
        return report_of(examples.classes, found)

    def _learnt(self, split: Split) -> Rows:
        """The rows to learn from; with rare classes repeated, if they are to be balanced."""
        if not self.balanced:
            return split.train
        return balance(self.examples.classes, split.train, self.settings.seed)

    def _outcome(
        self,
        split: Split,
        found: Chances,
        ask: Ask,
        seconds: float,
        curve: Sequence[Round] = (),
        importances: Sequence[Importance] = (),
        text: bytes | None = None,
    ) -> Outcome:
        classes, batch = self.examples.classes[split.held], self.examples.batch
        even = balanced_subset(classes, np.arange(len(classes)), self.settings.seed)
        return Outcome(
            report_of(classes, found),
            report_of(classes[even], found[even]),
            leaks_of(split, positions_of(batch), groups_of(batch)),
            len(split.train),
            seconds,
            latency_of(ask, self.examples.only(split.held).batch),
            tuple(curve),
            tuple(importances),
            text,
        )


def figures_of(report: Report) -> dict[str, float]:
    """The figures that a card has."""
    names = ("positions", "accuracy", "balanced_accuracy", "macro_f1", "log_loss")
    return {name: getattr(report, name) for name in names}


def latency_of(ask: Ask, batch: Batch, repeats: int = 9) -> Latency:
    """How long it takes from positions to their chances, medians of several tries: one, and up to 1,000."""
    times = []
    for count in (1, min(1000, len(batch))):
        some = Batch(batch.geometry, batch.stones[:count])
        found = []
        for _ in range(repeats):
            start = time.perf_counter()
            ask(some)
            found.append((time.perf_counter() - start) / count * 1e6)
        times.append(median(found))
    return Latency(*times)
