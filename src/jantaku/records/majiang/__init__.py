"""Read the game records (牌譜) of kobalab's Majiang (電脳麻将)."""

from jantaku.records.majiang.read import logged_of_majiang, parse_majiang

__all__ = ["logged_of_majiang", "parse_majiang"]
