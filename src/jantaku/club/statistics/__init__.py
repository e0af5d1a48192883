"""Statistics of an event: figures of players and teams, the hands they are based on, and achievements."""

from jantaku.club.statistics.achievements import Achievement, HandRef, achievements
from jantaku.club.statistics.counted_hands import HandTally, tally, unpacked
from jantaku.club.statistics.event_figures import (
    EventFigures,
    RuledGame,
    event_figures,
    person_achievements,
    person_figures,
)
from jantaku.club.statistics.figures import BriefFigures, Figures
from jantaku.club.statistics.sittings import Sitting

__all__ = [
    "Achievement",
    "BriefFigures",
    "EventFigures",
    "Figures",
    "HandRef",
    "HandTally",
    "RuledGame",
    "Sitting",
    "achievements",
    "event_figures",
    "person_achievements",
    "person_figures",
    "tally",
    "unpacked",
]
