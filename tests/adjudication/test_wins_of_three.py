"""Wins of three players: contradictory circumstances are refused, and titles state the payments."""

import pytest

from jantaku.adjudication.explain import explain
from jantaku.adjudication.score import score
from jantaku.errors import RulesError
from jantaku.hand import Meld
from jantaku.rules import Ruleset, load
from jantaku.win import Win

HAND = "234567p22s45678s 3s"
NO_RINSHAN = load("standard-3").with_changes({"kita.rinshan": False})
FIRST_TURN_STAYS = load("standard-3").with_changes({"kita.breaks_first_turn": False})


@pytest.mark.parametrize(
    ("rules", "win", "code"),
    [
        (NO_RINSHAN, Win.parse(HAND, tsumo=True, kita=1, rinshan=True), "kita_no_rinshan"),
        (load("standard-3"), Win.parse(HAND, tsumo=True, kita=1, first_turn=True), "kita_ends_first_turn"),
    ],
)
def test_circumstances_ruled_out_by_kita_are_refused(rules: Ruleset, win: Win, code: str) -> None:
    with pytest.raises(RulesError) as caught:
        score(win, rules)
    assert caught.value.code == code


def test_circumstances_not_ruled_out_by_kita_count() -> None:
    assert "chiihou" in score(Win.parse(HAND, tsumo=True, kita=1, first_turn=True), FIRST_TURN_STAYS).yaku
    kan = [Meld.parse("ankan", "1111m")]
    win = Win.parse("22s23678p444s 4p", kan, tsumo=True, kita=1, rinshan=True)
    assert "rinshan_kaihou" in score(win, NO_RINSHAN).yaku


@pytest.mark.parametrize("players", ["standard", "standard-3"])
def test_the_title_has_no_shares_if_liability_changes_them(players: str) -> None:
    melds = [Meld.parse("pon", tiles) for tiles in ("555z", "666z", "777z", "111z")]
    win = Win.parse("2z 2z", melds, tsumo=True, honba=1, pao={"daisangen": "across"})
    shares = explain(score(win, load(players)), "en").title
    assert "(" not in shares
