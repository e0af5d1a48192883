"""A plain calculation of a club's season: the points of hands, games, stages and the year.

It supports only the rules of the 2025 BGM event and shares only the fields of a hand
with the product.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

SEATS = range(4)
HANDS = 8  # East 1 to South 4
START = 30000
UMA = (20000, 10000, -10000, -20000)
STICK, HONBA, NOTEN, CHOMBO = 1000, 300, 3000, 3000
LIMITS = {"mangan": 2000, "haneman": 3000, "baiman": 4000, "sanbaiman": 6000}


def up(points: int) -> int:
    """Round up to hundreds."""
    return -(-points // 100) * 100


def base_of(win: dict[str, Any]) -> int:
    if "yakuman" in win:
        return int(8000 * win["yakuman"])
    if "limit" in win:
        return LIMITS[win["limit"]]
    han, fu = win["han"], win["fu"]
    for minimum, base in ((13, 8000), (11, 6000), (8, 4000), (6, 3000), (5, 2000)):
        if han >= minimum:
            return base
    return int(min(2000, fu * 2 ** (2 + han)))


def game_of(hands: Iterable[dict[str, Any]]) -> tuple[list[int], list[int]]:
    """Return the final points and the places of a finished game."""
    scores, number, honba, sticks = [START] * 4, 0, 0, 0
    for hand in hands:
        assert number < HANDS, "the game is over"
        dealer = number % 4
        if hand["end"] == "foul":
            for foul in hand["fouls"]:
                for seat in SEATS:
                    scores[seat] += -3 * CHOMBO if seat == foul["seat"] else CHOMBO
            continue
        for seat in hand["riichi"]:
            scores[seat] -= STICK
            sticks += 1
        if hand["end"] in ("ron", "tsumo"):
            pay(hand, scores, dealer, honba)
            nearest = min(hand["wins"], key=lambda win: (win["seat"] - hand.get("from", 0)) % 4)
            scores[nearest["seat"]] += sticks * STICK
            stays, sticks = any(win["seat"] == dealer for win in hand["wins"]), 0
        elif hand["end"] == "draw":
            share_noten(hand["tenpai"], scores)
            stays = dealer in hand["tenpai"]
        else:
            stays = True
        honba = honba + 1 if stays or hand["end"] not in ("ron", "tsumo") else 0
        number += not stays
    assert number == HANDS, "the game is not over"
    order = sorted(SEATS, key=lambda seat: (-scores[seat], seat))
    scores[order[0]] += sticks * STICK
    final = [scores[seat] - START + UMA[order.index(seat)] for seat in SEATS]
    return final, [order.index(seat) + 1 for seat in SEATS]


def pay(hand: dict[str, Any], scores: list[int], dealer: int, honba: int) -> None:
    """Move the points of the wins; the honba goes to the winner nearest to the discarder."""
    if hand["end"] == "tsumo":
        (win,) = hand["wins"]
        for seat in SEATS:
            if seat != win["seat"]:
                double = dealer in (seat, win["seat"])
                paid = up(base_of(win) * (2 if double else 1)) + HONBA // 3 * honba
                scores[seat] -= paid
                scores[win["seat"]] += paid
        return
    source = hand["from"]
    for i, win in enumerate(sorted(hand["wins"], key=lambda win: (win["seat"] - source) % 4)):
        paid = up(base_of(win) * (6 if win["seat"] == dealer else 4)) + (HONBA * honba if i == 0 else 0)
        scores[source] -= paid
        scores[win["seat"]] += paid


def share_noten(tenpai: list[int], scores: list[int]) -> None:
    if 0 < len(tenpai) < 4:
        for seat in SEATS:
            scores[seat] += NOTEN // len(tenpai) if seat in tenpai else -(NOTEN // (4 - len(tenpai)))


def half_away(points: Fraction) -> int:
    """Round to whole points, halves away from zero."""
    whole = int(abs(points) + Fraction(1, 2))
    return whole if points > 0 else -whole


def stage_of(
    data: dict[str, Any], stage: dict[str, Any], carried: dict[str, int]
) -> dict[str, tuple[bool, int]]:
    """Return whether each player qualifies, and their points; ``carried`` has all players of the stage."""
    finals: dict[str, list[int]] = {player: [] for player in carried}
    for game in sorted(data["games"], key=lambda game: str(game["at"])):
        if game["stage"] != stage["id"]:
            continue
        final, _ = game_of(game["hands"])
        for penalty in game.get("penalties", ()):
            final[penalty["seat"]] += penalty["points"]
        for seat, player in enumerate(game["players"]):
            if player in finals:
                finals[player].append(final[seat])
    sums = {}
    for player, games in finals.items():
        penalty = sum(
            penalty["points"]
            for penalty in data["penalties"]
            if (penalty["stage"], penalty["player"]) == (stage["id"], player)
        )
        counted = sum(games[: stage.get("max_games")])
        sums[player] = (len(games) >= stage.get("min_games", 0), counted + penalty + carried[player])
    return sums


def whole(points: Fraction) -> int:
    """Round a share to whole points, halves away from zero."""
    below = points // 1
    half = points - below == Fraction(1, 2)
    return int(below + (points > 0 if half else points - below > Fraction(1, 2)))


def year_of(parts: list[dict[str, Any]], min_games: int) -> dict[str, tuple[bool, int]]:
    """Return whether each player of a year qualifies, and their points.

    A part has ``points``, the ``share`` that counts, and the number of games of each player (``sat``).
    """
    year = {}
    for player in {player for part in parts for player in part["points"]}:
        games = sum(part["sat"].get(player, 0) for part in parts)
        if games:
            total = sum(whole(part["points"].get(player, 0) * Fraction(str(part["share"]))) for part in parts)
            year[player] = (games >= min_games, total)
    return year
