"""Sums of decision trees: what boosted models are.

A forest is one table of nodes, int32 of shape (nodes, 4): a feature, a threshold, and where to go if the
feature is at most that and if it is more. A leaf goes to itself, whatever the feature. All rows of a block take
one step of a tree together, which keeps the tree in the cache and needs no branch.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fourcast.kernels.board import Board, kernel
from fourcast.kernels.features import Numbers

FEATURE, THRESHOLD, AT_MOST, MORE = range(4)
_BLOCK = 128  # rows

Nodes = npt.NDArray[np.int32]
Sums = npt.NDArray[np.float64]


@kernel
def sum_trees(
    board: Board,  # noqa: ARG001  # so that the code is kept on disk
    nodes: Nodes,
    worth: npt.NDArray[np.float64],
    roots: npt.NDArray[np.int32],
    depths: npt.NDArray[np.int32],
    features: Numbers,
    sums: Sums,
) -> None:
    """Add up, for every row of features, the leaves that it comes to.

    Args:
        board: The board that the features are of.
        nodes: The nodes of all trees.
        worth: What each node is worth if it is a leaf.
        roots: Where each tree begins.
        depths: The most steps from its root to a leaf.
        features: int16 of shape (rows, features).
        sums: float64 of shape (rows, classes), added to; trees belong to the classes in turn.
    """
    places = np.empty(_BLOCK, dtype=np.int32)
    classes = sums.shape[1]
    for first in range(0, len(features), _BLOCK):
        count = min(_BLOCK, len(features) - first)
        for tree in range(len(roots)):
            places[:count] = roots[tree]
            for _ in range(depths[tree]):
                for row in range(count):
                    node = places[row]
                    more = features[first + row, nodes[node, FEATURE]] > nodes[node, THRESHOLD]
                    places[row] = nodes[node, AT_MOST + more]
            for row in range(count):
                sums[first + row, tree % classes] += worth[places[row]]
