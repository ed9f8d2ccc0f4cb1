"""OpenSpiel's connect_four and ours: positions and states, agents and bots, each as the other.

    >>> import fourcast as fc
    >>> from fourcast.interop import openspiel
    >>> state = openspiel.state_of(fc.Position.from_moves("4453"))
    >>> state.history(), state.current_player()
    ([3, 3, 4, 2], 0)
    >>> openspiel.position_of(state).moves
    '4453'
    >>> bot = openspiel.as_bot("alphabeta:6")  # a pyspiel.Bot
    >>> bot.step(state) in state.legal_actions()
    True

OpenSpiel's game has no slip. Its boards may be of any size, ours of those that `Geometry` takes.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from fourcast.agents import Agent, new_game, register
from fourcast.extras import require
from fourcast.game.analysis import Analysis
from fourcast.game.errors import (
    AgentFailed,
    BadBoard,
    BadOption,
    BadShape,
    CannotPlay,
    ColumnOffBoard,
    UnreachablePosition,
    shown,
)
from fourcast.game.geometry import STANDARD, Geometry
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.question import check_question
from fourcast.game.rules import Rules
from fourcast.interop.asking import answer_of, column_of, failures_of, seated

pyspiel: Any = require("pyspiel", "openspiel")

GAME = "connect_four"

# pyspiel has no types; these say what is meant.
Game = Any
State = Any
Bot = Any


# --- positions and states ---


def game_of(board: Geometry | str = STANDARD) -> Game:
    """OpenSpiel's game on a board.

    Raises:
        BadGeometry: There is no such board.
    """
    return _game_on(Geometry.of(board))


@cache
def _game_on(geometry: Geometry) -> Game:
    return pyspiel.load_game(
        GAME, {"rows": geometry.rows, "columns": geometry.columns, "x_in_row": geometry.connect}
    )


def geometry_of(game: Game) -> Geometry:
    """The board of OpenSpiel's game.

    Raises:
        BadBoard: It is another game, or none.
        BadGeometry: Its board is not one that we play on.
    """
    if not isinstance(game, pyspiel.Game):
        raise BadBoard(f"{shown(game)} is not a game of OpenSpiel's")
    name = game.get_type().short_name
    if name != GAME:
        raise BadBoard(f"OpenSpiel's game is {name}, not {GAME}")
    parameters = game.get_parameters()
    return Geometry(parameters["rows"], parameters["columns"], parameters["x_in_row"])


def state_of(position: Position) -> State:
    """The position as OpenSpiel's state.

    Its history has the moves that lead to the position. To a board that no game leads to, or none was found,
    there are none: then the state begins with that board, and has no history.

    Raises:
        BadBoard: It is no position.
    """
    if not isinstance(position, Position):
        raise BadBoard(f"{shown(position)} is not a Position")
    game = game_of(position.geometry)
    try:
        moves = position.columns_played
    except UnreachablePosition:
        cells = [[".xo"[owner] for owner in row] for row in reversed(position.to_rows())]
        start = {
            "board": cells,
            "current_player": "xo"[position.turn],
            "is_terminal": position.is_over,
            "winner": _winner(position),
        }
        return game.new_initial_state(json.dumps(start))
    state = game.new_initial_state()
    for column in moves:
        state.apply_action(column)
    return state


def position_of(state: State, board: Geometry | str | None = None) -> Position:
    """OpenSpiel's state as a position; its moves are the state's history, if that begins with an empty board.

    Args:
        state: A state of connect_four, of a game that goes on or is over.
        board: The board that it has to be on; any by default.

    Raises:
        BadBoard: It is a state of another game, or none.
        BadShape: It is on another board.
        BadGeometry: Its board is not one that we play on.
    """
    if not isinstance(state, pyspiel.State):
        raise BadBoard(f"{shown(state)} is not a state of OpenSpiel's")
    geometry = geometry_of(state.get_game())
    if board is not None and geometry != Geometry.of(board):
        raise BadShape(f"the state is on board {geometry}, and {Geometry.of(board)} was asked for")
    if not state.starting_state_str():
        return Position.from_moves(state.history(), geometry)
    return Position.from_text(str(state), geometry.connect)


def _winner(position: Position) -> str:
    """As OpenSpiel writes it."""
    outcome = position.outcome
    if outcome is None:
        return ""
    return "draw" if outcome.winner is None else "xo"[outcome.winner]


# --- our agents as bots ---


class AgentBot(pyspiel.Bot):  # type: ignore[misc]  # it has no types
    """An agent as OpenSpiel's bot. It plays either side: it looks at the state alone, which comes whole.

    Attributes:
        agent: Who plays.
        geometry: The board that it plays on.
        limit: What it may spend on a move.
    """

    def __init__(self, player: Agent, geometry: Geometry, limit: Limit) -> None:
        super().__init__()
        self.agent = player
        self.geometry = geometry
        self.limit = limit

    def analyze(self, state: State) -> Analysis:
        """What the agent has to say of a state.

        Raises:
            BadShape, BadBoard: The state is of another board or game.
            GameOver: There is nothing left to play.
            AgentFailed: The agent gave no move that can be played.
        """
        position = position_of(state, self.geometry)
        check_question(position, self.geometry)
        return answer_of(self.agent, position, self.limit)

    def step(self, state: State) -> int:
        """The column that the agent plays in a state; errors as with `analyze`."""
        return int(self.analyze(state).column)

    def restart(self) -> None:
        """A new game begins."""
        new_game(self.agent)

    def restart_at(self, state: State) -> None:  # noqa: ARG002  # it will come with the question
        """A new game begins with some state."""
        new_game(self.agent)


def as_bot(
    player: Agent | str,
    board: Geometry | str = STANDARD,
    *,
    limit: Limit | str | None = None,
    seed: int | None = None,
) -> AgentBot:
    """A `pyspiel.Bot` that plays as an agent does.

    Args:
        player: A spec like "mcts:simulations=800", or an agent, who must play on this board; no person.
        board: The board.
        limit: What it may spend on a move: "100ms", "nodes=10000".
        seed: Where its chance starts, if it is made from a spec.

    Raises:
        UnknownPlayer, BadOption, CannotPlay, BadGeometry, BadLimit: An argument is not what it should be.
    """
    geometry = Geometry.of(board)
    return AgentBot(seated(player, Rules(geometry), seed), geometry, Limit.of(limit))


# --- OpenSpiel's bots as agents ---


class BotAgent:
    """OpenSpiel's bots as an agent. A bot knows no limit: what it may spend was said when it was made.

    Every question tells the bot of the whole game, from its start, so that one that keeps a state of its own
    can follow.

    Attributes:
        bots: Who plays as first, and who as second player.
        geometry: The board that they play on.
    """

    def __init__(self, bots: tuple[Bot, Bot], geometry: Geometry) -> None:
        self.bots = bots
        self.geometry = geometry

    def analyze(self, position: Position, limit: Limit) -> Analysis:  # noqa: ARG002  # bots know none
        """The column that the bot plays, and how likely it was to play each, if it says so.

        Raises:
            BadShape: The position is on another board.
            GameOver: There is nothing left to play.
            AgentFailed: The bot raised an error, its action cannot be played, or it was made for the other
                player.
        """
        check_question(position, self.geometry)
        start = time.perf_counter()
        state, bot = state_of(position), self.bots[position.turn]
        policy = None
        with failures_of("OpenSpiel's bot"):
            _tell(bot, state, position.turn)
            if bot.provides_policy():
                _check_player(bot, state)
                shares, action = bot.step_with_policy(state)
                chances = dict(shares)
                policy = tuple(float(chances.get(each, 0.0)) for each in range(self.geometry.columns))
            else:
                action = bot.step(state)
        column = _open_column(action, position)
        taken = time.perf_counter() - start
        return Analysis(position, column, policy=policy, pv=(column,), seconds=taken)


def _open_column(action: object, position: Position) -> int:
    """A bot's action, if it can be played."""
    try:
        column = column_of(action, position.geometry)
    except ColumnOffBoard:
        column = -1
    if column not in position.legal:
        raise AgentFailed("illegal", f"OpenSpiel's bot played {shown(action)}, which is no open column")
    return column


def _knows_its_player(bot: Bot) -> bool:
    """Whether a bot may be made for one player: those of C++ that have no type of their own."""
    return type(bot) is pyspiel.Bot


def _check_player(bot: Bot, state: State) -> None:
    """See that a bot has a move here: one of C++ that is asked for the other player's ends the process."""
    if _knows_its_player(bot) and not bot.get_policy(state):
        mover = state.current_player()
        raise AgentFailed(
            "illegal", f"OpenSpiel's bot has no move for player {mover}: it was made for the other one"
        )


def _tell(bot: Bot, state: State, player: int) -> None:
    """Tell a bot of a game, from its start up to a state."""
    if state.starting_state_str():
        bot.restart_at(state)
        return
    bot.restart()
    now = state.get_game().new_initial_state()
    for action in state.history():
        mover = now.current_player()
        if mover == player and bot.provides_force_action():
            bot.force_action(now, action)
        else:
            bot.inform_action(now, mover, action)
        now.apply_action(action)


def as_agent(bot: Bot | Sequence[Bot], board: Geometry | str = STANDARD) -> BotAgent:
    """An agent that plays as OpenSpiel's bots do.

    Args:
        bot: A bot that plays either side, or two: one for the first player and one for the second. Those that
            `pyspiel.load_bot` and `pyspiel.make_..._bot` give are made for one player, and asked for the
            other's move most of them end the process: of these it takes two.
        board: The board that they play on.

    Raises:
        CannotPlay: It is neither one bot nor two, or one that was made for one player.
        BadGeometry: There is no such board.
    """
    bots = tuple(bot) if isinstance(bot, Sequence) else (bot, bot)
    if len(bots) != 2 or not all(isinstance(each, pyspiel.Bot) for each in bots):
        raise CannotPlay(f"{shown(bot)} is neither an OpenSpiel bot nor two of them")
    if bots[0] is bots[1] and _knows_its_player(bots[0]):
        raise CannotPlay("OpenSpiel made this bot for one player: give two, [the first's, the second's]")
    return BotAgent((bots[0], bots[1]), Geometry.of(board))


def register_bot(name: str, make: Callable[[Game, int, int], Bot]) -> None:
    """Give OpenSpiel's bots a name, by which `fourcast.agent` and `fourcast.match` know them in this process.

    Args:
        name: The agent's name; the first line of the function's docstring is what is said of it.
        make: Makes a bot of a game, a player (0 or 1) and a seed. If it raises an error, or makes none, who
            asks for the agent is told so by an AgentFailed or a CannotPlay.

    Raises:
        BadOption: It cannot be called.
    """
    if not callable(make):
        raise BadOption(f"agent {name}: {shown(make)} makes no bots, it is no function")

    def agent_of(rules: Rules, seed: int | None = None) -> BotAgent:
        game = game_of(rules.geometry)
        with failures_of(f"agent {name}"):
            bots = [make(game, player, 0 if seed is None else seed) for player in range(2)]
        for bot in bots:
            if not isinstance(bot, pyspiel.Bot):
                raise CannotPlay(f"agent {name}: what was made is {shown(bot)}, not an OpenSpiel bot")
        return as_agent(bots, rules.geometry)

    agent_of.__doc__ = make.__doc__ or f"OpenSpiel's {name}."
    register(name, plays=_without_slip)(agent_of)


def _without_slip(rules: Rules) -> bool:
    return not rules.slip
