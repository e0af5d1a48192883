"""Rounds: seating, changes of seats, and imported seatings."""
