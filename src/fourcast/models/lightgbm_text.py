"""LightGBM's own text form of a model, read without LightGBM.

The text begins with facts (`name=value`, one a line), has a block of such lines for every tree after `Tree=`,
and says `end of trees` before what training left behind, which nobody needs for playing. It may come from
anywhere, so nothing in it is believed before it is checked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fourcast.game.errors import BadModel, shown

VERSION = "v4"
MOST_TREES = 30_000
MOST_LEAVES = 4096  # of a tree
MOST_NODES = 4_000_000  # of all trees, leaves included
MOST_FEATURES = 10_000
MOST_CLASSES = 100

_HEAD = b"tree\n"
_TREE = b"\nTree="
_END = b"\nend of trees"
_OF_NODES = ("split_feature", "threshold", "decision_type", "left_child", "right_child")
_MOST_WHOLE = 1 << 30
_MOST_NUMBER = 1e300  # so that sums of them are numbers too
_PLAIN = (0, 2)  # decision types: numbers without missing ones; 2 says where those would go


@dataclass(frozen=True, slots=True, eq=False)
class TreeText:
    """What the text says of its trees, one after the other. Checked are counts and kinds of numbers only.

    Attributes:
        features: The names of the features, in order.
        classes: How many there are; trees belong to them in turn.
        leaves: How many leaves each tree has; it has one inner node fewer.
        feature: The feature that each inner node looks at.
        threshold: The most that goes left.
        left: Where that goes: an inner node of the tree, or -1, -2, ... for its leaves.
        right: Where more goes.
        worth: What each leaf is worth.
    """

    features: tuple[str, ...]
    classes: int
    leaves: npt.NDArray[np.int64]
    feature: npt.NDArray[np.int64]
    threshold: npt.NDArray[np.float64]
    left: npt.NDArray[np.int64]
    right: npt.NDArray[np.int64]
    worth: npt.NDArray[np.float64]


def read_text(text: bytes) -> TreeText:
    """Take LightGBM's text apart.

    Raises:
        BadModel: It is something else, is cut short, or has what is not taken here; the message says what.
    """
    if not text.startswith(_HEAD):
        raise BadModel("it is not LightGBM's text")
    trees, end, _ = text.partition(_END)
    if not end:
        raise BadModel("it is cut short: there is no end of trees")
    head, *blocks = trees.split(_TREE)
    classes, names = _read_head(_facts(head, "the head"))
    if not blocks or len(blocks) % classes or len(blocks) > MOST_TREES:
        raise BadModel(f"{len(blocks):,} trees for {classes} classes; at most {MOST_TREES:,} are taken")
    facts = [_facts(b"number=" + block, f"tree {number}") for number, block in enumerate(blocks)]
    leaves = _read_leaves(facts)
    columns = {
        name: _numbers(facts, name, leaves - 1, float if name == "threshold" else int) for name in _OF_NODES
    }
    if not np.isin(columns["decision_type"], _PLAIN).all():
        raise BadModel("a tree has splits by category, or for missing numbers, which are not taken")
    return TreeText(
        names,
        classes,
        leaves,
        columns["split_feature"].astype(np.int64),
        columns["threshold"],
        columns["left_child"].astype(np.int64),
        columns["right_child"].astype(np.int64),
        _numbers(facts, "leaf_value", leaves, float),
    )


def _facts(block: bytes, where: str) -> dict[bytes, bytes]:
    """The lines `name=value` of a block."""
    found: dict[bytes, bytes] = {}
    for line in block.splitlines():
        name, equals, value = line.partition(b"=")
        if equals and name in found:
            raise BadModel(f"{where}: {shown(name.decode(errors='replace'))} is there twice")
        found[name] = value
    return found


def _read_head(facts: dict[bytes, bytes]) -> tuple[int, tuple[str, ...]]:
    """The number of classes, and the names of the features."""
    said = _word(facts, "version")
    if said != VERSION:
        raise BadModel(f"it is of LightGBM's version {shown(said)}, and only {VERSION} is known here")
    classes = _whole(facts, "num_class", "the head", 2, MOST_CLASSES)
    objective = _word(facts, "objective")
    if objective != f"multiclass num_class:{classes}":
        raise BadModel(f"its objective is {shown(objective)}, not multiclass num_class:{classes}")
    if _whole(facts, "num_tree_per_iteration", "the head", 1, MOST_CLASSES) != classes:
        raise BadModel("it has not one tree a class in every round")
    if b"average_output" in facts:
        raise BadModel("it averages its trees, which is not taken; they must add up")
    names = tuple(_word(facts, "feature_names").split(" "))
    if _whole(facts, "max_feature_idx", "the head", 0, MOST_FEATURES - 1) != len(names) - 1:
        raise BadModel(f"it does not have the {len(names):,} features that it names")
    return classes, names


def _read_leaves(facts: list[dict[bytes, bytes]]) -> npt.NDArray[np.int64]:
    """How many leaves each tree has."""
    leaves = []
    for number, tree in enumerate(facts):
        where = f"tree {number}"
        if _whole(tree, "number", where, 0, MOST_TREES) != number:
            raise BadModel(f"{where} is missing, or not in its place")
        leaves.append(_whole(tree, "num_leaves", where, 1, MOST_LEAVES))
        _whole(tree, "num_cat", where, 0, 0)
        _whole(tree, "is_linear", where, 0, 0)
    total = 2 * sum(leaves) - len(leaves)
    if total > MOST_NODES:
        raise BadModel(f"its trees have {total:,} nodes, and {MOST_NODES:,} is the most")
    return np.array(leaves, dtype=np.int64)


def _numbers(
    facts: list[dict[bytes, bytes]], name: str, counts: npt.NDArray[np.int64], kind: Callable[[bytes], float]
) -> npt.NDArray[np.float64]:
    """The numbers that all trees have under a name, one tree after the other; each as many as it should."""
    key = name.encode()
    found: list[float] = []
    for number, (tree, count) in enumerate(zip(facts, counts.tolist(), strict=True)):
        words: Iterable[bytes] = tree.get(key, b"").split()
        before = len(found)
        try:
            found.extend(map(kind, words))
        except ValueError:
            raise BadModel(f"tree {number}: {name} holds what is not a number") from None
        if len(found) - before != count:
            raise BadModel(f"tree {number}: {len(found) - before:,} numbers of {name}, not {count:,}")
    most = _MOST_WHOLE if kind is int else _MOST_NUMBER
    if not all(-most <= each <= most for each in (min(found, default=0), max(found, default=0))) or any(
        map(math.isnan, found)
    ):
        raise BadModel(f"{name} has a number that is not finite, or too large")
    return np.array(found, dtype=np.float64)


def _word(facts: dict[bytes, bytes], name: str) -> str:
    """A fact of the head, as text."""
    return facts.get(name.encode(), b"").decode("utf-8", errors="replace").strip()


def _whole(facts: dict[bytes, bytes], name: str, where: str, least: int, most: int) -> int:
    """A fact that is a whole number within bounds."""
    text = facts.get(name.encode(), b"").strip()
    if not text.isdigit() or len(text) > 9 or not least <= int(text) <= most:
        said = shown(text.decode(errors="replace"))
        raise BadModel(f"{where}: {name} is {said}, not a whole number from {least} to {most:,}")
    return int(text)
