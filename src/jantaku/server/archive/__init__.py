"""Stored games: uploads, replays, reviews, and playing on from them."""
