"""Public values can be pickled, copied, compared and hashed, and have a repr in notation."""

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import jantaku
from jantaku.game import Game
from jantaku.records.native.game_file import dumps
from support.playing import played

WIN = jantaku.Win.parse("234m567p34567s99p 8s", riichi="riichi", dora="4s")
DRAGONS = [jantaku.Meld.parse("pon", f"{kind * 3}z", source="left") for kind in "567"]
VALUES: dict[str, Callable[[], Any]] = {
    "meld": lambda: jantaku.Meld.parse("chi", "340m", "4m", "left"),
    "rules": lambda: jantaku.load("tenhou").with_changes({"riichi.deposit": 500}, name="ours"),
    "hand": lambda: jantaku.Hand.parse("234m567p3467s", [jantaku.Meld.parse("pon", "555z")]),
    "win": lambda: jantaku.Win.parse("1m123p 1m", DRAGONS, pao={"daisangen": "left"}),
    "score": lambda: jantaku.score(WIN, "bgm-2025"),
    "game": lambda: played("tenhou", 5, 30),
}


@pytest.mark.parametrize("kind", VALUES)
def test_a_value_is_pickled_copied_compared_and_hashed(kind: str) -> None:
    value, again = VALUES[kind](), VALUES[kind]()
    for same in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value), again):
        assert same == value
        assert hash(same) == hash(value)
    for other in ("x", *(make() for name, make in VALUES.items() if name != kind)):
        assert value != other


@pytest.mark.parametrize(
    ("kind", "field"), [("meld", "tiles"), ("hand", "melds"), ("win", "honba"), ("score", "win")]
)
def test_a_value_cannot_be_changed(kind: str, field: str) -> None:
    value, original = VALUES[kind](), VALUES[kind]()
    with pytest.raises(AttributeError):
        setattr(value, field, getattr(value, field))
    with pytest.raises(AttributeError):
        delattr(value, field)
    with pytest.raises((AttributeError, TypeError)):
        value.another = 1
    assert (value, hash(value), repr(value)) == (original, hash(original), repr(original))


@pytest.mark.parametrize("kind", ["meld", "hand", "win"])
def test_fields_of_a_value_can_be_replaced(kind: str) -> None:
    value = VALUES[kind]()
    names = [field.name for field in dataclasses.fields(value) if field.init]
    assert list(inspect.signature(type(value)).parameters) == names
    assert dataclasses.replace(value) == value
    assert type(value)(**{name: getattr(value, name) for name in names}) == value
    assert dataclasses.replace(jantaku.Win.parse("234m567p34567s99p 8s"), honba=3).honba == 3


def test_reading_a_score_does_not_change_it() -> None:
    read, unread = VALUES["score"](), VALUES["score"]()
    contents = read.to_dict(), read.fu_items, read.reading, read.counted(), repr(read), read.base, read.bonus
    assert (read, hash(read)) == (unread, hash(unread))
    for same in (pickle.loads(pickle.dumps(read)), copy.copy(read), copy.deepcopy(read), unread):
        again = same.to_dict(), same.fu_items, same.reading, same.counted(), repr(same), same.base, same.bonus
        assert again == contents
        assert same == read
    numbers = (read.han, read.fu, read.yakuman, read.base, read.points, *read.payments.values())
    assert {type(number) for number in (*numbers, *read.reading, *read.yaku.values())} == {int}
    assert read != jantaku.score(dataclasses.replace(WIN, honba=1), "bgm-2025")


def test_scoring_a_win_does_not_change_it() -> None:
    win, again = (jantaku.Win.parse("234m567p34567s99p 8s", riichi="riichi", dora="4s") for _ in range(2))
    points = [jantaku.score(win, rules).points for rules in ("tenhou", "bgm-2025", "tenhou")]
    assert points[0] == points[2]
    assert (win, hash(win), repr(win)) == (again, hash(again), repr(again))
    assert pickle.dumps(win) == pickle.dumps(again)


def test_a_pickled_ruleset_has_its_name_and_custom_yaku() -> None:
    rules = jantaku.load({"yaku": {"all_man": {"closed": 3, "when": "only(man)"}}}).under("club")
    again = pickle.loads(pickle.dumps(rules))
    assert again == rules
    assert (again.id, again.own_yaku) == ("club", rules.own_yaku)
    win = jantaku.Win.parse("1123345567789m 1m")
    assert jantaku.score(win, again).yaku == jantaku.score(win, rules).yaku
    assert jantaku.score(win, again).yaku["all_man"] == 3


def test_scores_of_other_wins_and_rules_differ() -> None:
    assert jantaku.score(WIN) != jantaku.score(WIN, "bgm-2025")
    assert jantaku.score(WIN) != jantaku.score(jantaku.Win.parse("234m567p34567s99p 8s"))


@pytest.mark.parametrize("walls", [False, True])
def test_a_copied_game_is_independent(walls: bool) -> None:
    game = played("standard", 3, 40)
    if walls:
        given = Game("standard", walls=[*game.walls, *game.walls])
        for _, seat, action in game.moves:
            given.play(seat, action)
        game = given
    before, twin = dumps(game), game.copy()
    while not twin.is_over and len(twin.walls) == len(game.walls):
        twin.play(twin.to_act[0], twin.legal(twin.to_act[0])[-1])
    assert dumps(game) == before
    assert game != twin
    rest = twin.moves[len(game.moves) :]
    for other in (game, game.copy()):
        for _, seat, action in rest:
            other.play(seat, action)
        assert other == twin
        assert (other.state, other.events) == (twin.state, twin.events)


def test_values_have_a_repr_in_notation() -> None:
    game = Game("tenhou", seed=7)
    seat = game.to_act[0]
    assert repr(VALUES["hand"]()) == "<Hand 234m567p3467s pon 555z>"
    assert repr(WIN) == "<Win 234m56799p34567s on 8s, ron>"
    assert repr(game) == f"<Game tenhou: east 1, honba 0, 25000 25000 25000 25000, {seat} to play>"
    assert repr(game.legal(seat)[-1]).startswith("<Discard ")
    assert "fingerprint=" in repr(game.events[0])
    assert f"<View of seat {seat}: " in repr(game.view(seat))
