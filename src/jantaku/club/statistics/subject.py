"""Works out the figures of one player or team from their sittings."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from jantaku.club.statistics.figures import (
    Bar,
    BiggestHand,
    BriefFigures,
    Figures,
    GameLine,
    Histogram,
    Mean,
    OpenedShare,
    Share,
)
from jantaku.club.statistics.opponents import opponents_of
from jantaku.club.statistics.sittings import Sitting
from jantaku.club.statistics.tally import RATES, HandTally, TalliedWin, tally, together
from jantaku.rules.catalogue import LIMIT_HAN


def figures_of(
    sittings: Sequence[Sitting],
    subject_of: Mapping[str, str],
    seats: int,
    kept: Mapping[str, HandTally] | None = None,
) -> Figures:
    """All figures of one subject at tables of ``seats``; ``kept`` are the tallies of games, by their ids."""
    known = kept or {}
    tallies = [known.get(sitting.game.id) or tally(sitting) for sitting in sittings]
    found = together(tallies)
    wins = found.wins
    return Figures(
        brief_of(sittings, found, seats),
        {
            name: OpenedShare(
                len(found.of[name]), len(found.of[known]), len(found.of[cases]), _of(found, name)
            )
            for name, (known, cases) in RATES.items()
        },
        _mean(found, "win", 1),
        _mean(found, "deal_in", -1),
        _biggest(found),
        _by_han(wins),
        _by_yaku(wins),
        tuple(Bar(name, tuple(hands)) for name, hands in sorted(found.fouls.items())),
        opponents_of(sittings, subject_of, tallies, found),
        _games(sittings, found.recorded),
        tuple(found.hands),
    )


def brief_of(sittings: Sequence[Sitting], found: HandTally, seats: int) -> BriefFigures:
    """The figures without the hands from which they come."""
    finals = [sitting.final for sitting in sittings]
    biggest = _biggest(found)
    known = sum(hands is not None for hands in found.recorded)
    average = sum(sitting.average_place for sitting in sittings) / len(sittings) if sittings else None
    return BriefFigures(
        len(finals),
        known,
        len(found.of["played"]),
        sum(finals),
        _places(sittings, seats),
        None if average is None else float(average),
        max(finals, default=None),
        min(finals, default=None),
        {
            name: Share(*(len(found.of[part]) for part in (name, known, cases)))
            for name, (known, cases) in RATES.items()
        },
        _mean(found, "win", 1).value,
        _mean(found, "deal_in", -1).value,
        None if biggest is None else biggest.points,
        len({name for win in found.wins for name in win.yaku or ()}),
    )


def _of(found: HandTally, name: str) -> tuple[int, ...]:
    return tuple(found.of[name])


def _places(sittings: Iterable[Sitting], seats: int) -> tuple[float, ...]:
    """How often each place was taken; players who share some take an equal part of each."""
    counts: list[Fraction | int] = [0] * seats
    for (place, sharing), times in Counter(
        (sitting.place, sitting.game.places.count(sitting.place)) for sitting in sittings
    ).items():
        for taken in range(place - 1, place - 1 + sharing):
            counts[taken] += Fraction(times, sharing)
    return tuple(float(count) for count in counts)


def _mean(found: HandTally, name: str, sign: int) -> Mean:
    return Mean(sign * sum(map(found.delta, found.of[name])), _of(found, name))


def _biggest(found: HandTally) -> BiggestHand | None:
    if not found.wins:
        return None
    win = max(found.wins, key=lambda one: found.delta(one.hand))
    han, fu = (win.han, win.fu) if win.fu else (None, None)
    return BiggestHand(win.hand, found.delta(win.hand), han, fu, win.limit, win.yakuman)


def _by_han(wins: Sequence[TalliedWin]) -> Histogram:
    """The wins by han; those entered as a limit stand under its name, and count as not known."""
    bars = defaultdict[str, list[int]](list)
    for win in wins:
        bars[str(win.han) if win.fu else win.limit or "yakuman"].append(win.hand)
    known = sum(win.limit is None for win in wins)
    order = [*sorted((key for key in bars if key.isdecimal()), key=int), *LIMIT_HAN, "yakuman"]
    return Histogram(known, len(wins), tuple(Bar(key, tuple(bars[key])) for key in order if key in bars))


def _by_yaku(wins: Sequence[TalliedWin]) -> Histogram:
    """The wins by yaku, the most frequent first; dora are none."""
    bars = defaultdict[str, list[int]](list)
    for win in wins:
        for name in win.yaku or ():
            bars[name].append(win.hand)
    ordered = sorted(bars.items(), key=lambda bar: (-len(bar[1]), bar[0]))
    known = sum(win.yaku is not None for win in wins)
    return Histogram(known, len(wins), tuple(Bar(name, tuple(hands)) for name, hands in ordered))


def _games(sittings: Iterable[Sitting], recorded: Iterable[int | None]) -> tuple[GameLine, ...]:
    """The games in order; ``total`` begins anew in each stage."""
    totals, found = Counter[str](), []
    for sitting, hands in zip(sittings, recorded, strict=True):
        game = sitting.game
        totals[game.stage] += sitting.final
        at = None if game.at is None else game.at.isoformat()
        what = (sitting.seat, sitting.place, sitting.final, totals[game.stage], hands)
        found.append(GameLine(game.id, game.stage, at, *what))
    return tuple(found)
