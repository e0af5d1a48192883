"""Programs of a bot author, a club and a researcher, which strict type checkers must accept."""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import assert_never

import numpy as np
import numpy.typing as npt

import jantaku
from jantaku import (
    Explanation,
    Game,
    Hand,
    HandError,
    JantakuError,
    Meld,
    MeldType,
    NotationError,
    RequestError,
    Ruleset,
    Score,
    Tile,
    Wait,
    Win,
)
from jantaku.adjudication import batch
from jantaku.adjudication.jsonl import answer
from jantaku.bots import Bot, bot, danger
from jantaku.bots.player import play
from jantaku.club import EnteredHand, EnteredWin, GameResult, settle
from jantaku.game import Action, Discard, Event, Pass, View, hide
from jantaku.lab import LabAnswer, ask, compare
from jantaku.lab.vector import VectorEnv

# A bot --------------------------------------------------------------------------------------------------


class Careful:
    """Wins when it may, keeps its hand closed, and chooses the discard with the most improving tiles."""

    name = "careful"

    def choose(self, game: Game, seat: int) -> Action:
        """Choose an action for ``seat``."""
        legal, view = game.legal(seat), game.view(seat)
        for action in legal:
            if action.type in ("tsumo", "ron", "nine_terminals"):
                return action
        riichi = [action for action in legal if action.type == "discard" and action.riichi is not None]
        if riichi:
            return min(riichi, key=lambda action: self.danger_of(game, seat, action))
        discards = [action for action in legal if action.type == "discard"]
        return self.best(view, discards) if discards else Pass()

    def danger_of(self, game: Game, seat: int, action: Discard) -> float:
        """Return the average cost of the tile."""
        return danger(game, seat).get(action.tile.kind, 0.0)

    def best(self, view: View, discards: Sequence[Discard]) -> Discard:
        """Return the discard that leaves the hand nearest to tenpai."""
        drawn = () if view.drawn is None else (view.drawn,)
        hand = Hand((*view.hand, *drawn), view.melds[view.seat])
        order = {choice.tile: number for number, choice in enumerate(jantaku.best_discards(hand))}
        return min(discards, key=lambda action: order.get(action.tile.kind, len(order)))


def in_words(action: Action) -> str:
    """Describe an action; the checker narrows each class by its ``type``."""
    match action.type:
        case "discard":
            return f"discards {action.tile}" + (" in riichi" if action.riichi else "")
        case "chi":
            low, high = action.tiles
            return f"calls chi with {low} and {high}"
        case "pon":
            return f"calls pon with {action.red} red tiles"
        case "kan":
            return f"declares {action.kind} of {action.tile}"
        case "foul":
            return f"commits {action.act}"
        case "pass" | "tsumo" | "ron" | "kita" | "nine_terminals" | "end_game" | "play_on":
            return action.type
        case _:
            assert_never(action.type)


@dataclass
class Tally:
    """Counts of what one seat saw in a game."""

    seat: int
    drawn: int = 0
    won: int = 0
    riichi: int = 0
    points: int = 0

    def read(self, events: Iterable[Event]) -> None:
        """Count the events."""
        for event in events:
            seen = hide(event, self.seat)
            if seen.type == "drew" and seen.tile is not None:
                self.drawn += 1
            elif seen.type == "discarded" and seen.riichi is not None and seen.seat == self.seat:
                self.riichi += 1
            elif seen.type == "won" and seen.seat == self.seat:
                self.won += seen.score.points
            elif seen.type == "points_moved":
                self.points += seen.deltas[self.seat]


def game_of_bots(seed: int) -> tuple[Game, Tally]:
    """Play one game of the bot against others."""
    players: list[Bot | str] = [Careful(), "random", "random", bot("random", seed=seed)]
    game = play(Game("tenhou", seed=seed), players)
    tally = Tally(0)
    tally.read(game.events)
    return game, tally


def turns(game: Game, most: int) -> Iterator[str]:
    """Yield the first actions of a game in which all seats pass and discard their draws, in words."""
    while not game.is_over and len(game.played) < most:
        seat = game.to_act[0]
        legal = game.legal(seat)
        action: Action = Pass() if Pass() in legal else legal[-1]
        yield f"{seat} {in_words(action)}"
        for event in game.play(seat, action):
            if event.type == "called":
                yield f"  {event.meld.type}: {', '.join(map(str, event.meld.tiles))}"


def refused(game: Game) -> str:
    """Explain why a seat may not win now."""
    try:
        game.play(game.to_act[0], Discard("9p", drawn=True))
    except jantaku.IllegalActionError as error:
        return error.message("ja") + " / " + ", ".join(map(in_words, error.legal))
    return game.why(0, "ron", "en")


# A club --------------------------------------------------------------------------------------------------


def house_rules(path: Path | None = None) -> Ruleset:
    """Return house rules from a file, or a preset with changes."""
    if path is not None:
        return jantaku.load_file(path)
    return jantaku.load("standard").with_changes({"yaku.pinfu.closed": 0, "riichi.open": True}, name="house")


def entered_wins(rules: Ruleset) -> list[Score]:
    """Score wins given in notation, as tiles and as numbers."""
    pon = Meld("pon", "777z", called="7z", source="left")
    haku = Meld.parse("pon", "555z")
    hand = Hand([*jantaku.parse_tiles("23m99p"), "6z", "6z", Tile.parse("6z")], [pon, haku])
    wins = [
        Win(hand, "4m", source="right", pao={"daisangen": "left"}),
        Win.parse("234m567p34567s99p 8s", riichi="riichi", dora="4s", ura=[Tile(18)], honba=2),
        Win(Hand("234m567p34567s99p"), Tile.parse("8s"), tsumo=True, seat="east", round="south"),
    ]
    return [jantaku.score(win, rules) for win in wins]


def explained(score: Score) -> list[str]:
    """Return an explanation of a score as lines."""
    explanation: Explanation = jantaku.explain(score, "ko")
    lines = [explanation.title, *(f"{row.name}: {row.why}" for row in explanation.yaku)]
    lines += [f"{row.seat} {row.points:+,} {row.role}" for row in explanation.payments]
    han, fu = score.han, score.fu
    value = f"{han} {fu}" if han is not None and fu is not None else str(score.limit)
    paid: int = score.payments.get("south", 0)
    return [*lines, value, str(paid), *(f"{name} {worth}" for name, worth in score.yaku.items())]


def not_a_win(text: str) -> str:
    """Return what is wrong with a typed hand."""
    try:
        jantaku.score(Win.parse(text), house_rules())
    except NotationError as error:
        return f"{error.position}: {error.message()}"
    except HandError as error:
        return error.code
    except RequestError as error:
        return error.field
    return ""


def evening() -> GameResult:
    """Settle a game recorded at the table."""
    hands = [
        EnteredHand(end="ron", discarder=1, wins=(EnteredWin(seat=0, han=3, fu=40),)),
        EnteredHand(end="tsumo", wins=(EnteredWin(seat=2, han=2, fu=30),), riichi=(2,)),
    ]
    game = settle(hands, "standard", penalties=[(3, -1000)])
    for hand in game.hands:
        json.dumps(hand.to_dict())
    return game.result


def server_request() -> str:
    """Answer a request in the format of ``jantaku score --jsonl``."""
    reply = answer({"id": 1, "hand": "234m567p34567s99p", "win": "8s", "by": "ron", "from": "left"})
    return json.dumps(reply, ensure_ascii=False)


# Research ------------------------------------------------------------------------------------------------


def waits_of(text: str) -> dict[Tile, int]:
    """Return the number of unseen tiles for each wait."""
    hand = Hand.parse(text)
    waits: list[Wait] = jantaku.waits(hand, seen=["1m", Tile.parse("4m"), 3])
    if jantaku.is_furiten(hand, "1z9s", passed=[Tile(26)]):
        return {}
    assert all(tile.kind == tile for tile in jantaku.effective_tiles(hand))
    return {wait.tile: wait.left for wait in waits if wait.left and "tanki" not in wait.forms}


def shanten_of(number: int) -> Counter[int]:
    """Count the shanten of random hands."""
    generator = np.random.default_rng(1)
    hands: npt.NDArray[np.uint8] = np.zeros((number, 34), np.uint8)
    wall = np.repeat(np.arange(34), 4)
    for row in hands:
        np.add.at(row, generator.permutation(wall)[:13], 1)
    return Counter(batch.shanten(hands).tolist())


def scored(wins: Sequence[Win]) -> npt.NDArray[np.int64]:
    """Score many wins at once."""
    return batch.score(batch.win_records(wins), "tenhou").points


def learn(steps: int) -> float:
    """Return the mean reward of an agent that chooses any legal action."""
    env = VectorEnv("tenhou", games=4, seed=1)
    now, total = env.reset(), 0.0
    for _ in range(steps):
        step = env.step(now.mask.argmax(axis=1))
        total += float(step.reward[step.done].sum())
        now = env.reset(which=step.done) if step.done.any() else now._replace(mask=step.mask)
    return total / steps


def changed(games: int) -> list[str]:
    """Return the effects of disallowing open tanyao, as sentences."""
    found: LabAnswer = ask(
        "standard", {"yaku.tanyao.open": False}, games=games, seed=1, bots="efficient", jobs=1
    )
    other = compare({"a": "tenhou", "b": house_rules()}, games=games, bots=("random",) * 4, luck=False)
    return [*found.findings("en"), *other.findings("ja")]


def meld_types(game: Game) -> Counter[MeldType]:
    """Count the types of melds in a game."""
    made: Counter[MeldType] = Counter()
    for event in game.events:
        match event.type:
            case "called" | "kan_declared":
                made[event.meld.type] += 1
            case _:
                continue
    return made


def main(out: Path) -> int:
    """Run all examples that take little time."""
    lines = [*turns(Game(house_rules(), seed=1), 40), refused(Game("tenhou", seed=7))]
    for score in entered_wins(house_rules()):
        lines += explained(score)
    lines += [not_a_win("123m456p789s1133z 3z"), not_a_win("12x"), server_request(), str(evening().scores)]
    lines += [f"{tile}: {left}" for tile, left in waits_of("1123m111222333z").items()]
    game = Game("tenhou", seed=3)
    jantaku.write(game, out / "game.jsonl")
    same = jantaku.read(out / "game.jsonl")
    lines += [str(same == game), str(meld_types(same)), jantaku.tile_name("0p", "ja")]
    sys.stdout.write("\n".join(lines) + "\n")
    return len(lines)


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]))
    except JantakuError as problem:
        sys.exit(problem.message())
