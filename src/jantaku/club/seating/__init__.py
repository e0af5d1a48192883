"""Seating plans: opponents, winds and tables of every round."""

from jantaku.club.seating.next_round import Known, NextRound, next_round
from jantaku.club.seating.plan import Seated, SeatingPlan, Wishes, seat
from jantaku.club.seating.quality import SeatingScore, quality_of
from jantaku.club.seating.reseating import reseat
from jantaku.club.seating.search import reporting

__all__ = [
    "Known",
    "NextRound",
    "Seated",
    "SeatingPlan",
    "SeatingScore",
    "Wishes",
    "next_round",
    "quality_of",
    "reporting",
    "reseat",
    "seat",
]
