"""The chances of places over a game as a picture: stacked areas, first place at the bottom."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

from jantaku.bots.place_chances import Chances

WIDTH, HEIGHT = 400, 150
LABELS: Final = 8  # at most, so that they do not overlap
_MARGIN: Final = 12  # on the left and right
_TOP, _BELOW = 12, 30  # space for the marks of mistakes, and for labels and turning points


class Curve(NamedTuple):
    """What the picture shows: chances before each hand and at the end, and the names of the hands.

    ``mistakes`` are times in hands from the start, with the loss of each; ``turning`` are indices of hands.
    """

    chances: Sequence[Chances]
    hands: Sequence[str]
    mistakes: Sequence[tuple[float, float]] = ()
    turning: Sequence[int] = ()


def curve_svg(curve: Curve, title: str) -> str:
    """Return the picture; the page's style colours the classes ``place-1`` to ``place-4``."""
    drawn = [*_areas(curve), *_hands(curve), *_turning(curve), *_mistakes(curve)]
    height = _TOP + HEIGHT + _BELOW
    return (
        f'<svg class="curve" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">'
        f"<title>{escape(title)}</title>{''.join(drawn)}</svg>"
    )


def _x(curve: Curve, time: float) -> float:
    return _MARGIN + (WIDTH - 2 * _MARGIN) * time / (len(curve.chances) - 1)


def _y(share: float) -> float:
    return _TOP + HEIGHT * (1 - share)


def _areas(curve: Curve) -> Iterator[str]:
    sums = [[0.0, *accumulate(row)] for row in curve.chances]
    for place in range(len(curve.chances[0])):
        above = [(_x(curve, i), _y(row[place + 1])) for i, row in enumerate(sums)]
        below = [(_x(curve, i), _y(row[place])) for i, row in enumerate(sums)]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (*above, *below[::-1]))
        yield f'<polygon class="place-{place + 1}" points="{points}"/>'


def _hands(curve: Curve) -> Iterator[str]:
    step = -(-len(curve.hands) // LABELS)
    for i, name in enumerate(curve.hands):
        x = _x(curve, i)
        yield f'<path class="line" d="M{x:.1f} {_TOP}v{HEIGHT}"/>'
        if i % step == 0:
            yield f'<text x="{x:.1f}" y="{_TOP + HEIGHT + 12}" text-anchor="middle">{escape(name)}</text>'


def _turning(curve: Curve) -> Iterator[str]:
    for number, hand in enumerate(curve.turning, 1):
        x, y = (_x(curve, hand) + _x(curve, hand + 1)) / 2, _TOP + HEIGHT + 22
        yield (
            f'<circle class="turn" cx="{x:.1f}" cy="{y}" r="6.5"/>'
            f'<text class="number" x="{x:.1f}" y="{y + 3.8}" text-anchor="middle">{number}</text>'
        )


def _mistakes(curve: Curve) -> Iterator[str]:
    for time, loss in curve.mistakes:
        half = 3 + min(loss, 3000) / 1000
        yield f'<path class="slip" d="M{_x(curve, time):.1f} {_TOP - 1}l{-half:.1f} -9h{2 * half:.1f}z"/>'


def time_of(event: int, starts: Sequence[int], end: int) -> float:
    """Return the time of an event in hands, from the events that start the hands and the number of events.

    >>> time_of(15, [0, 10], 20)
    1.5
    """
    hand = max(i for i, start in enumerate(starts) if start <= event)
    first, last = list(pairwise((*starts, end)))[hand]
    return hand + (event - first) / max(last - first, 1)
