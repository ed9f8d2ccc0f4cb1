"""Reviews of games: what each position was worth, and what each move gave away."""

from __future__ import annotations
