"""Research tools: many games at once, environments for learning agents, and bulk simulation."""
