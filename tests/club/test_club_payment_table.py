"""Every entry of the payment table equals the payments of the settled hand."""

from dataclasses import asdict

import pytest

from jantaku.club import settle
from jantaku.club.payment_table import payment_table
from jantaku.rules import load, preset_names


def test_payments_by_value_dealer_and_winner() -> None:
    rows = {tuple(row.worth.values()): row for row in payment_table(load("standard")).wins}
    assert rows[3, 40].ron == (7700, 5200)
    assert rows[3, 40].tsumo == (2600, 2600, 1300)
    assert rows["haneman",].ron == (18000, 12000)
    assert rows[2,].tsumo == (32000, 32000, 16000)


def test_kiriage_and_multiple_yakuman_follow_the_rules() -> None:
    score = {"kiriage_mangan": True, "multiple_yakuman": False}
    plain, kiriage = (
        payment_table(load("standard")),
        payment_table(load({"extends": "standard", "score": score})),
    )
    paid = [{tuple(row.worth.values()): row.ron for row in table.wins}[4, 30] for table in (plain, kiriage)]
    assert paid == [(11600, 7700), (12000, 8000)]
    counts = [sum("yakuman" in row.worth for row in table.wins) for table in (plain, kiriage)]
    assert counts == [5, 2]


@pytest.mark.parametrize("name", preset_names())
def test_a_second_hand_pays_the_table_plus_honba(name: str) -> None:
    rules = load(name)
    table = payment_table(rules)
    row = next(row for row in table.wins if row.worth == {"han": 2, "fu": 30})
    assert row.ron is not None
    game = settle(
        [
            {"end": "draw", "tenpai": [0]},
            {"end": "ron", "from": 2, "wins": [{"seat": 1, "han": 2, "fu": 30}]},
        ],
        name,
    )
    draw, win = game.hands
    assert draw.deltas == table.draws[0][1].deltas
    assert (win.number == draw.number) == table.draws[0][1].next.stays
    assert win.deltas[2] == -row.ron[win.dealer != 1] - win.honba * table.honba[0]


def test_the_hand_after_a_triple_ron_may_depend_on_the_discarder() -> None:
    dealer, other = payment_table(load("bgm-2025")).aborts["sanchahou"]
    assert asdict(dealer) == {"stays": False, "honba": "adds"}
    assert asdict(other) == {"stays": True, "honba": "adds"}


HIGH_START = {"match": {"start_points": 45_000, "return_points": 45_000}}


@pytest.mark.parametrize(
    ("ends", "others"),
    [
        ({"end": {"top_points": 50_000}}, {}),
        ({"end": {"top_points": 50_000}}, {"score": {"honba_value": 10_000}}),
        ({"end": {"top_points": 50_000}}, {"yaku": {"nagashi_mangan": {"closed": "yakuman"}}}),
        ({"end": {"tobi": "zero_or_below"}}, {"draw": {"noten_payment": 100_000}}),
        ({"score": {"wareme": "hand_and_honba"}}, {}),
        ({"chips": {"value": 100}}, {}),
        ({"riichi": {"needs_points": False}}, {"riichi": {"deposit": 50_000}}),
    ],
)
def test_what_follows_a_hand_does_not_depend_on_the_end_of_the_game(
    ends: dict[str, dict[str, object]], others: dict[str, dict[str, object]]
) -> None:
    """No hand in the table ends the game, however high the payments, and all can afford a riichi deposit."""
    plain = {"extends": "standard", **HIGH_START, **others}
    (section, options), *_ = ends.items()
    ending = {**plain, section: {**others.get(section, {}), **options}}
    assert payment_table(load(ending)) == payment_table(load(plain))
