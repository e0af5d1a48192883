"""Rounds: seating, seat changes, and imported seatings."""
