"""Boosted trees, ready to be asked: LightGBM's models without LightGBM."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fourcast.game.errors import BadModel
from fourcast.game.geometry import Geometry
from fourcast.kernels.board import board_of
from fourcast.kernels.forest import LEAVES, Masks, Nodes, Starts, Sums, sum_trees
from fourcast.models.lightgbm_text import TreeText, read_text

Indexes = npt.NDArray[np.int64]
Features = npt.NDArray[np.int16]

LEAST, MOST = -32768, 32767  # of a feature


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """Trees whose leaves add up to what each class is worth; `kernels.forest` says how they are kept.

    Attributes:
        features: The names of the features that it looks at, in order.
        classes: How many there are; trees belong to them in turn.
        feature: uint16 of shape (nodes,).
        threshold: int16 of shape (nodes,).
        kept: uint32 of shape (nodes,).
        nodes: int32 of shape (words + 1,).
        words: int32 of shape (trees + 1,).
        worth: float64 of shape (words, 32).
    """

    features: tuple[str, ...]
    classes: int
    feature: Nodes
    threshold: Features
    kept: Masks
    nodes: Starts
    words: Starts
    worth: Sums

    @classmethod
    def from_text(cls, text: bytes) -> Forest:
        """Read LightGBM's text of a multiclass model.

        Raises:
            BadModel: It is not that, or not sound; the message says what is wrong.
        """
        said = read_text(text)
        if np.any((said.feature < 0) | (said.feature >= len(said.features))):
            raise BadModel("a node looks at a feature that there is none of")
        # Features are whole numbers: at most 2.5 is at most 2.
        most = np.floor(said.threshold)
        if np.any((most < LEAST) | (most > MOST)):
            raise BadModel(f"a threshold lies beyond all that a feature can be, {LEAST} to {MOST}")
        shape = _Shape(said)
        words = np.append(0, np.cumsum(-(-said.leaves // LEAVES)))
        worth = np.zeros((words[-1], LEAVES))
        word, bit = words[shape.leaf_tree] + shape.leaf_place // LEAVES, shape.leaf_place % LEAVES
        worth[word, bit] = said.worth
        node, word, kept = _masks(shape, words)
        return cls(
            features=said.features,
            classes=said.classes,
            feature=said.feature[node].astype(np.uint16),
            threshold=most[node].astype(np.int16),
            kept=kept,
            nodes=np.searchsorted(word, np.arange(words[-1] + 1)).astype(np.int32),
            words=words.astype(np.int32),
            worth=worth,
        )

    @property
    def trees(self) -> int:
        """How many trees it has."""
        return len(self.words) - 1

    def raw(self, geometry: Geometry, features: Features) -> Sums:
        """What the leaves add up to: float64 of shape (rows, classes).

        Args:
            geometry: The board that the features are of.
            features: int16 of shape (rows, features).

        Raises:
            BadModel: These are not the features that it looks at.
        """
        if features.dtype != np.int16 or features.ndim != 2 or features.shape[1] != len(self.features):
            raise BadModel(
                f"the model takes int16 of shape (rows, {len(self.features)}), "
                f"not {features.dtype} of {features.shape}"
            )
        sums = np.zeros((len(features), self.classes))
        sum_trees(
            board_of(geometry),
            self.feature,
            self.threshold,
            self.kept,
            self.nodes,
            self.words,
            self.worth,
            np.ascontiguousarray(features),
            sums,
        )
        return sums

    def probabilities(self, geometry: Geometry, features: Features) -> Sums:
        """How likely each class is: float64 of shape (rows, classes), adding up to 1.

        Raises:
            BadModel: These are not the features that it looks at.
        """
        sums = self.raw(geometry, features)
        shares = np.exp(sums - sums.max(axis=1, keepdims=True))
        found: Sums = shares / shares.sum(axis=1, keepdims=True)
        return found


class _Shape:
    """Where everything stands in its tree, found from the top down, level by level, of all trees at once.

    Places in a tree are counted over its leaves, from the left.

    Attributes:
        tree: The tree of each inner node.
        first: The place of each inner node's leftmost leaf.
        middle: The place of the first leaf on its right.
        leaf_tree: The tree of each leaf.
        leaf_place: The place of each leaf.
    """

    def __init__(self, said: TreeText) -> None:
        inner = said.leaves - 1
        trees = np.arange(len(inner))
        self.tree, self.leaf_tree = np.repeat(trees, inner), np.repeat(trees, said.leaves)
        start = np.cumsum(said.leaves + inner) - (said.leaves + inner)  # of a tree: inner nodes, then leaves
        at, leaf_at = (
            start[self.tree] + _counted(inner),
            (start + inner)[self.leaf_tree] + _counted(said.leaves),
        )
        children = np.full((len(at) + len(leaf_at), 2), -1)
        for side, child in enumerate((said.left, said.right)):
            if np.any((child >= inner[self.tree]) | (~child >= said.leaves[self.tree])):
                raise BadModel("a node leads to one that there is none of")
            children[at, side] = start[self.tree] + np.where(child >= 0, child, inner[self.tree] + ~child)
        levels = _levels(children, start)
        sizes = np.ones(len(children), dtype=np.int64)  # leaves of and under each
        for level in reversed(levels[:-1]):
            sizes[level] = sizes[children[level]].sum(axis=1) if len(level) else 0
        first = np.zeros(len(children), dtype=np.int64)
        for level in levels[:-1]:
            left, right = children[level].T
            first[left] = first[level]
            first[right] = first[level] + sizes[left]
        self.first, self.middle = first[at], first[at] + sizes[children[at, 0]]
        self.leaf_place = first[leaf_at]


def _counted(counts: Indexes) -> Indexes:
    """0, 1, ... up to each count, one after the other."""
    found: Indexes = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return found


def _levels(children: Indexes, roots: Indexes) -> list[Indexes]:
    """The inner nodes by their distance from the root; the last level has none.

    Args:
        children: Of shape (nodes, 2); -1 of leaves.
        roots: The roots of all trees.

    Raises:
        BadModel: A node is not reached from a root in exactly one way.
    """
    inner = children[:, 0] >= 0
    reached = np.bincount(children[inner].ravel(), minlength=len(children))
    reached[roots] += 1
    if np.any(reached != 1):
        raise BadModel("its nodes are no trees: one is reached from nowhere, or from several others")
    levels, level, seen = [], roots, 0
    while len(level):
        seen += len(level)
        levels.append(level[inner[level]])
        level = children[levels[-1]].ravel()
    if seen != len(children):  # each is reached once, so those left over go round in circles
        raise BadModel("its nodes are no trees: some go round in circles")
    return levels


def _masks(shape: _Shape, words: Indexes) -> tuple[Indexes, Indexes, Masks]:
    """For every word in which an inner node rules leaves out: the node, the word, and the leaves that stay.

    They come word by word.
    """
    low, high = shape.first // LEAVES, (shape.middle - 1) // LEAVES
    node = np.repeat(np.arange(len(low)), high - low + 1)
    within = low[node] + _counted(high - low + 1)
    begin = np.clip(shape.first[node] - within * LEAVES, 0, LEAVES).astype(np.uint64)
    end = np.clip(shape.middle[node] - within * LEAVES, 0, LEAVES).astype(np.uint64)
    one = np.uint64(1)
    kept = ~((one << end) - (one << begin)).astype(np.uint32)
    word = words[shape.tree[node]] + within
    order = np.argsort(word, kind="stable")
    return node[order], word[order], kept[order]
