"""The gate: a new network plays pairs of games against the champion until it is clear who is better."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fourcast.arena.pairs import PairCounts
from fourcast.arena.sprt import Sprt
from fourcast.learning.selfplay.crew import play_tables
from fourcast.learning.selfplay.settings import Settings
from fourcast.learning.selfplay.table import GateTask
from fourcast.workers import Workers

TEST = Sprt(-50, 50)  # worse or better, clearly
ENOUGH = 0.47  # of the points, where it is not clear in the end: as good as the champion will do


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a gate has said.

    Attributes:
        pairs: Pairs of games that were counted.
        share: Of the points, the new network's; None where none were played.
        accepted: Whether the new network takes the champion's place.
    """

    pairs: int
    share: float | None
    accepted: bool


def hold_gate(
    settings: Settings,
    generation: int,
    candidate: bytes,
    champion: bytes,
    workers: Workers,
    watch: Callable[[int, int], None],
) -> Verdict:
    """Let a new network play against the champion.

    Tables are counted in their order, whoever is done first, and the test is asked after each: so the verdict
    does not depend on who plays.

    Args:
        settings: Of the run.
        generation: Which.
        candidate: The new network, in ONNX.
        champion: The old one.
        workers: Who plays.
        watch: Told how many pairs are played, and how many there are at most.
    """
    tables = settings.gate_tables
    if not tables:
        return Verdict(0, None, accepted=True)
    tasks = [GateTask(settings, generation, pairs, candidate, champion) for pairs in tables]
    played: dict[int, list[float]] = {}
    counted, points = 0, list[float]()
    games = play_tables(workers, tasks)
    for index, found in games:
        assert isinstance(found, list)
        played[index] = found
        watch(sum(map(len, played.values())), tables[-1].stop)
        while counted in played:
            points += played[counted]
            counted += 1
            counts = PairCounts.of(points)
            said = TEST.judge(counts).verdict
            if said is not None:
                return Verdict(len(points), counts.share, said == "H1")
    counts = PairCounts.of(points)
    return Verdict(len(points), counts.share, (counts.share or 0.0) >= ENOUGH)
