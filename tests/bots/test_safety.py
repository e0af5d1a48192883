"""Reasons why a tile is safe or dangerous, in positions made by hand and against the hands of whole games."""

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from jantaku import load
from jantaku.bots.review.safety import CERTAIN, Safety, SafetyCode, safety, threats
from jantaku.game import Discard, Game, Ron
from jantaku.game.engine import concealed, melds
from jantaku.game.view import RiverTile, View, furiten_of, waits_of
from jantaku.hand import Meld
from jantaku.rules import Ruleset
from jantaku.terms import LANGUAGES
from jantaku.tiles import Tile, counts, parse_tiles
from naive.readings import Group, readings
from support.playing import choose

ME, RIGHT, ACROSS, LEFT = range(4)
STANDARD, THREE = load("standard"), load("standard-3")
PON_WEST = Meld("pon", "333z", "3z", "right")


def river(text: str, riichi: int = -1, called: Iterable[int] = ()) -> tuple[RiverTile, ...]:
    """Return a river; ``riichi`` and ``called`` are indices of its tiles."""
    tiles = enumerate(parse_tiles(text))
    return tuple(RiverTile(tile, False, place == riichi, place in called) for place, tile in tiles)


def table(hand: str, *rivers: tuple[RiverTile, ...], seats: int = 4, **more: Any) -> View:
    """Return the view of seat 0, the dealer on its turn, in front of these rivers."""
    own, nobody = more.pop("melds", {}), (None,) * seats
    riichi = [any(tile.riichi for tile in tiles) for tiles in rivers]
    fields: dict[str, Any] = dict(
        dict.fromkeys(("drawn", "wareme", "furiten", "offered")),
        seat=ME,
        round="east",
        number=0,
        dealer=ME,
        honba=0,
        deposits=0,
        scores=(25_000,) * seats,
        indicators=tuple(parse_tiles("9p")),
        wall_left=40,
        turn=ME,
        hand=tuple(parse_tiles(hand)),
        melds=tuple(own.get(seat, ()) for seat in range(seats)),
        rivers=(*rivers, *[()] * (seats - len(rivers))),
        riichi=tuple("riichi" if is_in else None for is_in in riichi) + nobody[len(riichi) :],
        shown=nobody,
        waits=(),
        legal=(),
        dead=(False,) * seats,
        fouls=(),
        kita=(0,) * seats,
    )
    return View(**fields | more)


def safety_of(view: View, tile: str, opponent: int = RIGHT, rules: Ruleset = STANDARD) -> Safety:
    return next(one for one in safety(view, rules, opponent) if one.tile == Tile.parse(tile).kind)


SHOWN = (None, tuple(parse_tiles("67p22z")), None, None)  # waits for 5p and 8p
NAMED: dict[str, tuple[View, str, SafetyCode, str]] = {
    "own river": (table("4s5s", (), river("4s")), "4s", "genbutsu", ""),
    "red five in the river": (table("5s", (), river("0s")), "5s", "genbutsu", ""),
    "red five in hand": (table("0s", (), river("5s")), "5s", "genbutsu", ""),
    "called from its river": (
        table(
            "4s", (), river("4s", called=[0]), (), (), melds={LEFT: (Meld("pon", "444s", "4s", "across"),)}
        ),
        *("4s", "genbutsu", ""),
    ),
    "another river is no genbutsu": (table("4s", (), (), river("4s")), "4s", "live", ""),
    "discarded after riichi": (
        table("4s", river("1z1z"), river("9m9m", riichi=0), river("4s1z"), river("1z1z")),
        *("4s", "passed", ""),
    ),
    "discarded before riichi": (
        table("4s", river("1z1z1z"), river("9m9m1m", riichi=1), river("4s1z2z"), river("3z3z3z")),
        *("4s", "live", ""),
    ),
    "since its last turn": (
        table("4s", river("1z"), river("9m"), river("4s"), river("2z")),
        "4s",
        "passed_now",
        "",
    ),
    "before its last turn": (
        table("4s", river("4s1z"), river("9m9m"), river("1z1z"), river("2z2z")),
        *("4s", "live", ""),
    ),
    "on its own turn": (
        table("4s", river("1z"), river("9m"), river("4s"), river("2z"), turn=RIGHT),
        *("4s", "live", ""),
    ),
    "one by suji": (table("1s", (), river("4s")), "1s", "suji", "4s"),
    "two by suji": (table("2s", (), river("5s")), "2s", "suji", "5s"),
    "seven by suji": (table("7s", (), river("4s")), "7s", "suji", "4s"),
    "both sides of a four": (table("4s", (), river("17s")), "4s", "suji", "17s"),
    "both sides of a six": (table("6s", (), river("39s")), "6s", "suji", "39s"),
    "half suji": (table("5s", (), river("2s")), "5s", "live", ""),
    "suji of another suit": (table("1s", (), river("4p")), "1s", "live", ""),
    "suji by a tile passed since riichi": (
        table("1s", river("1z1z"), river("9m9m", riichi=0), river("4s1z"), river("1z1z")),
        *("1s", "suji", "4s"),
    ),
    "three copies are one chance": (table("9s888s"), "9s", "one_chance", "8s"),
    "four copies are no chance": (table("9s8888s"), "9s", "no_chance", "8s"),
    "a far wall": (table("9s7777s"), "9s", "no_chance", "7s"),
    "walls on one side only": (table("5s", river("6666s")), "5s", "live", ""),
    "walls on both sides": (table("5s4444s", river("6666s")), "5s", "no_chance", "46s"),
    "suji and a wall": (table("5s4444s", (), river("8s")), "5s", "suji_no_chance", "48s"),
    "one chance and suji": (table("5s444s", (), river("8s")), "5s", "one_chance", "4s"),
    "wall of meld and indicators": (
        table(
            "9s", melds={LEFT: (Meld("pon", "888s", "8s", "across"),)}, indicators=tuple(parse_tiles("8s"))
        ),
        *("9s", "no_chance", "8s"),
    ),
    "honour of which all is unseen": (table("2z"), "2z", "shonpai", ""),
    "a pair of an honour": (table("22z"), "2z", "shonpai", ""),
    "honour of which two are unseen": (table("2z", river("2z5m")), "2z", "unseen", ""),
    "the last copy of an honour": (table("2z", river("222z")), "2z", "kokushi_only", ""),
    "kokushi is impossible": (table("2z3333z", river("222z")), "2z", "no_copies_left", ""),
    "kokushi needs a closed hand": (
        table("2z", river("222z"), melds={RIGHT: (PON_WEST,)}),
        *("2z", "no_copies_left", ""),
    ),
    "the last copy behind a wall": (
        table("9s8888s", river("999s"), melds={RIGHT: (PON_WEST,)}),
        *("9s", "no_copies_left", ""),
    ),
    "a wait of the open riichi": (table("8p", shown=SHOWN), "8p", "open_wait", ""),
    "no wait of the open riichi": (table("6p", shown=SHOWN), "6p", "open_safe", ""),
    "the open riichi is furiten": (table("8p", (), river("5p"), shown=SHOWN), "8p", "open_safe", ""),
    "genbutsu before a shown wait": (table("8p", (), river("8p"), shown=SHOWN), "8p", "genbutsu", ""),
}


@pytest.mark.parametrize("case", NAMED, ids=str)
def test_codes(case: str) -> None:
    view, tile, code, tiles = NAMED[case]
    found = safety_of(view, tile)
    assert (found.code, found.tiles) == (code, tuple(parse_tiles(tiles)))
    assert found.certain == (code in CERTAIN)


def test_waits_that_remain() -> None:
    assert safety_of(table("1s", (), river("4s")), "1s").waits == ("shanpon", "tanki", "kokushi")
    assert safety_of(table("3s", (), river("6s")), "3s").waits == ("kanchan", "penchan", "shanpon", "tanki")
    assert safety_of(table("2z", river("22z")), "2z").waits == ("tanki", "kokushi")
    assert safety_of(table("5s", (), river("5s")), "5s").waits == ()


def test_three_players_have_no_runs_of_man() -> None:
    view = table("1m9s4z", (), river("4m", riichi=0), seats=3, kita=(0, 2, 1))
    assert safety_of(view, "1m", rules=THREE).code == "shonpai"
    assert safety_of(view, "1m", rules=THREE).waits == ("shanpon", "tanki")  # no north is left for kokushi
    assert safety_of(view, "9s", rules=THREE).code == "live"
    assert safety_of(view, "4z", rules=THREE).code == "kokushi_only"  # three norths are set aside


def test_passed_tiles_depend_on_the_rules() -> None:
    rivers = river("1z1z"), river("9m9m", riichi=0), river("4s1z"), river("1z1z")
    forgiving = STANDARD.with_changes({"furiten.riichi_permanent": False})
    assert safety_of(table("4s", *rivers), "4s").code == "passed"
    assert safety_of(table("4s", *rivers), "4s", rules=forgiving).code == "live"


def test_order_and_dora() -> None:
    view = table("19s5p1p2z", (), river("14s"), river("2z"))
    found = safety(view, STANDARD, RIGHT)
    assert [str(one.tile) for one in found] == ["1s", "2z", "1p", "9s", "5p"]
    assert [str(one.tile) for one in found if one.dora] == ["1p"]


def test_threats() -> None:
    chi = Meld("chi", "123s", "1s", "left")
    few, many = river("1m2m3m"), river("1m2m3m4m5m6m")
    assert threats(table("1s", (), river("1m", riichi=0))) == (RIGHT,)
    assert threats(table("1s", melds={LEFT: (chi, chi, chi)})) == (LEFT,)
    assert threats(table("1s", (), few, many, melds={RIGHT: (chi, chi), ACROSS: (chi, chi)})) == (ACROSS,)
    assert threats(table("1s", melds={LEFT: (Meld("ankan", "1111z"),) * 3})) == ()
    assert threats(table("1s", (), river("1m", riichi=0), dead=(False, True, False, False))) == ()


def test_an_ambiguous_order_is_not_certain() -> None:
    """Two seats called a 5p of seat 0; the order decides whether 1s came after the last turn of the left."""
    pon, chi = Meld("pon", "555p", "5p", "across"), Meld("chi", "456p", "5p", "left")
    rivers = river("55p", called=[0, 1]), river("1s"), river("9m"), river("2z")
    view = table("1s5p", *rivers, melds={RIGHT: (chi,), ACROSS: (pon,)}, turn=ACROSS)
    assert safety_of(view, "5p", LEFT).code == "passed_now"
    assert safety_of(view, "1s", LEFT).code == "live"


def test_an_honour_is_waited_for_only_as_its_copies_allow() -> None:
    open_hand = {RIGHT: (Meld("pon", "777z", "7z", "across"),)}
    one, two = (safety_of(table("2z", river(seen), melds=open_hand), "2z") for seen in ("22z", "2z"))
    assert [word in one.sentence("P", "en") for word in ("tanki", "shanpon", "kokushi")] == [
        True,
        False,
        False,
    ]
    assert [word in two.sentence("P", "en") for word in ("tanki", "shanpon")] == [True, True]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_words(language: Any) -> None:
    for view, tile, _, _ in NAMED.values():
        found = safety_of(view, tile)
        texts = found.label(language), found.sentence("P", language)
        assert all(text and "{" not in text and "(" + "는" not in text for text in texts)
    assert safety_of(table("1s", (), river("4s")), "1s").label("en") == "suji of 4s"


def check(game: Game, found: Iterable[Safety]) -> Iterable[str]:
    """Compare every claim with the opponents' real hands; yield the codes of tiles they wait for."""
    record = game.record
    for one in found:
        waits = waits_of(record, one.opponent)
        if one.tile not in waits or furiten_of(record, one.opponent):
            continue
        assert not one.certain, one
        yield one.code
        if one.code == "open_wait":
            continue
        held = counts(concealed(record, one.opponent))
        held[one.tile] += 1
        sets = [
            Group("run" if meld.type == "chi" else "triplet", meld.first, concealed=False)
            for meld in melds(record, one.opponent)
        ]
        for reading in readings(held, sets, one.tile, ron=True):
            form = "kokushi" if reading.form == "kokushi" else reading.wait
            assert form in one.waits, (one, reading)


RULES = {
    "four": (STANDARD, 4),
    "three": (THREE, 4),
    "open": (STANDARD.with_changes({"riichi.open": True}), 4),
    "forgiving": (
        STANDARD.with_changes(
            {"furiten.riichi_permanent": False, "furiten.temporary_until": "own_draw_or_call"}
        ),
        2,
    ),
    "face down": (STANDARD.with_changes({"calls.ankan_display": "all_down"}), 2),
}


@pytest.mark.parametrize("name", RULES)
def test_no_ron_refutes_a_reason(name: str) -> None:
    rules, games = RULES[name]
    codes: Counter[str] = Counter()
    for seed in range(games):
        rng, game = Random(seed), Game(rules, seed=seed)
        while not game.is_over:
            seat = rng.choice(game.to_act)
            action = choose(game, seat, rng)
            safe: set[int] = set()  # opponents from whom the discard is certainly safe
            if isinstance(action, Discard):
                view = game.view(seat)
                found = [one for other in game.seats if other != seat for one in safety(view, rules, other)]
                codes.update(check(game, found))
                safe = {one.opponent for one in found if one.certain and one.tile == action.tile.kind}
            game.play(seat, action)
            assert not any(Ron() in game.legal(other) for other in safe.intersection(game.to_act))
    assert {"live", "suji"} <= set(codes)
    assert ("open_wait" in codes) == (name == "open")
