"""Settle random hands for the client's tests, whose own settlement must give the same results.

``python web/record.py`` writes ``web/src/generated/hands.json``.
"""

from dataclasses import fields
from random import Random
from typing import Any, Final

from jantaku import Ruleset, load
from jantaku.club import settle
from jantaku.errors import RequestError, RulesError
from jantaku.kernels.rules import FOULS
from jantaku.rules import preset_names
from jantaku.rules.check import choices_of, hints
from jantaku.rules.options import SECTIONS
from jantaku.server.events.recording.payment_previews import SettlementOptions, table_of_payments

GAMES: Final = 16  # per preset
RANDOM_RULES: Final = 100
GAMES_OF_RANDOM_RULES: Final = 8
KINDS_REFUSED: Final = 4  # an error code may appear again after this many other refused hands
CLIENT_REFUSALS: Final = (
    *("game_is_over", "riichi_points", "noten_in_riichi", "no_chombo", "foul_ends_hand", "dead_hand_wins"),
    *("wareme_unknown", "abort_not_in_rules", "nagashi_not_in_rules", "four_in_riichi"),
)
"""Errors that the recorder must detect itself; its buttons cannot cause any others."""
MAX_HANDS: Final = 24
MAX_ATTEMPTS: Final = 60
LIMITS: Final = ("mangan", "haneman", "baiman", "sanbaiman")
ABORTS: Final = ("kyuushu_kyuuhai", "suufuu_renda", "suukansanra", "sanchahou", "suucha_riichi")
CHANGED_OPTIONS: Final = 0.3  # share
RARELY: Final = 0.1
USUALLY: Final = 0.9
ROUND_NUMBERS: Final = (0, 100, 300, 1000, 1500, 3000, 10_000, 25_000, 30_000, 45_000)
STYLES: Final = ("usual", "usual", "dealer", "draws", "costly", "fouls")
"""What a game has more of, so that dealers repeat, games are extended and players go bust."""


def _worth(rng: Random, rules: Ruleset, style: str) -> dict[str, Any]:
    han = rng.randint(0, 14) if rng.random() < 0.2 else rng.randint(1, 4)
    cell = {"han": han, "fu": rng.choice((20, 25, 30, 40, 50, 60, 70, 110))}
    if rules.score.aotenjou or rng.random() < (0.2 if style == "costly" else 0.7):
        return cell
    return rng.choice([{"limit": rng.choice(LIMITS)}, {"yakuman": rng.choice((1, 1, 2))}])


def _won(
    seat: int, others: list[int], rng: Random, rules: Ruleset, style: str, *, tsumo: bool
) -> dict[str, Any]:
    win: dict[str, Any] = {"seat": seat, **_worth(rng, rules, style)}
    if rules.chips.value:
        win["chips"] = rng.randint(0, 3)
    if rules.pao.yakuman and ("yakuman" in win or rules.score.aotenjou) and rng.random() < 0.6:
        liable = rng.sample(others, rng.choice((1, 1, 2)))
        some = {"yakuman": rng.randint(1, win["yakuman"])} if "yakuman" in win and rng.random() < 0.5 else {}
        win["pao"] = {"seats": liable, **some}
    if tsumo and rules.pao.rinshan_after_daiminkan == "feeder_pays" and rng.random() < 0.2:
        win["feeder"] = rng.choice(others)
    return win


def _win(rng: Random, riichi: list[int], rules: Ruleset, style: str, dealer: int) -> dict[str, Any]:
    count = rules.match.players
    seats = rng.sample(range(count), count)
    if style == "dealer" and rng.random() < 0.6:
        seats.remove(dealer)
        seats.insert(rng.randrange(2), dealer)

    def won(seat: int, *, tsumo: bool) -> dict[str, Any]:
        others = [other for other in range(count) if other != seat]
        return _won(seat, others, rng, rules, style, tsumo=tsumo)

    if rng.random() < 0.4:
        return {"end": "tsumo", "wins": [won(seats[0], tsumo=True)]}
    wins = [won(seat, tsumo=False) for seat in seats[1 : rng.choice((2, 2, 2, 3, 4))]]
    tile = {"riichi_tile": True} if seats[0] in riichi and rng.random() < 0.5 else {}
    return {"end": "ron", "from": seats[0], "wins": wins, **tile}


def _no_win(rng: Random, riichi: list[int], rules: Ruleset, style: str, dealer: int) -> dict[str, Any]:
    count = rules.match.players
    if rng.random() < (0.3 if style == "fouls" else 0.7):
        chance = 0.9 if style == "dealer" else 0.5
        tenpai = [
            seat
            for seat in range(count)
            if (seat in riichi and rng.random() < 0.95) or rng.random() < (chance if seat == dealer else 0.5)
        ]
        nagashi = rng.sample(range(count), rng.choice((0, 0, 0, 1, 2)))
        return {"end": "draw", "tenpai": tenpai, "nagashi": nagashi}
    if rng.random() < 0.5:
        return {"end": "foul", "fouls": _fouls(rng, count)}
    kind = rng.choice(ABORTS)
    seat = {"sanchahou": "from", "kyuushu_kyuuhai": "seat"}.get(kind)
    return {"end": "abort", "kind": kind} | ({seat: rng.randrange(count)} if seat else {})


def _fouls(rng: Random, count: int) -> list[dict[str, Any]]:
    return [
        {"seat": rng.randrange(count), "foul": rng.choice(FOULS)} for _ in range(rng.choice((1, 1, 2, 3)))
    ]


def _hand(rng: Random, rules: Ruleset, style: str, dealer: int) -> dict[str, Any]:
    count = rules.match.players
    riichi = [seat for seat in range(count) if rng.random() < (0.9 if rng.random() < 0.05 else 0.3)]
    ends = _no_win if rng.random() < (0.8 if style in ("draws", "fouls") else 0.35) else _win
    hand = ends(rng, riichi, rules, style, dealer) | ({"riichi": riichi} if riichi else {})
    if rules.score.wareme != "off" and rng.random() < USUALLY:
        hand["wareme"] = rng.randrange(count)
    if "fouls" not in hand and rng.random() < (0.5 if style == "fouls" else 0.1):
        hand["fouls"] = _fouls(rng, count)
    if hand["end"] in ("ron", "tsumo", "draw") and rng.random() < 0.1:
        hand["stop"] = rng.random() < 0.5
    return hand


def game(rules: Ruleset, rng: Random) -> dict[str, Any] | None:
    """Return random hands with their settlement and the ``refused`` hands; None without a valid hand."""
    hands: list[dict[str, Any]] = []
    refused: list[dict[str, Any]] = []
    done, style = settle([], rules), rng.choice(STYLES)
    for _ in range(MAX_ATTEMPTS):
        hand = _hand(rng, rules, style, done.number % rules.match.players)
        try:
            done = settle([*hands, hand], rules)
        except RequestError as error:
            recent = [other["code"] for other in refused[-KINDS_REFUSED:]]
            if error.code in CLIENT_REFUSALS and error.code not in recent:
                refused.append({"after": len(hands), "hand": hand, "code": error.code})
            elif error.code == "game_is_over":
                break
            continue
        hands.append(hand)
        if len(hands) == MAX_HANDS or (done.over and (rng.random() < 0.8 or hand.get("stop"))):
            break
    if not hands:
        return None
    done = settle(hands, rules)
    after = {name: getattr(done, name) for name in ("number", "honba", "deposits")}
    return {"hands": hands, "refused": refused, "settled": done.to_dict() | after}


def _random_rules(rng: Random) -> Ruleset:
    """Return a preset with many of its settlement options changed at random."""
    changes: dict[str, Any] = {}
    for section in SettlementOptions.model_fields:
        known = hints(SECTIONS[section])
        for option in fields(SECTIONS[section]):
            hint = known[option.name]
            values = (False, True) if hint is bool else ROUND_NUMBERS if hint is int else choices_of(hint)
            if values and rng.random() < CHANGED_OPTIONS:
                changes[f"{section}.{option.name}"] = rng.choice(values)
    changes.pop("match.players", None)
    changes["yaku.nagashi_mangan.closed"] = rng.choice((False, "mangan", "mangan", "yakuman"))
    changes["score.aotenjou"] = rng.random() < RARELY
    try:
        return load(rng.choice(preset_names())).with_changes(changes)
    except RulesError:
        return _random_rules(rng)


def hands_for_tests() -> list[dict[str, Any]]:
    """Return the server's payment table and settled games for each preset and some random rules."""
    results = []
    played = [(name, load(name), GAMES) for name in preset_names()]
    played += [
        (f"random rules {seed}", _random_rules(Random(seed)), GAMES_OF_RANDOM_RULES)  # noqa: S311
        for seed in range(RANDOM_RULES)
    ]
    for name, rules, count in played:
        rng = Random(name)  # noqa: S311
        games = [made for made in (game(rules, rng) for _ in range(count)) if made]
        results.append({"table": table_of_payments(rules) | {"rules": name}, "games": games})
    return results
