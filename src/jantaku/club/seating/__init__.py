"""Seating plans: who meets whom, with which wind, at which table."""

from jantaku.club.seating.plan import SeatingPlan, seat

__all__ = ["SeatingPlan", "seat"]
