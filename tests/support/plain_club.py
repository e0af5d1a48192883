"""Games of a few simple hands, whose points are added up independently of the code under test."""

from collections.abc import Sequence
from random import Random
from typing import Any, Final

SEATS: Final = range(4)
HANDS: Final = 6  # too few hands for anyone to lose 25,000 points with these wins, so no game ends early
RON: Final = {1: (1500, 1000), 2: (2900, 2000)}  # by han, at 30 fu: wins of the dealer and of others
STICKS: Final = 3  # riichi is declared only in this many hands at the start of a game


def plain_hand(rng: Random, place: int) -> dict[str, Any]:
    """Return a hand for a position in a game: a ron of 30 fu or a draw, sometimes with a riichi early on."""
    riichi = [rng.randrange(4)] if place < STICKS and rng.random() < 0.5 else []
    if rng.random() < 0.3:
        tenpai = {*riichi, *(seat for seat in SEATS if rng.random() < 0.4)}
        return {"riichi": riichi, "end": "draw", "tenpai": sorted(tenpai)}
    winner, loser = rng.sample(SEATS, 2)
    win = {"seat": winner, "han": rng.choice((1, 2)), "fu": 30}
    return {"riichi": riichi, "end": "ron", "from": loser, "wins": [win]}


def plain_scores(hands: Sequence[dict[str, Any]]) -> list[int]:
    """Return the points after the hands, from 25,000 each.

    A honba is worth 300, a stick 1,000, and the noten players at a draw pay 3,000 in total.
    """
    scores, number, honba, pot = [25000] * 4, 0, 0, 0
    for hand in hands:
        dealer = number % 4
        for seat in hand["riichi"]:
            scores[seat] -= 1000
            pot += 1000
        if hand["end"] == "ron":
            win = hand["wins"][0]
            points = RON[win["han"]][win["seat"] != dealer] + 300 * honba
            scores[win["seat"]] += points + pot
            scores[hand["from"]] -= points
            pot, stays = 0, win["seat"] == dealer
            honba = honba + 1 if stays else 0
        else:
            tenpai = hand["tenpai"]
            if 0 < len(tenpai) < 4:
                for seat in SEATS:
                    scores[seat] += 3000 // len(tenpai) if seat in tenpai else -3000 // (4 - len(tenpai))
            stays, honba = dealer in tenpai, honba + 1
        number += not stays
    return scores
