"""Stored games: uploads, replays, reviews and practice games."""
