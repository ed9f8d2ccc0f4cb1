"""`fourcast solve -`: a position a line from stdin, its score a line to stdout."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from fourcast.cli import FINE, FOUND_WRONG, INTERRUPTED, complain
from fourcast.cli.options import EMPTY
from fourcast.cli.solving import check_going_on
from fourcast.cli.thinking import ask
from fourcast.game.errors import BadNotation, FourcastError, Unreadable, shown
from fourcast.game.geometry import Geometry
from fourcast.game.limit import Limit
from fourcast.game.position import Position

if TYPE_CHECKING:
    from fourcast.solver import Solver

LONGEST = 1000  # characters of a line; the longest game takes some 130
_SCORE = re.compile(r"[+-]?[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Question:
    """A line of the input.

    Attributes:
        moves: The moves as they were written.
        position: Where they lead.
        expected: The score that the line gave, or None.
    """

    moves: str
    position: Position
    expected: int | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What is proven of a position.

    Attributes:
        lower: The least that its score can be.
        upper: The most.
        nodes: Positions visited; 0 for what the book knows.
        microseconds: Wall-clock time.
    """

    lower: int
    upper: int
    nodes: int
    microseconds: int

    @property
    def exact(self) -> bool:
        """Whether the score is proven."""
        return self.lower == self.upper

    def agrees(self, expected: int | None) -> bool | None:
        """Whether the score is the expected one; None if there is none, or it is not proven either way."""
        if expected is None or (not self.exact and self.lower <= expected <= self.upper):
            return None
        return self.lower == expected == self.upper


def solve_lines(solver: Solver, *, weak: bool, limit: Limit, as_json: bool) -> int:
    """Answer line by line; the exit code.

    Args:
        solver: Solves all of them, with one table.
        weak: Scores are 1, 0, -1 for win, draw and loss, and those given are compared by their sign.
        limit: For each position.
        as_json: A JSON document a line.

    Raises:
        FourcastError: A line cannot be read or its game is over; the message says which.
    """
    count = given = wrong = unsolved = 0
    for question in _questions(solver.geometry, weak):
        asking = partial(_answer, solver, question.position, weak, limit)
        answer, interrupted = ask(solver, asking)
        write = _json if as_json else _text
        print(write(question, answer), flush=True)
        count += 1
        given += question.expected is not None
        wrong += answer.agrees(question.expected) is False
        unsolved += not answer.exact
        if interrupted:
            return INTERRUPTED
    if wrong:
        complain(f"{wrong} of {given} given scores did not agree")
    if unsolved:
        complain(f"{unsolved} of {count} positions were not solved within the limit")
    return FOUND_WRONG if wrong or unsolved else FINE


def _questions(geometry: Geometry, weak: bool) -> Iterator[Question]:
    """The lines of stdin that are not blank."""
    number = 0
    while line := sys.stdin.readline(LONGEST + 1):
        number += 1
        if len(line) > LONGEST:
            raise Unreadable(f"line {number}: it is longer than {LONGEST} characters")
        words = line.removeprefix("\ufeff").split()
        if not words:
            continue
        try:
            yield _question(words, geometry, weak)
        except FourcastError as error:
            raise type(error)(f"line {number}: {error}") from None


def _question(words: list[str], geometry: Geometry, weak: bool) -> Question:
    if len(words) > 2:
        raise BadNotation(f"write MOVES or MOVES SCORE, not {len(words)} words")
    moves = words[0]
    position = check_going_on(Position.from_moves("" if moves == EMPTY else moves, geometry))
    if len(words) == 1:
        return Question(moves, position, None)
    if not _SCORE.fullmatch(words[1]):
        raise BadNotation(f"{shown(words[1])} is not a score")
    expected = int(words[1])
    return Question(moves, position, _sign(expected) if weak else expected)


def _answer(solver: Solver, position: Position, weak: bool, limit: Limit) -> Answer:
    start = time.perf_counter()
    scores = solver.solve_many([position], weak=weak, limit=limit)
    microseconds = round((time.perf_counter() - start) * 1e6)
    return Answer(int(scores.lower[0]), int(scores.upper[0]), int(scores.nodes[0]), microseconds)


def _text(question: Question, answer: Answer) -> str:
    score = str(answer.lower) if answer.exact else f"{answer.lower}..{answer.upper}"
    line = f"{question.moves} {score} {answer.nodes} {answer.microseconds}"
    if answer.agrees(question.expected) is False:
        line += f" expected {question.expected}"
    return line


def _json(question: Question, answer: Answer) -> str:
    document: dict[str, Any] = {
        "moves": question.position.moves,
        "score": answer.lower if answer.exact else None,
        "nodes": answer.nodes,
        "microseconds": answer.microseconds,
        "expected": question.expected,
        "agrees": answer.agrees(question.expected),
    }
    if not answer.exact:
        document["bounds"] = [answer.lower, answer.upper]
    return json.dumps(document)


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)
