"""Random club games as people enter them: hands end in every way, and calls and yaku may be left out."""

from random import Random
from typing import Any

from jantaku.club import settle
from jantaku.errors import RequestError
from jantaku.rules import Ruleset

MOST = 40  # hands added at a time until the game ends
CHOMBO = "false_win_shown"


def random_game(rng: Random, rules: Ruleset) -> list[dict[str, Any]]:
    """Return the hands of a complete game."""
    hands = [random_hand(rng, rules) for _ in range(MOST)]
    while True:
        try:
            if settle(hands, rules).over:
                return hands
            hands += [random_hand(rng, rules) for _ in range(MOST)]
        except RequestError as error:
            number = int(str(error.details["hand"]))
            if error.code == "game_is_over":
                return hands[:number]
            if error.code != "riichi_points":
                raise
            seat = error.details["seat"]
            hands[number]["riichi"].remove(seat)
            for win in hands[number].get("wins", ()):
                if win["seat"] == seat:
                    win.pop("yaku", None)


def random_hand(rng: Random, rules: Ruleset) -> dict[str, Any]:
    """Return one hand; most end in a win."""
    seats = range(rules.match.players)
    riichi = [seat for seat in seats if rng.random() < 0.2]
    known = (
        {} if rng.random() < 0.4 else {"calls": [s for s in seats if s not in riichi and rng.random() < 0.4]}
    )
    return {"riichi": riichi, **known, **_end(rng, rules, riichi, known.get("calls"))}


def _end(rng: Random, rules: Ruleset, riichi: list[int], calls: list[int] | None) -> dict[str, Any]:
    seats = range(rules.match.players)
    first, second, third = rng.sample(seats, 3)
    kind = rng.random()
    if kind < 0.05 and getattr(rules.fouls, CHOMBO) == "chombo":
        return {"end": "foul", "fouls": [{"seat": first, "foul": CHOMBO}]}
    if kind < 0.07 and rules.draw.kyuushu_kyuuhai:
        return {"end": "abort", "kind": "kyuushu_kyuuhai", "seat": first}
    if kind < 0.25:
        return {"end": "draw", "tenpai": sorted({*riichi, *(s for s in seats if rng.random() < 0.3)})}
    if kind < 0.5:
        return {"end": "tsumo", "wins": [random_win(rng, first, riichi, calls)]}
    double = not rules.win.multiple_ron.startswith("head_bump") and rng.random() < 0.1
    winners = [first, second] if double else [first]
    return {"end": "ron", "from": third, "wins": [random_win(rng, seat, riichi, calls) for seat in winners]}


def random_win(rng: Random, seat: int, riichi: list[int], calls: list[int] | None) -> dict[str, Any]:
    """Return a win, sometimes with its yaku and whether the hand is open."""
    kind = rng.random()
    if kind < 0.02:
        return {"seat": seat, "yakuman": 1}
    if kind < 0.15:
        return {"seat": seat, "limit": rng.choice(("mangan", "haneman", "baiman"))}
    win: dict[str, Any] = {"seat": seat, "han": rng.choice((1, 2, 2, 3, 4)), "fu": rng.choice((30, 40, 50))}
    if seat in riichi:
        if rng.random() < 0.5:
            yaku = ["riichi", rng.choice(("iipeikou", "tanyao"))]
            return win | {"han": max(3, win["han"]), "fu": 40, "yaku": yaku}
        return win
    if rng.random() < 0.5:
        win["open"] = seat in calls if calls is not None else rng.random() < 0.5
        if rng.random() < 0.5:
            win["yaku"] = [rng.choice(("tanyao", "honitsu") if win["open"] else ("tanyao", "iipeikou"))]
            win["fu"] = 40
            win["han"] = max(win["han"], 2)
    return win


def random_event(rng: Random, rules: Ruleset, players: int, games: int, **changes: Any) -> dict[str, Any]:
    """Return an event file; one game in ten has only its points."""
    played = []
    for i in range(games):
        hands = random_game(rng, rules)
        what = {"scores": list(settle(hands, rules).scores)} if rng.random() < 0.1 else {"hands": hands}
        sitting = [f"p{player}" for player in rng.sample(range(players), rules.match.players)]
        at = f"2025-06-{1 + rng.randrange(14):02}T{10 + rng.randrange(10)}:00:00+09:00"
        played.append({"id": f"g{i}", "stage": "league", "at": at, "players": sitting, **what})
    return {
        "jantaku_event": 1,
        "rules": rules.id,
        "players": [{"id": f"p{i}", "name": f"P{i}", "team": f"t{i % 3}"} for i in range(players)],
        "stages": [{"id": "league", "kind": "open"}],
        "games": played,
        **changes,
    }
