"""Statistics of an event, and of one person over games under several rulesets."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from jantaku.club.event import ClubEvent, EventGame
from jantaku.club.stage_standings import in_order
from jantaku.club.statistics.achievements import RATED, Achievement, achievements
from jantaku.club.statistics.counted_hands import HandTally, tally, together
from jantaku.club.statistics.figures import BriefFigures, Figures, brief_of, figures_of
from jantaku.club.statistics.sittings import sittings_of
from jantaku.rules import Ruleset


class _Subjects:
    """All players or all teams, with their sittings and tallies."""

    def __init__(self, event: ClubEvent, games: Sequence[EventGame], subject_of: Mapping[str, str]) -> None:
        self._subject_of = subject_of
        self._seats = event.rules.match.players
        self.sittings = sittings_of(games, subject_of)

    @cached_property
    def tallies(self) -> Mapping[str, HandTally]:
        return {name: together(map(tally, mine)) for name, mine in self.sittings.items()}

    def joined(self, parts: "_Subjects") -> Mapping[str, HandTally]:
        """Return the tallies of subjects that consist of ``parts``, such as teams of players."""
        tallies = {name: HandTally() for name in self.sittings}
        for part, name in self._subject_of.items():
            tallies[name].add(parts.tallies[part])
        return tallies

    def brief(self, tallies: Mapping[str, HandTally]) -> Mapping[str, BriefFigures]:
        return {name: brief_of(mine, tallies[name], self._seats) for name, mine in self.sittings.items()}

    def whole(self, name: str) -> Figures:
        return figures_of(self.sittings[name], self._subject_of, self._seats)


class EventFigures:
    """The statistics of an event; each part is computed on first use."""

    def __init__(self, event: ClubEvent) -> None:
        games = in_order(event.results)
        self._players = _Subjects(event, games, {player.id: player.id for player in event.players})
        self._teams = _Subjects(
            event, games, {player.id: player.team for player in event.players if player.team}
        )

    @cached_property
    def players(self) -> Mapping[str, BriefFigures]:
        """The figures of every player, in order of registration."""
        return self._players.brief(self._players.tallies)

    @cached_property
    def teams(self) -> Mapping[str, BriefFigures]:
        """The figures of every team, counting the games of its players."""
        return self._teams.brief(self._teams.joined(self._players))

    @cached_property
    def achievements(self) -> tuple[Achievement, ...]:
        """The best of every kind of achievement."""
        return achievements(self._players.sittings, self._players.tallies)

    def player(self, name: str) -> Figures:
        """Return all figures of a player; raises ``KeyError`` for an unknown id."""
        return self._players.whole(name)

    def team(self, name: str) -> Figures:
        """Return all figures of a team, whose opponents are the other teams; raises ``KeyError``."""
        return self._teams.whole(name)


def event_figures(event: ClubEvent) -> EventFigures:
    """Return the statistics of an event from its finished games, in order of time and then of the file."""
    return EventFigures(event)


@dataclass(frozen=True, slots=True)
class RuledGame:
    """A finished game and its rules; ``tally`` is the person's, if already computed."""

    rules: Ruleset
    result: EventGame
    tally: HandTally | None = None


def person_figures(games: Iterable[RuledGame], person: str) -> Mapping[str, Figures]:
    """Return the figures of ``person`` by the fingerprint of the rules, most recently played rules first.

    Everyone named in the results is an opponent; unnamed players are ignored.
    """
    by_rules: dict[str, list[RuledGame]] = {}
    for game in games:
        if person in game.result.players:
            by_rules.setdefault(game.rules.fingerprint, []).append(game)
    figures = {name: _figures(mine, person) for name, mine in by_rules.items()}
    return dict(sorted(figures.items(), key=lambda item: _last(by_rules[item[0]]), reverse=True))


def person_achievements(games: Iterable[RuledGame], person: str) -> tuple[Achievement, ...]:
    """Return a person's achievements in their games, oldest first, without rates, which compare people."""
    mine = [game for game in games if person in game.result.players]
    if not mine:
        return ()
    names = {name: name for game in mine for name in game.result.players if name}
    cached = {game.result.id: game.tally for game in mine if game.tally is not None}
    sittings = sittings_of([game.result for game in mine], names)[person]
    tallies = together(cached.get(sitting.game.id) or tally(sitting) for sitting in sittings)
    feats = achievements({person: sittings}, {person: tallies})
    return tuple(feat for feat in feats if feat.kind not in RATED)


def _last(games: Iterable[RuledGame]) -> float:
    return max(game.result.began.timestamp() if game.result.began else 0.0 for game in games)


def _figures(games: list[RuledGame], person: str) -> Figures:
    results, rules = [game.result for game in games], games[0].rules
    names = {name: name for result in results for name in result.players if name}
    mine = sittings_of(results, names)[person]
    cached = {game.result.id: game.tally for game in games if game.tally is not None}
    return figures_of(mine, names, rules.match.players, cached)
