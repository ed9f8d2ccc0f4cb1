"""Positions with exact labels, and models that learn from them."""
