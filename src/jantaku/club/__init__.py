"""The club's logic, independent of files and network: recorded games, events, seatings and standings."""

from jantaku.club.entered_hands import EnteredFoul, EnteredHand, EnteredLiability, EnteredWin
from jantaku.club.event import ClubEvent, Entrant, EventGame, Stage, StagePenalty
from jantaku.club.event_file import event_from
from jantaku.club.ratings import RatedGame, Rating, rated_games
from jantaku.club.season_file import SeasonStandings, season_standings
from jantaku.club.season_ranking import YearStanding
from jantaku.club.seating import SeatingPlan, seat
from jantaku.club.settlement import GameResult, SettledGame, SettledHand, settle
from jantaku.club.stage_standings import EventStandings, PlayerStanding, TeamStanding, standings
from jantaku.club.statistics import EventFigures, event_figures
from jantaku.club.templates import template, template_names

__all__ = [
    "ClubEvent",
    "EnteredFoul",
    "EnteredHand",
    "EnteredLiability",
    "EnteredWin",
    "Entrant",
    "EventFigures",
    "EventGame",
    "EventStandings",
    "GameResult",
    "PlayerStanding",
    "RatedGame",
    "Rating",
    "SeasonStandings",
    "SeatingPlan",
    "SettledGame",
    "SettledHand",
    "Stage",
    "StagePenalty",
    "TeamStanding",
    "YearStanding",
    "event_figures",
    "event_from",
    "rated_games",
    "season_standings",
    "seat",
    "settle",
    "standings",
    "template",
    "template_names",
]
