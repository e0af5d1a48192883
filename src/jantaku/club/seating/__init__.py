"""Seating plans: who meets whom, with which wind, at which table."""

from jantaku.club.seating.byes import Seated, Wishes
from jantaku.club.seating.next_round import Known, NextRound, next_round
from jantaku.club.seating.plan import SeatingPlan, seat
from jantaku.club.seating.progress import reporting
from jantaku.club.seating.quality import SeatingScore, quality_of
from jantaku.club.seating.reseating import reseat

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
