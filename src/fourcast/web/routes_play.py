"""The calls that need no search: health, version, settings, agents, positions."""

from __future__ import annotations

import platform
from importlib.metadata import version as version_of
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from fourcast.game.rules import Rules
from fourcast.web.forms import (
    AgentsAnswer,
    Board,
    FaultAnswer,
    HealthAnswer,
    PositionAnswer,
    PositionForm,
    SettingsAnswer,
    Slip,
    VersionAnswer,
    read_board,
)
from fourcast.web.players import players_json
from fourcast.web.responses import Json
from fourcast.web.wording import position_json

if TYPE_CHECKING:
    from fourcast.web.app import Server

REFUSED: dict[int | str, dict[str, Any]] = {
    422: {
        "model": FaultAnswer,
        "description": "Something is wrong with the request, or it asks for too much",
    },
}

router = APIRouter(prefix="/api")


def server_of(request: Request) -> Server:
    """What all requests share."""
    server: Server = request.app.state.server
    return server


@router.get("/health", response_model=HealthAnswer)
async def health(request: Request) -> Response:
    """Whether it is alive, and how busy."""
    searches = server_of(request).searches
    return Json({"status": "ok", "running": searches.running, "waiting": searches.waiting})


@router.get("/version", response_model=VersionAnswer)
async def version() -> Response:
    """What answers."""
    from fourcast import __version__

    return Json({"version": __version__, "python": platform.python_version(), "numba": version_of("numba")})


@router.get("/settings", response_model=SettingsAnswer)
async def settings(request: Request) -> Response:
    """What a request may ask for at most."""
    return Json(server_of(request).settings.to_json())


@router.get("/agents", response_model=AgentsAnswer, responses=REFUSED)
async def agents(
    request: Request,
    board: Annotated[Board, Query()] = "6x7x4",
    slip: Annotated[Slip, Query()] = 0.0,
) -> Response:
    """Who can be asked on a board, with which options, and who is suggested as an opponent."""
    server = server_of(request)
    rules = Rules(read_board(board, server.settings), slip)
    return Json(players_json(rules, server.settings))


@router.post("/position", response_model=PositionAnswer, responses=REFUSED)
async def position(request: Request, form: PositionForm) -> Response:
    """A position, looked at without searching: legal columns, outcome, threats."""
    found, _ = form.read(server_of(request).settings)
    return Json(position_json(found))
