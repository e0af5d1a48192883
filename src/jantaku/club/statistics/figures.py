"""Compute the figures of one player or team, as values that are serialised field by field.

A number in ``hands`` is an index into ``Figures.hands``, which gives the game and the hand.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from jantaku.club.statistics.counted_hands import RATES, HandTally, TalliedWin, tally, together
from jantaku.club.statistics.sittings import HandLine, Sitting
from jantaku.rules.catalogue import LIMIT_HAN


@dataclass(frozen=True, slots=True)
class Share:
    """A frequency: ``count`` of the ``known`` cases.

    ``cases`` is the total. ``known`` is lower if some records lack the required data.
    """

    count: int
    known: int
    cases: int

    @property
    def value(self) -> float | None:
        """The share of the known cases; ``None`` if there are none."""
        return self.count / self.known if self.known else None


@dataclass(frozen=True, slots=True)
class OpenedShare(Share):
    """A share with the hands that make up its ``count``."""

    hands: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Mean:
    """A sum of points and the hands that contribute to it."""

    sum: int
    hands: tuple[int, ...]

    @property
    def value(self) -> float | None:
        """The mean; ``None`` without hands."""
        return self.sum / len(self.hands) if self.hands else None


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game of the player; ``total`` is the running sum of ``final`` over the games of the stage.

    ``hands`` is the number of recorded hands; ``None`` if only the points are known. ``at`` is in ISO 8601.
    """

    game: str
    stage: str
    at: str | None
    seat: int
    place: int
    final: int
    total: int
    hands: int | None


@dataclass(frozen=True, slots=True)
class BiggestHand:
    """The win that gained the most points; of equal ones, the earliest."""

    hand: int
    points: int
    han: int | None
    fu: int | None
    limit: str | None
    yakuman: int


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a histogram: its ``key`` and the hands it counts."""

    key: str
    hands: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Histogram:
    """Bars for the ``known`` cases out of all ``cases``."""

    known: int
    cases: int
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Opponent:
    """The record against one opponent, over the ``games`` that both played.

    ``ahead`` and ``behind`` count better and worse places. ``points`` and ``theirs`` sum final points.
    ``won_from`` and ``dealt_to`` are the rons between the two, with the points gained or lost by this player.
    """

    opponent: str
    games: tuple[str, ...]
    ahead: int
    behind: int
    points: int
    theirs: int
    won_from: Mean
    dealt_to: Mean


@dataclass(frozen=True, slots=True)
class BriefFigures:
    """The figures listed for every player.

    ``places`` counts first to last places; shared places count as fractions. ``docs/club.md`` defines the
    ``rates``. ``average_win`` and ``average_deal_in`` are points; ``None`` without hands.
    """

    games: int
    games_with_hands: int
    hands_played: int
    points: int
    places: tuple[float, ...]
    average_place: float | None
    best_game: int | None
    worst_game: int | None
    rates: dict[str, Share]
    average_win: float | None
    average_deal_in: float | None
    biggest_hand: int | None
    yaku: int


@dataclass(frozen=True, slots=True)
class Figures:
    """All figures of one player or team, each with the hands and games it is based on."""

    brief: BriefFigures
    rates: dict[str, OpenedShare]
    average_win: Mean
    average_deal_in: Mean
    biggest_hand: BiggestHand | None
    han: Histogram
    yaku: Histogram
    fouls: tuple[Bar, ...]
    opponents: tuple[Opponent, ...]
    games: tuple[GameLine, ...]
    hands: tuple[HandLine, ...]


@dataclass(slots=True)
class _Meeting:
    """Running counts against one opponent; ``won`` and ``dealt`` are indices of hands."""

    games: list[str] = field(default_factory=list)
    ahead: int = 0
    behind: int = 0
    points: int = 0
    theirs: int = 0
    won: list[int] = field(default_factory=list)
    dealt: list[int] = field(default_factory=list)

    def add_game(self, sitting: Sitting, seat: int) -> None:
        game = sitting.game
        if game.id not in self.games[-1:]:  # a team can meet one player from two seats
            self.games.append(game.id)
        self.ahead += sitting.place < game.places[seat]
        self.behind += sitting.place > game.places[seat]
        self.points += sitting.final
        self.theirs += game.final[seat]


def opponents_of(
    sittings: Sequence[Sitting],
    subject_of: Mapping[str, str],
    tallies: Sequence[HandTally],
    tally: HandTally,
) -> tuple[Opponent, ...]:
    """Return every opponent, most frequent first; ``tally`` is the sum of ``tallies``, one per sitting."""
    met: dict[str, _Meeting] = {}
    first = 0
    for sitting, own in zip(sittings, tallies, strict=True):
        others = {
            seat: met.setdefault(subject_of[player], _Meeting())
            for seat, player in enumerate(sitting.game.players)
            if subject_of.get(player, sitting.subject) != sitting.subject
        }
        for seat, meeting in others.items():
            meeting.add_game(sitting, seat)
            meeting.won += [first + ron.hand for ron in own.won_from if ron.seat == seat]
            meeting.dealt += [first + ron.hand for ron in own.dealt_to if ron.seat == seat]
        first += len(own.hands)
    opponents = [
        Opponent(
            name,
            *(tuple(row.games), row.ahead, row.behind, row.points, row.theirs),
            *(Mean(sum(map(tally.delta, hands)), tuple(hands)) for hands in (row.won, row.dealt)),
        )
        for name, row in met.items()
    ]
    return tuple(sorted(opponents, key=lambda row: (-len(row.games), row.opponent)))


def figures_of(
    sittings: Sequence[Sitting],
    subject_of: Mapping[str, str],
    seats: int,
    cached: Mapping[str, HandTally] | None = None,
) -> Figures:
    """Return all figures of one subject at tables of ``seats``; ``cached`` maps game ids to known tallies."""
    known = cached or {}
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
    """Return the figures without the hands they are based on."""
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
    """Count how often each place was reached; players who share places get an equal part of each."""
    counts: list[Fraction | int] = [0] * seats
    for (place, sharing), times in Counter(
        (sitting.place, sitting.game.places.count(sitting.place)) for sitting in sittings
    ).items():
        for shared in range(place - 1, place - 1 + sharing):
            counts[shared] += Fraction(times, sharing)
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
    """Group the wins by han; wins entered as a limit go under its name and count as unknown."""
    bars = defaultdict[str, list[int]](list)
    for win in wins:
        bars[str(win.han) if win.fu else win.limit or "yakuman"].append(win.hand)
    known = sum(win.limit is None for win in wins)
    order = [*sorted((key for key in bars if key.isdecimal()), key=int), *LIMIT_HAN, "yakuman"]
    return Histogram(known, len(wins), tuple(Bar(key, tuple(bars[key])) for key in order if key in bars))


def _by_yaku(wins: Sequence[TalliedWin]) -> Histogram:
    """Group the wins by yaku without dora, most frequent first."""
    bars = defaultdict[str, list[int]](list)
    for win in wins:
        for name in win.yaku or ():
            bars[name].append(win.hand)
    ordered = sorted(bars.items(), key=lambda bar: (-len(bar[1]), bar[0]))
    known = sum(win.yaku is not None for win in wins)
    return Histogram(known, len(wins), tuple(Bar(name, tuple(hands)) for name, hands in ordered))


def _games(sittings: Iterable[Sitting], recorded: Iterable[int | None]) -> tuple[GameLine, ...]:
    """List the games in order; ``total`` restarts in each stage."""
    totals, lines = Counter[str](), []
    for sitting, hands in zip(sittings, recorded, strict=True):
        game = sitting.game
        totals[game.stage] += sitting.final
        at = None if game.began is None else game.began.isoformat()
        what = (sitting.seat, sitting.place, sitting.final, totals[game.stage], hands)
        lines.append(GameLine(game.id, game.stage, at, *what))
    return tuple(lines)
