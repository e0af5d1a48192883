"""How a stored game begins: from its seed, or from the walls of a log from which it goes on."""

import json
from itertools import islice

import pytest

from jantaku.bots import bot
from jantaku.errors import RecordError
from jantaku.game import Game, Standing
from jantaku.game.events import DoraTurned, Drew, Event
from jantaku.game.fair_walls import shuffled, tile_set
from jantaku.records import formats
from jantaku.records.script import wall_as_seen
from jantaku.server.archive import routes
from jantaku.server.errors import ServerError
from jantaku.server.storage.games import Beginning, beginning_of

SEED = bytes(range(32))


def played(rules: str, moves: int = 10_000, seed: int = 3) -> Game:
    """A game of efficient bots."""
    game, player = Game(rules, seed=seed), bot("efficient", 3)
    while not game.is_over and len(game.moves) < moves:
        seat = game.to_act[0]
        game.play(seat, player.choose(game, seat))
    return game


def test_a_game_without_a_log_stores_its_seed_only() -> None:
    assert Beginning(SEED).opening is None
    assert beginning_of(SEED, None).game(Game("standard").rules) == Game("standard", SEED)


def test_what_is_stored_gives_the_same_walls_again() -> None:
    standing = Standing(2, 1, 0, (24000, 26000, 25000, 25000))
    rules = Game("standard").rules
    begun = Beginning(SEED, (tuple(shuffled(tile_set(rules), SEED, 7)),), standing)
    again = beginning_of(SEED, begun.opening)
    assert again == begun
    game = again.game(rules)
    assert (tuple(game.walls[0]), game.standing, game.seed) == (*begun.walls, standing, None)
    # the walls of later hands come from the seed, for the game before its first action too
    for started in (game.anew(), game.anew(), game):
        assert next(started._walls) == shuffled(tile_set(rules), SEED, 1)


def test_what_a_later_version_stores_is_refused() -> None:
    with pytest.raises(RecordError):
        beginning_of(SEED, json.dumps({"version": 2, "walls": [], "standing": None}))


@pytest.mark.slow
@pytest.mark.parametrize("form", ["mjai", "tenhou", "mjlog"])
@pytest.mark.parametrize("rules", ["tenhou", "tenhou-3"])
def test_only_tiles_that_a_log_does_not_show_are_shuffled(rules: str, form: str) -> None:
    log = formats.parse_record(formats.dumps(played(rules), form).encode()).game
    tiles, draws = tile_set(log.rules), 0
    for hand in range(len(log.walls)):
        walls = [wall_as_seen(log, hand, bytes([n]) * 32) for n in (1, 2)]
        assert [sorted(wall) for wall in walls] == [sorted(tiles)] * 2
        assert walls[0] != walls[1]
        draws += sum(a == b for a, b in zip(*walls, strict=True))
    shown = sum(isinstance(event, Drew | DoraTurned) for event in log.events)
    assert draws >= shown
    walls = [wall_as_seen(log, hand, SEED) for hand in range(len(log.walls))]
    again = Beginning(SEED, tuple(map(tuple, walls)), log.standing).game(log.rules)
    for _, seat, action in log.moves:
        again.play(seat, action)
    assert _told(again) == _told(log)


def _told(game: Game) -> list[Event]:
    return list(islice(game.events, 1, game.moves[-1][0]))


def test_a_log_of_too_many_hands_is_not_played_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its walls would be stored; those of a seed need no room."""
    game = Game("standard", seed=1)
    seat = game.to_act[0]
    game.play(seat, game.legal(seat)[-1])
    log = Game(game.rules, walls=game.walls)
    log.play(seat, game.moves[0][2])
    assert len(routes.beginning_at(log, 0).walls) == 1
    monkeypatch.setattr(routes, "MOST_HANDS", 0)
    with pytest.raises(ServerError) as caught:
        routes.beginning_at(log, 0)
    assert caught.value.code == "what_if_long"
    assert routes.beginning_at(game, 0) == Beginning(game.seed or b"")


def test_tiles_that_nobody_saw_are_shuffled_among_themselves() -> None:
    """Not the whole set with the seen ones left out: what is left of a kind would come too early."""
    game = Game("standard", seed=1)
    wall = wall_as_seen(game, 0, SEED)
    assert Game(game.rules, walls=[wall]).events[1:] == game.events[1:]  # the deal, a draw and the indicator
    rest = tile_set(game.rules)
    for tile in [*wall[:53], wall[131]]:
        rest.remove(tile)
    assert [*wall[53:131], *wall[132:]] == shuffled(rest, SEED, 0)
