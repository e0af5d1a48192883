"""Games in lockstep: RiichiEnv's engine and ours get the same walls and actions.

The comparison covers the seats to act, their legal actions, the points and deposits after every action, the
next hand, and the end of the game. A legal action offered by only one engine is never played, so both can
continue. After a hand with different payments, our game restarts from RiichiEnv's standing.
"""

from collections.abc import Iterator
from random import Random
from typing import Any, Final

import riichienv

from jantaku.adjudication.score import Score
from jantaku.errors import RequestError
from jantaku.game import Action, Chi, Discard, Game, Kan, Pon
from jantaku.game.actions import Kita, NineTerminals, Pass, Ron, Tsumo
from jantaku.game.events import Won
from jantaku.game.mid_game_start import Standing
from jantaku.kernels.engine.state import CLAIMS
from jantaku.kernels.engine.wall import BLOCKS, DEALT
from jantaku.rules import load
from jantaku.tiles import RED
from jantaku.tiles import to_mjai as name_of
from research.conform import players
from research.conform.found_differences import Conformance
from research.conform.reasons import drawn_reason, has_all_norths, legal_reason

RULES: Final = {
    "tenhou": ("4p-red-half", "default_tenhou"),
    "mahjongsoul": ("4p-red-half", "default_mjsoul"),
    "tenhou-3": ("3p-red-half", "default_tenhou"),
    "mahjongsoul-3": ("3p-red-half", "default_mjsoul"),
}
RED_NUMBERS: Final = (16, 52, 88)
OUR_NAMES: Final[dict[type[Any], str]] = {
    Tsumo: "tsumo", Ron: "ron", Pass: "pass", Kita: "kita", NineTerminals: "nine terminals",
}  # fmt: skip
THEIR_NAMES: Final = {
    "TSUMO": "tsumo", "RON": "ron", "PASS": "pass", "KITA": "kita", "KYUSHU_KYUHAI": "nine terminals",
    "RIICHI": "riichi",
}  # fmt: skip
Situation = tuple[int, int, int, tuple[int, ...]]
Keyed = dict[str, Any]


def tile_of(number: int) -> int:
    """Convert a tile number 0–135 to our tile."""
    return number // 4 + RED * (number in RED_NUMBERS)


class Lockstep:
    """One game in both engines."""

    def __init__(self, rules: str, seed: int, tally: Conformance, *, log: bool = False) -> None:
        self.rules, self.tally, self.name = load(rules), tally, f"{rules} {seed}"
        self.rng = Random(f"{rules}-{seed}")
        self.seats = len(self.rules.seats)
        mode, theirs = RULES[rules]
        rule = getattr(riichienv.GameRule, theirs)()
        self.env: Any = riichienv.RiichiEnv(mode, rule=rule, seed=seed, skip_mjai_logging=not log)
        self.seen = self.env.reset(**self._start())
        self.styles = players.styles(self.rng, self.seats)
        self.game = self._ours()

    def _start(self) -> dict[str, Any]:
        """Return a game's start: half start late with unequal points, half have a stacked wall."""
        rng, total = self.rng, self.rules.match.start_points
        given: dict[str, Any] = {}
        if rng.random() < 0.5:
            tiles = [n for n in range(136) if self.seats == 4 or not 1 <= n // 4 <= 7]
            given["wall"] = players.stacked(rng, tiles, self.seats)
        if rng.random() < 0.5:
            moved = [rng.randrange(-8, 9) * 1000 + rng.randrange(10) * 100 for _ in range(self.seats - 1)]
            scores = [total + points for points in (*moved, -sum(moved))]
            sticks = rng.choice((0, 0, 1, 2))
            scores[0] -= 1000 * sticks
            given |= {
                "scores": scores, "kyotaku": sticks, "honba": rng.choice((0, 0, 1, 3)),
                "round_wind": 1, "oya": rng.randrange(self.seats),
            }  # fmt: skip
        return given

    def _ours(self) -> Game:
        """Start our game from the situation of theirs; each further hand uses the wall of their game."""
        standing = Standing(*self._situation())
        return Game(self.rules, walls=self._walls(), standing=standing)

    def _walls(self) -> Iterator[list[int]]:
        while not self.env.done():
            self._pass_there()
            yield self._wall()

    def _pass_there(self) -> None:
        """Pass all claims on the last discard, which only their game offers; in ours the hand is over."""
        while str(self.env.phase) == str(riichienv.Phase.WaitResponse) and not self.env.done():
            offered = {seat: self._theirs(env.legal_actions()) for seat, env in self.seen.items()}
            for seat, legal in offered.items():
                if legal:
                    self._compare(seat, {}, legal)
            self.seen = self.env.step({seat: legal["pass"] for seat, legal in offered.items() if legal})

    def _wall(self) -> list[int]:
        """Return the wall of their newly dealt hand in our order."""
        env, dealer = self.env, self.env.oya
        hands = [list(hand) for hand in env.hands]
        hands[dealer].remove(env.drawn_tile)
        turns = [dealer, *((dealer + turn) % self.seats for turn in range(1, self.seats))]
        blocks = BLOCKS * self.seats
        order = [index // 4 if index < blocks else index for index in range(DEALT * self.seats)]
        dealt = [hands[turns[index % self.seats]].pop() for index in order]
        return [tile_of(number) for number in (*dealt, env.drawn_tile, *reversed(env.wall))]

    def _situation(self) -> Situation:
        """Return the hand number, honba, deposits and points of their game."""
        env = self.env
        number = env.round_wind * self.seats + env.oya
        return number, env.honba, env.riichi_sticks, tuple(env.scores())

    def _own_situation(self) -> Situation:
        match = self.game.record.match
        return int(match.number), int(match.honba), int(match.deposits), self.game.scores

    def play(self) -> None:
        """Play the game to its end in both engines."""
        self.tally.seen["games"] += 1
        self.tally.seen["hands"] += 1
        while not self.env.done() and not self.game.is_over:
            if not self._step():
                break
        else:
            self._end()
        for event in self.game.events:
            if isinstance(event, Won) and isinstance(event.score, Score):
                self.tally.seen["yakuman"] += event.score.yakuman > 0
                self.tally.seen["with liability"] += bool(event.score.win.pao)

    def _end(self) -> None:
        ours, theirs = self.game, self.env
        if ours.is_over != theirs.done():
            self._differ("one game ended")
        elif ours.scores != tuple(theirs.scores()):
            self._differ(f"final points {ours.scores} {theirs.scores()}")

    def _differ(self, description: str, reason: str | None = None) -> None:
        """Count a difference after a hand."""
        self.tally.differ(reason, f"{self.name}: {description}; {self.game!r}, theirs {self._situation()}")

    def _step(self) -> bool:
        """Play one decision of every seat to act; return whether both games continue."""
        actions: dict[int, Action] = {}
        theirs: dict[int, Any] = {}
        to_act = {seat: env.legal_actions() for seat, env in self.seen.items()}
        offered = {seat: legal for seat, legal in to_act.items() if legal}
        if (self.game.record.phase == CLAIMS) != (str(self.env.phase) == str(riichienv.Phase.WaitResponse)):
            return self._out_of_phase(offered)
        for seat in sorted({*self.game.to_act, *offered}):
            mine = {key_of(action): action for action in self.game.legal(seat)}
            its = self._theirs(offered.get(seat, []))
            self._compare(seat, mine, its)
            common = [value for key, value in mine.items() if _base(key) in its]
            if common:
                actions[seat] = players.chosen(self.game, seat, common, self.styles[seat], self.rng)
                theirs[seat] = self._translated(seat, actions[seat], its)
            elif mine and its:
                self.tally.seen["given up"] += 1
                return False
            else:
                self._pass(seat, mine, its, actions, theirs)
        return self._play_both(actions, theirs)

    def _out_of_phase(self, offered: dict[int, list[Any]]) -> bool:
        """Pass for all seats in the engine that offers claims on a tile when the other does not."""
        if self.game.record.phase != CLAIMS:
            its = {seat: self._theirs(legal) for seat, legal in offered.items()}
            for seat, legal in its.items():
                self._compare(seat, {}, legal)
            return self._play_both({}, {seat: legal["pass"] for seat, legal in its.items()})
        passes: dict[int, Action] = {}
        for seat in self.game.to_act:
            self._compare(seat, {key_of(action): action for action in self.game.legal(seat)}, {})
            passes[seat] = Pass()
        return self._play_both(passes, {})

    def _pass(
        self, seat: int, mine: Keyed, its: Keyed, ours: dict[int, Action], theirs: dict[int, Any]
    ) -> None:
        """Pass for a seat that is to act in only one engine."""
        if "pass" in mine:
            ours[seat] = mine["pass"]
        if "pass" in its:
            theirs[seat] = its["pass"]

    def _theirs(self, legal: list[Any]) -> Keyed:
        return {self._their_key(action): action for action in legal}

    def _their_key(self, action: Any) -> str:
        word = str(action.action_type).rsplit(".", 1)[-1].upper()
        if word in THEIR_NAMES:
            return THEIR_NAMES[word]
        if word == "DISCARD":
            return f"{name_of(tile_of(action.tile))}{'*' * (action.tile == self.env.drawn_tile)}"
        used = sorted(tile_of(number) for number in action.consume_tiles)
        if word == "ANKAN":
            return f"ankan {used[0] % RED}"
        if word == "KAKAN":
            return f"kakan {tile_of(action.tile)}"
        if word == "CHI":
            return f"chi {sorted(used, key=_rank)}"
        return "daiminkan" if word == "DAIMINKAN" else f"pon {sum(tile >= RED for tile in used)}"

    def _compare(self, seat: int, mine: Keyed, its: Keyed) -> None:
        """Compare the legal actions; riichi counts as one, its discards are compared on declaration."""
        self.tally.seen["decisions"] += 1
        ours = {_base(key) for key in mine}
        if ours != its.keys():
            more, less = sorted(ours - its.keys()), sorted(its.keys() - ours)
            reason = legal_reason(self.game, seat, more, less)
            example = f"{self.name}: seat {seat}, only ours {more}, only its {less}; {self.game!r}"
            self.tally.differ(reason, example)

    def _translated(self, seat: int, action: Action, its: Keyed) -> Any:
        """Return their equivalent of our action; for a riichi, declare it first and compare its discards."""
        if not (isinstance(action, Discard) and action.riichi):
            return its[key_of(action)]
        self.seen = self.env.step({seat: its["riichi"]})
        after = self._theirs(self.seen[seat].legal_actions())
        mine = {
            key_of(action)[7:] for action in self.game.legal(seat) if key_of(action).startswith("riichi ")
        }
        if mine != after.keys():
            more, less = sorted(mine - after.keys()), sorted(after.keys() - mine)
            reason = legal_reason(self.game, seat, more, less)
            example = f"{self.name}: riichi of {seat}, only ours {more}, only its {less}; {self.game!r}"
            self.tally.differ(reason, example)
        return after[key_of(action)[7:]]

    def _play_both(self, actions: dict[int, Action], theirs: dict[int, Any]) -> bool:
        """Carry out the actions in both engines and compare the results; return whether both continue."""
        hand, before = self._situation()[:2], self.game.scores
        norths = [seat for seat in range(self.seats) if has_all_norths(self.game, seat)]
        self.seen = self.env.step(theirs) if theirs else self.seen
        try:
            for seat, action in actions.items():
                if seat in self.game.to_act:
                    self.game.play(seat, action)
        except RequestError:  # there is no wall, since their game is over
            self._differ("only theirs is over")
            return False
        if self.game.is_over:
            self._pass_there()
        self.tally.seen["actions"] += len(actions)
        self.tally.seen.update(type(action).type for action in actions.values() if type(action) in COUNTED)
        mine, its = self._own_situation(), self._situation()
        self.tally.seen["hands"] += mine[:2] != hand and not self.game.is_over
        if mine == its or (self.game.is_over and self.env.done()):
            return True
        self._differ(f"{mine} {its}", drawn_reason(self.game, norths, before, its[3]))
        if its[:2] == hand or self.env.done():
            return False  # within a hand, so our game cannot restart from theirs
        self.game = self._ours()
        return True


COUNTED: Final = (Tsumo, Ron, Kan, Kita, Pon, Chi, NineTerminals)


def _base(key: str) -> str:
    return "riichi" if key.startswith("riichi ") else key


def _rank(tile: int) -> int:
    return tile % RED


def key_of(action: Action) -> str:
    """Return a name for the action that is the same for both engines."""
    if isinstance(action, Discard):
        return f"{'riichi ' * bool(action.riichi)}{name_of(action.tile)}{'*' * action.drawn}"
    if isinstance(action, Kan):
        return {
            "daiminkan": "daiminkan", "ankan": f"ankan {action.tile % RED}", "kakan": f"kakan {action.tile}",
        }[action.kind]  # fmt: skip
    if isinstance(action, Chi):
        return f"chi {sorted(action.tiles, key=_rank)}"
    return f"pon {action.red}" if isinstance(action, Pon) else OUR_NAMES[type(action)]


def games(rules: str, first: int, count: int) -> Conformance:
    """Play and compare ``count`` games."""
    tally = Conformance()
    for seed in range(first, first + count):
        Lockstep(rules, seed, tally).play()
    return tally
