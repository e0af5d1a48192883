"""Seating plans: who meets whom, with which wind, at which table."""

from jantaku.club.seating.next_round import NextRound, next_round
from jantaku.club.seating.plan import SeatingPlan, seat

__all__ = ["NextRound", "SeatingPlan", "next_round", "seat"]
