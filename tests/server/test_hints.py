"""Hints: the value of a discard with and without riichi, and the best one."""

from collections.abc import Iterator
from typing import Any

import pytest

from jantaku.bots import bot
from jantaku.game import Discard, Game
from jantaku.game.view import riichi_of
from jantaku.rules import load
from jantaku.server.play.hints import hints
from jantaku.tiles import RED, Tile, parse_tiles
from server.parlour import Person

RULES = load("standard").with_changes({"riichi.open": True, "match.length": "east"})


@pytest.mark.parametrize("options", [{}, {"rated": True}, {"hints": False}])
def test_hints_and_reasons_need_a_table_with_hints(person: Person, options: dict[str, bool]) -> None:
    _, line = person.start(options=options)
    assert line.ask(type="why", what="ron")["text"]
    hint = line.ask(type="hints")
    assert hint["code"] == "no_hints" if options else hint["discards"]


def declared(seed: int, kind: str) -> Iterator[tuple[dict[str, Any], Game, int]]:
    """Let bots declare riichi whenever they can.

    For each riichi, yield the hint before it, the game after it, and the seat.
    """
    game, player = Game(RULES, seed), bot("efficient")
    while not game.is_over:
        seat = game.to_act[0]
        ways = [way for way in game.legal(seat) if isinstance(way, Discard) and way.riichi == kind]
        if not ways:
            game.play(seat, player.choose(game, seat))
            continue
        rows = hints(game, seat, "en")["discards"]
        row = next(row for row in rows if Tile.parse(row["tile"]) % RED == ways[0].tile % RED)
        game.play(seat, ways[0])
        yield row, game, seat


@pytest.mark.parametrize("kind", ["riichi", "open"])
def test_hints_for_a_riichi_discard_include_the_riichi_value(kind: str) -> None:
    gained, seen = 0, 0
    for hint, game, seat in declared(5, kind):
        if riichi_of(game.record, seat) is None:  # the discard was won by ron, which ended the hand
            continue
        promised = hint["riichi"][kind]
        assert promised == hints(game, seat, "en")["waits"]
        gained += any(wait["ron"] is None for wait in hint["waits"])
        assert all(way["ron"] for way in promised)
        seen += 1
    assert seen > gained > 0


def test_hints_say_why_a_discard_is_safe() -> None:
    """Against an opponent in riichi, every discard has a reason, and its own discards are genbutsu."""
    _, game, seat = next(declared(5, "riichi"))
    player = bot("efficient")
    while game.to_act[0] == seat or not isinstance(game.legal(game.to_act[0])[0], Discard):
        game.play(game.to_act[0], player.choose(game, game.to_act[0]))
    rows = {row["tile"]: row["safety"] for row in hints(game, game.to_act[0], "en")["discards"]}
    river = {str(tile.tile) for tile in game.view(seat).rivers[seat]}
    assert all(rows.values())
    assert all("genbutsu" in rows[tile] for tile in river & set(rows))


def test_hints_contain_acceptance_and_the_best_discard() -> None:
    game, player = Game(RULES, 8), bot("strong", 0)
    weighed = 0
    while len(game.played) < 120:
        seat = game.to_act[0]
        chosen = player.choose(game, seat)
        rows = hints(game, seat, "en")["discards"]
        for row in rows:
            accepted = parse_tiles(row["accepts"])
            assert bool(accepted) == (row["tiles"] > 0)
            assert len(accepted) <= row["tiles"] <= 4 * len(accepted)
        best = {Tile.parse(row["tile"]) % RED for row in rows if row["best"]}
        if isinstance(chosen, Discard) and best:
            assert chosen.tile % RED in best
            weighed += len(best) < len(rows)
        game.play(seat, chosen)
    assert weighed > 20


def test_hints_include_wareme_where_it_is_known() -> None:
    """A game with wareme is compared with the same game without it.

    The hint for a ron knows only whether the winner has wareme; for a tsumo, wareme of any player counts.
    """
    seen = set[bool]()
    for seed in range(3):
        plain, doubled = (Game(RULES.with_changes({"score.wareme": way}), seed) for way in ("off", "hand"))
        player = bot("efficient")
        while len(plain.walls) == 1 and not plain.is_over:
            seat = plain.to_act[0]
            mine = doubled.view(seat).wareme == seat
            pairs = zip(*(hints(game, seat, "en")["waits"] for game in (plain, doubled)), strict=True)
            for usual, more in pairs:
                if usual["ron"] and usual["tsumo"]:
                    assert more["ron"] == usual["ron"] * (2 if mine else 1)
                    assert (more["tsumo"] == 2 * usual["tsumo"]) is mine
                    assert more["tsumo"] > usual["tsumo"]
                    seen.add(mine)
            action = player.choose(plain, seat)
            for game in (plain, doubled):
                game.play(seat, action)
    assert len(seen) == 2
