"""Following a live mjai stream for one seat: dialects, seat numbers, two-step riichi and invalid messages."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from conftest import scale
from jantaku import terms
from jantaku.errors import IllegalActionError, RecordError
from jantaku.game import Action, Discard, Game, hide
from jantaku.records.mjai import Follower, MjaiEncoder, action_to_mjai
from jantaku.tiles import Tile
from support.playing import choose

Message = dict[str, Any]
Dialect = Callable[[Message], list[Message]]
BY_PLACE = ("tehais", "scores", "deltas", "names")
PLACES = ("actor", "target", "oya", "id")
ALIKE = ("hand", "drawn", "melds", "rivers", "riichi", "waits", "furiten", "offered", "legal", "indicators")


@dataclass
class Fickle:
    """A player that never chooses the same action twice in a row."""

    last: Action

    def choose(self, game: Game, seat: int) -> Action:
        self.last = next(action for action in game.legal(seat) if action != self.last)
        return self.last


def without(*names: str, kinds: tuple[str, ...]) -> Dialect:
    return lambda message: [
        {name: it for name, it in message.items() if message["type"] not in kinds or name not in names}
    ]


def original(message: Message) -> list[Message]:
    """Write messages like Gimite's server: points only after each payment."""
    msg = dict(message)
    if msg["type"] == "start_kyoku":
        del msg["scores"]
    if msg["type"] == "tsumo":
        return [{"type": "hello", "protocol": "mjsonp"}, msg, {"type": "none"}]
    return [msg]


def mortal(message: Message) -> list[Message]:
    """Write messages like Mortal: no payments, no tile in a win, and every riichi twice."""
    msg = {name: it for name, it in message.items() if name not in ("deltas", "ura_markers")}
    if msg["type"] in ("hora", "ryukyoku"):
        msg = {name: msg[name] for name in ("type", "actor", "target") if name in msg}
    return [msg, msg] if msg["type"] == "reach" else [msg | {"meta": {"q_values": [0.5]}}]


def placed(turns: int, places: int = 4, empty: list[str] | None = None) -> Dialect:
    """Move the players to other seat numbers, optionally with an empty fourth seat."""

    def change(message: Message) -> list[Message]:
        msg = dict(message)
        if empty is not None:
            blank = {"tehais": empty, "scores": 0, "deltas": 0, "names": ""}
            msg |= {name: [*msg[name], blank[name]] for name in BY_PLACE if name in msg}
        for name in BY_PLACE if turns else ():
            if name in msg:
                msg[name] = [*msg[name][-turns:], *msg[name][:-turns]]
        msg |= {name: (msg[name] + turns) % places for name in PLACES if name in msg}
        return [msg]

    return change


DIALECTS: dict[str, tuple[str, Dialect]] = {
    "ours": ("tenhou", lambda message: [message]),
    "original": ("tenhou", original),
    "mortal": ("tenhou", mortal),
    "no names": ("tenhou", without("names", kinds=("start_game",))),
    "no seat": ("tenhou", without("id", kinds=("start_game",))),
    "no reach_accepted": ("tenhou", lambda message: [message] * (message["type"] != "reach_accepted")),
    "no end_kyoku": ("tenhou", lambda message: [message] * (message["type"] != "end_kyoku")),
    "no tsumogiri": ("tenhou", without("target", kinds=("chi", "pon", "daiminkan", "hora"))),
    "another first dealer": ("tenhou", placed(3)),
    "three": ("tenhou-3", lambda message: [message]),
    "three at four places": ("tenhou-3", placed(0, empty=[])),
    "three beside an unknown hand": ("tenhou-3", placed(0, empty=["?"] * 13)),
    "three from another place": ("tenhou-3", placed(2, places=3)),
}


def followed(dialect: Dialect, game: Game, rules: str | None = None) -> Iterator[tuple[Game, list[Follower]]]:
    """Yield the game after each action, with followers that received their seat's messages."""
    rng, sent = Random(5), 0
    encoders = [MjaiEncoder(seat, list("ABCD"[: len(game.seats)])) for seat in game.seats]
    followers = [Follower(rules) for _ in game.seats]
    for _ in range(scale(1000)):
        for event in game.events[sent:]:
            for seat in game.seats:
                for message in encoders[seat].encode(hide(event, seat)):
                    for msg in dialect(json.loads(json.dumps(message))):
                        followers[seat].follow(msg)
        sent = len(game.events)
        yield game, followers
        if game.is_over:
            break
        seat = rng.choice(game.to_act)
        game.play(seat, choose(game, seat, rng))


@pytest.mark.parametrize("name", DIALECTS)
def test_a_seat_has_the_same_view_in_every_dialect(name: str) -> None:
    preset, dialect = DIALECTS[name]
    decisions = 0
    for game, followers in followed(dialect, Game(preset, seed=6)):
        for seat in game.to_act:
            ours, theirs = game.view(seat), followers[seat].view
            assert theirs is not None
            assert [getattr(ours, it) for it in ALIKE] == [getattr(theirs, it) for it in ALIKE]
            if name not in ("mortal", "no names"):
                assert (ours, game.rules) == (theirs, followers[seat].game.rules)  # type: ignore[union-attr]
            decisions += 1
        for seat in set(game.seats) - set(game.to_act):
            assert game.record.asked[seat] or followers[seat].legal == []
    assert decisions > min(50, scale(500))
    assert name == "no names" or followers[0].game.names == tuple("ABCD"[: len(game.seats)])  # type: ignore[union-attr]


@pytest.mark.parametrize("name", ["ours", "another first dealer", "three at four places"])
def test_answers_use_the_places_of_the_arena(name: str) -> None:
    """Answers use the arena's seat numbers; riichi is answered with ``reach`` and then with ``dahai``."""
    preset, dialect = DIALECTS[name]
    riichi = 0
    for game, followers in followed(dialect, Game(preset, seed=6)):
        for seat in game.to_act:
            for action in game.legal(seat):
                first, *rest = (dialect(it)[0] for it in action_to_mjai(action, game, seat))
                assert followers[seat].answer(action) == first
                if rest and not riichi:
                    riichi += 1
                    declared = followers[seat]
                    for _ in range(2):  # some arenas repeat the message
                        declared.follow(first)
                    assert action in declared.legal
                    assert all(isinstance(it, Discard) and it.riichi for it in declared.legal)
                    assert declared.answer(action) == rest[0]
                    assert declared.choose(Fickle(action)) in declared.legal
                    declared._riichi.clear()
    assert riichi or scale(1000) < 1000


START = {"type": "start_game", "id": 1}
KYOKU: Message = {
    "type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0, "dora_marker": "1m",
    "scores": [25000] * 4, "tehais": [["?"] * 13, [f"{i}{s}" for s in "mp" for i in range(2, 8)] + ["E"],
                                      ["?"] * 13, ["?"] * 13],
}  # fmt: skip
DRAW, MINE = {"type": "tsumo", "actor": 0, "pai": "?"}, {"type": "tsumo", "actor": 1, "pai": "C"}


@pytest.mark.parametrize(
    ("messages", "code"),
    [
        ([DRAW], "mjai_not_started"),
        ([START, DRAW], "mjai_not_started"),
        ([START, KYOKU | {"tehais": [["?"] * 13] * 4}], "mjai_hidden"),
        ([START | {"id": 7}, KYOKU], "mjai_no_seat"),
        ([START | {"id": "1"}, KYOKU], "mjai_no_seat"),
        ([START, KYOKU | {"tehais": [["1m"]] * 4}], "mjai_message"),
        ([START, KYOKU | {"scores": "many"}], "mjai_message"),
        ([START, KYOKU | {"scores": [25000] * 2}], "mjai_message"),
        ([START, KYOKU | {"dora_marker": "?"}], "mjai_message"),
        ([START, KYOKU | {"honba": -1}], "mjai_message"),
        ([START, KYOKU, DRAW | {"actor": 4}], "mjai_message"),
        ([START, KYOKU, DRAW | {"pai": "0m"}], "mjai_message"),
        ([START, KYOKU, MINE | {"pai": "?"}], "mjai_hidden"),
        ([START, KYOKU, {"type": "dahai", "actor": 0}], "mjai_message"),
        ([START, KYOKU, {"type": "kakan", "actor": 0, "pai": "1m", "consumed": ["1m"] * 3}], "mjai_message"),
        (
            [START, KYOKU, {"type": "pon", "actor": 0, "target": 0, "pai": "1m", "consumed": []}],
            "mjai_message",
        ),
        ([[]], "mjai_message"),
        ([{"type": 5}], "mjai_message"),
        ([START | {"jantaku": {"rules": "x"}}, KYOKU], "record_rules"),
    ],
)
def test_invalid_messages_are_refused_and_the_next_game_is_followed(messages: list[Any], code: str) -> None:
    follower = Follower("tenhou" if code != "record_rules" else None)
    *before, wrong = messages
    for message in before:
        follower.follow(message)
    with pytest.raises(RecordError) as refused:
        follower.follow(wrong)
    assert refused.value.code == code
    for language in terms.LANGUAGES:
        assert refused.value.message(language)
    assert follower.answer() == {"type": "none"}
    for message in (START, KYOKU, {"type": "sing"}, MINE):
        follower.follow(message)
    assert follower.answer(follower.legal[0])["actor"] == 1


def test_only_legal_actions_have_an_answer() -> None:
    follower = Follower("tenhou", seat=1)
    with pytest.raises(IllegalActionError):
        follower.answer(Discard(Tile(0)))
    assert (follower.view, follower.legal) == (None, [])
    for message in (KYOKU, MINE):
        follower.follow(message)
    with pytest.raises(IllegalActionError):
        follower.answer(Discard(Tile(0)))
    follower.follow({"type": "end_game"})
    assert (follower.over, follower.legal) == (True, [])
