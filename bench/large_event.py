"""``python -m bench.large_event``: standings, statistics and ratings of a large event, on one core."""

import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from bench.timing import readable
from jantaku.club import ClubEvent, event_figures, event_from, rated_games, settle, standings
from jantaku.rules import load

RULES: Final = "tenhou"
PLAYERS: Final = 200
GAMES: Final = 2_000
REPEATS: Final = 5
AIMS: Final = {"standings": 0.2, "statistics of everybody": 2.0}  # seconds


def random_hand(rng: Random, scores: Sequence[int]) -> dict[str, Any]:
    """A hand as people enter it; whoever has too few points does not declare riichi."""
    seat, other = rng.sample(range(4), 2)
    riichi = [seat for seat, points in enumerate(scores) if points >= 1000 and rng.random() < 0.2]
    kind = rng.random()
    if kind < 0.15:
        return {"end": "draw", "riichi": riichi, "tenpai": sorted({*riichi, seat})}
    win = {"seat": seat, "han": rng.choice((1, 2, 3, 4)), "fu": rng.choice((30, 40))}
    if kind < 0.55:
        return {"end": "tsumo", "riichi": riichi, "wins": [win]}
    return {"end": "ron", "from": other, "riichi": riichi, "wins": [win]}


def random_game(rng: Random) -> list[dict[str, Any]]:
    """The hands of a game that is over."""
    rules, hands = load(RULES), list[dict[str, Any]]()
    game = settle(hands, rules)
    while not game.over:
        hands.append(random_hand(rng, game.scores))
        game = settle(hands, rules)
    return hands


def event_file(seed: int = 1) -> dict[str, Any]:
    """An open league in which everybody plays as many games, as an event file."""
    rng, begin = Random(seed), datetime(2026, 1, 1, tzinfo=UTC)
    names = [f"p{i:03}" for i in range(PLAYERS)]
    games = []
    for i in range(GAMES):
        if i % (PLAYERS // 4) == 0:
            rng.shuffle(names)
        first = i % (PLAYERS // 4) * 4
        at = (begin + timedelta(minutes=i)).isoformat()
        about = {"id": f"g{i}", "stage": "league", "at": at, "players": names[first : first + 4]}
        games.append({**about, "hands": random_game(rng)})
    return {
        "jantaku_event": 1,
        "name": {"en": "bench"},
        "rules": RULES,
        "players": [{"id": name, "name": name} for name in sorted(names)],
        "stages": [{"id": "league", "min_games": 5, "counts": {"best": 20}}],
        "games": games,
    }


def seconds(run: Callable[[], object]) -> float:
    """The CPU seconds of the fastest of several runs."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def parts_of(data: dict[str, Any]) -> dict[str, float]:
    """How long each part takes for the event of a file."""
    event: ClubEvent = event_from(data)
    return {
        "reading the file, settling every hand": seconds(lambda: event_from(data)),
        "standings": seconds(lambda: standings(event)),
        "statistics of everybody": seconds(lambda: event_figures(event).players),
        "achievements": seconds(lambda: event_figures(event).achievements),
        "ratings": seconds(lambda: rated_games(event.results)),
    }


def main() -> None:
    """Measure and show."""
    data = event_file()
    hands = sum(len(game["hands"]) for game in data["games"])
    table = Table(title=f"{PLAYERS} players, {GAMES:,} games, {hands:,} hands", title_justify="left")
    for column in ("part", "CPU time", "aim"):
        table.add_column(column, justify="left" if column == "part" else "right")
    for part, taken in parts_of(data).items():
        table.add_row(part, readable(taken), readable(AIMS[part]) if part in AIMS else "")
    Console().print(table)


if __name__ == "__main__":
    main()
