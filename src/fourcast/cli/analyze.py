"""`fourcast analyze`: the exact score of every column, or what an agent has to say of a position."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from fourcast.agents import agent as make_agent
from fourcast.agents.human import HUMAN
from fourcast.agents.registry import read_spec
from fourcast.cli import FINE, FOUND_WRONG, INTERRUPTED
from fourcast.cli.options import (
    BoardOption,
    JsonOption,
    MovesArgument,
    SeedOption,
    SlipOption,
    TextOption,
    read_position,
)
from fourcast.cli.screen import wants_colour, write_json
from fourcast.cli.solving import (
    TABLE_MB,
    THREADS,
    BookOption,
    NoBookOption,
    TableOption,
    ThreadsOption,
    check_going_on,
    effort,
    entry,
    make_solver,
    read_limit,
    whose_turn,
)
from fourcast.cli.thinking import LiveLine, ask
from fourcast.cli.thoughts import summary_of, table_of
from fourcast.game.analysis import Analysis
from fourcast.game.errors import BadOption
from fourcast.game.limit import Limit
from fourcast.game.notation import column_name
from fourcast.game.position import Position
from fourcast.game.rules import Rules
from fourcast.game.thoughts import line_of_play
from fourcast.game.words import verdict

VALUES = "values"  # the option of agents that do not look at every column closely unless they are told to
OF_THE_SOLVER = ("no_book", "book", "threads", "table_mb")
OF_AGENTS = ("slip", "seed")


def analyze(
    context: typer.Context,
    moves: MovesArgument = "",
    board: BoardOption = None,
    text: TextOption = None,
    agent: Annotated[
        str | None,
        typer.Option(metavar="AGENT", help="Ask this agent, like alphabeta:depth=8; see fourcast agents."),
    ] = None,
    slip: SlipOption = 0.0,
    seed: SeedOption = None,
    no_book: NoBookOption = False,
    book: BookOption = None,
    threads: ThreadsOption = THREADS,
    table_mb: TableOption = TABLE_MB,
    limit: Annotated[
        str | None,
        typer.Option(
            metavar="LIMIT",
            help="What it may take: 10s, 500ms, nodes=1000000; of an agent also depth=8, simulations=800.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Say of every column how the game ends with best play after it.

    "Wins in N moves" counts the moves of whoever wins, the winning one included. A score is that of the
    side to move: 0 is a draw, n > 0 a win with n of the winner's discs left (the winning one counted), n < 0
    a loss.

    Ctrl-C stops and prints the columns that are proven. Exit code 1: not all are.

    With --agent, say what that agent thinks instead: values from -1, lost, to 1, won, for the side to
    move. Only agents take --slip and --seed; only the exact solver takes a book, threads and a table.
    """
    _check_options(context, agent)
    position = check_going_on(read_position(moves, board, text))
    drawing = position.draw(colour=wants_colour())
    title = f"{drawing}\n\nMove {position.ply + 1}: {whose_turn(position)} to play.\n"
    if as_json:
        title = ""
    if agent is not None:
        return _ask_agent(agent, position, Rules(position.geometry, slip), seed, limit, title)
    allowed = read_limit(limit)
    solver = make_solver(position.geometry, book=book, no_book=no_book, threads=threads, table_mb=table_mb)
    question = partial(solver.analyze, position, limit=allowed)
    analysis, interrupted = ask(solver, question, title)
    if as_json:
        write_json(analysis.to_json())
    else:
        print("\n".join([*_table(analysis), "", *_summary(analysis, interrupted)]))
    if interrupted:
        return INTERRUPTED
    return FINE if analysis.exact else FOUND_WRONG


def _check_options(context: typer.Context, agent: str | None) -> None:
    """See that nobody is told what concerns somebody else.

    Raises:
        BadOption: An option of the solver is given to an agent, or the other way round.
    """
    for name in OF_AGENTS if agent is None else OF_THE_SOLVER:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            flag = f"--{name.replace('_', '-')}"
            if agent is None:
                raise BadOption(f"{flag} is for agents: it goes with --agent")
            raise BadOption(f"{flag} is for the exact solver: it does not go with --agent")


def _ask_agent(
    spec: str, position: Position, rules: Rules, seed: int | None, limit: str | None, title: str
) -> int:
    """Write what an agent thinks of a position: for people under a title, without one as JSON."""
    allowed = Limit() if limit is None else Limit.parse(limit)
    entry_of_agent, given = read_spec(spec)
    name = entry_of_agent.name
    if name == HUMAN:
        raise BadOption("--agent human: that is you; ask somebody else, see fourcast agents")
    has_values = any(option.name == VALUES for option in entry_of_agent.options)
    every = {VALUES: "all"} if has_values and VALUES not in given else {}
    player = make_agent(spec, rules, seed, **every)
    live = None if not title else LiveLine(name, player)
    analysis, interrupted = ask(player, partial(player.analyze, position, allowed), title, live)
    if title:
        table = [*table_of(analysis, "best so far" if interrupted else "best"), ""]
        if table == [""]:
            so_far = " so far" if interrupted else ""
            table = [entry("best", f"column {column_name(analysis.column)}{so_far}")]
        print("\n".join([*table, *summary_of(analysis, rules.slip)]))
    else:
        write_json(analysis.to_json() | {"agent": spec})
    return INTERRUPTED if interrupted else FINE


def _table(analysis: Analysis) -> list[str]:
    """A row for each column."""
    position = analysis.position
    rows = ["column  score"]
    for column, score in enumerate(analysis.scores or ()):
        name = column_name(column)
        if score is not None:
            mark = ", best" if analysis.exact and column == analysis.column else ""
            rows.append(f"{name:>6}  {score:>5}  {verdict(position, score)}{mark}")
        else:
            rows.append(f"{name:>6}         {'not solved' if column in position.legal else 'full'}")
    return rows


def _summary(analysis: Analysis, interrupted: bool) -> list[str]:
    """The best column and its line, or what is proven without them; and what it took."""
    lines = [entry("effort", effort(analysis))]
    if analysis.exact:
        lines.insert(0, entry("line", line_of_play(analysis)))
        return lines
    unless = "before it was stopped" if interrupted else "within the limit"
    proven = [score for score in analysis.scores or () if score is not None]
    least = f": the score is at least {max(proven)}" if proven else ""
    return [entry("score", f"not solved {unless}{least}"), *lines]
