"""Experiments: the same bots play the same walls under several rulesets, and the results are compared."""
