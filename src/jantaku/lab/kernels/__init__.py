"""The compiled part of the lab: batches of games, observations, action indices, and simulated hands."""
