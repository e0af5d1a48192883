"""``python bench/collusion_marks.py [EVENTS]``: how often honest and colluding players are marked, with bots.

Eight players meet in an event of two tables a round. Each plays like ``standard`` in a share of decisions of
their own, else like ``efficient``. In some events a helper sees the hand of a partner and discards what the
partner waits for; in others one player takes all decisions of ``standard``.
"""

import sys
from collections import Counter, defaultdict
from random import Random
from typing import Final

from jantaku.bots import bot
from jantaku.club.fairness import AgreedPlay, agreement_signs, pair_signs
from jantaku.club.fairness_facts import GameFacts, facts_of, pairs_of
from jantaku.game import Action, Discard, Game
from jantaku.game.events import GameEnded
from jantaku.game.view import waits_of
from jantaku.tiles import RED

PLAYERS: Final = 8
KINDS: Final = ("honest", "honest", "feeding", "assisted")
RULES: Final = "tenhou"


class Field:
    """The players of one event: how often each plays like ``standard``, and who cheats how."""

    def __init__(self, rng: Random, kind: str) -> None:
        self.rng, self.kind = rng, kind
        self.skill = [min(0.95, max(0.4, rng.gauss(0.7, 0.08))) for _ in range(PLAYERS)]
        if kind == "assisted":
            self.skill[0] = 1.0
        self.strong = [bot("standard", rng.randrange(1 << 30)) for _ in range(4)]
        self.plain = [bot("efficient", rng.randrange(1 << 30)) for _ in range(4)]

    def choose(self, game: Game, seat: int, table: list[int]) -> Action:
        player = table[seat]
        if self.kind == "feeding" and player == 0 and 1 in table:
            waits = {tile % RED for tile in waits_of(game.record, table.index(1))}
            for action in game.legal(seat):
                if isinstance(action, Discard) and not action.riichi and action.tile % RED in waits:
                    return action
        policy = self.strong if self.rng.random() < self.skill[player] else self.plain
        return policy[seat].choose(game, seat)

    def play(self, table: list[int]) -> Game:
        game = Game(RULES, seed=self.rng.randrange(1 << 30))
        while not game.is_over:
            seat = game.to_act[0]
            game.play(seat, self.choose(game, seat, table))
        return game


def event(rng: Random, kind: str, rounds: int) -> Counter[str]:
    """Who is marked after so many rounds: the guilty, the honest, and whether anybody honest is."""
    field = Field(rng, kind)
    played = list[tuple[list[str], GameFacts]]()
    decisions, same, places = Counter[int](), Counter[int](), defaultdict[int, list[int]](list)
    for _ in range(rounds):
        order = rng.sample(range(PLAYERS), PLAYERS)
        for table in (order[:4], order[4:]):
            game = field.play(table)
            facts = facts_of(game)
            played.append(([str(player) for player in table], facts))
            for seat, player in enumerate(table):
                decisions[player] += facts.decisions[seat]
                same[player] += facts.same[seat]
            ended = next(event for event in game.events if isinstance(event, GameEnded))
            for seat, place in enumerate(ended.places):
                places[table[seat]].append(place)
    signs = pair_signs(pairs_of(played))
    pairs = {(sign.source, sign.winner) for sign in signs if sign.marked}
    agreeing = {
        play.player
        for play in agreement_signs(
            [
                AgreedPlay(
                    str(player), decisions[player], same[player], sum(places[player]) / len(places[player])
                )
                for player in range(PLAYERS)
            ]
        )
        if play.marked
    }
    guilty_pairs = {("0", "1")} if kind == "feeding" else set()
    guilty = {"0"} if kind == "assisted" else set()
    return Counter(
        events=1,
        honest_marked=bool(pairs - guilty_pairs or agreeing - guilty),
        honest_pairs_marked=len(pairs - guilty_pairs),
        pairs=len(signs) - len(guilty_pairs),
        honest_players_marked=len(agreeing - guilty),
        players=PLAYERS - len(guilty),
        guilty_found=bool(pairs & guilty_pairs or agreeing & guilty),
    )


def main(events: int) -> None:
    pairs: defaultdict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    for i in range(events):
        kind, rounds = KINDS[i % len(KINDS)], 8 if i // len(KINDS) % 2 else 24
        pairs[kind, rounds] += event(Random(i), kind, rounds)
        if i % 20 == 19 or i == events - 1:
            for (name, length), counts in sorted(pairs.items()):
                print(name, length, dict(counts), flush=True)
            print(flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
