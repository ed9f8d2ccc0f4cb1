"""What callers send and get, as OpenAPI describes it; and what is read out of it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from fourcast.game.errors import BadRecord
from fourcast.game.geometry import Geometry
from fourcast.game.limit import MOST_COUNT, MOST_SECONDS, Limit
from fourcast.game.notation import parse_moves
from fourcast.game.position import Position
from fourcast.game.rules import Rules
from fourcast.web.faults import TooMuch
from fourcast.web.settings import Settings

BOARD = r"^[0-9]{1,3}[xX][0-9]{1,3}[xX][0-9]{1,3}$"
MOVES = r"^[1-9a-zA-Z]*$"
MOST_MOVES = 128
MOST_SEED = 2**63 - 1
MOST_TREE = 20

Board = Annotated[str, Field(pattern=BOARD, description="ROWSxCOLUMNSxCONNECT", examples=["6x7x4"])]
Moves = Annotated[
    str,
    Field(
        pattern=MOVES,
        max_length=MOST_MOVES,
        description="Columns played so far, from 1, above 9 as letters; with slip, where discs landed",
        examples=["4453"],
    ),
]
Slip = Annotated[
    float,
    Field(ge=0, lt=1, allow_inf_nan=False, description="The chance that a disc lands in another column"),
]
Count = Annotated[int, Field(gt=0, le=MOST_COUNT)]


class Form(BaseModel):
    """What all bodies have in common: nothing but what is described, and no type stands for another."""

    model_config = ConfigDict(extra="forbid", strict=True)


class LimitForm(Form):
    """What a search may spend; which of these count is up to who searches (`keeps` of `/api/agents`)."""

    seconds: Annotated[float, Field(gt=0, le=MOST_SECONDS, allow_inf_nan=False)] | None = None
    depth: Count | None = None
    nodes: Count | None = None
    simulations: Count | None = None

    def read(self, settings: Settings) -> Limit:
        """The limit, if the settings allow for it.

        Raises:
            TooMuch: They do not.
        """
        for name in ("seconds", "depth", "nodes", "simulations"):
            asked, most = getattr(self, name), getattr(settings, name)
            if asked is not None and asked > most:
                raise TooMuch(f"limit {name}={asked:g}: {most:g} is the most here")
        return Limit(self.seconds, self.depth, self.nodes, self.simulations)


class PositionForm(Form):
    """A position: a board, and the moves that lead to it from the empty one."""

    board: Board = "6x7x4"
    moves: Moves = ""
    slip: Slip = 0.0

    def read(self, settings: Settings) -> tuple[Position, Rules]:
        """The position and the rules of its game.

        Raises:
            FourcastError: The board or the moves are not sound, or the board is too large.
        """
        geometry = read_board(self.board, settings)
        return Position.from_moves(self.moves, geometry), Rules(geometry, self.slip)


class AnalyzeForm(PositionForm):
    """A question about a position."""

    agent: Annotated[
        str | None, Field(max_length=300, description="Whom to ask; null: exact scores of every column")
    ] = None
    limit: LimitForm = LimitForm()
    seed: Annotated[int | None, Field(ge=0, le=MOST_SEED, description="Repeat the same chances")] = None
    tree: Annotated[
        int,
        Field(ge=0, le=MOST_TREE, description="Plies of the search tree to answer with, as far as they fit"),
    ] = 0


class StopForm(Form):
    """Which search to stop."""

    id: Annotated[str, Field(max_length=64, description="As the stream's `begun` has it")]


class SolveForm(Form):
    """Positions of one board to solve."""

    board: Board = "6x7x4"
    positions: Annotated[list[Moves], Field(min_length=1)]
    weak: Annotated[bool, Field(description="Only who wins: `value` 1, 0 or -1, and no score")] = False
    limit: LimitForm = LimitForm()


class ReviewForm(PositionForm):
    """A game to look through."""

    aims: Annotated[Moves | None, Field(description="With slip: the columns aimed at, one for each move")] = (
        None
    )
    agent: Annotated[str | None, Field(max_length=300, description="Whom to ask where it is not solved")] = (
        None
    )
    limit: LimitForm = LimitForm()

    def read_aims(self, geometry: Geometry) -> list[int] | None:
        """The columns aimed at.

        Raises:
            BadRecord: They are more or fewer than the moves.
        """
        if self.aims is None:
            return None
        aims = parse_moves(self.aims, geometry)
        if len(aims) != len(self.moves):
            raise BadRecord(f"{len(aims)} aims, {len(self.moves)} moves: there is one for each")
        return aims


def read_board(text: str, settings: Settings) -> Geometry:
    """A board, if it is not too large.

    Raises:
        BadGeometry: It is no board that can be played.
        TooMuch: It has more cells than the settings allow.
    """
    geometry = Geometry.parse(text)
    if geometry.cells > settings.cells:
        raise TooMuch(
            f"board {geometry}: it has {geometry.cells} cells, and {settings.cells} is the most here"
        )
    return geometry


class Fault(BaseModel):
    """Why a request was refused."""

    kind: Annotated[str, Field(description="The name of the fault, such as ColumnFull")]
    message: Annotated[str, Field(description="One line that says what was wrong")]


class FaultAnswer(BaseModel):
    """The body of every refused request."""

    error: Fault


class HealthAnswer(BaseModel):
    """How busy the server is."""

    status: str
    running: int
    waiting: int


class VersionAnswer(BaseModel):
    """What answers."""

    version: str
    python: str
    numba: str


class SettingsAnswer(BaseModel):
    """What a request may ask for at most."""

    seconds: float
    depth: int
    nodes: int
    simulations: int
    memory_mb: int
    cells: int
    boards: int
    tree_nodes: int
    positions: int
    review_seconds: float
    body_bytes: int
    games: bool


class AgentsAnswer(BaseModel):
    """Who can be asked."""

    agents: list[dict[str, Any]]
    suggested: list[dict[str, Any]]


class OutcomeAnswer(BaseModel):
    """How a game ended; cells are [row, column], both from 0, rows from the bottom."""

    winner: int | None
    cells: list[list[int]]
    words: str


class ThreatAnswer(BaseModel):
    """An empty cell where one more disc makes a line."""

    player: int
    row: int
    column: int
    odd: Annotated[bool, Field(description="Whether its row is the 1st, 3rd, ... from the bottom")]
    playable: Annotated[bool, Field(description="Whether the next disc of its column lands there")]


class PositionAnswer(BaseModel):
    """A position, looked at without searching."""

    board: str
    moves: str
    text: list[str]
    ply: int
    turn: int
    legal: list[int]
    outcome: OutcomeAnswer | None
    threats: list[ThreatAnswer]


class AnalysisAnswer(BaseModel):
    """What was found; scores and values are seen from the side to move, entries by column."""

    board: Annotated[str, Field(description="ROWSxCOLUMNSxCONNECT")]
    moves: Annotated[str, Field(description="Columns played so far")]
    text: Annotated[
        list[str], Field(description="The board, its top row first: `X` first, `O` second player, `.` empty")
    ]
    column: Annotated[int, Field(description="The best one, from 0")]
    score: Annotated[
        int | None, Field(description="Exact, of the position: 0 a draw, over 0 a win, under 0 a loss")
    ]
    value: Annotated[float | None, Field(description="An estimate from -1 to 1")]
    scores: Annotated[list[int | None] | None, Field(description="Exact scores by column")]
    values: Annotated[list[float | None] | None, Field(description="Estimates by column")]
    policy: Annotated[list[float] | None, Field(description="How much each column is liked; sums to 1")]
    pv: Annotated[list[int], Field(description="Columns that both sides would play")]
    line: Annotated[str, Field(description="The same as a move string")]
    nodes: Annotated[int, Field(description="Positions visited")]
    cutoffs: Annotated[int, Field(description="Searches that were cut short by a bound")]
    table_hits: Annotated[int, Field(description="Positions known from the table")]
    depth: Annotated[int, Field(description="Plies looked ahead")]
    seconds: Annotated[float, Field(description="Time of the search")]
    exact: Annotated[bool, Field(description="Whether it is proven")]
    bounds: Annotated[list[int] | None, Field(description="Least and most that the exact score can be")]
    points: Annotated[float | None, Field(description="What a heuristic gives, in its own units")]
    leaves: Annotated[int, Field(description="Positions evaluated")]
    simulations: Annotated[int, Field(description="Games played out")]
    memory: Annotated[int, Field(description="Bytes of its table or tree")]
    plies_to_end: Annotated[
        int | None, Field(description="Discs until the game ends, both sides playing best")
    ]
    tree: Annotated[dict[str, Any] | None, Field(description="Its root, with `children`")] = None
    agent: Annotated[str | None, Field(description="Who was asked; null: the solver")]
    words: Annotated[list[str], Field(description="A few for each column")]
    summary: Annotated[str, Field(description="A few for the position")]


class StopAnswer(BaseModel):
    """Whether there was a search of that name to stop."""

    stopped: bool


class SolvedAnswer(BaseModel):
    """One position of a batch."""

    moves: str
    score: int | None
    value: float | None
    exact: bool
    plies_to_end: int | None
    column: int


class SolveAnswer(BaseModel):
    """Positions in the order in which they were asked for."""

    results: list[SolvedAnswer]


class RunsAnswer(BaseModel):
    """The matches, tournaments and imports that are shown."""

    runs: list[dict[str, Any]]


class RunAnswer(BaseModel):
    """One of them: who stands where."""

    id: str
    kind: str
    standings: dict[str, Any]
    ratings: dict[str, Any]


class GamesAnswer(BaseModel):
    """A page of games."""

    games: list[dict[str, Any]]
    page: int
    pages: int


class GameAnswer(BaseModel):
    """A whole game; aimed and landed columns as move strings."""

    id: str
    board: str
    slip: float
    first: str
    second: str
    result: str
    opening: str
    aimed: str
    landed: str
    moves: str
