"""Every example of the five rule texts behaves as its text states, or is refused if it is impossible.

The examples are stored outside the repository (``seed-examples.json``); there is one check per kind.
"""

import json
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

import jantaku
from conftest import SHARED
from jantaku import Hand, Meld, NotationError
from jantaku.adjudication.analysis import (
    is_furiten,
    riichi_ankan_allowed,
    shanten,
    wait_form,
    waits,
)
from jantaku.hand import WIND_NAMES
from jantaku.tiles import Tile, format_tiles, next_kind, parse_tiles
from support.scoring import answer, full
from support.seed_numbers import NUMBERS

Entry = dict[str, Any]
FILE = SHARED / "seed-examples.json"
ENTRIES: list[Entry] = json.loads(FILE.read_text("utf-8"))["examples"] if FILE.is_file() else []
STANDARD, BGM = jantaku.load("standard"), jantaku.load("bgm-2025")
OURS = {
    "sanshoku": "sanshoku_doujun", "yakuhai_round": "round_wind", "yakuhai_seat": "seat_wind",
    "yakuhai_5z": "yakuhai_haku", "yakuhai_6z": "yakuhai_hatsu", "yakuhai_7z": "yakuhai_chun",
    "suuankou_tanki": "suuankou",
}  # fmt: skip
MELDS = {"kan_unspecified": "daiminkan", "minkan": "daiminkan"}


def ours(names: list[str]) -> set[str]:
    return {OURS.get(name, name) for name in names}


def melds_of(entry: Entry) -> list[dict[str, str]]:
    return [
        {
            "type": MELDS.get(meld["type"], meld["type"]),
            "tiles": meld["tiles"].replace("5555s", "0555s"),  # here one of the four tiles is red
        }
        for meld in entry.get("melds", [])
    ]


def waited(text: str, melds: list[dict[str, str]] | None = None) -> list[int]:
    hand = Hand.parse(text, [Meld.parse(meld["type"], meld["tiles"]) for meld in melds or []])
    return [int(wait.tile) for wait in waits(hand)]


def kinds(names: list[str]) -> list[int]:
    return sorted(Tile.parse(name) for name in names)


def wind(tile: str) -> str:
    return WIND_NAMES[int(tile[0]) - 1]


def won(entry: Entry, claim: Entry) -> dict[str, Any]:
    """Return the request for a claimed win; South wins in the East round unless the text states otherwise."""
    return full(
        {
            "hand": entry["hand"], "melds": melds_of(entry), "win": claim["win_tile"],
            "by": claim["win_type"], "round": wind(claim.get("round_wind", "1z")),
            "seat": wind(claim.get("seat_wind", "2z")),
        }
    )  # fmt: skip


def check_claim(entry: Entry, claim: Entry) -> None:
    reply = answer(won(entry, claim), STANDARD)
    if not claim["yaku_found"]:
        assert reply == {"error": {"code": "no_yaku"}}
        return
    scored = set(reply["yaku"])
    assert scored >= ours(claim.get("claimed_yaku", []))
    assert not scored & ours(claim.get("claimed_absent", []))
    assert scored == ours(claim["yaku_found"])
    if claim.get("claimed_exact") is not None and claim["verified"]:
        assert scored == ours(claim["claimed_exact"])
    assert (reply["yakuman"] > 0) == (claim["yakuman"] > 0)
    if not reply["yakuman"]:
        assert (reply["han"], reply["fu"]) == (claim["han"], claim["fu"])
        if claim["ron_points"]:
            dealer = claim.get("seat_wind") == "1z"
            assert reply["points"] == claim["ron_points"]["dealer" if dealer else "non_dealer"]


def tenpai_hand(entry: Entry) -> None:
    if entry["id"] in MISPRINTED:
        code, right = MISPRINTED[entry["id"]], entry["repair"]
        with pytest.raises(NotationError) as refused:
            waited(entry["hand"], melds_of(entry))
        assert refused.value.code == code
        entry = entry | right
    assert waited(entry["hand"], melds_of(entry)) == kinds(entry["waits_computed"])
    for claim in entry["claims"]:
        if isinstance(claim, str):  # such as "nine-sided wait = double yakuman"
            check_double_on_every_wait(entry)
        else:
            check_claim(entry, claim)
    if entry["id"] == "000-tenpai-honours":
        assert all(claim["yakuman"] >= 2 for claim in entry["claims"])


# Hands that are impossible as printed, and their errors (inventory d4); the examples are corrected
MISPRINTED = {
    "004-sanshoku-2": "thirteen_tiles_wanted",
    "004-daisuushii": "fifth_copy",
    "004-shousuushii": "fifth_copy",
}


def check_double_on_every_wait(entry: Entry) -> None:
    for tile in entry["waits_computed"]:
        request = full({"hand": entry["hand"], "win": tile, "by": "tsumo"})
        assert answer(request, STANDARD)["yakuman"] == 2


def dora_indicator(entry: Entry) -> None:
    assert format_tiles([next_kind(Tile.parse(entry["indicator"]))]) == entry["dora"]


def dora_stack(entry: Entry) -> None:
    if entry["id"] == "000-dora-stacked":
        request = {"hand": "45m456789p11789s", "win": "3m", "riichi": "riichi"}
        reply = answer(full(request | {"dora": " ".join(entry["indicators"])}), STANDARD)
        assert reply["yaku"]["dora"] == entry["dora_per_tile"]["3m"]
        return
    melds = [{"type": "ankan", "tiles": "0555s"}]
    quad = {"hand": "123m99m456p78p", "melds": melds, "win": "9p", "riichi": "riichi"}
    reply = answer(full(quad | {"dora": "4s 4s", "ura": "4s"}), STANDARD)
    assert {"red_dora": 1, "dora": 8, "ura_dora": 4}.items() <= reply["yaku"].items()
    assert (reply["han"], reply["limit"]) == (14, "kazoe_yakuman")  # 13 han from dora, plus riichi


FILLER = ("222z", "444z", "777z", "111z")  # sets that do not combine with other tiles


def completes(tiles: str) -> bool:
    """Return whether the tiles complete a hand together with filler sets and, if needed, a pair."""
    number = len(parse_tiles(tiles))
    filler = "".join(FILLER[: 4 - number // 3]) + ("33z" if number % 3 == 0 else "")
    return shanten(Hand.parse(tiles + filler)) == -1


def set_valid(entry: Entry) -> None:
    tiles = entry["tiles"].replace(" ", "")
    if "quad" in entry["claims"][0]:
        assert Meld.parse("ankan", tiles).tiles == tuple(parse_tiles(tiles))
        return
    assert completes(tiles)
    meld = {"run": "chi", "triplet": "pon"}.get(entry["claims"][0].split()[-1])
    if meld:
        assert Meld.parse(meld, tiles).tiles == tuple(parse_tiles(tiles))


def set_invalid(entry: Entry) -> None:
    tiles = entry["tiles"].replace(" ", "")
    assert not completes(tiles)
    if "run" in entry["claims"][0]:
        with pytest.raises(NotationError, match="not a run"):
            Meld.parse("chi", tiles)


def set_other_ruleset(entry: Entry) -> None:
    assert shanten(Hand.parse(entry["tiles"].replace(" ", "") + "111z22z")) > -1
    for run in ("147m", "258p", "369s"):
        with pytest.raises(NotationError, match="not a run"):
            Meld.parse("chi", run)


def complete_shape(entry: Entry) -> None:
    assert shanten(Hand.parse(entry["hand"])) == -1
    reply = answer(full({"hand": "11345m22789p111z", "win": "1m"}), STANDARD)
    assert set(reply["yaku"]) == {"round_wind"}


def meld_display(entry: Entry) -> None:
    (meld,) = entry["melds"]
    tiles = meld["tiles"].replace("*double", "*").replace("back", "").replace("*", "").split()
    if meld["type"] == "ankan_mcr":
        rules = STANDARD.with_changes({"calls.ankan_display": "all_down"})
        assert rules.calls.ankan_display == "all_down"
        return
    if meld["type"] == "concealed_triplet":  # not a meld, so its tiles are part of the hand
        assert completes("".join(tiles))
        return
    kind = MELDS.get(meld["type"], meld["type"])
    size = 3 if kind in ("chi", "pon") else 4
    tiles += tiles[:1] * (size - len(tiles))  # the text omits tiles that lie face down or on top of others
    called = tiles[meld["rotated_index"][0]] if meld["rotated_index"] else None
    read = Meld.parse(kind, "".join(tiles), called, meld["called_from"])
    assert (read.source, read.is_open) == (meld["called_from"], kind != "ankan")
    if called:
        turn = {"left": 0, "across": 1, "right": -1}[meld["called_from"]]
        assert meld["rotated_index"] == [turn % len(meld["tiles"].split())]


def wait_fragment(entry: Entry) -> None:
    text = entry["hand"].replace("?", "m")
    hand = Hand.parse(text + entry.get("filler", "111z222z333z44z"))
    assert [int(wait.tile) for wait in waits(hand)] == kinds(entry["waits_computed"])
    form = entry["claims"][0].split(":")[0].replace("sanmenchan", "3_sided")
    assert wait_form(hand) == ("ryanmen" if "waits" in form else form)


def open_riichi_reveal(entry: Entry) -> None:
    text = entry["hand"] + entry["filler"]
    assert waited(text) == kinds(entry["waits_computed"])
    for tile in entry["waits_computed"]:
        reply = answer(full({"hand": text, "win": tile, "riichi": "open"}), BGM)
        assert reply["yaku"]["open_riichi"] == 2


def furiten(entry: Entry) -> None:
    hand = Hand.parse(entry["hand"])
    assert waited(entry["hand"]) == kinds(entry["waits_computed"])
    first, second = entry["waits_computed"]
    passed = entry["id"] == "000-furiten-temporary"
    seen = [Tile.parse(first)]
    assert is_furiten(hand, [] if passed else seen, seen if passed else [])
    assert not is_furiten(hand, [Tile.parse("9s")] if passed else [Tile.parse("9m")])
    for tile in (first, second):
        request = full({"hand": entry["hand"], "win": tile, "furiten": True})
        assert answer(request, STANDARD) == {"error": {"code": "furiten"}}
        assert "points" in answer(request | {"by": "tsumo", "from": None}, STANDARD)


def ankan_during_riichi(entry: Entry) -> None:
    hand = Hand.parse(entry["hand"])
    assert waited(entry["hand"]) == kinds(entry["waits_computed"])
    for row in entry["kan_checks"]:
        drawn = Tile.parse(row["kan_tile"])
        allowed = row["source_says"] == "allowed"
        assert riichi_ankan_allowed(hand, drawn, "same_structure") == allowed
        assert riichi_ankan_allowed(hand, drawn, "same_waits") == row["same_wait_tiles"]


def bgm_yaku(hand: str, win: str, **more: object) -> set[str]:
    return set(answer(full({"hand": hand, "win": win, **more}), BGM)["yaku"])


def complete_hand(entry: Entry) -> None:
    name = entry["id"].removeprefix("002-")
    if name == "pinfu":  # printed with fifteen tiles (b4)
        with pytest.raises(NotationError):
            Hand.parse("1234567m234p6799s5s")
        right = entry["repair"]["chosen"]
        assert bgm_yaku(right["hand"], right["winning_tile"]) == {"pinfu"}
    elif name == "chanta":
        for option in entry["suit_options"]:
            scored = bgm_yaku(f"123789m123{option['suit']}1166z", "1z")
            assert scored == ours(option["yaku"])
    elif name == "junchan":
        hands = [f"123789m123{a}999{b}1{c}" for a, b, c in product("mps", repeat=3)]
        wins = [f"1{hand[-1]}" for hand in hands]
        junchan = ["junchan" in bgm_yaku(*both) for both in zip(hands, wins, strict=True)]
        assert sum(junchan) == entry["suit_assignments_legal"] == 27
    elif name == "tsubamegaeshi":
        tiles = entry["hand"]
        assert "tsubame_gaeshi" in bgm_yaku(tiles[:-2] + "z", "2z", riichi_tile=True)
        alone = full({"hand": tiles[:-2] + "z", "win": "2z", "riichi_tile": True, "round": "west"})
        assert answer(alone, BGM)["yaku"] == {"tsubame_gaeshi": 1}
    else:
        assert name == "uumensai"
        for option in entry["suit_options"]:
            a, b = option["suits"]
            holds = "uumensai" in bgm_yaku(f"123m234{a}555{b}6662z", "2z", riichi="riichi")
            assert holds == option["holds"]


def definition_only(entry: Entry) -> None:
    if entry["id"] == "002-sanshoku-tsuukan":
        made = entry["constructed_test"]
        assert bgm_yaku(made["hand"], made["winning_tile"]) == set(made["yaku_found"])
        return
    assert waited(entry["hand"]) == kinds(entry["waits_computed"])
    replies = [answer(full({"hand": entry["hand"], "win": t}), BGM) for t in entry["waits_computed"]]
    if entry["id"] == "002-daichisei":
        assert replies[0]["yaku"] == {"tsuuiisou": 13, "daichisei": 13}
    else:
        assert {"shousharin": 13} in [reply["yaku"] for reply in replies]


def numeric_statement(entry: Entry) -> None:
    assert NUMBERS[entry["id"]]()


CHECKS: dict[str, Callable[[Entry], None]] = {
    check.__name__: check
    for check in (
        tenpai_hand, numeric_statement, set_valid, set_invalid, set_other_ruleset, meld_display,
        dora_indicator, dora_stack, wait_fragment, complete_hand, definition_only, furiten,
        ankan_during_riichi, complete_shape, open_riichi_reveal,
    )
}  # fmt: skip


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry["id"] for entry in ENTRIES])
def test_example(entry: Entry) -> None:
    CHECKS[entry["kind"]](entry)
