"""Achievements of an event: the best player of each kind, with the hands or games that prove it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Literal, NamedTuple

from jantaku.club.statistics.counted_hands import HandTally
from jantaku.club.statistics.sittings import Sitting

RATE_HANDS_DIVISOR: Final = 2  # a rate needs at least 1/n of the hands of the player with the most


@dataclass(frozen=True, slots=True)
class HandRef:
    """A hand of an event; ``hand`` is its index in the ``game``, from 0."""

    game: str
    hand: int


@dataclass(frozen=True, slots=True)
class Achievement:
    """The best ``value`` of a kind and the ``players`` who share it.

    ``of`` is, for each player, the number of hands, draws, wins or games that were considered (see ``unit``).
    Hands are known only for recorded games.
    """

    kind: str
    value: float
    players: tuple[str, ...]
    of: tuple[int, ...]
    unit: Literal["hands", "draws", "wins", "games"]
    hands: tuple[HandRef, ...] = ()
    games: tuple[str, ...] = ()


class _Feat(NamedTuple):
    """One player's result in a kind; a higher ``order`` (by default the value) is better."""

    value: float
    hands: Sequence[int] = ()
    games: Sequence[str] = ()
    order: float | None = None


Measure = Callable[[Sequence[Sitting], HandTally], _Feat | None]


def _count(name: str) -> Measure:
    def measure(_: Sequence[Sitting], tally: HandTally) -> _Feat | None:
        hands = tally.of.get(name, [])
        return _Feat(len(hands), hands) if hands else None

    return measure


def _biggest_hand(_: Sequence[Sitting], tally: HandTally) -> _Feat | None:
    highest = max((tally.delta(win.hand) for win in tally.wins), default=None)
    if highest is None:
        return None
    return _Feat(highest, [win.hand for win in tally.wins if tally.delta(win.hand) == highest])


def _yakuman(_: Sequence[Sitting], tally: HandTally) -> _Feat | None:
    hands = [win.hand for win in tally.wins if win.yakuman]
    return _Feat(sum(win.yakuman for win in tally.wins), hands) if hands else None


def _yaku(_: Sequence[Sitting], tally: HandTally) -> _Feat | None:
    seen: dict[str, int] = {}
    for win in tally.wins:
        for name in win.yaku or ():
            seen.setdefault(name, win.hand)
    return _Feat(len(seen), list(dict.fromkeys(seen.values()))) if seen else None


def _best_game(sittings: Sequence[Sitting], _: HandTally) -> _Feat | None:
    highest = max((sitting.final for sitting in sittings), default=None)
    if highest is None:
        return None
    return _Feat(highest, games=[sitting.game.id for sitting in sittings if sitting.final == highest])


def _streak(sittings: Sequence[Sitting], _: HandTally) -> _Feat | None:
    """Return the longest run of first places; of equally long ones, the earliest."""
    runs = [list(run) for first, run in groupby(sittings, lambda sitting: sitting.place == 1) if first]
    longest = max(runs, key=len, default=[])
    return _Feat(len(longest), games=[sitting.game.id for sitting in longest]) if len(longest) > 1 else None


def _comeback(sittings: Sequence[Sitting], _: HandTally) -> _Feat | None:
    """Return the games won from last place before the last hand, if the player played that hand."""
    games = [sitting.game.id for sitting in sittings if sitting.place == 1 and _was_last(sitting)]
    return _Feat(len(games), games=games) if games else None


def _was_last(sitting: Sitting) -> bool:
    played = sitting.game.played
    if played is None or len(played.hands) < 2 or not sitting.has_played(len(played.hands) - 1):
        return False
    before = played.hands[-2].scores[: len(sitting.game.players)]
    return before[sitting.seat] == min(before) and before.count(min(before)) == 1


def _deal_in_rate(_: Sequence[Sitting], tally: HandTally) -> _Feat | None:
    played, hands = tally.of.get("played", []), tally.of.get("deal_in", [])
    rate = len(hands) / len(played) if played else 0.0
    return _Feat(rate, hands, order=-rate) if played else None


KINDS: Final[dict[str, Measure]] = {
    "biggest_hand": _biggest_hand,
    "yakuman": _yakuman,
    "most_wins": _count("win"),
    "most_riichi": _count("riichi"),
    "most_tenpai": _count("tenpai_at_draw"),
    "most_yaku": _yaku,
    "fewest_deal_ins": _deal_in_rate,
    "best_game": _best_game,
    "firsts_in_a_row": _streak,
    "comebacks": _comeback,
}
RATED: Final = ("fewest_deal_ins",)
COUNTED: Final = {"hands": "played", "draws": "draw", "wins": "win"}
UNITS: Final[dict[str, Literal["hands", "draws", "wins", "games"]]] = {
    "biggest_hand": "wins",
    "yakuman": "wins",
    "most_wins": "hands",
    "most_riichi": "hands",
    "most_tenpai": "draws",
    "most_yaku": "wins",
    "fewest_deal_ins": "hands",
    "best_game": "games",
    "firsts_in_a_row": "games",
    "comebacks": "games",
}


def achievements(
    sittings: Mapping[str, Sequence[Sitting]], tallies: Mapping[str, HandTally]
) -> tuple[Achievement, ...]:
    """Return the best of every kind; kinds that no player achieved are left out."""
    most = max((len(tally.of.get("played", ())) for tally in tallies.values()), default=0)
    settled = {
        name
        for name, tally in tallies.items()
        if RATE_HANDS_DIVISOR * len(tally.of.get("played", ())) >= most
    }
    feats = (
        _best(
            kind,
            measure,
            {name: sittings[name] for name in sittings if kind not in RATED or name in settled},
            tallies,
        )
        for kind, measure in KINDS.items()
    )
    return tuple(feat for feat in feats if feat is not None)


def _best(
    kind: str, measure: Measure, sittings: Mapping[str, Sequence[Sitting]], tallies: Mapping[str, HandTally]
) -> Achievement | None:
    feats = {name: feat for name, mine in sittings.items() if (feat := measure(mine, tallies[name]))}
    if not feats:
        return None
    order = {name: feat.value if feat.order is None else feat.order for name, feat in feats.items()}
    best = max(order.values())
    names = tuple(name for name in feats if order[name] == best)
    hands = tuple(ref for name in names for ref in _refs(feats[name].hands, tallies[name]))
    games = dict.fromkeys(game for name in names for game in feats[name].games)
    of = tuple(_all_of(kind, sittings[name], tallies[name]) for name in names)
    return Achievement(kind, feats[names[0]].value, names, of, UNITS[kind], hands, tuple(games))


def _all_of(kind: str, sittings: Sequence[Sitting], tally: HandTally) -> int:
    """Return the number of hands, draws, wins or games considered for a kind."""
    unit = UNITS[kind]
    if unit != "games":
        return len(tally.of.get(COUNTED[unit], ()))
    return len(tally.recorded) - tally.recorded.count(None) if kind == "comebacks" else len(sittings)


def _refs(hands: Iterable[int], tally: HandTally) -> Iterable[HandRef]:
    return (HandRef(tally.hands[i].game, tally.hands[i].hand) for i in hands)
