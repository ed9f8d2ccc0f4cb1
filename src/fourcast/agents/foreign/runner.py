"""The program that plays for a `file:` agent: it loads the file, and speaks the lines of docs/foreign.md.

It is run by its path, without the package, so that an agent finds nothing of ours around it, and so that it
starts quickly: it may import nothing but the standard library, and NumPy where an agent wants arrays.
"""

from __future__ import annotations

import inspect
import operator
import os
import random
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

NAMES = "123456789abcdefghijklmnopqrstuvwxyz"  # of the columns, from the left
MODULE = "agent_file"
FORGET = "new_game"  # a function of this name is no agent: it is called when a game begins
MAKE_MOVE = "make_move"

Choose = Callable[["Game", "Question"], Any]


class NoAgent(Exception):
    """There is nothing in the file that can play."""


class Record(dict[str, Any]):
    """What Kaggle calls a struct: `record.board` is `record["board"]`."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


@dataclass(frozen=True, slots=True)
class Game:
    """What is known when a game begins.

    Attributes:
        rows: The board's height.
        columns: Its width.
        connect: How many in line win.
        mark: 1 for the player who moves first, 2 for the other.
        seed: Where chance starts, as text; None if it is left to chance.
    """

    rows: int
    columns: int
    connect: int
    mark: int
    seed: str | None

    @classmethod
    def read(cls, words: list[str]) -> Game:
        """From the words after `game`."""
        board, _slip, side, seed = words[:4]
        rows, columns, connect = map(int, board.split("x"))
        return cls(rows, columns, connect, 1 if side == "first" else 2, None if seed == "-" else seed)


@dataclass(frozen=True, slots=True)
class Question:
    """A move that is asked for.

    Attributes:
        seconds: The time for it.
        cells: The board, row by row from the top: 0 empty, 1 first player, 2 second.
    """

    seconds: float
    cells: list[int]

    @classmethod
    def read(cls, words: list[str]) -> Question:
        """From the words after `move`."""
        seconds, _moves, grid = words[:3]
        return cls(float(seconds), [".XO".index(cell) for cell in grid.replace("/", "")])


def load(path: Path) -> ModuleType:
    """Run the file, as a module that others of its folder stand beside."""
    module = ModuleType(MODULE)
    module.__file__ = str(path)
    sys.modules[MODULE] = module  # dataclasses and pickles look for it there
    exec(compile(path.read_bytes(), str(path), "exec"), module.__dict__)
    return module


class Player:
    """The agent of a file.

    Attributes:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._module = load(path)
        self._fresh = True
        self._choose: Choose | None = None
        self._find()

    def begin(self, game: Game) -> None:
        """Forget earlier games: by `new_game()` of the file, a new object, or loading the file again."""
        forget = self._module.__dict__.get(FORGET)
        maker = last_with_make_move(self._module)
        if callable(forget):
            forget()
        elif maker is None and not self._fresh:
            self._module = load(self.path)
        self._fresh = False
        self._choose = self._find(game.mark)

    def choose(self, game: Game, question: Question) -> Any:
        """What the agent returns for a position."""
        if game.seed is not None:
            seed_chance(f"{game.seed} {question.cells}")
        if self._choose is None:
            self.begin(game)
        assert self._choose is not None
        return self._choose(game, question)

    def _find(self, mark: int | None = None) -> Choose | None:
        """How the agent is asked; without a mark it is only seen that there is one.

        Raises:
            NoAgent: There is none.
        """
        found = last_with_make_move(self._module)
        if found is not None:
            if mark is None:
                return None
            return by_object(instance(found, mark) if inspect.isclass(found) else found)
        functions = [value for _, value in own_values(self._module) if callable(value)]
        if not functions:
            raise NoAgent(f"{self.path.name} has neither a function to call nor a class with {MAKE_MOVE}")
        return by_function(functions[-1])


def own_values(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """What a file has defined or imported, in the order in which it did."""
    for name, value in module.__dict__.items():
        if not name.startswith("__") and name != FORGET:
            yield name, value


def last_with_make_move(module: ModuleType) -> Any:
    """The last class of the file that has `make_move`, or else the last object that does; or None."""
    able = [value for _, value in own_values(module) if callable(getattr(value, MAKE_MOVE, None))]
    classes = [value for value in able if inspect.isclass(value) and not inspect.isabstract(value)]
    own = [value for value in classes if value.__module__ == MODULE]
    objects = [value for value in able if not inspect.isclass(value)]
    return (own or objects or classes or [None])[-1]


def instance(kind: type, mark: int) -> Any:
    """An object of a class that takes the player's number, or nothing."""
    try:
        inspect.signature(kind).bind(mark)
    except TypeError:
        return kind()
    except ValueError:  # it does not tell what it takes
        pass
    return kind(mark)


def by_object(player: Any) -> Choose:
    """Ask an object that takes the board as an array of ints, of shape (rows, columns), top row first."""

    def choose(game: Game, question: Question) -> Any:
        import numpy as np

        return player.make_move(np.array(question.cells, dtype=np.int64).reshape(game.rows, game.columns))

    return choose


def by_function(function: Callable[..., Any]) -> Choose:
    """Ask a function that takes an observation and a configuration, or as many of them as it wants."""
    wanted = 2
    try:
        kinds = [each.kind for each in inspect.signature(function).parameters.values()]
    except (ValueError, TypeError):  # it does not tell what it takes
        kinds = [inspect.Parameter.VAR_POSITIONAL]
    if inspect.Parameter.VAR_POSITIONAL not in kinds:
        by_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        wanted = min(2, sum(kind in by_place for kind in kinds))

    def choose(game: Game, question: Question) -> Any:
        return function(*(observation_of(game, question), configuration_of(game, question))[:wanted])

    return choose


def observation_of(game: Game, question: Question) -> Record:
    """What a Kaggle agent sees; there is no time beyond that for the move."""
    step = sum(cell > 0 for cell in question.cells)
    return Record(board=list(question.cells), mark=game.mark, step=step, remainingOverageTime=0.0)


def configuration_of(game: Game, question: Question) -> Record:
    """What a Kaggle agent is told about the game."""
    return Record(
        rows=game.rows,
        columns=game.columns,
        inarow=game.connect,
        timeout=question.seconds,
        actTimeout=question.seconds,
        agentTimeout=question.seconds,
        episodeSteps=game.rows * game.columns + 1,
    )


def seed_chance(seed: str) -> None:
    """Make the same question, with the same seed, meet the same chance."""
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(random.Random(seed).getrandbits(32))


def answer(result: Any, game: Game) -> str:
    """The line that names the column, if what the agent returned is one."""
    try:
        if isinstance(result, bool):
            raise TypeError
        column = operator.index(result)
    except TypeError:
        return f"error illegal it returned {shown(result)}, which is not a whole number"
    if not 0 <= column < game.columns:
        return f"error illegal it returned {shown(result)}; the columns are 0 to {game.columns - 1}"
    return NAMES[column]


def shown(value: object) -> str:
    """A value for a message; making its text may fail, or take thousands of digits."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001  # it is somebody else's code
        text = f"a {type(value).__name__}"
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:57]}..."


def admission(kind: str, error: BaseException) -> str:
    """The line that tells of an exception; its trace goes to standard error."""
    traceback.print_exc()
    if isinstance(error, MemoryError):
        kind = "memory"
    try:
        text = " ".join(str(error).split())
    except Exception:  # noqa: BLE001  # it is somebody else's code
        text = ""
    name = "" if isinstance(error, NoAgent) else f"{type(error).__name__}: "
    return f"error {kind} {name}{text}"[:500].rstrip(": ")


def play(path: Path, questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer questions until there are no more."""

    def say(line: str) -> None:
        answers.write(f"{line}\n".encode(errors="replace"))
        answers.flush()

    player: Player | None = None
    game: Game | None = None
    for line in questions:
        word, *words = line.decode().split() or [""]
        try:
            if word == "fourcast":
                player = Player(path)
                say(f"ready {path.name}")
            elif word == "game" and player:
                game = Game.read(words)
                player.begin(game)
                say("ready")
            elif word == "move" and player and game:
                say(answer(player.choose(game, Question.read(words)), game))
            elif word == "quit":
                break
        except SystemExit:
            raise
        except BaseException as error:  # noqa: BLE001  # whatever it is, it is the agent's
            say(admission("crash" if word == "move" else "start", error))


def private_streams() -> tuple[BinaryIO, BinaryIO]:
    """Keep standard input and output for the questions, and give the agent others.

    What it prints goes to standard error, and it has nothing to read.
    """
    questions, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr  # one buffer, so that what it prints stands in order
    # Closed by nobody but the end of the process, which then is what is noticed.
    return os.fdopen(questions, "rb"), os.fdopen(answers, "wb", closefd=False)


def main() -> None:
    """Play for the agent in the file that the command line names."""
    path = Path(sys.argv[1])
    questions, answers = private_streams()
    sys.path[0] = str(path.parent)  # in place of our own folder
    sys.argv = [str(path)]
    play(path, questions, answers)


if __name__ == "__main__":
    main()
