"""Players that ask a network which column to play, and search nothing."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from fourcast.agents.options import text
from fourcast.agents.registry import register
from fourcast.game.analysis import Analysis
from fourcast.game.errors import BadModel, CannotPlay
from fourcast.game.geometry import Geometry
from fourcast.game.guess import centre_first
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.question import check_question
from fourcast.game.rules import Rules

if TYPE_CHECKING:
    from fourcast.evaluators.network import NetworkEvaluator

AUTO = "auto"
TAKES = "a shipped model, the path of a card, or auto"
_MODEL = text("model", "the network; auto, as without it: the shipped one of the board", TAKES)


class _LikeliestAgent:
    """Plays the open column that a network thinks likeliest; slip makes no difference to it.

    Attributes:
        rules: The game that it plays.
        evaluator: The network.
    """

    kind = ""

    def __init__(self, rules: Rules, seed: int | None = None, *, model: str | None = None) -> None:  # noqa: ARG002
        self.rules = rules
        self.evaluator = network_for(self.kind, rules.geometry, model, f"{self.kind}:model")

    def prepare(self, _position: Position | None = None) -> None:
        """Load what is compiled."""
        from fourcast.kernels.batch import Batch

        self.evaluator.priors(Batch.of(Position(self.rules.geometry)))

    def analyze(self, position: Position, limit: Limit) -> Analysis:  # noqa: ARG002  # one look is the least
        """The likeliest open column, the one nearest to the centre of several.

        Raises:
            GameOver: There is nothing left to play.
            BadShape: The position is on another board.
        """
        from fourcast.kernels.batch import Batch

        check_question(position, self.rules.geometry)
        start, batch, value = time.monotonic(), Batch.of(position), None
        if self.evaluator.has_value:
            values, priors = self.evaluator.judge(batch)
            value = float(values[0])
        else:
            priors = self.evaluator.priors(batch)
        policy = tuple(priors[0].tolist())
        column = max(centre_first(position), key=lambda each: policy[each])
        return Analysis(
            position,
            column,
            value=value,
            policy=policy,
            pv=(column,),
            nodes=1,
            leaves=1,
            seconds=time.monotonic() - start,
        )


@register("cnn", _MODEL, guarded=2)
class CnnAgent(_LikeliestAgent):
    """Plays the likeliest column of a small convolutional network, behind a guard."""

    kind = "cnn"


@register("network", _MODEL)
class NetworkAgent(_LikeliestAgent):
    """Plays the likeliest column of a residual network, without search."""

    kind = "network"


def network_for(kind: str, geometry: Geometry, name: str | None, option: str) -> NetworkEvaluator:
    """A network of a kind, read: one that cannot be played with is refused before a game begins.

    Args:
        kind: `cnn` or `network`; shipped ones are called KIND-BOARD.
        geometry: The board.
        name: A shipped model or the path of a card; None or `auto` for the shipped one of the board.
        option: How a network is named in a spec: `cnn:model`.

    Raises:
        CannotPlay: None is shipped for the board.
        BadModel: There is no such network, it is not sound, of another kind, or for another board.
        MissingExtra: onnxruntime is not installed.
    """
    from fourcast.evaluators.network import NetworkEvaluator
    from fourcast.models.shelf import find, shipped, shipped_for

    if name in (None, AUTO):
        card = shipped_for(geometry, kind)
        if card is None:
            boards = [str(each.geometry) for each in shipped() if shipped_for(each.geometry, kind) == each]
            known = f"only for {', '.join(boards)}" if boards else "nor for any other"
            raise CannotPlay(
                f"agent {option.partition(':')[0]} has no network for board {geometry}, {known}; "
                f"give it one of your own: {option}=PATH"
            )
    else:
        card = find(str(name))
    if card.kind != kind:
        raise BadModel(f"model {card.path}: it is of the kind {card.kind}, not {kind}")
    evaluator = NetworkEvaluator(card, geometry)
    evaluator.load()
    return evaluator
