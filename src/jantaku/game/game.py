"""A whole game, played through typed actions and reported in typed events."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count, repeat, tee
from typing import Any, Final

import numpy.typing as npt

from jantaku import terms
from jantaku.errors import IllegalActionError, Phrases, RecordError, RequestError, expect, kind_of_value
from jantaku.fields import whole
from jantaku.game import fair_walls as fair
from jantaku.game.actions import Action, decode
from jantaku.game.engine import Engine, Record, by_seat, dealer_of, round_of, seats_to_act
from jantaku.game.events import Event, GameStarted
from jantaku.game.log import GameLog, Move
from jantaku.game.mid_game_start import Standing
from jantaku.game.snapshot import Snapshot
from jantaku.game.step_events import Step, hand_started
from jantaku.game.view import View, view_of
from jantaku.game.why import ActionName, reason, why
from jantaku.hand import WIND_NAMES
from jantaku.kernels.engine.state import CLAIMS, GAME_OVER, HAND_OVER, YOUR_TURN
from jantaku.rules import Ruleset, load
from jantaku.tiles import Tile

Choices = tuple[list[Action], list[int]]  # actions, and the engine's integers in the same order
MAX_MOVES: Final = 10_000  # ten times a long game; bounds the time spent on a malicious record


def check_length(moves: int) -> None:
    """Raise ``RecordError`` if a record has more actions than any real game; call this before a replay."""
    if moves > MAX_MOVES:
        raise RecordError("record_long", most=MAX_MOVES)


class Game:
    """A game under one ruleset, from the first deal to the final points.

    ``rules`` is a ruleset or the name of a preset. The walls come from ``seed`` (32 bytes or a number; random
    if omitted) or, for a replay or a test, from ``walls``, each with all tiles of the ruleset (136 for four
    players) in the order of ``kernels.engine.wall``. ``standing`` is the state of a game that begins in the
    middle. Seats are numbers, 0 for the first dealer.

    ``to_act`` lists the seats that must act, ``legal(seat)`` their choices, and ``play`` executes one. New
    hands are dealt automatically. ``events`` lists everything that happened; ``hide(event, seat)`` removes
    what a seat may not know, and ``view(seat)`` is what the seat sees now.

    >>> from jantaku.game import Game, Pass
    >>> game = Game("tenhou", seed=7)
    >>> for _ in range(20):
    ...     seat = game.to_act[0]
    ...     choices = game.legal(seat)
    ...     events = game.play(seat, Pass() if Pass() in choices else choices[0])
    >>> sum(game.scores), game.is_over
    (100000, False)
    """

    follows_rules = True
    """Whether the engine executes the actions; false for games that only follow a record or events."""

    names: tuple[str, ...] = ()
    """Names of the players by seat, from a record or set by the caller; ``jantaku.write`` includes them."""

    def __init__(
        self,
        rules: str | Ruleset = "standard",
        seed: int | bytes | None = None,
        walls: Iterable[Iterable[int]] | None = None,
        standing: Standing | None = None,
    ) -> None:
        if seed is not None and walls is not None:
            raise RequestError("seed_or_walls", field="seed")
        self.rules: Ruleset = load(rules)
        self.seats: range = self.rules.seats
        self.seed: bytes | None = fair.new_seed(seed) if walls is None else None
        self.walls: list[list[Tile]] = []
        self.played: list[tuple[int, int]] = []  # (seat, action as the engine's integer)
        self._walls = self._shuffled_walls(self.seed) if walls is None else self._checked_walls(walls)
        if standing is not None:
            expect(standing, Standing, "standing")
        self.standing = standing
        self._engine = Engine(self.rules)
        if standing is not None:
            standing.put(self._engine.record)
        self._now = self._engine.snapshot()
        self._choices: dict[int, Choices] = {}  # the legal actions of each seat, filled on demand
        self._offer: tuple[Record, Action] | None = None
        commitment = fair.commitment(self.seed) if self.seed else None
        started = GameStarted(self.rules.id, self.rules.fingerprint, len(self.seats), commitment)
        self._deal()
        self._log = GameLog([started, *hand_started(self._now)])

    def restarted(self) -> "Game":
        """Return the same game before its first action; it has the same walls, even those not yet dealt."""
        if self.seed is not None:
            game = Game(self.rules, self.seed, standing=self.standing)
        else:
            self._walls, later = tee(self._walls)
            game = Game(self.rules, walls=chain(self.walls, later), standing=self.standing)
        game.names = self.names
        return game

    def _shuffled_walls(self, seed: bytes | None) -> Iterator[list[Tile]]:
        tiles = fair.tile_set(self.rules)
        return (fair.permuted(tiles, seed or b"", hand) for hand in count())

    def _checked_walls(self, walls: Iterable[Iterable[int]]) -> Iterator[list[Tile]]:
        if not isinstance(walls, Iterable):
            raise RequestError("wrong_type", field="walls", wanted=kind_of_value(list))
        return (fair.checked(wall, self.rules) for wall in walls)

    @property
    def events(self) -> list[Event]:
        """All events so far, in order."""
        return self._log.events

    @property
    def moves(self) -> list[Move]:
        """All actions so far, as (number of events before it, seat, action)."""
        return self._log.moves

    def _deal(self) -> None:
        wall = next(self._walls, None)
        if wall is None:
            raise RequestError("no_more_walls", field="walls", count=len(self.walls))
        self.walls.append(wall)
        self._engine.deal(wall)
        self._offer = None
        self._refresh()

    def _refresh(self) -> None:
        self._now = self._engine.snapshot()
        self._choices.clear()

    @property
    def record(self) -> Record:
        """The engine's record (``kernels.engine.state.GAME``); do not modify it."""
        return self._engine.record

    @property
    def array(self) -> npt.NDArray[Any]:
        """The array of one record, for compiled functions that only read it."""
        return self._engine.array

    @property
    def state(self) -> bytes:
        """Bytes of the record, equal for games with the same rules, walls and actions."""
        return self._engine.array.tobytes()

    @property
    def offer(self) -> tuple[Record, Action] | None:
        """The last discard, kan or north of this hand: the record before it, and the action."""
        return self._offer

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._now.phase == GAME_OVER)

    @property
    def scores(self) -> tuple[int, ...]:
        """Points of each seat, without the deposits on the table."""
        return by_seat(self._now, self._now.match.scores)

    @property
    def to_act(self) -> list[int]:
        """Seats that must act: the one whose turn it is, or all that may claim a tile."""
        return seats_to_act(self._now)

    def legal(self, seat: int) -> list[Action]:
        """Return all legal actions of a seat; empty if it need not act."""
        return list(self._legal(self._seat(seat))[0])

    def _legal(self, seat: int) -> Choices:
        legal = self._choices.get(seat)
        if legal is None:
            called, codes = self.claimed, self._engine.legal(seat)
            legal = self._choices[seat] = list(map(decode, codes, repeat(called))), codes
        return legal

    def fouls(self, seat: int) -> list[Action]:
        """Return the fouls a seat can commit; empty unless the ruleset penalises fouls (``fouls.mode``)."""
        called = self.claimed
        return [decode(code, called) for code in self._engine.fouls(self._seat(seat))]

    def play(self, seat: int, action: Action) -> Sequence[Event]:
        """Execute a legal action or a foul and return its events, which are also added to ``events``.

        The events are created on first access. Raises ``IllegalActionError``, which lists the legal actions,
        if the action is neither, and ``RequestError`` if there is no wall for the next hand; both leave the
        game unchanged.
        """
        if len(self.played) >= MAX_MOVES:
            raise RequestError("game_too_long", field="action", most=MAX_MOVES)
        seat = self._seat(seat)
        code = self._code(seat, action)
        before = self._now
        if not self._engine.step(seat, code):
            raise self._refused(seat, action)
        self._refresh()
        after, dealt = self._now, None
        if after.phase == HAND_OVER:
            dealt = self._next_hand(before)
        elif before.phase == YOUR_TURN:
            self._offer = before, action
        self.played.append((seat, code))
        return self._log.add(Step(before, after, seat, action, self.rules, dealt, self.seed))

    def _next_hand(self, before: Snapshot) -> Snapshot:
        """Deal the next hand and return its record; without another wall, restore ``before`` and raise."""
        try:
            self._deal()
        except RequestError:
            self._engine.restore(before)
            self._refresh()
            raise
        return self._now

    def copy(self) -> "Game":
        """Return an independent copy of the game at this point."""
        twin = object.__new__(Game)
        twin.__dict__.update(self.__dict__)
        for name in ("walls", "played"):
            setattr(twin, name, list(getattr(self, name)))
        twin._log = self._log.copy()
        self._walls, twin._walls = tee(self._walls)
        twin._choices = dict(self._choices)
        twin._engine = self._engine.copy()
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> "Game":
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the actions, with the dealt walls if walls were given."""
        walls = self.walls if self.seed is None else None
        return _restored, (self.rules, self.seed, walls, self.played, self.standing, self.names)

    def __eq__(self, other: object) -> bool:
        """Return whether both games have the same rules, walls and actions."""
        if not isinstance(other, Game):
            return NotImplemented
        mine, theirs = ((game.rules, game.walls, game.played, game.standing) for game in (self, other))
        return mine == theirs

    def __hash__(self) -> int:
        return hash((self.rules, tuple(self.walls[0])))

    def __repr__(self) -> str:
        now, match = self._now, self._now.match
        hand = "over" if self.is_over else f"{WIND_NAMES[round_of(now)]} {dealer_of(now) + 1}"
        position = f"{hand}, honba {match.honba}, {' '.join(map(str, self.scores))}, {now.turn} to play"
        return f"<Game {self.rules.id}: {position}>"

    def _repr_svg_(self) -> str | None:
        """Return the whole table with all hands open as a picture for notebooks."""
        from jantaku.game.picture import game_svg  # noqa: PLC0415  (it imports this module)

        return game_svg(self)

    def why(self, seat: int, what: Action | ActionName, language: terms.Language | None = None) -> str:
        """Explain why a seat may not do ``what`` now; ``what`` is an action or its name, such as ``"ron"``.

        ``language`` is by default the current one. Raises ``RequestError`` if ``what`` names no action.
        """
        return why(self, self._seat(seat), what, language)

    def view(self, seat: int) -> View:
        """Return what a seat sees, without hidden information."""
        seat = self._seat(seat)
        return view_of(self._now, seat, tuple(self.legal(seat)), tuple(self.fouls(seat)))

    @property
    def claimed(self) -> int:
        """The tile that may be claimed now; 0 (also the code of 1m) if there is none."""
        return int(self._now.claimed_tile) if self._now.phase == CLAIMS else 0

    def _seat(self, seat: int) -> int:
        if type(seat) is int and seat in self.seats:
            return seat
        return whole(seat, "seat", 0, self.seats[-1])

    def _code(self, seat: int, action: Action) -> int:
        """Return the engine's integer for a legal action or a foul."""
        actions, codes = self._legal(seat)
        for legal, code in zip(actions, codes, strict=True):
            if legal is action:  # the usual case, and faster than comparing actions
                return code
        if not isinstance(action, Action):
            expect(action, Action, "action")  # type: ignore[unreachable]
        if action in actions:
            return codes[actions.index(action)]
        if action in (fouls := self.fouls(seat)):
            return self._engine.fouls(seat)[fouls.index(action)]
        raise self._refused(seat, action)

    def _refused(self, seat: int, action: Action) -> IllegalActionError:
        legal = self.legal(seat)
        refusal, text = reason(self, seat, action), str(action)
        why = f"game.why.{refusal.code}", refusal.details
        if not legal:
            return IllegalActionError("not_asked", why=why, seat=seat, action=text)
        may = Phrases(legal)
        return IllegalActionError("illegal_action", why=why, actions=legal, seat=seat, action=text, legal=may)


def _restored(
    rules: Ruleset,
    seed: bytes | None,
    walls: list[list[Tile]] | None,
    played: list[tuple[int, int]],
    standing: Standing | None,
    names: tuple[str, ...],
) -> Game:
    """Rebuild a pickled game by replaying it."""
    game = Game(rules, seed, walls, standing)
    game.names = names
    for seat, code in played:
        game.play(seat, decode(code, game.claimed))
    return game
