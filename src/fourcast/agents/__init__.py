"""Players: what an agent is, and where agents are found by name."""

from fourcast.agents.agent import Agent, new_game
from fourcast.agents.registry import agent, agent_entries, agent_names, register

__all__ = ["Agent", "agent", "agent_entries", "agent_names", "new_game", "register"]
