"""Real games and every foul of the sources, entered through the recorder's requests."""

from pathlib import Path
from typing import Final

import pytest

from jantaku.club.as_entered import played_hands
from jantaku.records import rules_of
from jantaku.records.mjlog.game import game_of
from jantaku.records.mjlog.log import Drawn, LogWon, Settlement
from jantaku.records.mjlog.read import read_log
from jantaku.rules import load
from server.clubs import PaperClub, Table
from support.fouls import DRAW, ENDS_HAND, INVENTORY, SLIP, fouled, paid

A_FEW: Final = 2
LOGS, HANDS, OVER = 35, 349, 33


def told(path: Path) -> list[Settlement]:
    """What a log says of the points at the end of each hand; after a double ron its last win tells."""
    ends = [
        [step for step in hand.steps if isinstance(step, LogWon | Drawn)] for hand in read_log(path).hands
    ]
    return [steps[-1].settlement for steps in ends if steps]


def enter(club: PaperClub, path: Path) -> tuple[int, bool]:
    """Enter a log hand by hand; the points after each are those of the log.

    Returns how many hands it has, and whether its game ended.
    """
    log, settlements = read_log(path), told(path)
    assert rules_of(log) == load("tenhou")
    hands = played_hands(game_of(log))
    assert len(hands) == len(settlements)
    table = Table(club, path.stem.replace(".", "-")[-40:])
    for hand, end in zip(hands, settlements, strict=True):
        game = table.enter(hand)["game"]
        after = [before + change for before, change in zip(end.before, end.change, strict=True)]
        assert game["hands"][-1]["scores"] == after, (path.name, len(game["hands"]))
        assert game["over"] is (end.final is not None)
    if end.final is not None:
        scores, points = end.final
        assert (tuple(game["scores"]), tuple(game["final"])) == (scores, points)
    shown = table.view()
    assert [hand["scores"] for hand in shown["hands"]] == [hand["scores"] for hand in game["hands"]]
    assert shown["status"] == ("over" if end.final else "playing")
    return len(hands), end.final is not None


def logs(shared_data: Path) -> list[Path]:
    return sorted((shared_data / "tenhou-logs").glob("*.mjlog"))


@pytest.mark.slow
def test_games_of_tenhou_come_out_as_in_their_logs(url: str, shared_data: Path) -> None:
    club = PaperClub(url, rules="tenhou")
    for path in logs(shared_data)[-A_FEW:]:
        enter(club, path)


@pytest.mark.long
def test_all_games_of_tenhou_come_out_as_in_their_logs(url: str, shared_data: Path) -> None:
    """All 35 games: two of the logs break off, one of them in a hand that is then left out."""
    club = PaperClub(url, rules="tenhou")
    entered = [enter(club, path) for path in logs(shared_data)]
    counts = (len(entered), sum(hands for hands, _ in entered), sum(over for _, over in entered))
    assert counts == (LOGS, HANDS, OVER)


@pytest.mark.parametrize(("rules", "winners"), [("ema", [0, 2, 3]), ("wrc", [2]), ("tenhou", [])])
def test_a_hand_says_whose_wins_stand(url: str, rules: str, winners: list[int]) -> None:
    table = Table(PaperClub(url, rules=rules), f"triple-{rules}")
    wins = [{"seat": seat, "han": 1, "fu": 30} for seat in (0, 2, 3)]
    table.enter({"end": "ron", "from": 1, "wins": wins})
    assert table.view()["hands"][0]["winners"] == winners


@pytest.mark.parametrize("preset", list(INVENTORY))
@pytest.mark.slow
def test_every_foul_of_the_sources_is_offered_and_costs_what_they_say(url: str, preset: str) -> None:
    club = PaperClub(url, rules=preset)
    offered = club.organiser.get(f"{club.path}/payments")["fouls"]
    table = Table(club, f"fouls-{preset}")
    table.enter(DRAW)
    for foul, cost in INVENTORY[preset].items():
        assert offered[foul] == cost
        void = cost in ENDS_HAND
        ends = fouled(foul, cost, riichi=[0]) if void else fouled(foul, cost)
        hand = table.enter(ends, action="replace", place=0)["game"]["hands"][0]
        assert tuple(hand["deltas"]) == paid(preset, cost), foul
        # a chombo returns the sticks, and the hand is played again; else a noten dealer passes the deal on
        after = table.view()
        wanted = (0, 0, 0) if void else (1, 1, int(cost == SLIP))
        assert (after["number"], after["honba"], after["deposits"]) == wanted, foul
