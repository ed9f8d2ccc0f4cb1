"""The calls that search: analyses, streams of their progress, batches of exact scores, reviews of games."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from fourcast.game.analysis import Analysis
from fourcast.game.errors import FourcastError
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.question import check_question
from fourcast.web.answering import Work, check_solvable
from fourcast.web.faults import body_of
from fourcast.web.forms import (
    AnalysisAnswer,
    AnalyzeForm,
    FaultAnswer,
    ReviewForm,
    SolveAnswer,
    SolveForm,
    StopAnswer,
    StopForm,
    read_board,
)
from fourcast.web.preparing import NotPrepared
from fourcast.web.responses import Events, Json, unless_gone
from fourcast.web.reviewing import Review
from fourcast.web.routes_play import REFUSED, server_of
from fourcast.web.searches import Search
from fourcast.web.wording import analysis_json

if TYPE_CHECKING:
    from fourcast.web.app import Server

REVIEWER, REVIEWER_WITH_SLIP = "negamax", "expectimax"
TELL_EVERY = 0.15  # seconds between two events of progress

SEARCHED: dict[int | str, dict[str, Any]] = {
    **REFUSED,
    429: {
        "model": FaultAnswer,
        "description": "Enough searches run and wait already",
        "headers": {
            "Retry-After": {"description": "Seconds to wait", "schema": {"type": "integer", "minimum": 1}}
        },
    },
}


def _streamed(*names: str) -> dict[int | str, dict[str, Any]]:
    """The answers of a call that answers with events of these names."""
    event = {
        "type": "object",
        "required": ["event", "data"],
        "properties": {
            "event": {"type": "string", "enum": list(names)},
            "data": {"type": "string", "contentMediaType": "application/json"},
        },
    }
    stream = {"description": "A stream of events", "content": {"text/event-stream": {"schema": event}}}
    return {**SEARCHED, 200: stream}


router = APIRouter(prefix="/api")


@router.post("/analyze", response_model=AnalysisAnswer, responses=SEARCHED)
async def analyze(request: Request, form: AnalyzeForm) -> Response:
    """What an agent has to say of a position; without one, the exact score of every column.

    Where that is not solved within the limit, `exact` is false, and `scores` has those that are known.
    """
    question = _read(request, form)
    found = question.at_once()
    if found is None:
        search = question.begin()
        found = await unless_gone(request.receive, search.answer, search.leave)
    if found is None:
        return Response(status_code=204)  # which nobody will see
    return Json(_analysis(request, form, found))


@router.post(
    "/analyze/stream",
    response_class=Response,
    responses=_streamed("begun", "progress", "analysis", "error"),
)
async def analyze_stream(request: Request, form: AnalyzeForm) -> Response:
    """The same as a stream: `begun` with an id, `progress` some times a second, then `analysis` or `error`.

    Closing the connection ends the search.
    """
    search = _read(request, form).begin()

    async def events() -> AsyncGenerator[tuple[str, Any], None]:
        try:
            yield "begun", {"id": search.id}
            while not (await asyncio.wait({search.answer}, timeout=TELL_EVERY))[0]:
                yield "progress", search.progress_json()
            try:
                yield "analysis", _analysis(request, form, search.answer.result())
            except FourcastError as error:
                yield "error", body_of(error)["error"]
        finally:
            if not search.answer.done():
                search.leave()

    return Events(events())


@dataclass(frozen=True, slots=True)
class _Question:
    """A question that is sound, to be asked now or when it is its turn."""

    server: Server
    position: Position
    work: Work
    limit: Limit
    exact: bool

    def at_once(self) -> Analysis | None:
        """The answer, if it is known."""
        return self.server.answering.at_once(self.position) if self.exact else None

    def begin(self) -> Search[Analysis]:
        return self.server.searches.begin(self.work, self.limit)


def _read(request: Request, form: AnalyzeForm) -> _Question:
    server = server_of(request)
    position, rules = form.read(server.settings)
    limit = form.limit.read(server.settings)
    work = server.answering.question(position, rules, form.agent, limit, form.seed, form.tree)
    return _Question(server, position, work, limit, exact=form.agent is None)


def _analysis(request: Request, form: AnalyzeForm, found: Analysis) -> dict[str, Any]:
    return analysis_json(found, form.agent, form.slip, server_of(request).settings.tree_nodes)


@router.post("/stop", response_model=StopAnswer, responses=REFUSED)
async def stop(request: Request, form: StopForm) -> Response:
    """End a search: its stream then ends with the best so far."""
    return Json({"stopped": server_of(request).searches.stop(form.id)})


@router.post("/solve", response_model=SolveAnswer, responses=SEARCHED)
async def solve(request: Request, form: SolveForm) -> Response:
    """Exact scores of many positions; those that are not solved within the limit are not `exact`."""
    server = server_of(request)
    check_solvable(len(form.positions), server.settings)
    geometry = read_board(form.board, server.settings)
    positions = []
    for number, moves in enumerate(form.positions, start=1):
        try:
            positions.append(Position.from_moves(moves, geometry))
            check_question(positions[-1], geometry)
        except FourcastError as error:
            raise type(error)(f"position {number}: {error}") from None
    limit = form.limit.read(server.settings)
    server.answering.preparing.check(geometry)

    def work(search: Search[list[Analysis]]) -> list[Analysis]:
        return server.answering.solve_each(search, positions, limit, weak=form.weak)

    search = server.searches.begin(work, limit)
    found = await unless_gone(request.receive, search.answer, search.leave)
    if found is None:
        return Response(status_code=204)
    results = [
        {
            "moves": moves,
            "score": each.score,
            "value": each.value,
            "exact": each.exact,
            "plies_to_end": each.plies_to_end,
            "column": each.column,
        }
        for moves, each in zip(form.positions, found, strict=True)
    ]
    return Json({"results": results})


@router.post(
    "/review",
    response_class=Response,
    responses=_streamed("begun", "progress", "ply", "done", "error"),
)
async def review(request: Request, form: ReviewForm) -> Response:
    """A game, position by position: a `ply` event for each from the first on, then `done`, or `error`.

    Scores are exact where the board is solved within the limit; else the values are an agent's.
    """
    server = server_of(request)
    position, rules = form.read(server.settings)
    limit = form.limit.read(server.settings)
    agent = form.agent or (REVIEWER_WITH_SLIP if rules.slip else REVIEWER)
    asked = Review(
        position, rules, form.read_aims(rules.geometry), agent, limit, server.settings.review_seconds
    )
    server.answering.question(Position(rules.geometry), rules, agent, limit)  # sees what is wrong with it
    loop = asyncio.get_running_loop()
    told: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    def work(search: Search[None]) -> None:
        with suppress(NotPrepared):
            for ply in asked.plies(server.answering, search):
                loop.call_soon_threadsafe(told.put_nowait, ply)

    search = server.searches.begin(work, limit, server.settings.review_seconds)

    async def events() -> AsyncGenerator[tuple[str, Any], None]:
        try:
            yield "begun", {"id": search.id}
            while not search.answer.done() or not told.empty():
                try:
                    yield "ply", await asyncio.wait_for(told.get(), TELL_EVERY)
                except TimeoutError:
                    if not search.answer.done() and search.preparing:
                        yield "progress", search.progress_json()
            try:
                search.answer.result()
                yield "done", {}
            except FourcastError as error:
                yield "error", body_of(error)["error"]
        finally:
            if not search.answer.done():
                search.leave()

    return Events(events())
