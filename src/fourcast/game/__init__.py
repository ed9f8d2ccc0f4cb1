"""The game itself, in plain Python: boards, rules, positions, and how they are written."""
