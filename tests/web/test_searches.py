"""The calls that search: what they answer, how they are watched, stopped and left."""

from __future__ import annotations

import httpx
import pytest

import fourcast as fc
from tests.web.running import Running, serving

LONG = "minimax:depth=40"  # will not be done in its time


def test_exact_scores_of_every_column(server: Running) -> None:
    seen = server.answer("analyze", moves="4444432655")
    assert seen["scores"] == [-15, -14, 1, -15, -15, -2, -15]
    assert (seen["exact"], seen["column"], seen["score"], seen["agent"]) == (True, 2, 1, None)
    assert seen["words"][2] == "wins in 16"
    assert seen["words"][0] == "loses in 2"
    assert seen["summary"] == "wins in 16"
    assert seen["pv"][0] == 2
    again = server.answer("analyze", moves="4444432655")
    assert again["scores"] == seen["scores"]


def test_the_book_knows_the_empty_board(server: Running) -> None:
    seen = server.answer("analyze")
    assert seen["scores"] == [-2, -1, 0, 1, 0, -1, -2]
    position = fc.Position()
    for column in seen["pv"]:
        position = position.play(column)


def test_what_is_remembered_is_told_of_the_moves_that_were_asked(server: Running) -> None:
    first, second = server.answer("analyze", moves="1234"), server.answer("analyze", moves="3214")
    assert (first["moves"], second["moves"]) == ("1234", "3214")
    assert first["scores"] == second["scores"]


def test_what_is_not_solved_in_time_says_so(server: Running) -> None:
    seen = server.answer("analyze", moves="444444112", limit={"nodes": 1})
    assert seen["exact"] is False
    assert seen["score"] is None
    assert seen["column"] in range(7)


def test_an_agent_answers_with_values_of_every_column(server: Running) -> None:
    seen = server.answer("analyze", moves="44", agent="alphabeta:depth=2")
    assert seen["agent"] == "alphabeta:depth=2"
    assert all(value is not None for value in seen["values"])
    assert seen["words"][3][0] in "+-"
    full = server.answer("analyze", moves="444444", agent="random", seed=3)
    assert full["words"][3] == "full"
    assert full["policy"][3] == 0
    assert full["column"] == server.answer("analyze", moves="444444", agent="random", seed=3)["column"]


def test_a_tree_that_fits(server: Running) -> None:
    seen = server.answer("analyze", moves="44", agent="alphabeta:depth=3", tree=20)
    tree = seen["tree"]
    assert tree["kind"] == "inner"
    assert [child["column"] for child in tree["children"] if child["best"]] == [seen["column"]]
    assert any(node["kind"] == "pruned" for child in tree["children"] for node in child["children"])

    def depth(node: dict[str, list[dict[str, list[object]]]]) -> int:
        return 1 + max((depth(child) for child in node["children"]), default=0)  # type: ignore[arg-type]

    assert depth(tree) == 4


def test_a_stream_begins_goes_on_and_ends(server: Running) -> None:
    with server.events("analyze/stream", moves="44", agent=LONG, limit={"seconds": 0.6}) as events:
        seen = list(events)
    names = [name for name, _ in seen]
    assert names[0] == "begun"
    assert names[-1] == "analysis"
    assert set(names[1:-1]) == {"progress"}
    searching = [data for name, data in seen if name == "progress" and not data.get("preparing", True)]
    assert searching[-1]["nodes"] > 0
    assert searching[-1]["nodes_per_second"] > 0
    assert seen[-1][1]["agent"] == LONG


def test_a_stream_of_what_cannot_be_asked_is_refused_at_once(server: Running) -> None:
    assert server.fault("analyze/stream", agent="nobody")[:2] == (422, "UnknownPlayer")


def test_stop_ends_a_search_with_the_best_so_far(server: Running) -> None:
    with server.events("analyze/stream", moves="44", agent=LONG) as events:
        _, begun = next(events)
        for _, data in events:
            if data.get("nodes"):
                break
        assert server.answer("stop", id=begun["id"]) == {"stopped": True}
        name, found = list(events)[-1]
    assert name == "analysis"
    assert found["column"] in range(7)
    assert server.answer("stop", id=begun["id"]) == {"stopped": False}


@pytest.mark.parametrize("call", ["analyze/stream", "review"])
def test_closing_a_stream_ends_its_search(server: Running, call: str) -> None:
    body = {"moves": "44", "agent": LONG, "slip": 0.1, "limit": {"seconds": 5}}
    with server.events(call, **body) as events:
        next(events)
        server.until(lambda health: health["running"] > 0)
    server.until(lambda health: health["running"] == 0)


def test_stop_does_not_wait_for_code_to_be_compiled(server: Running) -> None:
    with server.events("analyze/stream", board="3x13x3") as events:
        _, begun = next(events)
        while next(events)[1] != {"preparing": True}:
            pass
        server.answer("stop", id=begun["id"])
        name, found = list(events)[-1]
    assert (name, found["exact"], found["column"]) == ("analysis", False, 6)
    server.until(lambda health: health["running"] == 0)


def test_closing_a_connection_ends_its_search(server: Running) -> None:
    with pytest.raises(httpx.ReadTimeout):
        server.client.post("/api/analyze", json={"moves": "44", "agent": LONG}, timeout=0.5)
    server.until(lambda health: health["running"] == 0)


def test_many_positions_at_once(server: Running) -> None:
    moves = ["4444432655", "44444326555", "1"]
    results = server.answer("solve", positions=moves)["results"]
    assert [each["moves"] for each in results] == moves
    for each in results:
        exact = fc.solve(fc.Position.from_moves(each["moves"]))
        assert (each["score"], each["exact"], each["plies_to_end"]) == (exact.score, True, exact.plies_to_end)
    weak = server.answer("solve", positions=moves[:1], weak=True)["results"][0]
    assert (weak["score"], weak["value"]) == (None, 1.0)


def test_a_review_finds_the_blunder(server: Running) -> None:
    # The second player lets the first win at once: after 1 of them there are three in line, open on a side.
    with server.events("review", moves="4142434") as events:
        seen = list(events)
    assert [name for name, _ in seen] == ["begun", *["ply"] * 8, "done"]
    plies = [data for name, data in seen if name == "ply"]
    assert [each["ply"] for each in plies] == list(range(8))
    assert all(each["exact"] for each in plies)
    assert plies[0]["score"] == 1
    assert plies[0]["best"] == [3]
    assert plies[0]["loss"] == 0
    assert plies[5]["words"].startswith("loses")
    assert plies[-1]["column"] is None
    assert plies[-1]["words"] == "first player (X) wins on move 7"
    assert plies[-1]["score"] == -plies[-2]["score"]


def test_a_review_with_slip_judges_where_discs_were_aimed_at(server: Running) -> None:
    moves, aims = "41424", "41444"
    with server.events("review", moves=moves, aims=aims, slip=0.1, agent="greedy") as events:
        plies = [data for name, data in events if name == "ply"]
    assert [each["column"] for each in plies] == [3, 0, 3, 3, 3, None]
    assert not any(each["exact"] for each in plies)


def test_beyond_what_may_wait_it_is_busy() -> None:
    with serving("--no-prepare", "--searches", "1", "--waiting", "1", "--boards", "1") as small:
        with (
            small.events("analyze/stream", agent=LONG) as one,
            small.events("analyze/stream", agent=LONG) as two,
        ):
            next(one), next(two)
            assert small.until(lambda health: health["running"] > 0) == {
                "status": "ok",
                "running": 1,
                "waiting": 1,
            }
            for call in ("analyze", "analyze/stream", "review", "solve"):
                body = {"positions": ["4"]} if call == "solve" else {}
                response = small.ask(call, **body)
                assert (response.status_code, response.json()["error"]["kind"]) == (429, "Busy")
                assert int(response.headers["retry-after"]) >= 1
            assert next(two) == ("progress", {"waiting": True})
        small.until(lambda health: health["running"] == health["waiting"] == 0)
        assert small.fault("analyze", board="4x4x3")[:2] == (422, "TooMuch")
        assert small.fault("solve", board="4x4x3", positions=["1"])[:2] == (422, "TooMuch")
