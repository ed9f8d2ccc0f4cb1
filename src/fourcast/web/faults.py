"""What is answered when a request cannot be: a status, a kind, and one line that says why."""

from __future__ import annotations

from typing import Any

from fourcast.game.errors import FourcastError


class Refused(FourcastError):
    """A request that the server does not answer; each kind has its status."""

    status = 422


class TooMuch(Refused):
    """It asks for more than the server's settings allow."""


class NotOffered(Refused):
    """It asks for somebody or something that is not to be had over the web."""


class BadRequest(Refused):
    """Its body or its query is not what the call takes."""


class NotFound(Refused):
    """There is no such thing."""

    status = 404


class WrongHost(Refused):
    """It is addressed to another host, or comes from another site's page."""

    status = 403


class TooLarge(Refused):
    """Its body is too large."""

    status = 413


class TooSlow(Refused):
    """Its body took too long to arrive."""

    status = 408


class Busy(Refused):
    """The server has enough to do.

    Attributes:
        seconds: When it is worth trying again.
    """

    status = 429

    def __init__(self, message: str, seconds: int = 1) -> None:
        super().__init__(message)
        self.seconds = seconds


def status_of(error: FourcastError) -> int:
    """The status that an error is answered with; wrong input is 422."""
    return error.status if isinstance(error, Refused) else 422


def body_of(error: FourcastError) -> dict[str, Any]:
    """An error as JSON knows it."""
    return fault_body(type(error).__name__, str(error))


def fault_body(kind: str, message: str) -> dict[str, Any]:
    """What every refused request is answered with."""
    return {"error": {"kind": kind, "message": " ".join(message.split())}}
