"""Learning from games against oneself: nobody teaches, and the solver only grades."""
