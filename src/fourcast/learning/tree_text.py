"""LightGBM's text of models: several joined to one, without what playing does not need."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence

_TREES = re.compile(rb"\nTree=\d+\n")
_END = b"\nend of trees"
#: What training leaves behind in a tree, two thirds of its text. LightGBM reads trees without it.
_LEFT_BEHIND = (
    "split_gain",
    "leaf_weight",
    "leaf_count",
    "internal_value",
    "internal_weight",
    "internal_count",
)
_NEEDLESS = re.compile(rf"^(?:{'|'.join(_LEFT_BEHIND)})=.*\n".encode(), re.MULTILINE)
_THRESHOLDS = re.compile(rb"^threshold=(.*)$", re.MULTILINE)
_LEAVES = re.compile(rb"^leaf_value=(.*)$", re.MULTILINE)


def join_texts(texts: Sequence[bytes], share: float = 1.0) -> bytes:
    """The model whose trees are those of several models, one after the other.

    Its numbers are written shorter: features are whole numbers, so a threshold may lie anywhere between two;
    and what a leaf is worth is rounded to seven digits. What the model says changes by no more than that.

    Args:
        texts: LightGBM's texts of models of the same features and classes, one at least.
        share: What every leaf's worth is multiplied by.

    Returns:
        LightGBM's text of the whole, which it can read.
    """
    trees: list[bytes] = []
    for text in texts:
        body = text[: text.index(_END)]
        for tree in _TREES.split(body)[1:]:
            lines = _rewritten(_THRESHOLDS, tree, lambda each: f"{math.floor(each) + 0.5:g}")
            lines = _rewritten(_LEAVES, lines, lambda each: f"{share * each:.7g}")
            trees.append(_NEEDLESS.sub(b"", lines).strip(b"\n"))
    blocks = [b"Tree=%d\n%b\n\n\n" % (number, tree) for number, tree in enumerate(trees)]
    head = texts[0][: texts[0].index(b"\nTree=")]
    sizes = b" ".join(b"%d" % len(block) for block in blocks)
    head = re.sub(rb"\ntree_sizes=.*", b"\ntree_sizes=" + sizes, head).strip(b"\n")
    return head + b"\n\n" + b"".join(blocks) + b"end of trees\n"


def _rewritten(line: re.Pattern[bytes], tree: bytes, write: Callable[[float], str]) -> bytes:
    """A tree with the numbers of a line written otherwise."""

    def rewrite(found: re.Match[bytes]) -> bytes:
        name = found[0].partition(b"=")[0]
        return name + b"=" + " ".join(write(float(word)) for word in found[1].split()).encode()

    return line.sub(rewrite, tree)
