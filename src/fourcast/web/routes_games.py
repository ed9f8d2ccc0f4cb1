"""The calls that show games that were played."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter(prefix="/api")
