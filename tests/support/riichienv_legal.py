"""The legal actions of games of three, beside those that riichienv finds when it follows the same log."""

from collections import Counter
from typing import Any, Final

from jantaku.game import Action, Discard, Game, Kan, Pon
from jantaku.game.actions import Kita, NineTerminals, Pass, Ron, Tsumo
from jantaku.records.mjai import MjaiEncoder
from jantaku.tiles import to_mjai as tile_name
from support.playing import played
from support.riichienv_three import RULES

WORDS: Final[dict[type[Any], str]] = {
    Tsumo: "TSUMO", Ron: "RON", Pass: "PASS", Kita: "KITA", NineTerminals: "KYUSHU_KYUHAI", Pon: "PON",
}  # fmt: skip


def decisions(peer: Any, rules: str, seed: int) -> Counter[str]:
    """How many decisions of a game were compared, and the differences by what each side has alone."""
    source, found = played(rules, seed), Counter[str]()
    env = peer.RiichiEnv("3p-red-half", rule=getattr(peer.GameRule, RULES[rules])(), seed=1)
    env.reset()
    game, encoder, told = Game(source.rules, walls=source.walls), MjaiEncoder(None), 0
    for _, seat, action in source.moves:
        for message in [one for event in game.events[told:] for one in encoder.encode(event)]:
            kita = message["type"] == "nukidora"
            env.apply_event(message | {"type": "kita"} if kita else message)
        told = len(game.events)
        for asked in game.to_act:
            ours = {_ours(one) for one in game.legal(asked)}
            theirs = {_theirs(peer, one) for one in env.get_observations([asked])[asked].legal_actions()}
            found["decisions"] += 1
            if ours != theirs:
                found[f"ours {sorted(ours - theirs)}, its {sorted(theirs - ours)}"] += 1
        game.play(seat, action)
    return found


def _ours(action: Action) -> str:
    if isinstance(action, Discard):  # it declares riichi first, and then chooses the tile
        return "RIICHI" if action.riichi else f"DISCARD {tile_name(action.tile)}"
    if isinstance(action, Kan):
        return "DAIMINKAN" if action.kind == "daiminkan" else f"{action.kind.upper()} {_plain(action.tile)}"
    return WORDS[type(action)]


def _theirs(peer: Any, action: Any) -> str:
    word = str(action.action_type).rsplit(".", 1)[-1].upper()
    if word == "DISCARD":
        return f"DISCARD {peer.convert.tid_to_mjai(action.tile)}"
    if word in ("ANKAN", "KAKAN"):
        tile = action.consume_tiles[0] if word == "ANKAN" else action.tile
        return f"{word} {peer.convert.tid_to_mjai(tile).removesuffix('r')}"
    return word


def _plain(tile: int) -> str:
    return tile_name(tile).removesuffix("r")
