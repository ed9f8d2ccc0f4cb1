"""Contests between agents, and what their results prove."""
