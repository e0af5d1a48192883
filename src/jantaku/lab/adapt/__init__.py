"""Bots whose weights are fitted to a ruleset by self-play."""
