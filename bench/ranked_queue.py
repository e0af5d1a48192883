"""How long ranked play makes wait, how right its steps are: ``python -m bench.ranked_queue [page.html]``.

People come by the hour of the day, wait, play and come back, for days; they are brought together by
``jantaku.server.ranked.pairing`` and rated by ``jantaku.club.ratings``, as on the server. What somebody
is really worth is known here only. The page has a table and plots; ``docs/server.md`` says what came out.
"""

import argparse
import heapq
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from math import nan
from pathlib import Path
from statistics import mean, median, quantiles
from typing import Any, Final, NamedTuple

import altair as alt

from jantaku.club import GameResult, Rating, rated_games
from jantaku.lab.report import plots
from jantaku.server.ranked.ladder import LADDERS, LINES, START_MU, RankedLine, step_of
from jantaku.server.ranked.pairing import Waiter, gathered, tables_of

DAY_S: Final = 86_400
TICK_S: Final = 5
SKILL_SD: Final = 4.0  # of what people are worth, in points of mu
LUCK_SD: Final = 10.0  # of what one game adds to that
GAME_S: Final = {"east": (1500, 300), "hanchan": (3000, 500)}
STAYS_S: Final = (2400, 9000)
PATIENT_S: Final = (600, 3600)  # those before the page, and those whom a notification calls
CALLED: Final = 0.5  # the share of people with notifications
COMES: Final = 0.5  # the share of days on which somebody comes
EVENING: Final = (20.5 * 3600, 1.5 * 3600)
SHOWN_S: Final = 900
DAILY_S: Final = 21 * 3600


@dataclass
class Somebody:
    """A person: what they are worth, what is known of it, and how they wait."""

    name: str
    skill: float
    lines: frozenset[RankedLine]
    patient_s: float
    rating: Rating = field(default_factory=lambda: Rating(START_MU, START_MU / 3))
    games: int = 0
    leaves: float = 0.0


class Wait(NamedTuple):
    """How long somebody waited, until a table or until they gave up, and how ratings differed there."""

    seconds: float
    spread: float | None


class Scenario(NamedTuple):
    """So many people for so many days; ``daily``: half of those who come meet at a fixed hour."""

    people: int
    days: int
    daily: bool = False

    @property
    def name(self) -> str:
        """The title of its row."""
        return f"{self.people:,}{' with a daily table' if self.daily else ''}"


class Parlour:
    """The people of a scenario, and all that happens."""

    def __init__(self, scenario: Scenario, seed: int) -> None:
        self.scenario, self.chance = scenario, random.Random(seed)
        self.people = [self._somebody(number) for number in range(scenario.people)]
        self.waits: list[Wait] = []
        self._coming: list[tuple[float, int, Somebody]] = []
        self._waiting: dict[str, tuple[float, Somebody]] = {}
        self._order, self._game = count(), 0

    def _somebody(self, number: int) -> Somebody:
        """Most wait for East with four, by any rules or by those they like."""
        pick = self.chance.random()
        families = {line.family for line in LINES}
        liked = families if pick < 0.5 else {self.chance.choice(sorted(families))}
        lengths = {"east"} if pick < 0.4 else {"east", "hanchan"} if pick < 0.8 else {"hanchan"}
        lines = (line for line in LINES if line.family in liked and line.length in lengths)
        mine = frozenset(line for line in lines if line.players == LADDERS[0])
        return Somebody(
            f"p{number}",
            self.chance.gauss(START_MU, SKILL_SD),
            mine,
            PATIENT_S[self.chance.random() < CALLED],
        )

    def run(self) -> None:
        """All days."""
        for day in range(self.scenario.days):
            for person in self.people:
                if self.chance.random() < COMES:
                    self._comes(person, day * DAY_S)
            start = day * DAY_S
            for now in range(start, start + DAY_S, TICK_S):
                self._tick(now)
            self._coming.clear()
            self._waiting.clear()

    def _comes(self, person: Somebody, midnight: float) -> None:
        meets = self.scenario.daily and self.chance.random() < 0.5
        at = DAILY_S - self.chance.uniform(0, 300) if meets else self.chance.gauss(*EVENING) % DAY_S
        person.leaves = midnight + at + self.chance.uniform(*STAYS_S)
        heapq.heappush(self._coming, (midnight + at, next(self._order), person))

    def _tick(self, now: float) -> None:
        while self._coming and self._coming[0][0] <= now:
            at, _, person = heapq.heappop(self._coming)
            if at < person.leaves:
                self._waiting[person.name] = (at, person)
        daily = self.scenario.daily and now % DAY_S
        if daily and DAILY_S - 300 <= daily < DAILY_S:
            return
        if daily == DAILY_S:
            people = [self._waiter(at, person, now) for at, person in self._waiting.values()]
            for table in gathered(people):
                if len(table) == LADDERS[0]:
                    self._play(LINES[0], table, now)
        lines = LINES if self._waiting else ()
        for line in lines:
            fit = [
                self._waiter(at, person, now) for at, person in self._waiting.values() if line in person.lines
            ]
            for table in tables_of(fit, line.players):
                self._play(line, table, now)
        for name, (at, person) in list(self._waiting.items()):
            if now - at > person.patient_s:
                self.waits.append(Wait(now - at, None))
                del self._waiting[name]

    def _waiter(self, at: float, person: Somebody, now: float) -> Waiter:
        return Waiter(person.name, person.rating.mu, now - at)

    def _play(self, line: RankedLine, table: Sequence[Waiter], now: float) -> None:
        spread = max(person.rating for person in table) - min(person.rating for person in table)
        seated = [self._waiting.pop(person.person) for person in table]
        self.waits += [Wait(now - at, spread) for at, _ in seated]
        some = [person for _, person in seated]
        luck = [person.skill + self.chance.gauss(0, LUCK_SD) for person in some]
        places = tuple(1 + sum(other > own for other in luck) for own in luck)
        self._game += 1
        result = GameResult(str(self._game), "", None, tuple(o.name for o in some), (0,) * len(some), places)
        (rated,) = rated_games([result], {person.name: person.rating for person in some})
        for person, seat in zip(some, rated.seats, strict=True):
            person.rating, person.games = seat.after, person.games + 1
            back = now + max(600.0, self.chance.gauss(*GAME_S[line.length])) + 60
            heapq.heappush(self._coming, (back, next(self._order), person))


def summary(parlour: Parlour) -> dict[str, Any]:
    """The row of a scenario."""
    seated = [wait.seconds for wait in parlour.waits if wait.spread is not None]
    spreads = [wait.spread for wait in parlour.waits if wait.spread is not None]
    played = [person for person in parlour.people if person.games]
    return {
        "people": parlour.scenario.name,
        "games": parlour._game,
        "median": median(seated or [nan]),
        "most": quantiles(seated or [nan] * 2, n=10)[-1],
        "gave_up": 1 - len(seated) / len(parlour.waits),
        "spread": median(spreads or [nan]),
        "error": mean([abs(person.rating.mu - person.skill) for person in played] or [nan]),
        "order": _agreement([person.skill for person in played], [person.rating.mu for person in played]),
        "steps": len({step_of(person.rating) for person in played}),
    }


def _agreement(one: Sequence[float], other: Sequence[float]) -> float:
    """Spearman's rank correlation."""
    ranks = [sorted(range(len(xs)), key=xs.__getitem__) for xs in (one, other)]
    places = [dict(zip(order, range(len(order)), strict=True)) for order in ranks]
    size = len(one)
    apart = sum((places[0][i] - places[1][i]) ** 2 for i in range(size))
    return 1 - 6 * apart / (size * (size * size - 1)) if size > 2 else 1.0


def errors(parlour: Parlour) -> Iterator[dict[str, Any]]:
    """How far ratings are from what people are worth, by how many games they have played."""
    by_games: dict[int, list[float]] = {}
    for person in parlour.people:
        if person.games:
            by_games.setdefault(min(person.games // 10 * 10, 200), []).append(
                abs(person.rating.mu - person.skill)
            )
    for games, wrong in sorted(by_games.items()):
        yield {"people": parlour.scenario.name, "games": games, "error": mean(wrong)}


def waits(parlour: Parlour) -> Iterator[dict[str, Any]]:
    """Which share has a table after so many seconds."""
    seated = sorted(wait.seconds for wait in parlour.waits if wait.spread is not None)
    for limit in range(0, SHOWN_S + 1, 15):
        share = sum(wait <= limit for wait in seated) / len(parlour.waits)
        yield {"people": parlour.scenario.name, "seconds": limit, "share": share}


HEAD: Final = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Ranked play, simulated</title>
<style>body{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
td,th{padding:.2rem .7rem;text-align:right}th:first-child,td:first-child{text-align:left}</style>
<h1>Ranked play, simulated</h1>"""
COLUMNS: Final = {
    "people": ("people", "{}"),
    "games": ("games", "{:,}"),
    "median": ("median wait", "{:.0f} s"),
    "most": ("nine of ten wait less than", "{:.0f} s"),
    "gave_up": ("gave up", "{:.1%}"),
    "spread": ("ratings at a table differ by", "{:.1f}"),
    "error": ("ratings are wrong by", "{:.1f}"),
    "order": ("agreement of order", "{:.2f}"),
    "steps": ("steps in use", "{}"),
}


def page(parlours: Sequence[Parlour]) -> str:
    """The page with its table and plots."""
    rows = [summary(parlour) for parlour in parlours]
    head = "".join(f"<th>{title}</th>" for title, _ in COLUMNS.values())
    body = "".join(
        "<tr>" + "".join(f"<td>{form.format(row[key])}</td>" for key, (_, form) in COLUMNS.items()) + "</tr>"
        for row in rows
    )
    charts = [
        _lines(
            [row for parlour in parlours for row in waits(parlour)],
            ("seconds", "Seconds"),
            ("share", "Have a table"),
        ),
        _lines(
            [row for parlour in parlours for row in errors(parlour)],
            ("games", "Games"),
            ("error", "Error of mu"),
        ),
    ]
    return f"{HEAD}<table><tr>{head}</tr>{body}</table>" + "".join(
        f"<figure>{chart}</figure>" for chart in charts
    )


def _lines(rows: list[dict[str, Any]], x: tuple[str, str], y: tuple[str, str]) -> str:
    chart = alt.Chart({"values": rows}, width=560, height=260).mark_line(interpolate="step-after")
    return plots.svg(
        chart.encode(
            x=alt.X(f"{x[0]}:Q", title=x[1]),
            y=alt.Y(f"{y[0]}:Q", title=y[1]),
            color=alt.Color("people:N", title="People", sort=None),
        )
    )


SCENARIOS: Final = (
    Scenario(20, 60),
    Scenario(20, 60, daily=True),
    Scenario(200, 30),
    Scenario(20_000, 2),
)


def main() -> None:
    """Simulate, print the table, and write the page if a file is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", nargs="?", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    parlours = []
    for scenario in SCENARIOS:
        parlour = Parlour(scenario, arguments.seed)
        parlour.run()
        parlours.append(parlour)
        row = summary(parlour)
        print(
            " | ".join(f"{title} {form.format(row[key])}" for key, (title, form) in COLUMNS.items()),
            flush=True,
        )
    if arguments.page is not None:
        arguments.page.write_text(page(parlours), "utf-8")


if __name__ == "__main__":
    main()
