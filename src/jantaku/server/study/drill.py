"""Practice hands: wins from bot games under given rules."""

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from jantaku.adjudication.requests import FLAGS
from jantaku.adjudication.score import Score
from jantaku.bots import bot
from jantaku.game import Game
from jantaku.game.codecs import meld_to_dict
from jantaku.game.events import Won
from jantaku.rules import Ruleset
from jantaku.tiles import format_tiles
from jantaku.win import Win

MOST_PASSED: Final = 4  # wins to skip, so that hands come from any round
MOST_GAMES: Final = 50


def drill(rules: Ruleset, seed: int) -> dict[str, Any]:
    """A win as a JSON-lines request; the same seed gives the same win."""
    chance = Random(seed)  # noqa: S311  (repeatable, nothing secret)
    passed, last = chance.randrange(MOST_PASSED), None
    for number in range(MOST_GAMES):
        for win in _wins(rules, seed * MOST_GAMES + number):
            last = win
            if passed == 0:
                return request_of(win)
            passed -= 1
        if last is not None:
            break
    return request_of(last or Win.parse("234m567p34567s99p 8s"))


def _wins(rules: Ruleset, seed: int) -> Iterator[Win]:
    """The wins of a bot game, in order."""
    game, player = Game(rules, seed), bot("efficient", seed)
    while not game.is_over:
        seat = game.to_act[0]
        action = player.choose(game, seat)
        for event in game.play(seat, action):
            if isinstance(event, Won) and isinstance(event.score, Score):
                yield event.score.win


def request_of(win: Win) -> dict[str, Any]:
    """A win as a JSON-lines request; fields with default values are omitted."""
    request: dict[str, Any] = {
        "hand": format_tiles(win.hand.tiles),
        "win": format_tiles([win.tile]),
        "by": "tsumo" if win.tsumo else "ron",
        "round": win.round,
        "seat": win.seat,
        "dora": format_tiles(win.dora, sort=False),
    }
    usual = {
        "melds": [meld_to_dict(meld) for meld in win.hand.melds],
        "from": win.source,
        "riichi": win.riichi,
        "ura": format_tiles(win.ura, sort=False),
        "honba": win.honba,
        "deposits": win.deposits,
        "laid": win.laid,
        "dealer_streak": win.dealer_streak,
        "kita": win.kita,
        "wareme": win.wareme,
        "pao": dict(win.pao),
        **{name: getattr(win, name) for name in FLAGS},
    }
    if win.discarded is not None:
        usual["discarded"] = format_tiles(win.discarded, sort=False)
    said = {name: getattr(win, name) for name in ("turn", "score") if getattr(win, name) is not None}
    return request | {name: value for name, value in usual.items() if value} | said
