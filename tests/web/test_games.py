"""Games that were played, as the web shows them."""

from __future__ import annotations

from tests.web.running import Running


def test_runs_are_listed_the_latest_first(server: Running) -> None:
    runs = server.get("/api/runs").json()["runs"]
    assert [(run["id"], run["kind"], run["games"]) for run in runs] == [
        ("1-2", "match", 120),
        ("1-1", "tournament", 5),
    ]
    assert runs[1]["agents"] == ["Anna", "Bert", "Carl"]
    assert runs[0]["slip"] == 0.5


def test_a_tournament_has_its_table(server: Running) -> None:
    run = server.get("/api/runs/1-1").json()
    points = {agent["name"]: agent["points"] for agent in run["standings"]["agents"]}
    assert points == {"Anna": 1.0, "Bert": 2.0, "Carl": 2.0}
    assert len(run["standings"]["crosstable"]) == 3
    ratings = {agent["name"]: agent for agent in run["ratings"]["agents"]}
    low, high = ratings["Anna"]["interval"]
    assert low < ratings["Anna"]["elo"] < high


def test_games_come_in_pages(server: Running) -> None:
    first = server.get("/api/runs/1-2/games").json()
    last = server.get("/api/runs/1-2/games?page=3").json()
    assert (len(first["games"]), first["pages"], len(last["games"])) == (50, 3, 20)
    assert last["games"][-1]["id"] == "1-2-119"
    assert server.get("/api/runs/1-2/games?page=4").json()["games"] == []


def test_games_of_one_agent_by_its_name(server: Running) -> None:
    games = server.get("/api/runs/1-1/games?agent=Anna").json()["games"]
    assert [(game["first"], game["second"]) for game in games] == [
        ("Anna", "Bert"),
        ("Bert", "Anna"),
        ("Anna", "Carl"),
    ]


def test_a_game_with_slip_says_where_discs_were_aimed_at(server: Running) -> None:
    game = server.get("/api/games/1-2-7").json()
    assert (game["opening"], game["aimed"], game["landed"], game["moves"]) == ("1", "2121", "3131", "13131")
    assert game["result"] == "1-0"
    assert "machine" not in game


def test_what_is_not_there_is_not_found(server: Running) -> None:
    for path in ("runs/1-9", "runs/2-1", "runs/0-1", "runs/1-9/games", "games/1-1-99", "games/9-1-0"):
        response = server.get(f"/api/{path}")
        assert (response.status_code, response.json()["error"]["kind"]) == (404, "NotFound"), path
    for path in ("runs/x", "runs/1", "games/1-1", "runs/1-1/games?page=0", "runs/-1-1"):
        assert server.get(f"/api/{path}").status_code == 422, path
