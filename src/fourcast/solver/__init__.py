"""Exact values of positions."""

from fourcast.solver.book import Book
from fourcast.solver.solver import Scores, Solver

__all__ = ["Book", "Scores", "Solver"]
