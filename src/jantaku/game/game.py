"""``Game``: a whole game, played through typed actions and reported in typed events."""

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
from jantaku.game.why import Wish, reason, why
from jantaku.hand import WIND_NAMES
from jantaku.kernels.engine.state import CLAIMS, GAME_OVER, HAND_OVER, YOUR_TURN
from jantaku.rules import Ruleset, load
from jantaku.tiles import Tile

Choices = tuple[list[Action], list[int]]  # actions, and the engine's integers in the same order
MOST_MOVES: Final = 10_000  # ten times a long game; this bounds the time that a record can cost


def check_length(moves: int) -> None:
    """Raise ``RecordError`` if a record has more actions than any game; call it before playing the record."""
    if moves > MOST_MOVES:
        raise RecordError("record_long", most=MOST_MOVES)


class Game:
    """One game under one ruleset, from the first deal to the final points.

    ``rules`` is a ruleset or the name of one. The walls come from ``seed`` (32 bytes or a number; random if
    omitted) or, for a replay or a test, from ``walls``, each 136 tiles in the order of
    ``kernels.engine.wall``. ``standing`` is the state of a game that begins in the middle. New hands begin
    automatically. ``events`` holds everything that happened; ``hide(event, seat)`` reduces an event to what a
    seat may know, and ``view(seat)`` is what the seat sees now. Seats are 0–3, 0 the first dealer.

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
    """Whether the engine carries out the actions; false for a ``RecordedGame``, which only shows a record."""

    names: tuple[str, ...] = ()
    """The players' names: those of the record that was read, or set by you; ``write`` keeps them."""

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
        self.seats: range = self.rules.seats  # the seats that play
        self.seed: bytes | None = fair.new_seed(seed) if walls is None else None
        self.walls: list[list[Tile]] = []
        self.played: list[tuple[int, int]] = []  # (seat, action as the engine's integer)
        self._walls = self._from_seed(self.seed) if walls is None else self._given(walls)
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

    def anew(self) -> "Game":
        """The same game before its first action, with the same walls, those not yet dealt included."""
        if self.seed is not None:
            game = Game(self.rules, self.seed, standing=self.standing)
        else:
            self._walls, later = tee(self._walls)
            game = Game(self.rules, walls=chain(self.walls, later), standing=self.standing)
        game.names = self.names
        return game

    def _from_seed(self, seed: bytes | None) -> Iterator[list[Tile]]:
        tiles = fair.tile_set(self.rules)
        return (fair.permuted(tiles, seed or b"", hand) for hand in count())

    def _given(self, walls: Iterable[Iterable[int]]) -> Iterator[list[Tile]]:
        if not isinstance(walls, Iterable):
            raise RequestError("wrong_type", field="walls", wanted=kind_of_value(list))
        return (fair.checked(wall, self.rules) for wall in walls)

    @property
    def events(self) -> list[Event]:
        """Everything that happened, in order."""
        return self._log.events

    @property
    def moves(self) -> list[Move]:
        """Every action with its seat and the number of events before it."""
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
        """The engine's record (``kernels.engine.state.GAME``), read-only."""
        return self._engine.record

    @property
    def array(self) -> npt.NDArray[Any]:
        """The one-element array that holds the record, for compiled functions that only read it."""
        return self._engine.array

    @property
    def state(self) -> bytes:
        """The record's bytes, equal for games with the same rules, walls and actions."""
        return self._engine.array.tobytes()

    @property
    def offer(self) -> tuple[Record, Action] | None:
        """The record and action of the last discard or kan of this hand, before it was carried out."""
        return self._offer

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._now.phase == GAME_OVER)

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of each seat, without deposits on the table."""
        return by_seat(self._now, self._now.match.scores)

    @property
    def to_act(self) -> list[int]:
        """The seats that must act: one on its turn, or all that may claim a tile."""
        return seats_to_act(self._now)

    def legal(self, seat: int) -> list[Action]:
        """All legal actions of a seat now; empty if it need not act."""
        return list(self._legal(self._seat(seat))[0])

    def _legal(self, seat: int) -> Choices:
        legal = self._choices.get(seat)
        if legal is None:
            called, codes = self.claimed, self._engine.legal(seat)
            legal = self._choices[seat] = list(map(decode, codes, repeat(called))), codes
        return legal

    def fouls(self, seat: int) -> list[Action]:
        """The fouls that a seat can commit now: none unless the ruleset penalises them (``fouls.mode``)."""
        called = self.claimed
        return [decode(code, called) for code in self._engine.fouls(self._seat(seat))]

    def play(self, seat: int, action: Action) -> Sequence[Event]:
        """Carry out an action, legal or a foul, and return its events, which are also added to ``events``.

        The events are made when somebody reads them. Raises ``IllegalActionError``, which lists the legal
        actions, and changes nothing if the action is neither.
        """
        if len(self.played) >= MOST_MOVES:
            raise RequestError("game_too_long", field="action", most=MOST_MOVES)
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
        """The record after the next deal; without a wall for it, the game is put back to ``before``."""
        try:
            self._deal()
        except RequestError:
            self._engine.restore(before)
            self._refresh()
            raise
        return self._now

    def copy(self) -> "Game":
        """An independent copy of the game at this point."""
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
        """Pickle the actions and, if the walls were given, those that were dealt."""
        walls = self.walls if self.seed is None else None
        return _restored, (self.rules, self.seed, walls, self.played, self.standing, self.names)

    def __eq__(self, other: object) -> bool:
        """Whether both games have the same rules, walls and actions."""
        if not isinstance(other, Game):
            return NotImplemented
        mine, theirs = ((game.rules, game.walls, game.played, game.standing) for game in (self, other))
        return mine == theirs

    def __hash__(self) -> int:
        return hash((self.rules, tuple(self.walls[0])))

    def __repr__(self) -> str:
        now, match = self._now, self._now.match
        hand = "over" if self.is_over else f"{WIND_NAMES[round_of(now)]} {dealer_of(now) + 1}"
        said = f"{hand}, honba {match.honba}, {' '.join(map(str, self.scores))}, {now.turn} to play"
        return f"<Game {self.rules.id}: {said}>"

    def _repr_svg_(self) -> str | None:
        """The whole table with all hands open, as a picture for notebooks."""
        from jantaku.game.picture import game_svg  # noqa: PLC0415  (drawing stands above games)

        return game_svg(self)

    def why(self, seat: int, what: Action | Wish, language: terms.Language | None = None) -> str:
        """Why a seat may not do ``what`` now, in words; see ``jantaku.game.why``."""
        return why(self, self._seat(seat), what, language)

    def view(self, seat: int) -> View:
        """What a seat sees, without any hidden information."""
        seat = self._seat(seat)
        return view_of(self._now, seat, tuple(self.legal(seat)), tuple(self.fouls(seat)))

    @property
    def claimed(self) -> int:
        """The tile that may be claimed now, 0 if there is none."""
        return int(self._now.claimed_tile) if self._now.phase == CLAIMS else 0

    def _seat(self, seat: int) -> int:
        if type(seat) is int and seat in self.seats:
            return seat
        return whole(seat, "seat", 0, self.seats[-1])

    def _code(self, seat: int, action: Action) -> int:
        """The engine's integer of a legal action."""
        actions, codes = self._legal(seat)
        for legal, code in zip(actions, codes, strict=True):
            if legal is action:  # as a rule, and comparing actions takes long
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
        refusal, said = reason(self, seat, action), str(action)
        why = f"game.why.{refusal.code}", refusal.details
        if not legal:
            return IllegalActionError("not_asked", why=why, seat=seat, action=said)
        may = Phrases(legal)
        return IllegalActionError("illegal_action", why=why, actions=legal, seat=seat, action=said, legal=may)


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
