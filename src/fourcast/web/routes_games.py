"""The calls that show games that were played."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response

from fourcast.web.forms import FaultAnswer, GameAnswer, GamesAnswer, RunAnswer, RunsAnswer
from fourcast.web.responses import Json
from fourcast.web.routes_play import REFUSED, server_of

RunName = Annotated[str, Path(pattern=r"^[0-9]{1,4}-[0-9]{1,9}$", description="As `/api/runs` has it")]
GameName = Annotated[
    str, Path(pattern=r"^[0-9]{1,4}-[0-9]{1,9}-[0-9]{1,15}$", description="As a run's games have it")
]
FOUND: dict[int | str, dict[str, Any]] = {
    **REFUSED,
    404: {"model": FaultAnswer, "description": "There is no such thing here"},
}

router = APIRouter(prefix="/api")


@router.get("/runs", response_model=RunsAnswer)
async def runs(request: Request) -> Response:
    """The matches, tournaments and imports of the files that the server was started with."""
    return Json(await asyncio.to_thread(server_of(request).shown.runs))


@router.get("/runs/{run}", response_model=RunAnswer, responses=FOUND)
async def run(request: Request, run: RunName) -> Response:
    """Who stands where: standings with the crosstable, ratings with 95% intervals."""
    return Json(await asyncio.to_thread(server_of(request).shown.run, run))


@router.get("/runs/{run}/games", response_model=GamesAnswer, responses=FOUND)
async def games(
    request: Request,
    run: RunName,
    page: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
    agent: Annotated[str | None, Query(max_length=300, description="Only games of this one")] = None,
) -> Response:
    """The games of a run, a page at a time."""
    return Json(await asyncio.to_thread(server_of(request).shown.games, run, page, agent))


@router.get("/games/{game}", response_model=GameAnswer, responses=FOUND)
async def game(request: Request, game: GameName) -> Response:
    """A whole game; with slip, where discs were aimed at and where they landed."""
    return Json(await asyncio.to_thread(server_of(request).shown.game, game))
