"""Exact values of positions."""

from fourcast.solver.solver import Solver

__all__ = ["Solver"]
