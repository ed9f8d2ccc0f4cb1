"""Opening books: what is in them is right, and what is not a book is refused."""

from __future__ import annotations

import hashlib
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path

import numpy as np
import pytest

from fourcast import BadBook, BadLimit, BadShape, Geometry, Limit, Position
from fourcast.game.geometry import STANDARD
from fourcast.kernels.batch import Batch
from fourcast.kernels.openings import opening_levels, stones_of
from fourcast.solver import Book, Solver
from fourcast.solver.book import shipped_book, shipped_path
from fourcast.solver.building import _solver, build_book, part_of
from fourcast.solver.checking import check_book
from tests import naive
from tests.boards import play_peacefully, twin

SMALL = Geometry(4, 4, 3)


@pytest.fixture(scope="module")
def small_book(tmp_path_factory: pytest.TempPathFactory) -> tuple[Book, Path]:
    path = tmp_path_factory.mktemp("books") / "small.book"
    return build_book(SMALL, 6, path, jobs=2), path


def test_a_book_has_the_score_of_every_position(small_book: tuple[Book, Path]) -> None:
    book, path = small_book
    assert not part_of(path).exists()
    again = Book.load(path)
    assert again.plies == 6
    assert len(again) == sum(map(len, opening_levels(SMALL, 6)))
    for keys in opening_levels(SMALL, 6):
        for position in Batch(SMALL, stones_of(SMALL, keys)):
            assert again.score(position) == naive.score(*twin(position))
            assert again.score(position.mirror()) == book.score(position)
    assert again.score(Position.from_moves("1234123", SMALL)) is None, "one ply further"
    assert again.score(Position()) is None, "another board"


def test_the_solver_asks_its_book(small_book: tuple[Book, Path]) -> None:
    book, _ = small_book
    ask = Solver(SMALL, table_mb=2, book=book)
    position = Position.from_moves("12", SMALL)
    plain = Solver(SMALL, table_mb=2, book=False)
    assert ask.solve(position, weak=True).nodes == 0
    assert ask.solve(position).score == plain.solve(position).score
    assert ask.analyze(position).scores == plain.analyze(position).scores
    assert ask.solve_many([position]).nodes.tolist() == [0]
    assert ask.solve_many([position]).scores == plain.solve_many([position]).scores
    assert ask.solve_many([position], fresh=True).nodes.sum() > 0
    with pytest.raises(BadShape, match="the book is of board 4x4x3"):
        Solver(book=book)


def rewritten(data: bytes, **changes: object) -> bytes:
    """A book with other words in its header, and a checksum that agrees."""
    header, _, packed = data.partition(b"\n")
    words = dict(
        zip(("name", "version", "board", "plies", "positions", "sha256"), header.split(), strict=True)
    )
    packed = changes.pop("packed", packed)  # type: ignore[assignment]
    words["sha256"] = b"sha256=" + hashlib.sha256(packed).hexdigest().encode()
    words |= {key: str(value).encode() for key, value in changes.items()}
    return b" ".join(words.values()) + b"\n" + packed


def test_what_is_not_a_sound_book_is_refused(small_book: tuple[Book, Path]) -> None:
    data = small_book[1].read_bytes()
    count = len(small_book[0])
    assert len(Book.decode(rewritten(data))) == count, "the helper itself makes books"
    for bad, reason in (
        (b"", "not a Fourcast book"),
        (b"\x00" * 1000, "not a Fourcast book"),
        (data[:40], "not a Fourcast book"),
        (data[:-1], "damaged"),
        (data[:-5] + b"x" + data[-4:], "damaged"),
        (rewritten(data, version=2), "version 2"),
        (rewritten(data, board="5x4x3"), "more than"),
        (rewritten(data, board="9x12x4", plies="plies=12"), "more than"),
        (rewritten(data, board="0x4x3"), "not sound"),
        (rewritten(data, board="99x99x4"), "not sound"),
        (rewritten(data, plies="plies=5"), "more scores than there are positions"),
        (rewritten(data, plies="plies=40"), "more than are taken"),
        (rewritten(data, positions="positions=999999999"), "more than are taken"),
        (rewritten(data, packed=b"no zlib"), "not sound"),
        (rewritten(data, packed=zlib.compress(bytes(count + 1))), "as many scores"),
        (rewritten(data, packed=zlib.compress(bytes(50_000_000))), "as many scores"),
        (rewritten(data, packed=zlib.compress(b"\x64" * count)), "cannot have"),
    ):
        with pytest.raises(BadBook, match=reason):
            Book.decode(bad)


def test_a_file_is_refused_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(BadBook, match=r"no\.book: No such file"):
        Book.load(tmp_path / "no.book")
    (tmp_path / "odd.book").write_text("hello")
    with pytest.raises(BadBook, match=r"odd\.book: it is not a Fourcast book"):
        Book.load(tmp_path / "odd.book")


def test_a_solver_goes_on_without_a_damaged_book(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.book"
    damaged.write_text("hello")
    monkeypatch.setattr("fourcast.solver.book.shipped_path", lambda _: damaged)
    shipped_book.cache_clear()
    board = Geometry(4, 4, 4)
    ask = Solver(board, table_mb=2)
    late = play_peacefully(board, 1, 13)
    assert ask.solve(late).exact, "the book is not needed, so nothing is said of it"
    with pytest.warns(UserWarning, match=r"damaged\.book: it is not a Fourcast book; going on without it"):
        answer = ask.solve(Position(board))
    shipped_book.cache_clear()
    assert answer.exact
    assert ask.book is None


def test_a_check_finds_a_wrong_score(small_book: tuple[Book, Path]) -> None:
    book, _ = small_book
    everything = list(check_book(book, 10_000, seed=1, threads=2))
    assert len(everything) > 0.7 * len(book), "all that are not over"
    assert all(written == solved for _, written, solved in everything)
    scores = book.scores.copy()
    scores[0] += 1  # the empty board's
    wrong = Book(book.geometry, book.keys, book.starts, scores)
    different = [
        position.ply for position, written, solved in check_book(wrong, 10_000, 1) if written != solved
    ]
    assert different == [0]


BUILD = """
import sys
from pathlib import Path
from fourcast.game.geometry import Geometry
from fourcast.solver.building import build_book
if __name__ == "__main__":
    build_book(Geometry(5, 6, 4), 5, Path(sys.argv[1]), jobs=2, resume=True)
"""


@pytest.mark.slow
def test_a_build_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    script, path = tmp_path / "build.py", tmp_path / "a.book"
    script.write_text(BUILD)

    def known() -> int:
        if not part_of(path).exists():
            return 0
        header = b"fourcast-book-part 1 5x6x4 plies=5\n"
        return int(np.sum(np.frombuffer(part_of(path).read_bytes()[len(header) :], dtype=np.int8) != -128))

    process = subprocess.Popen([sys.executable, str(script), str(path)], start_new_session=True)
    until = time.monotonic() + 120
    while known() < 40 and time.monotonic() < until and process.poll() is None:
        time.sleep(0.02)
    subprocess.run(["pkill", "-KILL", "-s", str(process.pid)], check=False)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = known()
    assert before >= 40
    assert not path.exists()
    with pytest.raises(BadBook, match="is a stopped build: resume it"):
        build_book(Geometry(5, 6, 4), 5, path)
    with pytest.raises(BadBook, match="is not a stopped build of this book"):
        build_book(Geometry(5, 6, 4), 4, path, resume=True)
    seen: list[int] = []
    book = build_book(
        Geometry(5, 6, 4),
        5,
        path,
        resume=True,
        watch=lambda what, done, _: seen.append(done) if what == "positions" else None,
    )
    assert seen[0] == before, "what was done is not done again"
    assert book.score(Position(book.geometry)) == 0
    assert all(written == solved for _, written, solved in check_book(book, 60, seed=2))


def test_a_build_whose_process_is_killed_says_so(tmp_path: Path) -> None:
    script, path = tmp_path / "build.py", tmp_path / "a.book"
    script.write_text(BUILD)
    process = subprocess.Popen([sys.executable, str(script), str(path)], stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 120
    while time.monotonic() < until and process.poll() is None:
        if part_of(path).exists():
            kill = ["pkill", "-KILL", "-o", "-f", "-P", str(process.pid), "spawn_main"]  # the oldest
            if not subprocess.run(kill, check=False).returncode:
                break
        time.sleep(0.02)
    _, stderr = process.communicate(timeout=120)
    assert "a process that solves was killed; resume to go on" in stderr.splitlines()[-1]
    assert part_of(path).exists()


def test_the_processes_of_a_build_end_with_it(tmp_path: Path) -> None:
    script, path = tmp_path / "build.py", tmp_path / "a.book"
    script.write_text(BUILD)
    process = subprocess.Popen([sys.executable, str(script), str(path)], start_new_session=True)
    solving = ["pgrep", "-s", str(process.pid), "-f", "spawn_main"]
    until = time.monotonic() + 120
    while time.monotonic() < until and not part_of(path).exists():
        time.sleep(0.02)
    while time.monotonic() < until and len(subprocess.run(solving, capture_output=True).stdout.split()) < 2:
        time.sleep(0.02)
    process.kill()
    process.wait()
    while time.monotonic() < until and not subprocess.run(solving, capture_output=True).returncode:
        time.sleep(0.02)
    assert subprocess.run(solving, capture_output=True, check=False).stdout == b""
    assert not path.exists()


def test_a_build_does_not_ask_the_book_that_is_there() -> None:
    assert shipped_book(STANDARD) is not None
    assert _solver(STANDARD, 8).book is None


def test_a_book_that_contradicts_itself_is_found_out(small_book: tuple[Book, Path]) -> None:
    book, _ = small_book
    scores = book.scores.copy()
    scores[0] += 1  # the empty board's
    with pytest.raises(BadBook, match="contradicts itself"):
        Solver(SMALL, table_mb=2, book=Book(book.geometry, book.keys, book.starts, scores)).solve(
            Position(SMALL)
        )


def test_what_cannot_be_built_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadLimit, match="plies 13"):
        build_book(SMALL, 13, tmp_path / "a.book")
    with pytest.raises(BadLimit, match="plies 10: 9 is the most"):
        build_book(Geometry(3, 3, 3), 10, tmp_path / "a.book")
    with pytest.raises(BadLimit, match="table_mb 0"):
        build_book(SMALL, 3, tmp_path / "a.book", table_mb=0)
    with pytest.raises(BadBook, match="it is a folder"):
        build_book(SMALL, 3, tmp_path)
    with pytest.raises(BadLimit, match="jobs 0"):
        build_book(SMALL, 3, tmp_path / "a.book", jobs=0)
    with pytest.raises(BadBook, match="No such file"):
        build_book(SMALL, 3, tmp_path / "nowhere" / "a.book")
    assert list(tmp_path.iterdir()) == []


def test_the_shipped_book_knows_the_opening() -> None:
    book = shipped_book(STANDARD)
    assert book is not None
    assert book.plies == 8
    assert shipped_path(STANDARD).stat().st_size < 400_000
    assert book.score(Position()) == 1, "the first player wins with the last disc but one"
    by_column = [book.score(Position().play(column)) for column in range(7)]
    assert by_column == [2, 1, 0, -1, 0, 1, 2]
    answer = Solver().analyze(Position(), limit=Limit(seconds=60))
    assert answer.exact
    assert answer.scores == (-2, -1, 0, 1, 0, -1, -2)
    assert answer.column == 3
    assert len(answer.pv) == 41


def test_positions_of_the_shipped_book_are_right() -> None:
    """The easier ones of some that are drawn: what is solved within the limit must agree."""
    book = shipped_book(STANDARD)
    assert book is not None
    chance = np.random.default_rng(3)
    chosen = chance.choice(np.arange(book.starts[8], book.starts[9]), 40, replace=False)
    batch = Batch(STANDARD, stones_of(STANDARD, book.keys[chosen]))
    positions = [position for position in batch if not position.is_over]
    ask = Solver(book=False)
    solved = 0
    for position in positions:
        found = ask.solve_many([position], limit=Limit(nodes=300_000))
        written = book.score(position)
        assert written is not None
        assert found.lower[0] <= written <= found.upper[0]
        solved += int(found.exact[0])
    assert solved >= 15
