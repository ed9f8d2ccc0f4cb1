"""The slow, obvious twin of the search that asks a network: its nodes know their position."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from fourcast import Position

Answer = tuple[list[float], float]  # logits of columns, and the value to the side to move
Network = Callable[[Position], Answer]
Outcome = Callable[[Position], int]  # 1, 0 or -1: whether the side to move wins
TRIES, FPU, MOST_EMPTY = 256, 0.25, 33


@dataclass(eq=False)
class Node:
    """A position; what it is worth is seen by who moved into it."""

    position: Position
    liked: float = 0.0
    visits: int = 0
    awaited: int = 0
    total: float = 0.0
    proven: float | None = None
    children: dict[int, Node] | None = None

    def add(self, value: float) -> None:
        self.visits += 1
        self.awaited -= 1
        self.total += value


def safe_columns(position: Position) -> list[int]:
    """Those after which the other side cannot win at once; near the centre first, and the left of two."""
    middle = (position.geometry.columns - 1) / 2
    safe = []
    for column in sorted(position.legal, key=lambda each: (abs(each - middle), each)):
        after = position.play(column)
        if not after.is_over and not after.winning_columns(after.turn):
            safe.append(column)
    return safe


def seen(position: Position) -> float | None:
    """What it is worth to who moved into it, if a glance tells."""
    if position.winning_columns(position.turn):
        return -1.0
    if position.geometry.cells - position.ply <= 2:
        # Nobody can win with the first disc; the other may with the second.
        return 0.0 if draws_at_least(position) else 1.0
    return None if safe_columns(position) else 1.0


def draws_at_least(position: Position) -> bool:
    for column in position.legal:
        after = position.play(column)
        if after.is_over or not after.winning_columns(after.turn):
            return True
    return False


@dataclass
class Search:
    """The tree, and what was said before."""

    network: Network
    explore: float
    at_once: int
    ramp: int
    slots: int
    outright: Outcome | None = None  # proves positions before the network is asked
    asked: int = 0
    known: dict[int, tuple[int, Answer]] = field(default_factory=dict)  # the last position of each slot

    def run(self, position: Position, simulations: int) -> Node:
        root = Node(position, proven=seen(position))
        done = 0
        while done < simulations and root.proven is None:
            want = min(self.at_once, 1 + done // self.ramp)
            waiting: list[tuple[list[Node], Position, bool]] = []
            before, clashes = done, 0
            for _ in range(TRIES):
                if len(waiting) == want or done + len(waiting) >= simulations or root.proven is not None:
                    break
                way, end = self.descend(root)
                if end == "taken":
                    for node in way:
                        node.awaited -= 1
                    clashes += 1
                    if clashes >= want:
                        break
                elif end == "proven":
                    back_up(way, way[-1].proven or 0.0)
                    done += 1
                else:
                    asked, turned = folded(way[-1].position)
                    key, answer = self.known.get(self.slot(asked.key), (0, ([], 0.0)))
                    if key == asked.key:
                        self.take(way, answer, turned)
                        done += 1
                    else:
                        waiting.append((way, asked, turned))
            for way, asked, turned in waiting:
                answer = self.ask(asked)
                self.known[self.slot(asked.key)] = (asked.key, answer)
                self.take(way, answer, turned)
                self.asked += 1
                done += 1
            if done == before:
                break
        return root

    def slot(self, key: int) -> int:
        """Where an answer is kept until another takes its place."""
        low, high = key % 2**64, key >> 64
        mix = (low ^ high * 0xD6E8FEB86659FD93 % 2**64) * 0x9E3779B97F4A7C15 % 2**64
        return (mix ^ mix >> 32) % self.slots

    def ask(self, position: Position) -> Answer:
        logits, value = self.network(position)
        if position.mirror() == position:
            half = np.float32(2)
            logits = [
                float((np.float32(one) + np.float32(other)) / half)
                for one, other in zip(logits, logits[::-1], strict=True)
            ]
        return logits, value

    def descend(self, root: Node) -> tuple[list[Node], str]:
        node, way = root, [root]
        end = "proven"
        while node.proven is None:
            if node.children is None:
                if node.awaited:
                    end = "taken"
                    break
                node.proven = seen(node.position)
                if node.proven is not None:
                    break
                safe = safe_columns(node.position)
                if len(safe) > 1:
                    if node is not root:
                        node.proven = self.prove(node.position)
                    end = "fresh" if node.proven is None else "proven"
                    break
                node.children = {safe[0]: Node(node.position.play(safe[0]), 1.0)}
            node.awaited += 1
            node = self.choose(node, node is root)
            way.append(node)
        node.awaited += 1
        return way, end

    def prove(self, position: Position) -> float | None:
        """What a position is worth to who moved into it, if it is late enough for a proof."""
        if self.outright is None or position.geometry.cells - position.ply > MOST_EMPTY:
            return None
        return float(-self.outright(position))

    def choose(self, node: Node, is_root: bool) -> Node:
        children = list((node.children or {}).values())
        mass = sum((child.liked for child in children if child.visits), 0.0)
        usual = (-node.total / node.visits if node.visits else 0.0) - FPU * math.sqrt(mass)
        reach = self.explore * math.sqrt(node.visits + node.awaited)
        bounds = []
        for child in children:
            times = child.visits + child.awaited
            value = (child.total - child.awaited) / times if times else usual
            if child.proven is not None:
                value = 0.0 if child.proven == 0 and is_root else -math.inf
            bounds.append(value + reach * child.liked / (1 + times))
        return children[bounds.index(max(bounds))]

    def take(self, way: list[Node], answer: Answer, turned: bool) -> None:
        logits, value = answer
        logits = logits[::-1] if turned else logits
        node = way[-1]
        safe = safe_columns(node.position)
        most = max(logits[column] for column in safe)
        total = sum(math.exp(logits[column] - most) for column in safe)
        node.children = {
            column: Node(
                node.position.play(column), float(np.float32(math.exp(logits[column] - most) / total))
            )
            for column in safe
        }
        back_up(way, -value)


def back_up(way: Sequence[Node], value: float) -> None:
    """Count it in all nodes; those above one that is proven may be, too."""
    for node, parent in upward(way):
        node.add(value)
        if parent is not None:
            value = -value
            children = (parent.children or {}).values()
            worths = [child.proven for child in children]
            if parent.proven is None and node.proven is not None:
                if 1.0 in worths:
                    parent.proven = -1.0
                elif None not in worths:
                    parent.proven = -max(worth for worth in worths if worth is not None)
                if parent.proven is not None:
                    value = parent.proven
            if 0.0 in worths:  # who is to move there would rather have the draw
                value = min(value, 0.0)


def upward(way: Sequence[Node]) -> Iterator[tuple[Node, Node | None]]:
    yield from zip(way[::-1], [*way[-2::-1], None], strict=True)


def folded(position: Position) -> tuple[Position, bool]:
    """Of a position and its mirror image the one with the lesser key, and whether that is the image."""
    image = position.mirror()
    return (image, True) if image.key < position.key else (position, False)
