"""Research: many games at once, environments for learning agents, and simulation in bulk."""
