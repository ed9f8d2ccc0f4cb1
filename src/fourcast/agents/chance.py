"""Chance that depends on the seed and the position alone, so that no question sways the next."""

from __future__ import annotations

import hashlib
import random

from fourcast.game.position import Position


def seed_for(seed: int | None, position: Position) -> int:
    """A seed of 63 bits for one question: always the same for a seed and a position, any without a seed."""
    if seed is None:
        return random.SystemRandom().getrandbits(63)
    text = f"{seed} {position.geometry} {position.first:x} {position.second:x}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


def chance_for(seed: int | None, position: Position) -> random.Random:
    """Where to draw from for one question."""
    return random.Random(seed_for(seed, position))
