"""Searches: each takes a position and a limit, and answers with an `Analysis`."""
