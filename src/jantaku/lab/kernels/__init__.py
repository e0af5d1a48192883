"""The compiled part of the lab: many games at once, observations, action indices, simulated hands."""
