"""Experiments: the same walls played by the same bots under several rulesets, and what differs."""
