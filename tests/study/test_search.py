"""What the study of minimax and alpha-beta takes for the time of a search."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from itertools import repeat as again
from pathlib import Path

import pytest

from fourcast.game.analysis import Analysis
from fourcast.game.geometry import STANDARD
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.search.lookahead import Lookahead
from fourcast.study.search import measuring
from fourcast.study.study import Desk, Settings


def test_a_short_search_alone_is_timed_until_nothing_disturbs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = chain([1.0], again(0.05, 10), again(1e-4, 100), again(1e-6))
    answer = replace(Lookahead(STANDARD, 3).search(Position(), Limit()), seconds=0.0)

    def search(*_: object) -> Analysis:
        return replace(answer, seconds=next(times))

    monkeypatch.setattr(Lookahead, "search", search)
    monkeypatch.setattr(measuring, "_ALONE", (10.0, 1000))
    found = measuring.compare_one({"moves": "44", "depth": 3}, Desk(Settings(), tmp_path))
    assert found["minimax"]["seconds"] == 1e-6
