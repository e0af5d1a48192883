"""Follow a live game through the mjai messages sent to one seat, in which hidden tiles are ``?``."""

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from jantaku.errors import IllegalActionError, JantakuError, Phrases, RecordError, cause
from jantaku.game import FollowedGame, Game
from jantaku.game import events as e
from jantaku.game.actions import Action, Discard, Riichi, default_action
from jantaku.game.engine import melds
from jantaku.game.view import View
from jantaku.hand import Meld, MeldType
from jantaku.kernels.engine.wall import MAX_INDICATORS
from jantaku.records import script
from jantaku.records.as_recorded import score_of
from jantaku.records.log_rules import check_players, log_rules
from jantaku.records.mjai.actions import CLAIMS, action_to_mjai
from jantaku.records.mjai.dialects import DialectReader, first_dealer, rotated_by
from jantaku.records.mjai.empty_seat import empty_place, without_place
from jantaku.records.mjai.read import (
    ACCEPTED,
    KINDS,
    check_seats,
    checked,
    names_in,
    start_of,
    table_rules,
    visible,
)
from jantaku.records.mjai.write import HIDDEN, KITA, NAGASHI, Message
from jantaku.records.places import PLACES
from jantaku.records.texts import bounded_name
from jantaku.rules import Ruleset, load
from jantaku.seats import by_place, source_of
from jantaku.tiles import RED, Tile, from_mjai, sort_tiles

NONE: Final[Message] = {"type": "none"}


class Player(Protocol):
    """An object that chooses actions, such as a bot."""

    def choose(self, game: Game, seat: int) -> Action:
        """Return an action of ``seat``."""
        ...


class Follower:
    """One seat's game, followed through the messages that an arena sends to a program.

    ``follow`` processes the next message. ``view`` is then the seat's view, and ``legal`` its legal actions,
    empty if it is not its turn. ``choose`` lets a bot choose one of them, and ``answer`` converts it to a
    message. Riichi takes two steps: ``answer`` returns ``reach``; after the arena has repeated it, ``legal``
    contains the discards that may declare riichi, and ``answer`` returns the ``dahai``.

    ``rules`` apply if the game does not describe its own; the default is Tenhou's with the options of
    ``start_game``. ``seat`` is the place at the arena, for a ``start_game`` without ``id``. ``kita`` is the
    arena's name for a north set aside (``kita`` for RiichiEnv), until the arena itself uses one. All dialects
    of ``jantaku.records.mjai`` are supported. Unreadable messages raise ``RecordError``.

    >>> from jantaku.game import Game
    >>> from jantaku.records.mjai import to_mjai
    >>> follower = Follower()
    >>> for message in to_mjai(Game("tenhou", seed=7), 0):
    ...     follower.follow(message)
    >>> follower.answer(follower.legal[0])["type"]
    'dahai'
    """

    def __init__(self, rules: str | Ruleset | None = None, seat: int | None = None, kita: str = KITA) -> None:
        self.game: FollowedGame | None = None
        self.over = False
        self._rules = None if rules is None else load(rules)
        self._place = seat
        self._kita_word = kita
        self._count = 0
        self._begin({})

    def _begin(self, head: Message) -> None:
        self._head = head
        self._reader = DialectReader(())
        self._empty: int | None = None
        self._first = 0  # arena seat that is seat 0 here
        self._places = 0
        self._riichi: dict[int, Riichi] = {}  # declared, but the tile is not discarded yet
        self._open_hand: tuple[Tile, ...] | None = None
        self._chosen: Action | None = None  # the bot's latest choice
        self._declared: int | None = None  # seat of an unaccepted riichi whose tile has been discarded
        self._after_kan = False
        self.game, self.over = None, False

    @property
    def legal(self) -> list[Action]:
        """The legal actions of the seat; empty if it has nothing to decide."""
        if self.game is None or self.over or self.game.seat not in self.game.to_act:
            return []
        legal, riichi = self.game.legal(self.game.seat), self._riichi.get(self.game.seat)
        if riichi is None:
            return legal
        return [action for action in legal if isinstance(action, Discard) and action.riichi == riichi]

    @property
    def view(self) -> View | None:
        """The seat's view of the game; ``None`` before the first hand."""
        if self.game is None:
            return None
        return dataclasses.replace(self.game.view(self.game.seat), legal=tuple(self.legal))

    def choose(self, player: Player) -> Action | None:
        """Return the action a bot chooses; ``None`` if the seat has nothing to decide.

        A declared riichi cannot be withdrawn, so the seat then discards the tile the bot chose together with
        it. If the bot did not declare it and chooses another action, use any discard that may declare it.
        """
        game, legal = self.game, self.legal
        if game is None or not legal:
            return None
        if game.seat not in self._riichi or self._chosen not in legal:
            self._chosen = player.choose(game, game.seat)
        if game.seat in self._riichi and self._chosen not in legal:
            self._chosen = default_action(legal)
        return self._chosen

    def answer(self, action: Action | None = None) -> Message:
        """Return the message for an action, ``none`` without one; raise ``IllegalActionError`` if illegal."""
        if action is None:
            return dict(NONE)
        game, legal = self.game, self.legal
        if game is None or action not in legal:
            raise IllegalActionError(
                "illegal_action",
                why=("game.why.unknown", {}),
                actions=legal,
                seat=self._place if game is None else game.seat,
                action=str(action),
                legal=Phrases(legal),
            )
        messages = action_to_mjai(action, game, game.seat)
        return self._at_arena(messages[-1 if game.seat in self._riichi else 0])

    def _at_arena(self, message: Message) -> Message:
        """Return a message with seats numbered as at the arena."""
        msg = dict(message)
        if msg["type"] == KITA:
            msg["type"] = self._kita_word
        for name in ("actor", "target"):
            if name in msg:
                seat = (msg[name] + self._first) % self._places
                msg[name] = seat + (self._empty is not None and seat >= self._empty)
        return msg

    def follow(self, message: Mapping[str, Any]) -> None:
        """Process the next message."""
        self._count += 1
        if not isinstance(message, Mapping) or not isinstance(message.get("type"), str):
            raise RecordError("mjai_message", number=self._count, reason=str(message)[:40])
        _, msg = checked(dict(message), self._count)
        kind = msg["type"]
        if kind == KITA:
            self._kita_word = message["type"]
        if kind == "start_game":
            self._begin(msg)
        elif kind == "start_kyoku" or kind in _EVENTS:
            try:
                self._handle(msg)
            except RecordError:
                raise
            except (
                ArithmeticError,
                AttributeError,
                JantakuError,
                LookupError,
                TypeError,
                ValueError,
            ) as error:
                raise RecordError("mjai_message", number=self._count, reason=cause(error)) from error

    def _handle(self, given: Message) -> None:
        if given["type"] == "start_kyoku":
            self._start(given)
            return
        game = self.game
        if game is None:
            raise RecordError("mjai_not_started", type=given["type"])
        msg = self._reader.complete(self._count, self._here(given))
        check_seats(msg, len(game.seats))
        for event in _EVENTS[msg["type"]](self, game, msg):
            game.follow(event)

    def _here(self, message: Message) -> Message:
        """Return a message with seats numbered as in the rules, without an empty place."""
        msg = message if self._empty is None else without_place(message, self._empty)
        return rotated_by(msg, self._first, self._places) if self._first else msg

    def _start(self, given: Message) -> None:
        game = self.game
        if game is None:
            self._empty = self._empty_place(given)
            msg = given if self._empty is None else without_place(given, self._empty)
            self._first, self._places = first_dealer(msg), len(msg["tehais"])
        msg = self._reader.complete(self._count, self._here(given))
        seat = self._seat(msg) if game is None else game.seat
        before = (
            next((it.number for it in reversed(game.events) if isinstance(it, e.HandStarted)), 0)
            if game
            else 0
        )
        start = start_of(msg, before, seat)
        if game is None:
            game = self._new_game(start, seat)
        self._riichi, self._declared, self._after_kan = {}, None, False
        game.follow(start)
        self.game = game

    def _empty_place(self, start: Message) -> int | None:
        """Return the empty place, if three players use four places."""
        hands, points = start["tehais"], start.get("scores") or []
        if len(hands) != PLACES:
            return empty_place(hands, points)
        empty = [place for place, hand in enumerate(hands) if not hand]
        if not empty and points.count(0) == 1 and len(set(points)) == 2:  # players never start with 0 points
            empty = [points.index(0)]
        if not empty and self._rules is not None and len(self._rules.seats) == PLACES - 1:
            empty = [PLACES - 1]
        return empty[0] if len(empty) == 1 else None

    def _seat(self, start: Message) -> int:
        """Return the seat to follow: the arena names it, or only its hand is visible."""
        head, hands = self._here(self._head), start["tehais"]
        open_hands = [seat for seat, hand in enumerate(hands) if HIDDEN not in hand]
        if "id" not in head and self._place is not None:
            head = self._here({"id": self._place})
        seat = head.get("id", open_hands[0] if len(open_hands) == 1 else None)
        if type(seat) is not int or not 0 <= seat < len(hands):
            raise RecordError("mjai_no_seat", id=seat)
        return seat

    def _new_game(self, start: e.HandStarted, seat: int) -> FollowedGame:
        hands = [script.ScriptHand((self._count, ""), start, ())]
        rules = log_rules(self._head, self._rules, lambda: table_rules(self._head, hands))[0]
        check_players(rules, [start])
        names = tuple(map(bounded_name, names_in(self._here(self._head), len(rules.seats))))
        started = e.GameStarted(rules.id, rules.fingerprint, len(rules.seats))
        return FollowedGame(rules, seat, [started], names)

    def _accepted(self, game: FollowedGame) -> list[e.Event]:
        """Accept a riichi whose tile was not won on, whether or not the arena announces it."""
        seat, self._declared = self._declared, None
        return [] if seat is None else [e.RiichiAccepted(seat, game.rules.riichi.deposit)]

    def _tsumo(self, game: FollowedGame, msg: Message) -> list[e.Event]:
        actor, pai = int(msg["actor"]), msg["pai"]
        tile = from_mjai(visible(pai)) if actor == game.seat or pai != HIDDEN else None
        rinshan, self._after_kan = self._after_kan, False
        return [*self._accepted(game), e.Drew(actor, tile, rinshan)]

    def _reach(self, game: FollowedGame, msg: Message) -> list[e.Event]:  # noqa: ARG002
        self._riichi[int(msg["actor"])] = "open" if msg.get("open") else "riichi"
        tehai = msg.get("tehai")
        self._open_hand = tuple(map(from_mjai, tehai)) if isinstance(tehai, list) else None
        return []

    def _dahai(self, game: FollowedGame, msg: Message) -> list[e.Event]:  # noqa: ARG002
        actor, drawn = int(msg["actor"]), bool(msg["tsumogiri"])
        riichi = self._riichi.pop(actor, None)
        self._declared = actor if riichi else None
        open_hand = self._open_hand if riichi == "open" else None
        return [e.Discarded(actor, from_mjai(visible(msg["pai"])), drawn, riichi, open_hand)]

    def _claim(self, game: FollowedGame, msg: Message) -> list[e.Event]:
        actor, called = int(msg["actor"]), from_mjai(msg["pai"])
        tiles = sort_tiles([called, *map(from_mjai, msg["consumed"])])
        kind = MeldType(msg["type"])
        self._after_kan = kind is MeldType.DAIMINKAN
        source = source_of(actor, int(msg["target"]), len(game.seats))
        return [*self._accepted(game), e.Called(actor, Meld(kind, tuple(tiles), called, source))]

    def _ankan(self, game: FollowedGame, msg: Message) -> list[e.Event]:  # noqa: ARG002
        self._after_kan, hidden = True, HIDDEN in msg["consumed"]
        tiles = () if hidden else tuple(sort_tiles(map(from_mjai, msg["consumed"])))
        tile = None if hidden else Tile(tiles[0] % RED)
        return [e.KanDeclared(int(msg["actor"]), tile, Meld(MeldType.ANKAN, tiles), face_down=hidden)]

    def _kakan(self, game: FollowedGame, msg: Message) -> list[e.Event]:
        self._after_kan, actor, tile = True, int(msg["actor"]), from_mjai(msg["pai"])
        laid = melds(game.record, actor)
        [pon] = [meld for meld in laid if meld.type is MeldType.PON and meld.first == tile % RED]
        tiles = tuple(sort_tiles((*pon.tiles, tile)))
        return [e.KanDeclared(actor, tile, Meld(MeldType.KAKAN, tiles, pon.called, pon.source))]

    def _kita(self, game: FollowedGame, msg: Message) -> list[e.Event]:  # noqa: ARG002
        self._after_kan = True
        return [e.KitaDeclared(int(msg["actor"]))]

    def _dora(self, game: FollowedGame, msg: Message) -> list[e.Event]:
        if int(game.record.indicators) >= MAX_INDICATORS:
            raise ValueError(msg["dora_marker"])
        return [e.DoraTurned(indicator=from_mjai(msg["dora_marker"]))]

    def _reach_accepted(self, game: FollowedGame, msg: Message) -> list[e.Event]:
        return self._accepted(game) if self._declared == msg["actor"] else []

    def _hora(self, game: FollowedGame, msg: Message) -> list[e.Event]:
        actor, target = int(msg["actor"]), int(msg["target"])
        moved = self._moved(game, msg)
        paid = moved[0].deltas if moved else (0,) * len(game.seats)
        score = score_of({}, paid, int(game.record.match.number) % len(game.seats))
        tile = int(game.record.claimed_tile) if "pai" not in msg else from_mjai(msg["pai"])
        return [e.Won(actor, Tile(tile), (), score, None if target == actor else target), *moved]

    def _ryukyoku(self, game: FollowedGame, msg: Message) -> list[e.Event]:
        moved, reason = self._moved(game, msg), msg.get("reason")
        paid = moved[0].deltas if moved else ()
        nagashi = tuple(seat for seat, delta in enumerate(paid) if delta > 0) if reason == NAGASHI else ()
        drawn = e.HandDrawn(KINDS.get(str(reason), "exhausted"), nagashi=nagashi)
        return [*(() if drawn.kind == "sanchahou" else self._accepted(game)), drawn, *moved]

    def _moved(self, game: FollowedGame, msg: Message) -> list[e.PointsMoved]:
        """Return the payments of a message, if it states them."""
        deltas = msg.get("deltas")
        if not isinstance(deltas, list) or len(deltas) != len(game.seats):
            return []
        paid = tuple(int(delta) for delta in deltas)
        return [e.PointsMoved(paid, tuple(a + b for a, b in zip(game.scores, paid, strict=True)))]

    def _end_game(self, game: FollowedGame, msg: Message) -> list[e.Event]:
        self.over = True
        scores = tuple(int(score) for score in msg.get("scores") or game.scores)
        order = by_place(scores)
        return [e.GameEnded(scores, tuple(order.index(seat) + 1 for seat in game.seats))]


_EVENTS: Final[dict[str, Callable[[Follower, FollowedGame, Message], list[Any]]]] = {
    "tsumo": Follower._tsumo,
    "reach": Follower._reach,
    "dahai": Follower._dahai,
    **dict.fromkeys(CLAIMS, Follower._claim),
    "ankan": Follower._ankan,
    "kakan": Follower._kakan,
    KITA: Follower._kita,
    "dora": Follower._dora,
    ACCEPTED: Follower._reach_accepted,
    "hora": Follower._hora,
    "ryukyoku": Follower._ryukyoku,
    "end_game": Follower._end_game,
}
