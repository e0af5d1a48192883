"""Compiled parts of the search: deals of the unseen tiles, their likelihood, and rollouts."""
