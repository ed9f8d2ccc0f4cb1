"""Sums of decision trees: what boosted models are.

No tree is walked through. Each node rules out the leaves on its left if its feature is more than its
threshold. Of the leaves that none has ruled out, the leftmost is the one that a walk would come to. So a tree
is a set of leaves, as bits of words of 32, and its nodes are masks of them: many rows take the same steps
together, without a branch. A node whose left leaves lie in several words has a mask for each.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fourcast.kernels.board import Board, kernel
from fourcast.kernels.features import Numbers
from fourcast.kernels.words import lowest_of_32

LEAVES = 32  # of a word
_ALL = np.uint32(0xFFFFFFFF)
_BLOCK = 256  # rows that step together
_LANE = 16  # rows of a block are rounded up to these, which is what processors take at once
_FEW = 6  # rows that are sooner done one by one

Nodes = npt.NDArray[np.uint16]
Masks = npt.NDArray[np.uint32]
Starts = npt.NDArray[np.int32]
Sums = npt.NDArray[np.float64]


@kernel
def sum_trees(
    board: Board,  # noqa: ARG001  # so that the code is kept on disk
    feature: Nodes,
    threshold: Numbers,
    kept: Masks,
    nodes: Starts,
    words: Starts,
    worth: Sums,
    rows: Numbers,
    sums: Sums,
) -> None:
    """Add up, for every row of features, the leaves that it comes to.

    Args:
        board: The board that the features are of.
        feature: The feature that each node looks at, word after word.
        threshold: The most that leaves the node's mask out of account.
        kept: The leaves of the word that the node does not rule out.
        nodes: Where the nodes of each word begin, and at last where they end.
        words: Where the words of each tree begin, and at last where they end.
        worth: float64 of shape (words, 32): what each leaf is worth.
        rows: int16 of shape (rows, features).
        sums: float64 of shape (rows, classes), added to; trees belong to the classes in turn.
    """
    if len(rows) <= _FEW:
        _sum_one_by_one(feature, threshold, kept, nodes, words, worth, rows, sums)
    else:
        _sum_in_blocks(feature, threshold, kept, nodes, words, worth, rows, sums)


@kernel
def _sum_one_by_one(
    feature: Nodes,
    threshold: Numbers,
    kept: Masks,
    nodes: Starts,
    words: Starts,
    worth: Sums,
    rows: Numbers,
    sums: Sums,
) -> None:
    classes = sums.shape[1]
    numbers = np.empty(rows.shape[1], dtype=np.int32)
    for row in range(len(rows)):
        numbers[:] = rows[row]
        for tree in range(len(words) - 1):
            for word in range(words[tree], words[tree + 1]):
                left = _ALL
                for node in range(np.uint64(nodes[word]), np.uint64(nodes[word + 1])):
                    over = numbers[feature[node]] - np.int32(threshold[node]) - np.int32(1)
                    # Below zero, all bits are set, and the mask is left out of account: no branch to guess.
                    left &= kept[node] | np.uint32(np.int32(over) >> np.int32(31))
                if left:
                    sums[row, tree % classes] += worth[word, lowest_of_32(np.uint32(left))]
                    break


@kernel
def _sum_in_blocks(
    feature: Nodes,
    threshold: Numbers,
    kept: Masks,
    nodes: Starts,
    words: Starts,
    worth: Sums,
    rows: Numbers,
    sums: Sums,
) -> None:
    classes = sums.shape[1]
    block = np.zeros((rows.shape[1], _BLOCK), dtype=np.int16)
    left = np.empty(_BLOCK, dtype=np.uint32)
    found = np.zeros(_BLOCK)
    totals = np.empty((classes, _BLOCK))
    for first in range(0, len(rows), _BLOCK):
        count = min(_BLOCK, len(rows) - first)
        wide = (count + _LANE - 1) // _LANE * _LANE
        for row in range(count):
            for column in range(rows.shape[1]):
                block[column, row] = rows[first + row, column]
        totals[:] = 0.0
        for tree in range(len(words) - 1):
            # The leftmost leaf counts, so the words on the left have the last say.
            for word in range(words[tree + 1] - 1, words[tree] - 1, -1):
                left[:wide] = _ALL
                for node in range(nodes[word], nodes[word + 1]):
                    numbers = block[feature[node]]
                    most, mask = threshold[node], kept[node]
                    for row in range(wide):
                        left[row] &= mask if numbers[row] > most else _ALL
                leaves = worth[word]
                for row in range(wide):
                    if left[row]:
                        found[row] = leaves[lowest_of_32(left[row])]
            total = totals[tree % classes]
            for row in range(wide):
                total[row] += found[row]
        for row in range(count):
            for each in range(classes):
                sums[first + row, each] += totals[each, row]
