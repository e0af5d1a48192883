"""A foreign log as a script of hands, played on a ``Game`` with every step checked.

A log has the dealt and drawn tiles and the indicators; the rest of each wall is filled in order. If a log
ends between two hands, the engine still deals the next one, with sorted tiles (``is_unlogged_hand``); no
writer outputs it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from jantaku.errors import JantakuError
from jantaku.game import Game
from jantaku.game.actions import Action, Chi, EndGame, Kan, NineTerminals, Pass, PlayOn, Pon, Ron, Tsumo
from jantaku.game.engine import wall_left
from jantaku.game.events import DoraTurned, Drew, Event, HandStarted, Won
from jantaku.game.fair_walls import shuffled, tile_set
from jantaku.game.game import check_length
from jantaku.game.mid_game_start import beginning, standing_of
from jantaku.kernels.engine.state import CLAIMS, NO_TILE, YOUR_TURN
from jantaku.records.inferred_rules import HandEnding
from jantaku.records.mjlog.wall import WallConflictError, WallIndices
from jantaku.rules import Ruleset
from jantaku.tiles import Tile, format_tiles

SANCHAHOU: Final = "sanchahou"
LogPosition = tuple[int, str]  # position in the log: a line or hand number, and the part of it


@dataclass(frozen=True, slots=True)
class ScriptAct:
    """An action of a seat; a claim also states the tile and its owner."""

    seat: int
    action: Action
    called: Tile | None = None
    source: int | None = None


@dataclass(frozen=True, slots=True)
class UraIndicators:
    """The ura indicators revealed by a winner."""

    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class EndWithoutWin:
    """The end of a hand without a win; ``kind`` as in ``HandDrawn``, empty if the log does not state it."""

    kind: str = ""


@dataclass(frozen=True, slots=True)
class UnloggedAct:
    """An act that the log format itself cannot express (``records.unlogged``)."""

    seat: int
    action: Action


StepContent = Drew | ScriptAct | DoraTurned | UraIndicators | EndWithoutWin | UnloggedAct


@dataclass(frozen=True, slots=True)
class ScriptStep:
    """One step and its position in the log."""

    position: LogPosition
    what: StepContent


@dataclass(frozen=True, slots=True)
class ScriptHand:
    """One hand: its start, with the hands of all seats, and its steps.

    ``unstated`` names the fields of ``start`` that the log omits; ``start`` contains a guess for them.
    """

    position: LogPosition
    start: HandStarted
    steps: tuple[ScriptStep, ...]
    unstated: frozenset[str] = frozenset()


class ScriptError(Exception):
    """Log and rules differ at ``position``; contains both versions."""

    def __init__(self, position: LogPosition, log: object, engine: object) -> None:
        super().__init__(position, log, engine)
        self.position, self.log, self.engine = position, str(log), str(engine)


def is_unlogged_hand(game: Game) -> bool:
    """Whether the last hand is missing from the log: its wall is sorted and nothing has been played."""
    if not game.follows_rules:
        return False
    last = max(i for i, event in enumerate(game.events) if isinstance(event, HandStarted))
    untouched = not any(before > last for before, _, _ in game.moves)
    return untouched and game.seed is None and game.walls[-1] == tile_set(game.rules)


def logged_events(game: Game) -> list[Event]:
    """Return the events of a game without a last hand that is missing from its log."""
    if not is_unlogged_hand(game):
        return game.events
    last = max(i for i, event in enumerate(game.events) if isinstance(event, HandStarted))
    return game.events[:last]


def wall_for(hand: ScriptHand, rules: Ruleset) -> list[Tile]:
    """Return a wall that produces the tiles of the hand."""
    position = hand.position
    try:
        dealt = [cards or () for cards in hand.start.hands]
        places = WallIndices(hand.start.dealer, dealt, tile_set(rules), rules)
        places.turn(hand.start.indicator)
        for step in hand.steps:
            position = step.position
            _lay(places, step.what)
    except WallConflictError as error:
        raise ScriptError(position, format_tiles([error.tile]), "–") from error
    return [Tile(tile) for tile in places.wall()]


def _lay(places: WallIndices, what: StepContent | Event) -> None:
    """Put the tiles of a step or event in their places."""
    if isinstance(what, Drew) and what.tile is not None:
        places.draw(what.tile, after_kan=what.rinshan)
    elif isinstance(what, DoraTurned):
        places.turn(what.indicator)
    elif isinstance(what, UraIndicators):
        places.below(what.tiles)
    elif isinstance(what, Won):
        places.below(what.ura)


def wall_as_seen(game: Game, hand: int, seed: bytes) -> list[Tile]:
    """Return the wall of a hand (index from 0) as far as its events reveal it; the rest is shuffled."""
    starts = [
        (position, event) for position, event in enumerate(game.events) if isinstance(event, HandStarted)
    ]
    (first, start), end = starts[hand], starts[hand + 1][0] if hand + 1 < len(starts) else None
    places = WallIndices(
        start.dealer, [cards or () for cards in start.hands], tile_set(game.rules), game.rules
    )
    places.turn(start.indicator)
    for event in game.events[first:end]:
        _lay(places, event)
    return [Tile(tile) for tile in places.wall(lambda unseen: shuffled(unseen, seed, hand))]


def endings_of(hands: Sequence[ScriptHand]) -> list[HandEnding]:
    """Return how each hand ended, as far as the log states it."""
    return [_ending_of(hand.steps[-1].what if hand.steps else None) for hand in hands]


def _ending_of(last: StepContent | None) -> HandEnding:
    if isinstance(last, EndWithoutWin):
        return "exhausted" if last.kind == "exhausted" else "other"
    return "won" if last is not None and _is_end(last) else "other"


def check_script(hands: Sequence[ScriptHand]) -> None:
    """Raise ``RecordError`` for a script with more actions than any game can have."""
    check_length(sum(isinstance(step.what, ScriptAct | UnloggedAct) for hand in hands for step in hand.steps))


def play_script(hands: Sequence[ScriptHand], rules: Ruleset, *, ended: bool, mid_game: bool = False) -> Game:
    """Play a script on the engine; raise ``ScriptError`` at the first step that contradicts the rules.

    ``ended``: the log states that the game is over, perhaps by the dealer's choice. ``mid_game``: the log may
    start in the middle of a game.
    """
    check_script(hands)
    walls: list[Iterable[int]] = [wall_for(hand, rules) for hand in hands]
    standing = standing_of(hands[0].start) if mid_game else beginning(rules)
    if (standing.number, standing.honba, standing.deposits) == (0, 0, 0) and "scores" in hands[0].unstated:
        standing = beginning(rules)
    game = Game(
        rules,
        walls=[*walls, tile_set(rules)],
        standing=None if standing == beginning(rules) else standing,
    )
    player = _Player(game)
    for number, hand in enumerate(hands, 1):
        player.hand(hand, number)
        if number < len(hands) or ended:
            player.choose(EndGame() if number == len(hands) else PlayOn())
    return game


class _Player:
    """Plays the steps of a script; seats without a logged reaction to a discard pass."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.number = 0
        self.position: LogPosition = (0, "")
        self.winners: frozenset[int] = frozenset()
        self.drew = False

    def expect(self, log: object, engine: object) -> None:
        if log != engine:
            raise ScriptError(self.position, log, engine)

    def hand(self, hand: ScriptHand, number: int) -> None:
        self.position, self.number = hand.position, number
        self._check_in_hand()
        ours = next(event for event in reversed(self.game.events) if isinstance(event, HandStarted))
        logged = replace(hand.start, **{name: getattr(ours, name) for name in hand.unstated})
        self.expect(_start(logged), _start(ours))
        self.winners = frozenset(
            step.what.seat
            for step in hand.steps
            if isinstance(step.what, ScriptAct) and isinstance(step.what.action, Ron)
        )
        for step in hand.steps:
            self.position = step.position
            self.step(step.what)
        if hand.steps and _is_end(hand.steps[-1].what) and not self._is_ended():
            raise ScriptError(self.position, "end", ", ".join(map(str, self.game.to_act)))

    def choose(self, choice: Action) -> None:
        """Let a dealer who may end the game do so, or continue."""
        for seat in self.game.to_act:
            if choice in self.game.legal(seat):
                self._play(seat, choice)

    def _check_in_hand(self) -> None:
        """Check that the game has reached the hand of the log."""
        ours = "–" if self.game.is_over else f"#{len(self.game.walls)}"
        self.expect(f"#{self.number}", ours)

    def _is_ended(self) -> bool:
        """Whether this hand is over, even if the dealer's choice to end the game is pending."""
        game = self.game
        choosing = any(PlayOn() in game.legal(seat) for seat in game.to_act)
        return game.is_over or choosing or len(game.walls) > self.number

    def step(self, what: StepContent) -> None:
        if isinstance(what, DoraTurned | UraIndicators):
            return
        if isinstance(what, EndWithoutWin) and self._is_ended():  # after a discard that no seat can claim
            return
        self._check_in_hand()
        if isinstance(what, Drew):
            self._pass()
            self._check_in_hand()
            self.drew = True
            self.expect(_drawn(what.seat, what.tile), _drawn(*self._on_table()))
        elif isinstance(what, EndWithoutWin):
            self._undecided(what)
        elif isinstance(what, UnloggedAct):
            self._play(what.seat, what.action)
        else:
            self._act(what)

    def _on_table(self) -> tuple[int, Tile | None]:
        record = self.game.record
        waiting = record.phase == YOUR_TURN and record.drawn != NO_TILE
        return int(record.turn), Tile(int(record.drawn)) if waiting else None

    def _act(self, act: ScriptAct) -> None:
        claim = isinstance(act.action, Chi | Pon) or act.action == Kan("daiminkan", act.called or Tile(0))
        if claim or isinstance(act.action, Ron):
            self._pass(self.winners if isinstance(act.action, Ron) else frozenset((act.seat,)))
            self._check_in_hand()
            if act.called is not None:
                record = self.game.record
                offered = int(record.claimed_from), Tile(int(record.claimed_tile))
                self.expect(_drawn(act.source, act.called), _drawn(*offered))
        else:
            self.expect(self.drew, self._on_table()[1] is not None)
        self.drew = False
        self._play(act.seat, act.action)

    def _play(self, seat: int, action: Action) -> None:
        try:
            self.game.play(seat, action)
        except JantakuError as error:
            legal = ", ".join(map(str, self.game.legal(seat))) or "–"
            raise ScriptError(self.position, f"{seat}: {action}", f"{seat}: {legal}") from error

    def _pass(self, but: frozenset[int] = frozenset()) -> None:
        """Pass for all seats to act, except ``but``."""
        for seat in self.game.seats:
            if self.game.record.phase == CLAIMS and seat in self.game.to_act and seat not in but:
                self._play(seat, Pass())

    def _undecided(self, what: EndWithoutWin) -> None:
        game = self.game
        if game.record.phase == YOUR_TURN:
            self._play(int(game.record.turn), NineTerminals())
            return
        may = [seat for seat in game.to_act if Ron() in game.legal(seat)]
        silent = not what.kind and len(may) == 3 and wall_left(game.record) > 0
        if what.kind == SANCHAHOU or silent:
            self._pass(frozenset(may))
            for seat in may:
                self._play(seat, Ron())
        else:
            self._pass()


def _is_end(what: StepContent) -> bool:
    return isinstance(what, EndWithoutWin) or (
        isinstance(what, ScriptAct) and isinstance(what.action, Tsumo | Ron)
    )


def _start(start: HandStarted) -> str:
    """Format the values of a hand's start that must match the game so far."""
    scores = ",".join(map(str, start.scores))
    return f"#{start.number} honba {start.honba} deposits {start.deposits} dealer {start.dealer} [{scores}]"


def _drawn(seat: int | None, tile: Tile | None) -> str:
    return f"{seat}: {'–' if tile is None else format_tiles([tile])}"
