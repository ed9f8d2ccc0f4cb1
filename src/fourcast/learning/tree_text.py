"""LightGBM's text of models: several joined to one, without what playing does not need."""

from __future__ import annotations

import re
from collections.abc import Sequence

_TREES = re.compile(rb"\nTree=\d+\n")
_END = b"\nend of trees"
#: What training leaves behind in a tree, two thirds of its text. LightGBM reads trees without it.
_NEEDLESS = re.compile(
    rb"^(?:split_gain|leaf_weight|leaf_count|internal_value|internal_weight|internal_count)=.*\n",
    re.MULTILINE,
)


def join_texts(texts: Sequence[bytes]) -> bytes:
    """The model whose trees are those of several models, one after the other.

    Args:
        texts: LightGBM's texts of models of the same features and classes, one at least.

    Returns:
        LightGBM's text of the whole, which it can read.
    """
    trees: list[bytes] = []
    for text in texts:
        body = text[: text.index(_END)]
        trees += [_NEEDLESS.sub(b"", tree).strip(b"\n") for tree in _TREES.split(body)[1:]]
    blocks = [b"Tree=%d\n%b\n\n\n" % (number, tree) for number, tree in enumerate(trees)]
    head = texts[0][: texts[0].index(b"\nTree=")]
    sizes = b" ".join(b"%d" % len(block) for block in blocks)
    head = re.sub(rb"\ntree_sizes=.*", b"\ntree_sizes=" + sizes, head).strip(b"\n")
    return head + b"\n\n" + b"".join(blocks) + b"end of trees\n"
