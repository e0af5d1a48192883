"""A simple player for tests of whole games; it plays towards tenpai, so that wins and riichi occur."""

from random import Random

from jantaku.adjudication.analysis import shanten
from jantaku.game import Action, Chi, Discard, Game, Kan, Pass, Pon, Ron, Tsumo
from jantaku.game.actions import Kita
from jantaku.rules import Ruleset
from jantaku.tiles import RED


def choose(game: Game, seat: int, rng: Random) -> Action:
    """Win, or declare riichi, kan or kita if possible; sometimes call; otherwise discard towards tenpai."""
    choices = game.legal(seat)
    rng.shuffle(choices)
    wins = [action for action in choices if isinstance(action, Tsumo | Ron)]
    if wins and rng.random() < 0.95:
        return wins[0]
    kans = [action for action in choices if isinstance(action, Kan)]
    if kans and rng.random() < 0.5:
        return kans[0]
    kita = [action for action in choices if isinstance(action, Kita)]
    if kita and rng.random() < 0.8:
        return kita[0]
    calls = [action for action in choices if isinstance(action, Chi | Pon)]
    if Pass() in choices:
        return calls[0] if calls and rng.random() < 0.2 else Pass()
    riichi = [action for action in choices if isinstance(action, Discard) and action.riichi]
    if riichi:
        return riichi[0]
    discards = [action for action in choices if isinstance(action, Discard)]
    return min(discards, key=lambda action: distance(game, seat, action)) if discards else choices[0]


def distance(game: Game, seat: int, discard: Discard) -> int:
    """Return the shanten after a discard."""
    counts = game.record.hand[seat].copy()
    counts[discard.tile % RED] -= 1
    return shanten(counts, int(game.record.melds[seat]))


def played(rules: str | Ruleset, seed: int, steps: int | None = None) -> Game:
    """Play a game to its end, or for a number of steps."""
    rng, game = Random(seed), Game(rules, seed=seed)
    while not game.is_over and (steps is None or len(game.played) < steps):
        seat = rng.choice(game.to_act)
        game.play(seat, choose(game, seat, rng))
    return game
