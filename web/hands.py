"""Settles random hands for the client's tests: what the recorder's table of payments must come to.

``python web/record.py`` writes ``web/src/generated/hands.json``.
"""

from random import Random
from typing import Any

from jantaku import Ruleset, load
from jantaku.club import settle
from jantaku.errors import RequestError
from jantaku.kernels.rules import FOULS
from jantaku.rules import preset_names
from jantaku.server.events.recording.payment_previews import table_of_payments

GAMES = 12  # of each preset
DOUBLED = {"wareme": "hand", "wareme and honba": "hand_and_honba"}
MOST_HANDS = 6


def _worth(rng: Random) -> dict[str, Any]:
    han = rng.randint(1, 4)
    cell = {"han": han, "fu": rng.choice((30, 40, 50))}
    return rng.choice([cell, cell, {"limit": "mangan"}, {"limit": "haneman"}, {"yakuman": 1}])


def _win(rng: Random, riichi: list[int], count: int) -> dict[str, Any]:
    seats = rng.sample(range(count), count)
    if rng.random() < 0.4:
        return {"end": "tsumo", "wins": [{"seat": seats[0], **_worth(rng)}]}
    wins = [{"seat": seat, **_worth(rng)} for seat in seats[1 : rng.choice((2, 2, 2, 3, 4))]]
    return {
        "end": "ron",
        "from": seats[0],
        "wins": wins,
        "riichi_tile": seats[0] in riichi and rng.random() < 0.5,
    }


def _other(rng: Random, riichi: list[int], count: int) -> dict[str, Any]:
    if rng.random() < 0.7:
        tenpai = [seat for seat in range(count) if seat in riichi or rng.random() < 0.5]
        nagashi = [rng.randrange(count)] if rng.random() < 0.2 else []
        return {"end": "draw", "tenpai": tenpai, "nagashi": nagashi}
    if rng.random() < 0.5:
        return {"end": "foul", "fouls": [{"seat": rng.randrange(count), "foul": rng.choice(FOULS)}]}
    kind = rng.choice(("kyuushu_kyuuhai", "suufuu_renda", "suukansanra", "sanchahou"))
    seat = {"sanchahou": "from", "kyuushu_kyuuhai": "seat"}.get(kind)
    return {"end": "abort", "kind": kind} | ({seat: rng.randrange(count)} if seat else {})


def game(rules: Ruleset, rng: Random) -> list[dict[str, Any]]:
    """Hands that may follow each other; the last one does not end the game."""
    hands: list[dict[str, Any]] = []
    count = rules.match.players
    for _ in range(MOST_HANDS * 3):
        riichi = [seat for seat in range(count) if rng.random() < 0.3]
        doubled = {"wareme": rng.randrange(count)} if rules.score.wareme != "off" else {}
        hand = {"riichi": riichi} | doubled | (_win if rng.random() < 0.6 else _other)(rng, riichi, count)
        try:
            over = settle([*hands, hand], rules).over
        except RequestError:
            continue
        if over or len(hands) == MOST_HANDS:
            break
        hands.append(hand)
    return hands


def hands_for_tests() -> list[dict[str, Any]]:
    """For each preset, and the standard rules with wareme, the table of payments and settled games."""
    found = []
    played = {name: load(name) for name in preset_names()}
    for name, value in DOUBLED.items():
        played[name] = load("standard").with_changes({"score.wareme": value})
    for name, rules in played.items():
        rng = Random(name)  # noqa: S311
        games = [game(rules, rng) for _ in range(GAMES)]
        settled = [{"hands": hands, "settled": _shown(hands, rules)} for hands in games if hands]
        found.append({"table": table_of_payments(rules) | {"rules": name}, "games": settled})
    return found


def _shown(hands: list[dict[str, Any]], rules: Ruleset) -> dict[str, Any]:
    done = settle(hands, rules)
    return done.to_dict() | {name: getattr(done, name) for name in ("number", "honba", "deposits")}
