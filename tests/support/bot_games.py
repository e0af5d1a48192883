"""Write ``tests/data/bot-*.{jsonl,tsv}``; run ``cd tests && python -m support.bot_games`` when rules change.

The bot ``standard`` plays whole games under every preset. The hands come from the views of the players; the
oracle alone computes the values of the wins and the shanten of the hands.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jantaku.adjudication.score import Score
from jantaku.bots import bot
from jantaku.game import Game
from jantaku.game.events import Won
from jantaku.hand import Hand, Meld
from jantaku.tiles import RED, format_tiles
from jantaku.win import Win
from naive import shanten as naive
from naive.make_wins import BRIEF, DEFAULTS, rows, write
from support.presets import FOUR

DATA = Path(__file__).parents[1] / "data"
GAMES, HANDS, BETWEEN = 16, 2_500, 7  # games per preset, hands in total, decisions between two hands
FLAGS = (
    "ippatsu", "last_tile", "rinshan", "chankan", "first_turn", "riichi_tile", "discarder_riichi",
    "furiten", "final_hand",
)  # fmt: skip


def _meld(meld: Meld) -> dict[str, Any]:
    said = {"type": str(meld.type), "tiles": format_tiles(meld.tiles)}
    return (
        said if meld.called is None else said | {"called": format_tiles([meld.called]), "from": meld.source}
    )


def request_of(win: Win, name: str, rules: str) -> dict[str, Any]:
    """Return the win as a request without default fields."""
    said: dict[str, Any] = {
        "id": name, "rules": rules, "hand": format_tiles(win.hand.tiles), "win": format_tiles([win.tile]),
        "by": "tsumo" if win.tsumo else "ron", "from": win.source, "round": win.round, "seat": win.seat,
        "riichi": win.riichi, "dora": format_tiles(win.dora), "ura": format_tiles(win.ura),
        "honba": win.honba, "deposits": win.deposits, "laid": win.laid, "dealer_streak": win.dealer_streak,
        "kita": win.kita, "wareme": win.wareme,
        "pao": dict(win.pao or {}), **{flag: getattr(win, flag) for flag in FLAGS},
        "melds": [_meld(meld) for meld in win.hand.melds],
    }  # fmt: skip
    return {key: value for key, value in said.items() if key in DEFAULTS or value or key == "from"}


def played() -> Iterator[tuple[str, Game, list[Hand]]]:
    """Yield games by ``standard`` under each preset, with some hands before a discard."""
    player = bot("standard")
    for rules in FOUR:
        for seed in range(GAMES):
            game, hands = Game(rules, seed=seed), list[Hand]()
            while not game.is_over:
                seat = game.to_act[0]
                view = game.view(seat)
                tiles = [*view.hand, *([] if view.drawn is None else [view.drawn])]
                if len(tiles) % 3 == 2 and len(game.played) % BETWEEN == 0:
                    hands.append(Hand(tuple(tiles), view.melds[seat]))
                game.play(seat, player.choose(game, seat))
            yield rules, game, hands


def main() -> None:
    """Play the games, let the oracle score the wins, and write the files."""
    requests, seen = list[dict[str, Any]](), dict[tuple[int, ...], list[Hand]]()
    for rules, game, hands in played():
        scores = [event.score for event in game.events if isinstance(event, Won)]
        wins = [score.win for score in scores if isinstance(score, Score)]
        requests += [
            DEFAULTS | request_of(win, f"{rules}-{len(requests) + i}", rules) for i, win in enumerate(wins)
        ]
        for hand in hands:
            kinds = tuple(sorted(tile % RED for tile in hand.tiles))
            seen.setdefault(kinds, []).append(hand)
    write("bot-wins.jsonl", brief(rows(requests[::2])))
    lines = [
        "# Hands of bot games: the tiles, the number of melds, and how far from tenpai the oracle finds them."
    ]
    lines.append("hand\tmelds\tstandard\tchiitoitsu\tkokushi")
    for kinds, (hand, *_) in list(seen.items())[:HANDS]:
        counts, melds = [kinds.count(kind) for kind in range(RED)], len(hand.melds)
        whole = [naive.chiitoitsu(counts), naive.kokushi(counts)] if not melds else ["", ""]
        row = [format_tiles(hand.tiles), melds, naive.standard(counts, melds), *whole]
        lines.append("\t".join(map(str, row)))
    (DATA / "bot-hands.tsv").write_text("\n".join(lines) + "\n", "utf-8")


def brief(rows: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the rows without default fields."""
    for row in rows:
        said = {key: value for key, value in row["request"].items() if value != DEFAULTS.get(key, row)}
        yield {"request": said, "expect": {key: row["expect"][key] for key in (*BRIEF, "yaku")}}


if __name__ == "__main__":
    main()
