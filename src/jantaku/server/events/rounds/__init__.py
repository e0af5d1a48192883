"""Rounds: seating, changes and their import."""
