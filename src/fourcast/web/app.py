"""The application: its calls, and what they are answered with when something is wrong."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from fourcast.game.errors import FourcastError, shown
from fourcast.web import routes_games, routes_play, routes_search
from fourcast.web.answering import Answering
from fourcast.web.describing import describe
from fourcast.web.faults import BadRequest, NotFound, fault_body
from fourcast.web.gate import Gate
from fourcast.web.pages import Pages
from fourcast.web.responses import Json, refusal
from fourcast.web.searches import Searches
from fourcast.web.settings import Settings
from fourcast.web.showing import Shown

ABOUT = """\
Everything that the page does, for programs too. Columns are 0-based, but in move strings, where they count
from 1 ("4453", above 9 as letters); scores and values are seen from the side to move. The server keeps no
game: every request says the whole position. What is wrong with one is answered with one line that says so.
"""

ROUTERS = (routes_play.router, routes_search.router, routes_games.router)
CALLS = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
CLOSING_SECONDS = 0.5  # that searches have to end, once their requests have


class Server:
    """What all requests share.

    Attributes:
        settings: What is allowed.
        searches: The searches that run and wait.
        answering: The solvers and agents.
        pages: The page's files.
        shown: Games that were played.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.searches = Searches(settings)
        self.answering = Answering(settings)
        self.pages = Pages()
        self.shown = Shown(settings.games)


def make_app(settings: Settings, log: Callable[[dict[str, Any]], None] | None = None) -> Gate:
    """The whole application.

    Args:
        settings: What it allows.
        log: Called with an entry for each request; None for no log.
    """
    from fourcast import __version__

    server = Server(settings)

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        if settings.prepare:
            server.answering.preparing.warm()
        yield
        server.answering.preparing.close()
        server.searches.close()
        await server.searches.ended(CLOSING_SECONDS)

    app = FastAPI(
        title="Fourcast",
        version=__version__,
        description=ABOUT,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=life,
        redirect_slashes=False,
    )
    app.state.server = server
    for router in ROUTERS:
        app.include_router(router)
    app.add_exception_handler(FourcastError, _on_fault)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http)
    app.add_api_route("/api/docs", _docs, methods=["GET"], include_in_schema=False)
    app.add_api_route("/{path:path}", _page, methods=["GET", "HEAD"], include_in_schema=False)
    return Gate(app, settings, server.searches, log)


async def _docs(request: Request) -> Response:
    return Response(
        describe(request.app.openapi(), str(request.base_url)), media_type="text/html; charset=utf-8"
    )


async def _page(request: Request) -> Response:
    """A file of the page; a call that has another method is no file, and is told so."""
    for route in CALLS:
        if route.path_regex.match(request.url.path):
            raise HTTPException(405, headers={"allow": ", ".join(sorted(route.methods or ()))})
    server: Server = request.app.state.server
    try:
        return server.pages.answer(request)
    except NotFound:
        if "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api"):
            return server.pages.missing(request)  # somebody with a browser
        raise


async def _on_fault(_request: Request, error: Exception) -> Response:
    assert isinstance(error, FourcastError)
    return refusal(error)


async def _on_invalid(request: Request, error: Exception) -> Response:
    """Say the first thing that is wrong with a body or a query, in one line."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if isinstance(first.get("input"), bytes):  # a body that does not say that it is JSON is not read as such
        kind = shown(request.headers.get("content-type", ""))
        return refusal(BadRequest(f"the body is to be JSON, with content-type: application/json, not {kind}"))
    place = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    given = first.get("input")
    what = f", not {shown(given)}" if not isinstance(given, dict) and first["type"] != "json_invalid" else ""
    return refusal(BadRequest(f"{place or 'the request'}: {first['msg']}{what}"))


async def _on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    path = request.url.path[:80]
    if error.status_code == 405:
        return Json(
            fault_body("BadMethod", f"{request.method} {path}: this call has another method"),
            405,
            dict(error.headers or {}),
        )
    if error.status_code == 404:
        return Json(fault_body("NotFound", f"there is no {path!r} here"), 404)
    return Json(fault_body("BadRequest", f"the body cannot be read: {error.detail}"), 422)
