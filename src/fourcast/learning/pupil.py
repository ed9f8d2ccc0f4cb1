"""A network while it is taught: its loss, and how well it does on positions that it has not learnt from."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fourcast.extras import require
from fourcast.kernels.batch import Batch
from fourcast.kernels.moves import mirror_batch
from fourcast.kernels.planes import planes_of
from fourcast.learning.lessons import Lessons
from fourcast.learning.networks import EXTRA

_AT_ONCE = 1024
_NEVER = -1e9  # a logit

Logits = npt.NDArray[np.float32]
Arrays = Any  # of JAX or NumPy: weights, means and squares of slopes, and the mean of the weights; lists


@dataclass(frozen=True, slots=True)
class Judgement:
    """How well a network does on positions that were held out, with the mean of both mirror images.

    Attributes:
        positions: How many.
        good: The share whose likeliest column keeps the outcome: won, drawn or lost.
        perfect: The share whose likeliest column is one of the best.
        value_error: Root of the mean square of the value's error; None without a value.
        loss: Cross-entropy of the policy beyond what the lessons themselves have.
    """

    positions: int
    good: float
    perfect: float
    value_error: float | None
    loss: float

    def to_json(self) -> dict[str, float]:
        """Its figures; those that there are."""
        return {name: value for name, value in asdict(self).items() if value is not None}


class Pupil:
    """A Keras model in the hands of JAX: its weights go in and out as lists of arrays."""

    def __init__(self, model: Any, value_share: float) -> None:
        self._jax: Any = require("jax", EXTRA)
        self._model = model
        self._share = value_share
        self._has_value = len(model.outputs) > 1
        self._others = [variable.value for variable in model.non_trainable_variables]
        self._run = self._jax.jit(self._outputs)

    def start(self) -> Arrays:
        """What a course starts from."""
        weights = [np.asarray(variable.value) for variable in self._model.trainable_variables]
        nothing = [np.zeros_like(weight) for weight in weights]
        return weights, nothing, nothing, weights

    def finish(self, weights: Any) -> None:
        """Give the model its weights."""
        for variable, weight in zip(self._model.trainable_variables, weights, strict=True):
            variable.assign(np.asarray(weight))

    def _outputs(self, weights: Any, planes: Any) -> Any:
        outputs, _ = self._model.stateless_call(weights, self._others, planes)
        return outputs if isinstance(outputs, list | tuple) else [outputs]

    def loss(self, weights: Any, planes: Any, policy: Any, value: Any, legal: Any, flips: Any) -> Any:
        """The loss of a batch, where some positions are seen as their mirror images.

        Args:
            weights: Of the model.
            planes: uint8 of shape (N, rows, columns, planes).
            policy: float32 of shape (N, columns).
            value: float32 of shape (N,).
            legal: bool of shape (N, columns).
            flips: bool of shape (N,).
        """
        numbers = self._jax.numpy
        turned = flips[:, np.newaxis]
        planes = numbers.where(turned[..., np.newaxis, np.newaxis], planes[:, :, ::-1], planes)
        policy = numbers.where(turned, policy[:, ::-1], policy)
        legal = numbers.where(turned, legal[:, ::-1], legal)
        outputs = self._outputs(weights, planes.astype(numbers.float32))
        loss = self._cross_entropy(outputs[0], policy, legal)
        if self._has_value:
            loss += self._share * ((outputs[1][:, 0] - value) ** 2).mean()
        return loss

    def _cross_entropy(self, logits: Any, policy: Any, legal: Any) -> Any:
        """Beyond the policy's own, so that 0 is perfect."""
        numbers = self._jax.numpy
        likely = self._jax.nn.log_softmax(numbers.where(legal, logits, _NEVER))
        own = numbers.log(numbers.maximum(policy, 1e-9))
        return (policy * (own - numbers.where(legal, likely, 0.0))).sum(axis=1).mean()

    def judge(self, weights: Any, held: Lessons, planes: tuple[str, ...]) -> Judgement:
        """How well it does with these weights."""
        logits, values = self.ask(weights, held.batch, planes)
        chosen = np.where(held.legal, logits, -np.inf).argmax(axis=1)
        rows = np.arange(len(held))
        error = None
        if values is not None:
            error = float(np.sqrt(np.mean((values - held.value) ** 2)))
        return Judgement(
            len(held),
            float(held.good[rows, chosen].mean()),
            float(held.perfect[rows, chosen].mean()),
            error,
            float(self._cross_entropy(logits, held.policy, held.legal)),
        )

    def ask(
        self, weights: Any, batch: Batch, planes: tuple[str, ...]
    ) -> tuple[Logits, npt.NDArray[np.float32] | None]:
        """Logits of shape (N, columns) and values of shape (N,): the mean of a position and its image."""
        logits, values = self._ask(weights, batch, planes)
        images, image_values = self._ask(weights, mirror_batch(batch), planes)
        half = np.float32(0.5)
        mean = None if values is None or image_values is None else half * (values + image_values)
        return half * (logits + images[:, ::-1]), mean

    def _ask(
        self, weights: Any, batch: Batch, planes: tuple[str, ...]
    ) -> tuple[Logits, npt.NDArray[np.float32] | None]:
        logits, values = [], []
        size = min(len(batch), _AT_ONCE)
        for start in range(0, len(batch), size):
            some = Batch(batch.geometry, batch.stones[start : start + size])
            seen = planes_of(some, planes).transpose(0, 2, 3, 1)
            padded = np.zeros((size, *seen.shape[1:]), dtype=np.float32)  # one size is compiled once
            padded[: len(some)] = seen
            outputs = self._run(weights, padded)
            logits.append(np.asarray(outputs[0])[: len(some)])
            if self._has_value:
                values.append(np.asarray(outputs[1])[: len(some), 0])
        return np.concatenate(logits), np.concatenate(values) if values else None
