"""Statistics of a whole event: brief figures of everybody, and all figures of one player or team."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from jantaku.club.event import ClubEvent, EventGame
from jantaku.club.stage_standings import in_order
from jantaku.club.statistics.achievements import Achievement, achievements
from jantaku.club.statistics.counted_hands import HandTally, tally, together
from jantaku.club.statistics.figure_values import BriefFigures, Figures
from jantaku.club.statistics.figures import brief_of, figures_of
from jantaku.club.statistics.sittings import sittings_of


class _Subjects:
    """All players, or all teams: who sits where, and what their hands tell."""

    def __init__(self, event: ClubEvent, games: Sequence[EventGame], subject_of: Mapping[str, str]) -> None:
        self._subject_of = subject_of
        self._seats = event.rules.match.players
        self.sittings = sittings_of(games, subject_of)

    @cached_property
    def tallies(self) -> Mapping[str, HandTally]:
        return {name: together(map(tally, mine)) for name, mine in self.sittings.items()}

    def joined(self, parts: "_Subjects") -> Mapping[str, HandTally]:
        """The tallies of subjects that consist of others: those of their parts together."""
        tallies = {name: HandTally() for name in self.sittings}
        for part, name in self._subject_of.items():
            tallies[name].add(parts.tallies[part])
        return tallies

    def brief(self, tallies: Mapping[str, HandTally]) -> Mapping[str, BriefFigures]:
        return {name: brief_of(mine, tallies[name], self._seats) for name, mine in self.sittings.items()}

    def whole(self, name: str) -> Figures:
        return figures_of(self.sittings[name], self._subject_of, self._seats)


class EventFigures:
    """The statistics of an event; each part is worked out when it is first asked for."""

    def __init__(self, event: ClubEvent) -> None:
        games = in_order(event.results)
        self._players = _Subjects(event, games, {player.id: player.id for player in event.players})
        self._teams = _Subjects(
            event, games, {player.id: player.team for player in event.players if player.team}
        )

    @cached_property
    def players(self) -> Mapping[str, BriefFigures]:
        """Every player, in the order of registration."""
        return self._players.brief(self._players.tallies)

    @cached_property
    def teams(self) -> Mapping[str, BriefFigures]:
        """Every team; what its players did counts for it."""
        return self._teams.brief(self._teams.joined(self._players))

    @cached_property
    def achievements(self) -> tuple[Achievement, ...]:
        """Who did best at what."""
        return achievements(self._players.sittings, self._players.tallies)

    def player(self, name: str) -> Figures:
        """All figures of a player; raises ``KeyError`` for somebody who does not take part."""
        return self._players.whole(name)

    def team(self, name: str) -> Figures:
        """All figures of a team, whose opponents are the other teams; raises ``KeyError``."""
        return self._teams.whole(name)


def event_figures(event: ClubEvent) -> EventFigures:
    """The statistics of an event from its finished games, in the order of time and then of the file."""
    return EventFigures(event)
