"""``why`` gives the right reason for every kind of action in every situation in which it is refused."""

from collections.abc import Mapping
from typing import Any

import pytest

from jantaku import terms
from jantaku.game import Action, Discard, Game, Pass
from jantaku.game.actions import parse
from jantaku.game.engine import wall_left
from jantaku.game.why import ACTION_NAMES, reason
from jantaku.kernels.engine.state import CLAIMS
from jantaku.rules import load
from support.options.three import PAIRS_AND_NORTH, THREE
from support.table import WINDS, Table

PENALISE = {"fouls.mode": "penalise"}
WAITS_3S = "123m456p789s99p24s"  # a kanchan without a yaku
TANYAO = "234m567m22p24s678s"
KOKUSHI = "19m19p19s1234566z"  # waits for 7z
RYANMEN = "345m456s678s22m23p"
PLAIN = {"indicators": "2p2p"}

# rules, hands (and other parts of the wall, such as rinshan), draws, commands, refused action, reason
Row = tuple[Mapping[str, Any], dict[str, str], str, str, str, str]
TENPAI_WITH_NORTHS = "123456p45678s44z"
ROBBED = {"S": PAIRS_AND_NORTH, "E": "4z"}
ROWS: list[Row] = [
    ({}, {}, "", "", "E kita", "kita_off"),
    (THREE, {"E": "123456p45678s55z"}, "1m", "", "E kita", "no_north"),
    (THREE, {"E": TENPAI_WITH_NORTHS}, "7z 1m 9m 1m", "E riichi 7z|S 1m|W 9m", "E kita", "kita_in_riichi"),
    ({**THREE, "kita.ron": "never"}, ROBBED, "5p", "E kita", "S ron", "kita_not_robbed"),
    ({**THREE, "kita.ron": "kokushi"}, ROBBED, "5p", "E kita", "S ron", "kita_by_kokushi"),
    ({**THREE, "kita.ron": "yakuman"}, ROBBED, "5p", "E kita", "S ron", "kita_by_yakuman"),
    ({**THREE, "kita.discard": False}, {"E": "4z"}, "5p", "", "E 4z", "north_kept"),
    (THREE, {"S": "23p"}, "1p", "E 1p", "S chi", "no_chi"),
    # tsumo
    ({}, {"E": WAITS_3S}, "7z", "", "E tsumo", "not_complete"),
    ({}, {"E": WAITS_3S}, "7z", "", "S tsumo", "not_your_turn"),
    ({}, {"S": "11z9m"}, "1z", "E 1z|S pon", "S tsumo", "after_call"),
    (
        PENALISE, {"S": TANYAO}, "7z 7z 8m 8m 8m 3s",
        "E 7z|S foul win_called|S 7z|W 8m|N 8m|E 8m", "S tsumo", "dead_hand",
    ),
    ({}, {"E": "147m258p369s1234z"}, "4z", "", "E tsumo", "not_complete"),
    ({"yaku.riichi.closed": False}, {"E": WAITS_3S}, "7z", "", "E riichi 7z", "riichi_off"),
    # ron
    ({}, {"S": WAITS_3S}, "7z", "", "S ron", "no_tile"),
    ({}, {"S": WAITS_3S}, "7z 7z 8m 8m 3s", "E 7z|S 7z|W 8m|N 8m|E 3s", "S ron", "no_yaku"),
    ({}, {"S": WAITS_3S}, "7z", "E 7z", "S ron", "not_complete"),
    ({}, {"S": RYANMEN}, "7z 1p 8m 8m 4p", "E 7z|S 1p|W 8m|N 8m|E 4p", "S ron", "furiten_discard"),
    (
        {}, {"S": RYANMEN}, "7z 7z 1p 8m 4p",
        "E 7z|S 7z|W 1p|S pass|N 8m|E 4p", "S ron", "furiten_temporary",
    ),
    (
        {}, {"S": RYANMEN}, "7z 7z 1p 8m 8m 9m 4p",
        "E 7z|S riichi 7z|W 1p|S pass|N 8m|E 8m|S 9m|W 4p", "S ron", "furiten_riichi",
    ),
    (PENALISE, {"S": TANYAO}, "7z 7z 3s", "E 7z|S foul win_called|S 7z|W 3s", "S ron", "dead_hand"),
    ({}, {"S": KOKUSHI, "E": "777z"}, "7z", "E ankan 7z", "S ron", "ankan_not_robbed"),
    (
        {"win.kokushi_on_ankan": True}, {"S": "123m456p789s55z24s", "E": "333s"}, "3s",
        "E ankan 3s", "S ron", "ankan_by_kokushi",
    ),
    # riichi
    ({}, {"E": WAITS_3S}, "7z", "E riichi 7z", "E riichi", "in_riichi"),
    ({}, {"E": WAITS_3S}, "7z", "", "S riichi", "not_your_turn"),
    ({}, {"E": "159m159p159s1234z"}, "7z", "", "E riichi", "not_tenpai"),
    ({}, {"S": "11z9m"}, "1z 8m 8m 8m 8m", "E 1z|S pon|S 9m|W 8m|N 8m|E 8m", "S riichi", "not_closed"),
    (
        PENALISE, {"S": WAITS_3S}, "7z 7z 8m 8m 8m 7z",
        "E 7z|S foul win_called|S 7z|W 8m|N 8m|E 8m", "S riichi", "dead_hand",
    ),
    ({"riichi.deposit": 26000}, {"E": WAITS_3S}, "7z", "", "E riichi", "points"),
    ({"riichi.draws_left": 17}, {"E": WAITS_3S}, "7z 7z 8m 8m 7z",
     "E 7z|S 7z|W 8m|N 8m", "E riichi", "few_tiles"),
    (
        {"riichi.furiten_allowed": False}, {"E": WAITS_3S}, "3s 7z 8m 8m 7z",
        "E 3s|S 7z|W 8m|N 8m", "E riichi", "riichi_furiten",
    ),
    (
        {"riichi.exhausted_wait": "refused"}, {"E": WAITS_3S}, "3s 3s 3s 3s 7z",
        "E 3s|S 3s|W 3s|N 3s|E pass", "E riichi", "exhausted_wait",
    ),
    ({}, {"E": "12m333m456p789s99p"}, "3m", "E ankan 3m", "E riichi", "wait_in_hand"),
    ({}, {"E": WAITS_3S}, "7z", "", "E riichi 1m", "breaks_tenpai"),
    ({}, {"E": WAITS_3S}, "7z", "", "E open 7z", "no_open_riichi"),
    (
        {"riichi.furiten_allowed": False}, {"E": "345m456s678s22m24p"}, "6p 8m 8m 8m 5p",
        "E 6p|S 8m|W 8m|N 8m", "E riichi 2p", "riichi_furiten_with",
    ),
    # discards
    ({}, {"E": WAITS_3S}, "7z", "", "S 7z", "not_your_turn"),
    ({}, {"E": WAITS_3S}, "7z", "", "E 1z", "not_held"),
    ({}, {"E": WAITS_3S}, "7z", "", "E 7z", "only_drawn"),
    ({}, {"E": WAITS_3S}, "7z", "", "E 1m*", "not_drawn"),
    (
        {}, {"E": WAITS_3S}, "7z 8m 8m 8m 7z", "E riichi 7z|S 8m|W 8m|N 8m", "E 1m", "discard_in_riichi",
    ),
    ({}, {"S": "111z9m"}, "1z", "E 1z|S pon", "S 1z", "kuikae"),
    ({}, {"S": "666z9m"}, "6z", "E 6z|S pon", "S 6z", "kuikae"),  # kinds beyond bit 32 of the mask of tiles
    # calls
    ({}, {"S": "46p"}, "7z", "E 7z", "S chi", "chi_honour"),
    ({}, {"W": "46p"}, "5p", "E 5p", "W chi", "chi_left"),
    ({}, {"S": "19m19p19s1234567z"}, "5p", "E 5p", "S chi", "chi_tiles"),
    ({}, {"S": "19m19p19s1234567z"}, "5p", "E 5p", "S pon", "same_tiles"),
    ({}, {"S": "55p19m19s1234567z"}, "5p", "E 5p", "S daiminkan", "same_tiles"),
    ({}, {"S": "55p19m19s1234567z"}, "5p", "E 5p|S pass", "S pon", "passed"),
    (PENALISE, {"S": "55p19m19s1234567z"}, "8m 9m 5p",
     "E 8m|S foul win_called|S 9m|W 5p", "S pon", "dead_hand"),
    ({}, {"S": WAITS_3S}, "7z 7z 9p", "E 7z|S riichi 7z|W 9p", "S pon", "in_riichi"),
    # kans and the rest
    ({}, {"E": WAITS_3S}, "7z", "", "E ankan", "ankan_tiles"),
    ({}, {"E": WAITS_3S}, "7z", "", "E kakan", "kakan_tiles"),
    (
        {"riichi.ankan": "never"}, {"E": "111m456p789s99p24s"}, "7z 8m 8m 8m 1m",
        "E riichi 7z|S 8m|W 8m|N 8m", "E ankan", "riichi_kan_never",
    ),
    ({}, {"E": WAITS_3S}, "7z", "", "E nine_terminals", "nine_kinds"),
    ({"draw.kyuushu_kyuuhai": False}, {"E": KOKUSHI}, "7z", "", "E nine_terminals", "nine_off"),
    ({}, {"E": KOKUSHI}, "5m 8m 8m 8m 5m", "E 5m|S 8m|W 8m|N 8m", "E nine_terminals", "nine_late"),
    ({}, {"E": WAITS_3S}, "7z", "", "E foul", "fouls_prevented"),
    ({}, {"E": WAITS_3S}, "7z", "", "E end_game", "no_decision"),
    ({}, {"E": WAITS_3S}, "7z", "", "E play_on", "no_decision"),
    ({}, {"E": WAITS_3S}, "7z", "", "E pass", "no_tile"),
    ({}, {"E": WAITS_3S}, "7z", "", "E riichi", "may"),
    (
        PENALISE, {"S": TANYAO}, "7z 7z 8m", "E 7z|S foul win_called|S 7z", "S foul", "no_foul",
    ),
    (
        {"riichi.exhausted_wait": "refused"}, {"E": "345m456s678s22m24p"}, "3p 3p 3p 3p 5p",
        "E 3p|S 3p|W 3p|N 3p|E pass", "E riichi 5p", "exhausted_wait_with",
    ),
    (
        {}, {"E": "12m333m456p789s99p", "rinshan": "1m"}, "3m",
        "E ankan 3m", "E riichi 1m", "wait_in_hand_with",
    ),
    (
        {}, {"S": "112233z23p44p159s"}, "1z 8m 8m 2z 8m 8m 3z 9m 9m 1p",
        "E 1z|S pon|S 1s|W 8m|N 8m|E 2z|S pon|S 5s|W 8m|N 8m|E 3z|S pon|S 9s|W 9m|N 9m|E 1p",
        "S chi", "kuikae_call",
    ),
    (
        {}, {"E": "111123m789s99p24s"}, "7z 8m 8m 8m 9m",
        "E riichi 7z|S 8m|W 8m|N 8m", "E ankan", "riichi_kan_drawn",
    ),
    (
        {}, {"E": "1113m456p789s222z"}, "7z 8m 8m 8m 1m",
        "E riichi 7z|S 8m|W 8m|N 8m", "E ankan", "riichi_kan_waits",
    ),
    (
        PENALISE, {"E": "1113m456p789s222z", "rinshan": "9p"}, "7z 8m 8m 8m 1m 3m",
        "E riichi 7z|S 8m|W 8m|N 8m|E ankan 1m|E 9p|S 3m", "E ron", "illegal_kan",
    ),
    (
        {}, {"E": "111122223333m5z", "S": "1111p", "rinshan": "4m4m4m6z"}, "4m 8s",
        "E ankan 1m|E ankan 2m|E ankan 3m|E ankan 4m|E 6z", "S ankan", "four_kans",
    ),
    (
        {},
        {"E": "111122223333m5z", "S": "1111p", "W": "345p567p345s22s88s", "rinshan": "5s7s6s8s"},
        "9s 9m", "E ankan 1m|E ankan 2m|E ankan 3m|E 9s|S ankan 1p|S 8s", "W pon", "ends_in_four_kans",
    ),
]  # fmt: skip


def parsed(text: str) -> Any:
    return text if text in ACTION_NAMES else parse(text)


def possible(game: Game, seat: int, text: str) -> list[Action]:
    return [action for action in [*game.legal(seat), *game.fouls(seat)] if str(action).strip("*") == text]


def do(game: Game, wind: str, text: str) -> None:
    """Play an action, with the drawn tile or another one; other seats that may claim a tile pass."""
    seat = WINDS.index(wind)
    matching = possible(game, seat, text)
    while not matching and game.record.phase == CLAIMS:
        game.play(game.to_act[0], Pass())
        matching = possible(game, seat, text)
    assert matching, (wind, text, [str(action) for action in game.legal(seat)])
    game.play(seat, matching[-1])


def wall_parts(hands: dict[str, str]) -> dict[str, str]:
    return PLAIN | {name: tiles for name, tiles in hands.items() if name not in WINDS}


def game_after(row: Row) -> Game:
    rules, hands, draws, commands, _, _ = row
    table = Table(rules, {wind: hands[wind] for wind in WINDS if wind in hands}, draws, **wall_parts(hands))
    wall = table.game.wall.tolist()[: int(table.game.tiles)]
    game = Game(table.rules, walls=[wall, wall])
    for step in filter(None, commands.split("|")):
        do(game, *step.split(" ", 1))
    return game


@pytest.mark.parametrize("row", ROWS, ids=[f"{row[4]}: {row[5]}" for row in ROWS])
def test_the_reason(row: Row) -> None:
    game = game_after(row)
    wind, attempt = row[4].split(" ", 1)
    while game.record.phase == CLAIMS and wind not in "".join(WINDS[seat] for seat in game.to_act):
        game.play(game.to_act[0], Pass())
    assert reason(game, WINDS.index(wind), parsed(attempt)).code == row[5]


def test_no_action_is_possible_before_the_dealer_decides_to_end_the_game() -> None:
    game = game_after(({"match.length": "east"}, {"E": TANYAO}, "7z", "", "", ""))
    game._engine.record.deciding = 1
    game._refresh()
    assert reason(game, 0, "riichi").code == "deciding"


def discard_drawn_tile(game: Game) -> None:
    """Play the next action: discard the drawn tile, or pass on a claim."""
    seat = game.to_act[0]
    drawn = [action for action in game.legal(seat) if isinstance(action, Discard) and action.drawn]
    game.play(seat, Pass() if game.record.phase == CLAIMS else drawn[0])


def test_the_last_tile_of_the_wall_allows_no_kan() -> None:
    game = game_after(({}, {"S": "1111m", "last": "7z"}, "", "", "", ""))
    while wall_left(game.record):
        discard_drawn_tile(game)
    assert game.to_act == [1]
    assert reason(game, 1, "ankan").code == "last_tile"


def test_the_two_han_minimum_applies_from_five_honba() -> None:
    rules, draws = {"win.two_han_from_honba": 5}, "7z 8m 8m 8m 9p"
    game = game_after((rules, {"E": "123m456p789s99p44s"}, draws, "E 7z|S 8m|W 8m|N 8m", "", ""))
    assert reason(game, 0, "tsumo").code == "may"
    game._engine.record.match.honba = 5
    game._refresh()
    assert reason(game, 0, "tsumo").code == "two_han_minimum"


def test_no_action_is_possible_after_the_game() -> None:
    game = Game(load("standard").with_changes({"match.length": "east"}), seed=3)
    while not game.is_over:
        discard_drawn_tile(game)
    assert {reason(game, seat, parsed(name)).code for seat in range(4) for name in ACTION_NAMES} == {
        "game_over"
    }


def test_every_reason_is_tested() -> None:
    """``unknown`` is given if no reason was found; no test may reach it."""
    elsewhere = {"unknown", "game_over", "deciding", "last_tile", "two_han_minimum"}  # tested above
    assert {row[5] for row in ROWS} == set(terms.table("game", "en")["why"]) - elsewhere
