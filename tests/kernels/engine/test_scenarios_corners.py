"""Interactions between two rules: kans and riichi, furiten and riichi, the first and the last tile."""

import pytest

from support.table import Table

KANCHAN_3S = "123m456p789s99p24s"  # waits for 3s alone, no yaku, 40 fu by ron
NO_DORA = {"indicators": "6z6z6z", "ura": "2z2z2z"}
ONCE = {"riichi.double": False}

# Four kans by one player bar every other kan (inventory 107–109) -----------------------------------------

FOUR = {"rinshan": "4m4m4m6z", "indicators": "7z7z7z2z2z"}
KANS = ("E ankan 1m", "E ankan 2m", "E ankan 3m", "E ankan 4m", "E discard 6z")


def test_no_open_kan_after_one_players_four() -> None:
    hands = {"E": "111122223333m5z", "S": "111p"}
    table = Table(hands=hands, draws="4m 8s 1p", **FOUR).play(*KANS, "S discard 8s", "W discard 1p")
    assert table.legal("S") == {"pon", "pass"}


def test_no_added_kan_after_one_players_four() -> None:
    hands = {"E": "1p111122223333m", "S": "11p9s"}
    table = Table(hands=hands, draws="5z 8s 8s 4m 1p", **FOUR).play("E discard 1p", "S pon", "S discard 9s")
    table.play("-", "-", *KANS).expect(turn="S", left=61)
    assert {word.split()[0] for word in table.legal("S")} == {"discard"}


# Kuikae (inventory 85–88) --------------------------------------------------------------------------------

RUNS = [(first, place) for first in range(1, 8) for place in range(3)]


@pytest.mark.parametrize(("first", "place"), RUNS)
def test_kuikae_after_every_run(first: int, place: int) -> None:
    """Kuikae bars the called kind and, if it is an end of the run, the kind beyond the other end."""
    run = [first, first + 1, first + 2]
    called = run.pop(place)
    other = {0: first + 3, 1: 0, 2: first - 1}[place]
    held = sorted({*run, called, *(rank for rank in (first - 1, first + 3) if 1 <= rank <= 9)})
    table = Table(hands={"S": "".join(map(str, held)) + "p1234z"}, draws=f"{called}p")
    table.play(f"E discard {called}p", f"S chi {run[0]}{run[1]}p")
    left = {rank for rank in held if rank not in run}
    free = {rank for rank in left if f"discard {rank}p" in table.legal("S")}
    assert left - free == left & {called, other}


def test_kuikae_bars_a_red_tile_of_the_called_kind() -> None:
    table = Table(hands={"S": "550p"}, draws="5p").play("E discard 5p", "S pon")
    assert not {"discard 0p", "discard 5p"} & table.legal("S")


# Riichi (inventory 111, 129, 134, 143–144, 163) ----------------------------------------------------------


@pytest.mark.parametrize("riichi", [True, False])
def test_no_open_kan_in_riichi(riichi: bool) -> None:
    """West discards a wind of which East has three; East may call it only without riichi."""
    table = Table(hands={"E": "123m456p111z99p24s"}, draws="7z 8m 1z")
    table.play("E riichi 7z" if riichi else "E discard 7z", "-", "W discard 1z")
    assert table.legal("E") == (set() if riichi else {"pon", "kan", "pass"})


def test_furiten_riichi_wins_only_by_tsumo() -> None:
    """East waits for 1s and 4s and has discarded a 4s."""
    table = Table(hands={"E": "123m456p789s11z23s"}, draws="4s 9m 9m 8p 7z 1s 9m 9m 1s")
    table.play("E discard 4s", "-", "-", "-", "E riichi 7z", "S discard 1s")
    assert table.legal("E") == set()
    table.play("-", "-")
    assert "tsumo" in table.legal("E")


@pytest.mark.parametrize(("broken", "each"), [(True, 3900), (False, 4000)])
def test_a_concealed_kan_in_riichi_and_ippatsu(broken: bool, each: int) -> None:
    """Riichi, menzen tsumo and rinshan kaihou with 60 fu; also ippatsu, unless a closed kan ends it."""
    rules = ONCE | {"riichi.ippatsu_broken_by_ankan": broken}
    table = Table(rules, {"E": "444z456p789s99p24s"}, "7z 8m 8m 8m 4z", rinshan="3s", **NO_DORA)
    table.play("E riichi 7z", "-", "-", "-", "E ankan 4z", "E tsumo")
    table.expect(delta=(3 * each + 1000, -each, -each, -each))


def test_a_robbed_kan_does_not_end_ippatsu() -> None:
    """The hand has riichi, ippatsu and chankan, because a robbed kan counts as not made."""
    table = Table(ONCE, {"W": KANCHAN_3S, "S": "33s9m"}, "3s 7z 8m 8m 3s", **NO_DORA)
    table.play("E discard 3s", "S pon", "S discard 9m", "W riichi 7z", "-", "-", "S kakan 3s", "W ron")
    table.expect(winners="W", delta=(0, -5200, 6200, 0))


@pytest.mark.parametrize("riichi", [True, False])
def test_not_robbing_a_kan_is_a_passed_win(riichi: bool) -> None:
    """West waits for 1p and 4p and passes on the added 4p: furiten until its draw, permanently in riichi."""
    hands = {"W": "23p567s222m33m777z", "S": "44p9m"}
    table = Table(hands=hands, draws="4p 9s 9s 9s 4p 9m 1p", rinshan="8s", **NO_DORA).play("E discard 4p")
    table.play("W pass", "S pon", "S discard 9m", "W riichi 9s" if riichi else "W discard 9s", "-", "-")
    table.play("S kakan 4p", "W pass").expect(furiten="W")
    table.play("S discard 8s", "W discard 9m", "N discard 1p")
    assert ("ron" in table.legal("W")) is not riichi


# First and last tiles (inventory 283–285, 302, 374–376) --------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "win", "yakuman"),
    [("1122m3344p5566s7z", "7z", 1), ("119m19p19s123456z", "7z", 2), (KANCHAN_3S, "3s", 1)],
)
def test_tenhou_of_every_form(hand: str, win: str, yakuman: int) -> None:
    table = Table(hands={"E": hand}, draws=win).play("E tsumo")
    table.expect(delta=(48000 * yakuman, *[-16000 * yakuman] * 3))


AFTER_ANKAN = {"rinshan": "9m", "indicators": "6z6z6z"}


def test_a_concealed_kan_before_the_win_rules_out_chiihou() -> None:
    table = Table(hands={"E": "222z", "S": KANCHAN_3S}, draws="2z 3s", **AFTER_ANKAN)
    table.play("E ankan 2z", "E discard 9m", "S tsumo").expect(delta=(-500, 1100, -300, -300))


def test_a_concealed_kan_before_the_win_rules_out_renhou() -> None:
    rules = {"yaku.renhou.closed": "mangan"}
    table = Table(rules, {"E": "222z3s", "W": KANCHAN_3S}, "2z", **AFTER_ANKAN)
    table.play("E ankan 2z", "E discard 3s")
    assert table.legal("W") == set()


LAST_KAN = {"E": "111m456p789s99p24s", "N": "234m567p789s11p24s", "W": "333s"}


def last_kan() -> Table:
    """Let East declare a kan with the last tile but one, so its replacement is the last tile."""
    table = Table(hands=LAST_KAN, last="5z1m", rinshan="3s", **NO_DORA).until(left=1)
    return table.play("E ankan 1m")


def test_a_replacement_tile_is_not_haitei() -> None:
    """The hand has only rinshan kaihou and menzen tsumo, with 60 fu."""
    last_kan().play("E tsumo").expect(delta=(6000, -2000, -2000, -2000))


def test_the_discard_after_the_last_kan_is_houtei() -> None:
    last_kan().play("E discard", "N ron").expect(delta=(-1300, 0, 0, 1300))
