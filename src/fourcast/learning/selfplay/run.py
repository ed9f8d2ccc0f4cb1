"""The run: games, learning, the gate and the grades, generation after generation."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fourcast.evaluators.network import NetworkEvaluator
from fourcast.game.errors import BadOption, shown
from fourcast.learning.distilling import NETWORK, save_graded, versions
from fourcast.learning.grading_moves import SolvedMoves
from fourcast.learning.networks import NETWORK_PLANES
from fourcast.learning.selfplay.crew import play_tables
from fourcast.learning.selfplay.folder import Folder
from fourcast.learning.selfplay.gate import hold_gate
from fourcast.learning.selfplay.generation import Generation, StageGrades
from fourcast.learning.selfplay.grader import grade, solve_positions
from fourcast.learning.selfplay.learner import Learner, lessons_of_harvest, newest
from fourcast.learning.selfplay.settings import SHARE, Settings
from fourcast.learning.selfplay.table import Harvest, PlayTask, distinct
from fourcast.models.card import Card
from fourcast.workers import Workers

MOST_GENERATIONS = 9999
LEAST_WINDOW = 8  # generations, as large as the last one
WINDOW_SHARE = 0.75  # of all positions so far, in the window at least

Advance = Callable[[str, int, int], None]
Seen = Callable[[Generation], None]


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a run goes on; whichever is reached first. What was done before counts.

    Attributes:
        minutes: Of the generations that are done, whenever that was; None for no end.
        generations: How many; None likewise.

    Raises:
        BadOption: One of them is not in its range, or there is neither.
    """

    minutes: float | None = None
    generations: int | None = None

    def __post_init__(self) -> None:
        if self.minutes is None and self.generations is None:
            raise BadOption("a run needs an end: minutes or generations")
        if self.minutes is not None and not 0 < self.minutes <= 1e6:
            raise BadOption(f"minutes {shown(self.minutes)}: it must be more than 0, and 1,000,000 at most")
        if self.generations is not None and not 1 <= self.generations <= MOST_GENERATIONS:
            raise BadOption(f"generations {shown(self.generations)}: it must be 1 to {MOST_GENERATIONS:,}")

    def ends(self, done: list[Generation]) -> bool:
        """Whether these are enough: half a generation more than was asked for is the most."""
        if len(done) >= min(self.generations or MOST_GENERATIONS, MOST_GENERATIONS):
            return True
        if self.minutes is None or not done:
            return False
        return sum(each.took for each in done) + done[-1].took / 2 > 60 * self.minutes

    def left(self, done: list[Generation]) -> float | None:
        """Seconds that are left, as far as one can tell."""
        spent = sum(each.took for each in done)
        ends = [] if self.minutes is None else [60 * self.minutes - spent]
        if self.generations is not None and done:
            recent = done[-3:]
            mean = sum(each.took for each in recent) / len(recent)
            ends.append((self.generations - len(done)) * mean)
        return max(min(ends), 0.0) if ends else None


class Run:
    """A network that teaches itself.

    Attributes:
        folder: Where it is kept.
        settings: How it goes.
        done: The generations that are done.
    """

    def __init__(self, folder: Folder, workers: Workers, advance: Advance) -> None:
        """Go on from what is kept.

        Raises:
            BadData: What is kept is damaged.
            MissingExtra: Something of the extra `train` is not installed.
        """
        self.folder = folder
        self.settings: Settings = folder.settings
        self.done = folder.generations()
        self._workers = workers
        self._advance = advance
        self._learner = Learner(self.settings)
        self._champion = self._graph(self.champion)
        self._window = self._kept_window()
        self._load(len(self.done))

    def go_on(self, budget: Budget, seen: Seen) -> list[Generation]:
        """Work until the budget is used up; all generations, those from before too.

        Args:
            budget: How long.
            seen: Told of every generation when it is done.

        Raises:
            BadData: Something cannot be kept, or what is kept is damaged.
            WorkersLost: Those who play are gone.
        """
        solved = self._solved() if not budget.ends(self.done) else None
        while not budget.ends(self.done):
            assert solved is not None
            seen(self._generation(len(self.done) + 1, solved))
        return self.done

    def save(
        self, path: Path, purpose: str, *, half: bool = False, fresh: int = 1000, players: dict[str, Any]
    ) -> Path:
        """Write the champion as a model, graded on fresh positions; the path of its card.

        Args:
            path: The folder and the name of the model.
            purpose: What it is for, in one line.
            half: Whether weights are stored as float16.
            fresh: About how many positions to grade it on.
            players: What the card shall say of who played.

        Raises:
            BadModel: It cannot be written.
        """
        settings, number = self.settings, self.champion
        graph = self._graph(number, half=half)
        taught = self.done[:number]  # what came after has not made it
        grades = taught[-1].grades if taught else {}
        games = sum(each.games for each in taught)
        card = Card(
            name=path.name,
            kind=NETWORK,
            purpose=purpose,
            geometry=settings.geometry,
            planes=NETWORK_PLANES,
            mirror=True,
            data={
                "sources": [f"{games} games against itself"],
                "games": games,
                "generations": len(self.done),
                "champion": number,
                "learnt_from": sum(each.positions for each in taught),
                "plies": [0, settings.geometry.cells - 1],
                "share_held_out": SHARE,
                "slip": settings.slip,
                "seed": settings.seed,
            },
            training=_facts(settings) | players | {"seconds": round(sum(each.took for each in self.done), 1)},
            metrics={"graded": {name: asdict(each) for name, each in grades.items()}},
            versions=versions(),
        )
        return save_graded(
            path.parent, card, graph, fresh=fresh, seed=settings.seed + 1, advance=self._advance
        )

    def to_json(self) -> dict[str, Any]:
        """The figures."""
        return {
            "kind": NETWORK,
            "board": str(self.settings.geometry),
            "settings": self.settings.to_json(),
            "games": sum(each.games for each in self.done),
            "seconds": round(sum(each.took for each in self.done), 1),
            "champion": self.champion,
            "generations": [each.to_json() for each in self.done],
        }

    @property
    def champion(self) -> int:
        """The generation whose network plays; 0 as long as none has passed the gate."""
        return self.done[-1].champion if self.done else 0

    def _load(self, generation: int) -> None:
        """Have the learner as it was after a generation."""
        if generation:
            self._learner.load(self.folder.learner(generation), self.folder.request)
        else:
            self._learner = Learner(self.settings)

    def _graph(self, generation: int, *, half: bool = False) -> bytes:
        """The network that a generation has made, in ONNX."""
        self._load(generation)
        graph = self._learner.graph(half=half)
        self._load(len(self.done))
        return graph

    def _kept_window(self) -> list[tuple[int, Harvest]]:
        """The generations that are learnt from, and what there is to learn of each."""
        kept = []
        for number in range(self._window_start(), len(self.done) + 1):
            harvest = self.folder.games(number)
            if harvest is None:
                raise self.folder.missing(number)
            kept.append((number, harvest))
        return kept

    def _window_start(self, new: int = 0) -> int:
        """The first generation of the window, where so many positions are new beside those that are done."""
        sizes = [each.positions for each in self.done] + ([new] if new else [])
        least = max(WINDOW_SHARE * sum(sizes), LEAST_WINDOW * (sizes[-1] if sizes else 0))
        wanted, total = min(least, self.settings.window), 0
        for number in range(len(sizes), 0, -1):
            total += sizes[number - 1]
            if total >= wanted:
                return number
        return 1

    def _solved(self) -> SolvedMoves:
        solved = self.folder.graded()
        if solved is None:
            solved = solve_positions(self.settings, self._advance)
            self.folder.keep_graded(solved)
        return solved

    def _generation(self, number: int, solved: SolvedMoves) -> Generation:
        folder, settings = self.folder, self.settings
        seconds: dict[str, float] = {}
        with _clocked(seconds, "games"):
            harvest = self._play(number)
            first = self._window_start(len(harvest))
            self._window = [each for each in self._window if each[0] >= first] + [(number, harvest)]
        with _clocked(seconds, "training"):
            lessons = lessons_of_harvest(settings, [each for _, each in self._window], settings.window)
            steps = self._learn(number, lessons, len(harvest))
            judgement = self._learner.judge(newest(lessons, len(harvest)))
            candidate = self._learner.graph()
        with _clocked(seconds, "gate"):
            verdict = hold_gate(
                settings,
                number,
                candidate,
                self._champion,
                self._workers,
                lambda done, most: self._advance(f"generation {number}, gate", done, most),
            )
        with _clocked(seconds, "grading"):
            grades = self._grades(candidate, solved)
        if verdict.accepted:
            self._champion = candidate
        games, plies, first_wins, draws = harvest.counts.tolist()
        generation = Generation(
            number,
            games,
            plies,
            first_wins,
            draws,
            len(harvest),
            len(lessons),
            steps,
            judgement.loss,
            judgement.value_error or 0.0,
            verdict.pairs,
            verdict.share,
            verdict.accepted,
            number if verdict.accepted else self.champion,
            {name: round(each, 2) for name, each in seconds.items()},
            grades,
        )
        folder.add(generation)
        self.done.append(generation)
        folder.forget(self._window_start(), number, generation.champion)
        return generation

    def _play(self, number: int) -> Harvest:
        """The games of a generation; tables that were played before are not played again."""
        folder, settings = self.folder, self.settings
        whole = folder.games(number)
        if whole is not None:
            return whole
        tables = settings.tables
        found = {table: folder.games(number, table) for table in range(len(tables))}
        missing = [table for table, harvest in found.items() if harvest is None]
        played = sum(int(harvest.counts[0]) for harvest in found.values() if harvest is not None)
        what = f"generation {number}, games"
        self._advance(what, played, settings.games)
        tasks = [PlayTask(settings, number, tables[table], self._champion) for table in missing]
        for index, harvest in play_tables(self._workers, tasks):
            assert isinstance(harvest, Harvest)
            folder.keep_games(harvest, number, missing[index])
            found[missing[index]] = harvest
            played += int(harvest.counts[0])
            self._advance(what, played, settings.games)
        parts = [found[table] for table in range(len(tables))]
        whole = distinct(settings.geometry, Harvest.together([each for each in parts if each is not None]))
        if not len(whole):
            raise BadOption(f"board {settings.geometry}: its games have no position to learn from")
        folder.keep_games(whole, number)
        return whole

    def _learn(self, number: int, lessons: Any, new: int) -> int:
        """Have the learner as it is after this generation; how many steps that took."""
        folder, path = self.folder, self.folder.learner(number)
        steps = self._learner.steps_for(new)
        if path.exists():
            self._load(number)
            return steps

        def watch(done: int, total: int, loss: float) -> None:
            self._advance(f"generation {number}, training: loss {loss:.3f}", done, total)

        self._learner.learn(lessons, steps, number, watch)
        self._learner.save(path, folder.request)
        return steps

    def _grades(self, graph: bytes, solved: SolvedMoves) -> dict[str, StageGrades]:
        card = Card("candidate", NETWORK, "", self.settings.geometry, planes=NETWORK_PLANES)
        return grade(NetworkEvaluator(card, self.settings.geometry, mirror=True, graph=graph), solved)


def _facts(settings: Settings) -> dict[str, Any]:
    """Settings as a card has them."""
    given = settings.to_json()
    del given["geometry"], given["slip"]
    return {**given.pop("shape"), **given}


@contextmanager
def _clocked(seconds: dict[str, float], name: str) -> Iterator[None]:
    start = time.perf_counter()
    yield
    seconds[name] = time.perf_counter() - start
