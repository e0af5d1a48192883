"""Works out the figures of one player or team from their sittings."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from jantaku.club.statistics.counted_hands import RATES, HandTally, TalliedWin, tally, together
from jantaku.club.statistics.figure_values import (
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
    total = together(tallies)
    wins = total.wins
    return Figures(
        brief_of(sittings, total, seats),
        {
            name: OpenedShare(
                len(total.of[name]), len(total.of[known]), len(total.of[cases]), _of(total, name)
            )
            for name, (known, cases) in RATES.items()
        },
        _mean(total, "win", 1),
        _mean(total, "deal_in", -1),
        _biggest(total),
        _by_han(wins),
        _by_yaku(wins),
        tuple(Bar(name, tuple(hands)) for name, hands in sorted(total.fouls.items())),
        opponents_of(sittings, subject_of, tallies, total),
        _games(sittings, total.recorded),
        tuple(total.hands),
    )


def brief_of(sittings: Sequence[Sitting], tally: HandTally, seats: int) -> BriefFigures:
    """The figures without the hands from which they come."""
    finals = [sitting.final for sitting in sittings]
    biggest = _biggest(tally)
    known = sum(hands is not None for hands in tally.recorded)
    average = sum(sitting.average_place for sitting in sittings) / len(sittings) if sittings else None
    return BriefFigures(
        len(finals),
        known,
        len(tally.of["played"]),
        sum(finals),
        _places(sittings, seats),
        None if average is None else float(average),
        max(finals, default=None),
        min(finals, default=None),
        {
            name: Share(*(len(tally.of[part]) for part in (name, known, cases)))
            for name, (known, cases) in RATES.items()
        },
        _mean(tally, "win", 1).value,
        _mean(tally, "deal_in", -1).value,
        None if biggest is None else biggest.points,
        len({name for win in tally.wins for name in win.yaku or ()}),
    )


def _of(tally: HandTally, name: str) -> tuple[int, ...]:
    return tuple(tally.of[name])


def _places(sittings: Iterable[Sitting], seats: int) -> tuple[float, ...]:
    """How often each place was taken; players who share some take an equal part of each."""
    counts: list[Fraction | int] = [0] * seats
    for (place, sharing), times in Counter(
        (sitting.place, sitting.game.places.count(sitting.place)) for sitting in sittings
    ).items():
        for taken in range(place - 1, place - 1 + sharing):
            counts[taken] += Fraction(times, sharing)
    return tuple(float(count) for count in counts)


def _mean(tally: HandTally, name: str, sign: int) -> Mean:
    return Mean(sign * sum(map(tally.delta, tally.of[name])), _of(tally, name))


def _biggest(tally: HandTally) -> BiggestHand | None:
    if not tally.wins:
        return None
    win = max(tally.wins, key=lambda win: tally.delta(win.hand))
    han, fu = (win.han, win.fu) if win.fu else (None, None)
    return BiggestHand(win.hand, tally.delta(win.hand), han, fu, win.limit, win.yakuman)


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
    totals, lines = Counter[str](), []
    for sitting, hands in zip(sittings, recorded, strict=True):
        game = sitting.game
        totals[game.stage] += sitting.final
        at = None if game.began is None else game.began.isoformat()
        what = (sitting.seat, sitting.place, sitting.final, totals[game.stage], hands)
        lines.append(GameLine(game.id, game.stage, at, *what))
    return tuple(lines)
