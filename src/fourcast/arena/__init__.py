"""Games between agents: matches, tournaments, ratings, and the store that keeps every game."""
