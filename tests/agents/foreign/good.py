"""Agents that play properly, as people write them; the tests write them into files."""

from __future__ import annotations

#: Python files: how they are written, and what they contain.
FILES = {
    "attributes": """
        import random

        def helper(board, column):
            return board[column] == 0

        def my_agent(observation, configuration):
            print("thinking aloud", observation.step, observation.remainingOverageTime)
            assert len(observation.board) == configuration.rows * configuration.columns
            assert configuration.inarow >= 3 and observation.mark in (1, 2)
            assert configuration.timeout == configuration.actTimeout == configuration.agentTimeout
            assert sum(map(bool, observation.board)) % 2 == observation.mark - 1
            return random.choice([c for c in range(configuration.columns) if helper(observation.board, c)])
    """,
    "items": """
        def agent(observation, configuration):
            board, columns = observation["board"], configuration["columns"]
            assert observation.get("mark") in (1, 2) and "rows" in configuration
            return max(c for c in range(columns) if board[c] == 0)
    """,
    "observation-only": """
        import numpy as np

        def agent(observation):
            top = np.array(observation.board)[: WIDTH[len(observation.board)]]
            return np.flatnonzero(top == 0)[0]

        WIDTH = {42: 7, 80: 10, 50: 10}
    """,
    "class": """
        import numpy as np
        from abc import ABC, abstractmethod

        class Base(ABC):
            def __init__(self, player_id):
                self.player_id = player_id

            @abstractmethod
            def make_move(self, state): ...

        class Mine(Base):
            def make_move(self, state):
                assert isinstance(state, np.ndarray) and state.ndim == 2 and state.dtype.kind == "i"
                assert (state > 0).sum() % 2 == self.player_id - 1
                return int(np.flatnonzero(state[0] == 0)[-1])

        class Other:
            pass

        def main():
            raise SystemExit("not called")

        if __name__ == "__main__":
            main()
    """,
    "class-without-number": """
        class Agent:
            def make_move(self, state):
                return next(c for c in range(state.shape[1]) if state[0][c] == 0)
    """,
    "object": """
        class Agent:
            def __init__(self, depth, name): self.depth = depth
            def choose(self, state): return [c for c in range(state.shape[1]) if state[0, c] == 0][0]

        player = Agent(3, name="me")
        player.make_move = player.choose
    """,
    "files-beside": """
        import os
        from beside import first_open

        with open("weights.txt") as weights:
            WEIGHTS = weights.read()

        def agent(observation, configuration):
            assert WEIGHTS == "1 2 3" and os.path.exists(__file__)
            return first_open(observation.board, configuration.columns)
    """,
    "threads": """
        import threading

        def agent(observation, configuration):
            found = []
            def look(c):
                if observation.board[c] == 0: found.append(c)
            threads = [threading.Thread(target=look, args=(c,)) for c in range(configuration.columns)]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
            return min(found)
    """,
}

BESIDE = {
    "beside.py": "def first_open(board, columns):\n    return board[:columns].index(0)\n",
    "weights.txt": "1 2 3",
}
