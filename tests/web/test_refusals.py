"""What is refused, and how: one line, a kind, a status; never a failure of the server."""

from __future__ import annotations

import json
import socket
from typing import Any

import pytest

from tests.web.running import Running

WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("position", {"moves": "8"}, "ColumnOffBoard"),
    ("position", {"moves": "1111111"}, "ColumnFull"),
    ("position", {"moves": "43536271"}, "GameOver"),
    ("position", {"moves": "4-4"}, "BadRequest"),
    ("position", {"moves": 44}, "BadRequest"),
    ("position", {"moves": "1" * 200}, "BadRequest"),
    ("position", {"board": "6x7"}, "BadRequest"),
    ("position", {"board": "2x2x4"}, "BadGeometry"),
    ("position", {"board": "99x99x4"}, "UnsupportedGeometry"),
    ("position", {"slip": 1}, "BadRequest"),
    ("position", {"slip": "0.5"}, "BadRequest"),
    ("position", {"colour": "red"}, "BadRequest"),
    ("analyze", {"moves": "4353627"}, "GameOver"),
    ("analyze", {"slip": 0.2}, "CannotPlay"),
    ("analyze", {"agent": "nobody"}, "UnknownPlayer"),
    ("analyze", {"agent": "alphabeta:depht=3"}, "BadOption"),
    ("analyze", {"agent": "network", "board": "4x9x4"}, "CannotPlay"),
    ("analyze", {"agent": "random", "tree": 2}, "NotOffered"),
    ("analyze", {"tree": 2}, "NotOffered"),
    ("analyze", {"limit": {"seconds": 0}}, "BadRequest"),
    ("analyze", {"limit": {"nodes": 1.5}}, "BadRequest"),
    ("analyze", {"limit": {"days": 1}}, "BadRequest"),
    ("analyze", {"seed": -1}, "BadRequest"),
    ("solve", {"positions": []}, "BadRequest"),
    ("solve", {"positions": ["4353627"]}, "GameOver"),
    ("review", {"moves": "44", "aims": "4"}, "BadRecord"),
    ("review", {"agent": "nobody"}, "UnknownPlayer"),
    ("stop", {}, "BadRequest"),
]

FOREIGN = [
    "human",
    "file:/etc/passwd",
    "exec:touch /tmp/x",
    " exec:sleep 1",
    "network:model=/etc/passwd",
    "network:/etc/passwd",
    "cnn:model=../secret.json",
    "mcts:net=/etc/passwd",
    "hybrid:model=/etc/passwd",
    "hybrid:preset=strong,model=./x.json",
]

TOO_MUCH: list[dict[str, Any]] = [
    {"limit": {"seconds": 5.5}},
    {"limit": {"depth": 65}},
    {"limit": {"nodes": 10**12}},
    {"limit": {"simulations": 10**9}},
    {"agent": "mcts:memory_mb=65"},
    {"agent": "mcts:simulations=999999999"},
    {"agent": "mcts:playouts=1000,simulations=20000000"},
    {"agent": "perfect:table_mb=65536"},
    {"agent": "negamax:seconds=60"},
    {"agent": "negamax:60"},
    {"agent": "negamax:table_mb=1000"},
    {"agent": "minimax:depth=100"},
    {"agent": "expectimax:table_mb=100", "slip": 0.1},
    {"agent": "hybrid:playouts=10000"},
    {"agent": "hybrid:tactics=99999999999"},
    {"agent": "montecarlo:simulations=99999999999"},
]


@pytest.mark.parametrize(("call", "body", "kind"), WRONG, ids=lambda part: str(part)[:40])
def test_wrong_input_is_one_line(server: Running, call: str, body: dict[str, Any], kind: str) -> None:
    status, seen, message = server.fault(call, **body)
    assert (status, seen) == (422, kind)
    assert message


@pytest.mark.parametrize("spec", FOREIGN)
@pytest.mark.parametrize("call", ["analyze", "analyze/stream", "review"])
def test_no_program_and_no_file_of_others_is_reached(server: Running, call: str, spec: str) -> None:
    status, kind, message = server.fault(call, agent=spec)
    assert (status, kind) == (422, "NotOffered")
    assert "cannot be asked" in message or "shipped" in message


@pytest.mark.parametrize("body", TOO_MUCH, ids=str)
def test_nobody_gets_more_than_is_allowed(server: Running, body: dict[str, Any]) -> None:
    status, kind, message = server.fault("analyze", **body)
    assert (status, kind) == (422, "TooMuch")
    assert "is the most here" in message


def test_a_batch_has_its_end(server: Running) -> None:
    assert server.fault("solve", positions=["4"] * 201)[:2] == (422, "TooMuch")


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"",
        b"[]",
        b'"x"',
        b"null",
        b"1e999",
        b"\xff\xfe",
        b"[" * 20_000,
        b'{"moves": "\\ud800", "id": 1}',
        b'{"limit": {"seconds": NaN}, "id": 1}',
        b'{"seed": ' + b"9" * 5000 + b"}",
    ],
    ids=lambda body: repr(body[:12]),
)
def test_bodies_that_are_no_json(server: Running, body: bytes) -> None:
    for call in ("position", "analyze", "stop"):
        response = server.client.post(
            f"/api/{call}", content=body, headers={"content-type": "application/json"}
        )
        assert response.status_code == 422, response.text
        assert set(response.json()["error"]) == {"kind", "message"}


def test_a_body_that_is_not_said_to_be_json(server: Running) -> None:
    response = server.client.post("/api/position", content=b"{}", headers={"content-type": "text/plain"})
    assert response.status_code == 422
    assert "content-type: application/json" in response.json()["error"]["message"]


def test_paths_and_methods_that_are_not_there(server: Running) -> None:
    assert server.get("/api/nothing").status_code == 404
    assert server.get("/nothing").json()["error"]["kind"] == "NotFound"
    browser = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    shown = server.client.get("/nothing", headers=browser)
    assert (shown.status_code, shown.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "Not found" in shown.text
    assert server.client.get("/api/nothing", headers=browser).json()["error"]["kind"] == "NotFound"
    response = server.client.put("/api/analyze", json={})
    assert (response.status_code, response.json()["error"]["kind"]) == (405, "BadMethod")
    assert response.headers["allow"] == "POST"
    for method, path, allowed in (("GET", "/api/analyze", "POST"), ("HEAD", "/api/health", "GET")):
        response = server.client.request(method, path)  # which no file of the page is taken for
        assert (response.status_code, response.headers["allow"]) == (405, allowed)


def test_bodies_that_are_too_large(server: Running) -> None:
    long = b'{"moves": "' + b"1" * 40_000 + b'"}'
    headers = {"content-type": "application/json"}
    told = server.client.post("/api/position", content=long, headers=headers)
    assert (told.status_code, told.json()["error"]["kind"]) == (413, "TooLarge")
    in_pieces = (long[start : start + 1000] for start in range(0, len(long), 1000))
    untold = server.client.post(
        "/api/position", content=in_pieces, headers=headers
    )  # chunked, without length
    assert (untold.status_code, untold.json()["error"]["kind"]) == (413, "TooLarge")


@pytest.mark.parametrize(
    "path",
    [
        "/../serve.py",
        "/%2e%2e/app.py",
        "/..%2fapp.py",
        "/.hidden",
        "//etc/passwd",
        "/static/../app.py",
        "/index.html/x",
        "/%00",
        "/" + "a" * 300,
        "/__init__.py",
        "/a%5c..%5capp.py",
    ],
)
def test_no_file_outside_the_page_is_served(server: Running, path: str) -> None:
    host, port = server.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=30) as line:  # as it is, not tidied up
        line.sendall(f"GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: line.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 404 ")


def test_only_its_own_name_is_answered_to(server: Running) -> None:
    assert server.get("/api/health", host="localhost:1").status_code == 200
    for host in ("evil.example", "127.0.0.1.evil.example", ""):
        response = server.get("/api/health", host=host)
        assert (response.status_code, response.json()["error"]["kind"]) == (403, "WrongHost")


def test_only_its_own_pages_may_ask(server: Running) -> None:
    assert server.get("/api/health", origin=server.address).status_code == 200
    for origin in ("https://evil.example", "null", "http://127.0.0.1:1", "http://[::"):
        assert server.get("/api/health", origin=origin).status_code == 403


def test_headers_are_on_every_answer(server: Running) -> None:
    answers = [
        server.get("/"),
        server.get("/api/health"),
        server.get("/nothing"),
        server.ask("analyze", moves="9"),
    ]
    answers += [server.get("/", host="evil.example"), server.client.put("/api/analyze")]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "set-cookie" not in answer.headers
        assert "server" not in answer.headers


def test_the_page_is_packed_and_not_sent_twice(server: Running) -> None:
    page = server.get("/")
    assert page.headers["content-type"].startswith("text/html")
    assert server.get("/index").text == page.text
    assert server.client.head("/").status_code == 200
    again = server.get("/", **{"if-none-match": page.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_document_describes_every_call(server: Running) -> None:
    document = server.get("/api/openapi.json").json()
    calls = set(document["paths"])
    assert {"/api/analyze", "/api/analyze/stream", "/api/review", "/api/solve", "/api/runs/{run}"} <= calls
    assert {"200", "422", "429"} <= set(document["paths"]["/api/analyze"]["post"]["responses"])
    page = server.get("/api/docs")
    assert page.status_code == 200
    assert "/api/analyze/stream" in page.text
    assert "<script" not in page.text
    assert "http" not in page.text.replace("http://127.0.0.1", "")
    assert f"curl -s {server.address}/api/analyze" in page.text


def test_errors_are_plain_json(server: Running) -> None:
    body = server.ask("position", moves="ü").text
    assert body.isascii()
    assert json.loads(body)["error"]["kind"] == "BadRequest"
