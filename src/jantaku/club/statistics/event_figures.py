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


@dataclass(frozen=True, slots=True)
class RuledGame:
    """A finished game and the rules by which it was played; ``tally`` is the person's, if it is known."""

    rules: Ruleset
    result: EventGame
    tally: HandTally | None = None


def person_figures(games: Iterable[RuledGame], person: str) -> Mapping[str, Figures]:
    """The figures of ``person`` by the fingerprint of the rules, those played last first.

    Everybody whom the results name is an opponent by that name; an empty name is nobody.
    """
    by_rules: dict[str, list[RuledGame]] = {}
    for game in games:
        if person in game.result.players:
            by_rules.setdefault(game.rules.fingerprint, []).append(game)
    figures = {name: _figures(mine, person) for name, mine in by_rules.items()}
    return dict(sorted(figures.items(), key=lambda item: _last(by_rules[item[0]]), reverse=True))


def person_achievements(games: Iterable[RuledGame], person: str) -> tuple[Achievement, ...]:
    """What a person has reached in their games, the oldest first; rates compare people, so none of them."""
    mine = [game for game in games if person in game.result.players]
    if not mine:
        return ()
    names = {name: name for game in mine for name in game.result.players if name}
    kept = {game.result.id: game.tally for game in mine if game.tally is not None}
    sittings = sittings_of([game.result for game in mine], names)[person]
    tallies = together(kept.get(sitting.game.id) or tally(sitting) for sitting in sittings)
    feats = achievements({person: sittings}, {person: tallies})
    return tuple(feat for feat in feats if feat.kind not in RATED)


def _last(games: Iterable[RuledGame]) -> float:
    return max(game.result.began.timestamp() if game.result.began else 0.0 for game in games)


def _figures(games: list[RuledGame], person: str) -> Figures:
    results, rules = [game.result for game in games], games[0].rules
    names = {name: name for result in results for name in result.players if name}
    mine = sittings_of(results, names)[person]
    kept = {game.result.id: game.tally for game in games if game.tally is not None}
    return figures_of(mine, names, rules.match.players, kept)
