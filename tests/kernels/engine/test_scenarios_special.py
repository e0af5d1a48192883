"""Special cases in games: wins without a wait, waits with no tile left, and forms of a yaku."""

from typing import Any

import pytest

from support.table import Table

PUUTAA = "147m258p369s123z4z"  # with 4z: one pair, and no two tiles that could form a set
PLAIN = {"indicators": "6z6z6z6z", "ura": ""}
SHIISAN = {"yaku.shiisan_puutaa.closed": "baiman"}


# Shiisan puutaa (inventory 379) --------------------------------------------------------------------------


def test_unconnected_tiles_win_on_the_first_draw() -> None:
    table = Table("bgm-2025", {"E": PUUTAA}, "4z", **PLAIN)
    assert "tsumo" in table.legal("E")
    table.play("E tsumo").expect(ended="won", winners="E", delta=(24000, -8000, -8000, -8000), honba=1)


def test_a_child_wins_with_unconnected_tiles() -> None:
    table = Table("bgm-2025", {"S": PUUTAA}, "7z 4z", **PLAIN).play("-")
    table.play("S tsumo").expect(winners="S", delta=(-8000, 16000, -4000, -4000))


def test_unconnected_tiles_need_the_option() -> None:
    """Menzen tsumo alone does not make the hand a win."""
    assert "tsumo" not in Table("standard", {"E": PUUTAA}, "4z", **PLAIN).legal("E")


@pytest.mark.parametrize(
    ("hands", "draws", "before"),
    [
        ({"S": PUUTAA}, "7z 7z 8m 8m 8m 4z", ["-"] * 5),  # South's second draw is too late
        (
            {"S": "147m258p369s234z5z", "N": "11z9m"},
            "1z 8m 4z",
            ["E discard 1z", "N pon", "N discard 9m", "-"],
        ),
        ({"S": "147m258p369s234z5z", "E": "1111z"}, "8m 4z", ["E ankan 1z", "-"]),
    ],
)
def test_unconnected_tiles_win_only_on_the_untouched_first_draw(
    hands: dict[str, str], draws: str, before: list[str]
) -> None:
    table = Table(SHIISAN, hands, draws, **PLAIN).play(*before)
    assert table.facts()["turn"] == "S"
    assert "tsumo" not in table.legal("S")


@pytest.mark.parametrize("tile", ["2m", "3m", "1m"])
def test_connected_tiles_do_not_win(tile: str) -> None:
    """A 2m or 3m is within two ranks of a tile of 147m; a second pair is not allowed."""
    hand = PUUTAA if tile != "1m" else "147m258p369s1233z"
    assert "tsumo" not in Table(SHIISAN, {"E": hand}, tile, **PLAIN).legal("E")


def test_unconnected_tiles_do_not_win_by_ron() -> None:
    rules = SHIISAN | {"yaku.renhou.closed": "mangan"}
    assert "ron" not in Table(rules, {"S": PUUTAA}, "4z").play("E discard 4z").legal("S")


# Suukantsu by the fourth kan (inventory 362) -------------------------------------------------------------


def four_kans(rules: dict[str, Any], rinshan: str) -> Table:
    hands = {"S": "111m222p333s444z9p"}
    table = Table(rules, hands, "7z 1m 7z", rinshan=rinshan, **PLAIN).play("-")
    return table.play("S ankan 1m", "S ankan 2p", "S ankan 3s")


@pytest.mark.parametrize(("by_kan", "wins"), [(True, True), (False, False)])
@pytest.mark.parametrize("last", ["5m", "9p"])
def test_the_fourth_kan_may_complete_suukantsu(by_kan: bool, wins: bool, last: str) -> None:
    """With the option, any replacement tile wins; without it, the tile must complete the pair."""
    rules = {"win.suukantsu_by_kan": by_kan}
    table = four_kans(rules, f"2p3s4z{last}").play("S ankan 4z")
    assert ("tsumo" in table.legal("S")) is (wins or last == "9p")
    if "tsumo" in table.legal("S"):
        table.play("S tsumo")
        assert table.facts()["delta"][1] >= 64000  # suukantsu and suuankou


@pytest.mark.parametrize(("last", "yakuman"), [("5m", 2), ("9p", 3)])
def test_four_closed_kans_are_suuankou_too(last: str, yakuman: int) -> None:
    """Inventory d30. A replacement tile that completes the pair is an ordinary win on a tanki wait."""
    table = four_kans({"win.suukantsu_by_kan": True}, f"2p3s4z{last}").play("S ankan 4z", "S tsumo")
    assert table.facts()["delta"][1] == 32000 * yakuman


def test_four_kans_with_an_open_one_are_not_suuankou() -> None:
    hands, rules = {"S": "111m222p333s444z9p"}, {"win.suukantsu_by_kan": True}
    table = Table(rules, hands, "4z 8m 8m 1m", rinshan="2p3s5m6m", **PLAIN).play("E discard 4z", "S kan")
    table.play("S ankan 2p", "S ankan 3s", "S discard 5m", "-", "-", "E discard 1m", "S kan")
    assert table.play("S tsumo").facts()["delta"][1] == 32000


def test_the_third_kan_completes_nothing() -> None:
    assert "tsumo" not in four_kans({"win.suukantsu_by_kan": True}, "2p3s4z5m").legal("S")


def test_four_kans_win_only_on_their_replacement_tile() -> None:
    table = four_kans({"win.suukantsu_by_kan": True}, "2p3s4z5m").play("S ankan 4z", "S discard 5m")
    table.play("-", "-", "-")
    assert "tsumo" not in table.legal("S")


# Riichi on a wait with no tile left (inventory 127) ------------------------------------------------------

LAST_3S = {"E": "123m456p789s99p24s"}  # waits for 3s alone
ALL_3S = {"indicators": "3s6z6z6z6z"}


def exhausted(rules: dict[str, Any], seen: int = 4) -> Table:
    """Let East wait for 3s, of which ``seen`` tiles are visible: an indicator and three discards."""
    draws = ["7z", *["3s"] * (seen - 1), *["8m"] * (4 - seen), "7z"]
    table = Table(rules, LAST_3S, " ".join(draws), **ALL_3S)
    return table.play("-", *["-"] * 3)


PENALISE = {"fouls.mode": "penalise"}


@pytest.mark.parametrize(
    ("rule", "legal", "foul"),
    [("allowed", True, False), ("refused", False, False), ("foul", False, True)],
)
def test_riichi_on_a_wait_with_no_tile_left(rule: str, legal: bool, foul: bool) -> None:
    rules = {"riichi.exhausted_wait": rule}
    table = exhausted(rules | PENALISE)
    assert ("riichi 7z" in table.legal("E")) is legal
    assert ("riichi 7z" in table.fouls("E")) is foul
    prevented = exhausted(rules)
    assert ("riichi 7z" in prevented.legal("E")) is legal
    assert prevented.fouls("E") == set()


def test_riichi_on_an_exhausted_wait_may_be_a_foul() -> None:
    rules = PENALISE | {"riichi.exhausted_wait": "foul"}
    table = exhausted(rules).play("E riichi 7z")
    table.expect(fouls={"E": "exhausted_riichi"}, dead="E", deposits=1)
    chombo = exhausted(rules | {"fouls.exhausted_riichi": "chombo"}).play("E riichi 7z")
    chombo.expect(ended="voided", offenders="E")


@pytest.mark.parametrize("rule", ["refused", "foul"])
def test_one_unseen_tile_is_enough_for_riichi(rule: str) -> None:
    table = exhausted(PENALISE | {"riichi.exhausted_wait": rule}, seen=3)
    assert "riichi 7z" in table.legal("E")
    assert "riichi 7z" not in table.fouls("E")


@pytest.mark.parametrize(("display", "legal"), [("outer_down", False), ("all_down", True)])
def test_a_face_down_concealed_kan_is_unseen(display: str, legal: bool) -> None:
    rules = {"riichi.exhausted_wait": "refused", "calls.ankan_display": display}
    hands = LAST_3S | {"S": "333s"}
    table = Table(rules, hands, "7z 3s 7z 7z 8m", rinshan="8m", **PLAIN).play(
        "-", "S ankan 3s", "-", "-", "-"
    )
    assert ("riichi 8m" in table.legal("E")) is legal


@pytest.mark.parametrize("rule", ["allowed", "refused", "foul"])
def test_a_wait_entirely_in_the_players_own_kan_is_not_tenpai(rule: str) -> None:
    """12m waits for 3m, but all four are in the kan, so riichi is illegal and the hand is noten at a draw."""
    hands = {"E": "12m333m456p789s99p"}
    rules = {"riichi.exhausted_wait": rule}
    table = Table(rules, hands, "3m", rinshan="7z", **PLAIN).play("E ankan 3m")
    assert not any("riichi" in word for word in table.legal("E"))
    table.play("E discard 7z").to_the_end()
    assert "E" not in table.facts()["tenpai"]


def test_riichi_waiting_for_tiles_of_the_players_own_kan_is_noten_riichi() -> None:
    hands = {"E": "12m333m456p789s99p"}
    rules = PENALISE | {"draw.nagashi_mangan": "off"}
    table = Table(rules, hands, "3m", rinshan="7z", **PLAIN).play("E ankan 3m")
    assert "riichi 7z" in table.fouls("E")
    table.play("E riichi 7z").to_the_end().expect(ended="voided", offenders="E", fouls={"E": "noten_riichi"})


# Furiten and yaku that count only without it (inventory 367) ---------------------------------------------


@pytest.mark.parametrize(
    ("only", "discards", "delta"),
    [
        ("none", "1z", 96000),
        ("not_furiten", "1z", 48000),
        ("not_furiten", "5m", 96000),
    ],
)
def test_thirteen_sided_kokushi_in_furiten(only: str, discards: str, delta: int) -> None:
    """East has a thirteen-sided wait for kokushi musou and a terminal or honour in its river."""
    rules = {"yaku.kokushi_juusanmen.only": only, "yaku.tenhou.closed": False}
    hand = {"E": "19m19p19s1234567z"}
    table = Table(rules, hand, f"{discards} 8m 8m 8m 9m", indicators="2p2p")
    table.play(f"E discard {discards}", "-", "-", "-", "E tsumo").expect(delta=(delta, *[-delta // 3] * 3))


# Forms whose custom yaku does not count (inventory d34) -----------------------------------------------------


@pytest.mark.parametrize(
    ("name", "hand", "last", "points"),
    [
        ("chiitoitsu", "1133557799m224p", "4p", 4800),
        ("kokushi_musou", "19m19p19s1234567z", "7z", 5800),
    ],
)
def test_a_form_without_its_yaku_stays_complete_and_tenpai(
    name: str, hand: str, last: str, points: int
) -> None:
    rules = {f"yaku.{name}.closed": False, "yaku.kokushi_juusanmen.closed": False}

    def after(*commands: str) -> Table:
        return Table(rules, {"E": hand}, f"8s {last}", indicators="2p2p", ura="7m").play(*commands)

    won = after("E riichi 8s", f"S discard {last}", "E ron")
    won.expect(winners="E", delta=(points + 1000, -points, 0, 0))  # double riichi and ippatsu
    assert "E" in after("E discard 8s").to_the_end().facts()["tenpai"]
    assert "ron" not in after("E discard 8s", f"S discard {last}").legal("E")
