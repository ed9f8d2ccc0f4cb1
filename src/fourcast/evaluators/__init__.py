"""Estimates of what positions are worth, a batch at a time."""

from fourcast.evaluators.evaluator import Evaluator
from fourcast.evaluators.playouts import PlayoutEvaluator

__all__ = ["Evaluator", "PlayoutEvaluator"]
