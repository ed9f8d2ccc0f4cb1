"""A network in ONNX, ready to be asked.

One input, `planes`: float32 of shape (N, planes, rows, columns), row 0 at the bottom. The outputs are
`policy`, float32 of shape (N, columns): how much each column is liked, as logarithms, full ones too; and of
the kind `network` also `value`, float32 of shape (N,): what the position is worth to its side to move.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from fourcast.extras import require
from fourcast.game.errors import BadModel, shown
from fourcast.models.card import NETWORKS, Card
from fourcast.models.onnx_scan import scan

Numbers = npt.NDArray[np.float32]

INPUT, POLICY, VALUE = "planes", "policy", "value"
_SILENT = 4  # onnxruntime's word for: tell nothing but what ends the program
_KIND = "tensor(float)"
MOST_MEMORY = 2 << 30  # bytes


class Network:
    """A network that was seen to be what its card says; one thread runs it.

    Attributes:
        has_value: Whether it tells what a position is worth.
    """

    def __init__(self, card: Card, data: bytes) -> None:
        """Open a network.

        Args:
            card: Its card.
            data: What its file holds.

        Raises:
            BadModel: It is no network, or another one than the card says; the message does not name the file.
            MissingExtra: onnxruntime is not installed.
        """
        if card.kind not in NETWORKS:
            raise BadModel(f"it is of the kind {card.kind}, not {' or '.join(NETWORKS)}")
        scan(data)
        self.has_value = card.kind == "network"
        self._columns = card.geometry.columns
        self._outputs = [POLICY, VALUE] if self.has_value else [POLICY]
        self._session = _session(data)
        shape = (len(card.planes), card.geometry.rows, self._columns)
        _check("input", self._session.get_inputs(), {INPUT: shape})
        shapes: dict[str, tuple[int, ...]] = {POLICY: (self._columns,), VALUE: ()}
        _check("output", self._session.get_outputs(), {name: shapes[name] for name in self._outputs})
        self.run(np.zeros((2, *shape), dtype=np.float32))  # what it says of itself may not be so

    def run(self, planes: Numbers) -> tuple[Numbers, Numbers | None]:
        """What it makes of positions.

        Args:
            planes: float32 of shape (N, planes, rows, columns), in one piece; N is 1 or more.

        Returns:
            Of shape (N, columns): how much each column is liked; and of shape (N,), in [-1, 1]: what the
            position is worth to its side to move, None of a network that does not tell.

        Raises:
            BadModel: It fails, or what comes out is not that.
        """
        try:
            found = self._session.run(self._outputs, {INPUT: planes})
        except Exception as error:  # noqa: BLE001  # they have nothing else in common
            raise BadModel(f"it cannot be run: {_said(error)}") from None
        policy, value = found[0], found[1] if self.has_value else None
        if policy.shape != (len(planes), self._columns) or (
            value is not None and value.shape != (len(planes),)
        ):
            raise BadModel("what comes out of it has another shape than it says")
        if not np.isfinite(policy.sum()) or (value is not None and not np.isfinite(value.sum())):
            raise BadModel("what comes out of it is not a number")
        return policy, None if value is None else value.clip(-1.0, 1.0)


def _session(data: bytes) -> Any:
    runtime = require("onnxruntime", "learn")
    runtime.set_default_logger_severity(_SILENT)
    options = runtime.SessionOptions()
    options.log_severity_level = _SILENT
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.add_session_config_entry("session.use_env_allocators", "1")
    _bound_memory()
    try:
        return runtime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # noqa: BLE001  # they have nothing else in common
        raise BadModel(f"onnxruntime cannot read it: {_said(error)}") from None


@cache
def _bound_memory() -> None:
    """Let all networks of this process have so much memory and no more, whatever a file asks for."""
    runtime = require("onnxruntime", "learn")
    place = runtime.OrtMemoryInfo(
        "Cpu", runtime.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, runtime.OrtMemType.DEFAULT
    )
    usual = -1
    runtime.create_and_register_allocator(place, runtime.OrtArenaCfg(MOST_MEMORY, usual, usual, usual))


def _check(what: str, found: Sequence[Any], wanted: dict[str, tuple[int, ...]]) -> None:
    """See that there are these tensors and no others, each of its shape for any number of positions."""
    names = sorted(each.name for each in found)
    if names != sorted(wanted):
        raise BadModel(f"its {what} is {shown(', '.join(names))}, not {shown(', '.join(sorted(wanted)))}")
    for each in found:
        shape = wanted[each.name]
        if each.type != _KIND or list(each.shape[1:]) != list(shape):
            raise BadModel(
                f"its {what} {each.name} is a {each.type} of shape {shown(each.shape)}, "
                f"not {_KIND} of shape {shown(['N', *shape])}"
            )
        if not each.shape or isinstance(each.shape[0], int):
            raise BadModel(f"its {what} {each.name} takes a fixed number of positions")


def _said(error: Exception) -> str:
    """The first line of what onnxruntime says, as far as a terminal shows it."""
    if "Arena" in str(error):
        return f"it takes more than {MOST_MEMORY >> 20:,} MB"
    line = str(error).strip().partition("\n")[0].rpartition(" : ")[2]
    return "".join(letter if letter.isprintable() else "?" for letter in line)[:200]
