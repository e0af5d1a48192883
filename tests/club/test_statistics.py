"""Statistics of small hand-written events: every figure, the hands it counts, and unrecorded data."""

from types import SimpleNamespace
from typing import Any

import pytest

from jantaku.club import event_figures, event_from
from jantaku.club.statistics import EventFigures, Figures
from jantaku.club.statistics.achievements import KINDS
from jantaku.club.statistics.sittings import Sitting
from jantaku.errors import RequestError

RULES = {"extends": "standard", "riichi": {"needs_points": False}}
PLAYERS = [{"id": name, "team": team} for name, team in (("a", "x"), ("b", "x"), ("c", "y"), ("d", ""))]
END = {"end": "ron", "from": 3, "wins": [{"seat": 2, "yakuman": 4}]}  # d goes bankrupt
Hand = dict[str, Any]


def figures(*games: list[Hand], rules: Any = RULES, players: Any = ("a", "b", "c", "d")) -> EventFigures:
    """Return the statistics of games between a, b, c and d, to each of which the hand ``END`` is added."""
    return event_figures(
        event_from(
            {
                "jantaku_event": 1,
                "rules": rules,
                "players": PLAYERS,
                "stages": [{"id": "s"}],
                "games": [
                    {"id": f"g{i}", "stage": "s", "players": list(players), "hands": [*hands, END]}
                    for i, hands in enumerate(games)
                ],
            }
        )
    )


def ron(seat: int, source: int, riichi: tuple[int, ...] = (), **win: Any) -> Hand:
    value = win if {"limit", "yakuman"} & win.keys() else {"han": 2, "fu": 30, **win}
    return {"end": "ron", "from": source, "riichi": list(riichi), "wins": [{"seat": seat, **value}]}


def where(figures: Figures, hands: tuple[int, ...]) -> list[tuple[str, int]]:
    """Return the game and the number of each of these hands."""
    return [(figures.hands[i].game, figures.hands[i].hand) for i in hands]


@pytest.mark.parametrize(
    ("hand", "counted"),
    [
        (ron(0, 1, (0,)), {"win", "riichi", "riichi_win", "win_after_riichi"}),
        (ron(0, 1, open=True), {"win", "open_win"}),
        (ron(0, 1, open=False), {"win", "silent_win"}),
        (ron(0, 1) | {"calls": [0, 2]}, {"win", "open_win", "call", "win_after_call"}),
        (ron(0, 1) | {"calls": []}, {"win", "silent_win"}),
        (ron(0, 1, fu=25), {"win"}),
        (ron(0, 1, yaku=["pinfu", "tanyao"]), {"win"}),
        (ron(0, 1, yaku=["tanyao"]), {"win"}),
        (ron(0, 1), {"win"}),
        (ron(1, 0, (0, 1)), {"riichi", "deal_in", "deal_in_to_riichi", "deal_in_after_riichi"}),
        (ron(1, 0, open=True), {"deal_in", "deal_in_to_open"}),
        (ron(1, 0) | {"calls": [0]}, {"call", "deal_in", "deal_in_to_silent", "deal_in_after_call"}),
        (ron(1, 2, (0,)), {"riichi"}),
        ({"end": "tsumo", "wins": [{"seat": 0, "han": 1, "fu": 30}]}, {"win", "tsumo"}),
        ({"end": "draw", "tenpai": [0, 2]}, {"draw", "tenpai_at_draw"}),
        ({"end": "draw", "tenpai": [1]}, {"draw"}),
        ({"end": "draw", "tenpai": [0], "fouls": [{"seat": 0, "foul": "too_many_tiles"}]}, {"draw"}),
        ({"end": "abort", "kind": "kyuushu_kyuuhai", "seat": 0}, set()),
        ({"end": "foul", "riichi": [0], "fouls": [{"seat": 0, "foul": "false_win_shown"}]}, set()),
    ],
)  # fmt: skip
def test_figures_that_count_a_hand(hand: Hand, counted: set[str]) -> None:
    player = figures([hand]).player("a")
    assert {name for name, rate in player.rates.items() if 0 in rate.hands} == counted
    assert all(rate.count == len(rate.hands) <= rate.known <= rate.cases for rate in player.rates.values())


def test_riichi_alone_does_not_make_all_known_wins_riichi() -> None:
    """Three of ten wins are in riichi, and one of the others was recorded as open."""
    hands = [*[ron(0, 1, (0,), han=1)] * 3, *[ron(0, 2, han=1)] * 6, ron(0, 3, han=1, open=True)]
    rates = figures(hands).player("a").rates
    counts = {
        name: (rate.count, rate.known, rate.cases) for name, rate in rates.items() if name.endswith("_win")
    }
    assert counts == {"riichi_win": (3, 10, 10), "open_win": (1, 1, 10), "silent_win": (0, 1, 10)}
    deal_in = figures([ron(1, 0, (1,)), ron(1, 0), ron(2, 0)]).player("a").rates
    assert [deal_in[f"deal_in_to_{kind}"].value for kind in ("riichi", "open", "silent")] == [
        1 / 3,
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("win", "known"),
    [
        (ron(0, 1, (0,)), 0),
        (ron(0, 1, (0,), yaku=["riichi", "pinfu"]), 1),  # known because the yaku were recorded
        (ron(0, 1, (0,)) | {"calls": []}, 1),
        (ron(0, 1, open=False), 1),
        (ron(0, 1, fu=25, yaku=["chiitoitsu"]), 0),  # if this counted, open wins would still be unknown
    ],
)
def test_whether_a_win_is_known_does_not_depend_on_its_kind(win: Hand, known: int) -> None:
    rates = figures([win]).player("a").rates
    assert rates["silent_win"].known == rates["open_win"].known == known
    assert rates["riichi_win"].known == 1


def test_a_hand_voided_by_chombo_counts_in_no_rate() -> None:
    foul = {"end": "foul", "riichi": [1], "fouls": [{"seat": 0, "foul": "false_win_shown"}]}
    totals = figures([foul])
    assert totals.player("a").brief.hands_played == 1
    assert [(bar.key, where(totals.player("a"), bar.hands)) for bar in totals.player("a").fouls] == [
        ("false_win_shown", [("g0", 0)])
    ]
    assert totals.player("b").rates["riichi"].count == 0
    assert totals.player("a").hands[0].delta == -12000


def test_a_multiple_ron_is_one_deal_in() -> None:
    double = ron(0, 1, (0,)) | {"wins": [{"seat": 0, "han": 2, "fu": 30}, {"seat": 2, "han": 1, "fu": 30}]}
    known = double | {"calls": [2]}
    both = figures([known]).player("b")
    assert [both.rates[f"deal_in_to_{state}"].count for state in ("riichi", "open", "silent")] == [1, 1, 0]
    assert (both.rates["deal_in"].count, both.average_deal_in.sum) == (1, 3900)
    partly = figures([double]).player("b").rates["deal_in_to_riichi"]
    assert (partly.count, partly.known, partly.cases) == (1, 1, 1)
    assert figures([double]).player("b").rates["deal_in_to_open"].known == 0
    nearest = figures(
        [known], rules=RULES | {"win": {"multiple_ron": "head_bump"}, "draw": {"sanchahou": False}}
    )
    assert [nearest.player(letter).rates["win"].count for letter in "ac"] == [0, 2]
    assert nearest.player("b").rates["deal_in_to_open"].count == 1


def test_wins_by_han_and_yaku() -> None:
    """Dora may be entered along with yaku but are not counted as yaku."""
    wins = [ron(2, 1, yaku=["tanyao", "ittsu", "dora", "kita"]), ron(2, 0, limit="haneman")]
    player = figures([*wins, ron(2, 0, han=3, yaku={"tanyao": 1, "honitsu": 2})]).player("c")
    assert [(bar.key, where(player, bar.hands)) for bar in player.han.bars] == [
        ("2", [("g0", 0)]), ("3", [("g0", 2)]), ("haneman", [("g0", 1)]), ("yakuman", [("g0", 3)]),
    ]  # fmt: skip
    assert (player.han.known, player.han.cases) == (3, 4)
    assert [(bar.key, len(bar.hands)) for bar in player.yaku.bars] == [
        ("tanyao", 2), ("honitsu", 1), ("ittsu", 1),
    ]  # fmt: skip
    assert (player.yaku.known, player.yaku.cases, player.brief.yaku) == (2, 4, 3)
    assert player.biggest_hand is not None
    assert (player.biggest_hand.hand, player.biggest_hand.yakuman, player.biggest_hand.points) == (
        3,
        4,
        192300,
    )


def test_a_shared_place_counts_as_fractions() -> None:
    rules = RULES | {"match": {"tie": "share"}}
    brief = figures([], rules=rules).players["a"]
    assert (brief.places, brief.average_place) == ((0.0, 0.5, 0.5, 0.0), 2.5)


def test_a_team_has_the_games_of_its_players() -> None:
    totals = figures([ron(0, 1), ron(1, 2)])
    team, alone = totals.team("x"), [totals.player(letter).brief for letter in "ab"]
    assert team.brief.games == 2
    assert team.brief.points == sum(player.points for player in alone)
    assert team.rates["win"].count == 2
    assert [(opponent.opponent, opponent.games) for opponent in team.opponents] == [("y", ("g0",))]
    assert list(totals.teams) == ["x", "y"]


def test_achievements_list_hands_games_and_all_tied_players() -> None:
    totals = figures([ron(0, 1), ron(1, 0)], [ron(0, 1)], [ron(2, 0)])
    kinds = {achievement.kind: achievement for achievement in totals.achievements}
    assert kinds["yakuman"].players == ("c",)
    assert [(hand.game, hand.hand) for hand in kinds["yakuman"].hands] == [("g0", 2), ("g1", 1), ("g2", 1)]
    assert (kinds["most_wins"].players, kinds["most_wins"].value) == (("c",), 4)
    assert kinds["firsts_in_a_row"].games == ("g0", "g1", "g2")
    assert "most_riichi" not in kinds
    assert kinds["fewest_deal_ins"].players == ("c",)
    tied = {
        achievement.kind: achievement
        for achievement in figures([{"end": "draw", "tenpai": [0, 1]}]).achievements
    }
    assert tied["most_tenpai"].players == ("a", "b")


@pytest.mark.parametrize(
    ("hand", "field"),
    [
        (ron(0, 1, (0,)) | {"calls": [2, 0]}, "calls[1]"),
        (ron(0, 1, (0,), open=True), "wins[0].open"),
        (ron(0, 1, open=True) | {"calls": []}, "wins[0].open"),
        (ron(0, 1, open=False) | {"calls": [0]}, "wins[0].open"),
    ],
)
def test_a_hand_cannot_be_both_open_and_closed(hand: Hand, field: str) -> None:
    with pytest.raises(RequestError) as refused:
        figures([hand])
    assert (refused.value.code, refused.value.details["field"]) == (
        "open_and_closed",
        f"games[0].hands[0].{field}",
    )


@pytest.mark.parametrize(("absent", "counts"), [((), True), ((0,), True), ((1,), False), ((0, 1), False)])
def test_a_comeback_belongs_to_the_player_of_the_last_hand(absent: tuple[int, ...], counts: bool) -> None:
    """The seat is last before the last hand and first after it; a bot plays it for an absent player."""
    hands = [SimpleNamespace(scores=(1000, 33_000, 33_000, 33_000)), SimpleNamespace(scores=())]
    game: Any = SimpleNamespace(
        id="g",
        players=("a", "b", "c", "d"),
        places=(1, 2, 3, 4),
        final=(0, 0, 0, 0),
        played=SimpleNamespace(hands=hands),
        absent=(frozenset(absent), frozenset(), frozenset(), frozenset()),
    )
    no_hands: Any = None
    assert bool(KINDS["comebacks"]([Sitting("a", game, 0)], no_hands)) == counts
