"""The figures of one person over games under several rulesets, by the code that makes those of events."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from jantaku.club.event import EventGame
from jantaku.club.statistics.achievements import RATED, Achievement, achievements
from jantaku.club.statistics.counted_hands import HandTally, tally, together
from jantaku.club.statistics.figure_values import Figures
from jantaku.club.statistics.figures import figures_of
from jantaku.club.statistics.sittings import sittings_of
from jantaku.rules import Ruleset


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
