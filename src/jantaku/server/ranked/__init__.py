"""Ranked play: matchmaking by rating, steps up and down the ladders, and the daily table."""
