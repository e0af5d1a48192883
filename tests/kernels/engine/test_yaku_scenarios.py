"""For every yaku, a game can be won with the right payment, which changes if the yaku is off."""

import pytest

from jantaku.game.wins import wins_of
from jantaku.hand import WIND_NAMES
from jantaku.rules import Ruleset, catalogue, load
from jantaku.rules.catalogue import YakuEntry, han_of
from jantaku.tiles import format_tiles
from naive.adjudicate import answers
from support.bot_games import request_of
from support.table import Table
from support.yaku_scenarios import EVERY_YAKU, Script, dealt, played_up_to, script_of, winds_for

STANDARD = load("standard")
EXAMPLES = {name: entry for name, entry in catalogue().items() if entry.example}
WITHOUT = {"nagashi_mangan", "open_riichi_deal_in"}  # covered by the scenarios of options


def rules_for(entry: YakuEntry) -> Ruleset:
    """Return the standard rules with this yaku on."""
    changes = {path: value for path, value in EVERY_YAKU.items() if path.split(".")[1] == entry.id}
    changes |= {"pao.yakuman": (), "tiles.red": {}}
    if entry.id == "paarenchan":
        changes["deal.paarenchan"] = "every_eighth"
    if entry.gate == "riichi.open":
        changes["riichi.open"] = True
    return STANDARD.with_changes(changes)


def off(rules: Ruleset, entry: YakuEntry) -> Ruleset:
    gate = {"deal.paarenchan": "off"} if entry.id == "paarenchan" else {}
    changes = {f"yaku.{entry.id}.closed": False, f"yaku.{entry.id}.open": False}
    return rules.with_changes(gate | changes)


def ready(entry: YakuEntry, rules: Ruleset) -> tuple[Table, Script, str]:
    """Return a table at which the winner can win now, and the winning action."""
    verb = entry.example["by"]
    for winner in winds_for(entry.example):
        script = script_of(entry, entry.example, winner)
        table = dealt(script, rules, next(script.spare))
        played_up_to(table, script)
        if verb == "tsumo":
            table._pass_rest()
        if verb in table.legal(script.me):
            return table, script, verb
    raise AssertionError(f"nobody may {verb}: {script}")


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name not in WITHOUT])
def test_a_yaku_wins_and_pays(name: str) -> None:
    entry = EXAMPLES[name]
    rules = rules_for(entry)
    table, script, verb = ready(entry, rules)
    table.play(f"{script.me} {verb}")
    facts = table.facts()
    ((score, _),) = wins_of(table.game, rules)
    worth = rules.yaku[name].closed if score.win.hand.is_closed else rules.yaku[name].open
    assert score.yaku[entry.form_of or name] == han_of(worth)
    expected = [answer["payments"] for answer in answers(request_of(score.win, name, rules.id), rules)]
    assert score.payments in expected
    assert facts["delta"] == tuple(score.payments[wind] for wind in WIND_NAMES)
    less = off(rules, entry)
    without = dealt(script, less, table_indicator(table))
    if name == "riichi":  # without the yaku, open riichi cannot be declared (inventory d35)
        with pytest.raises(AssertionError, match=f"{script.me} riichi .*may only"):
            played_up_to(without, script)
        return
    played_up_to(without, script)
    if verb == "tsumo":
        without._pass_rest()
    if verb in without.legal(script.me):
        without.play(f"{script.me} {verb}")
        assert without.facts()["delta"] != table.facts()["delta"]


def table_indicator(table: Table) -> str:
    return format_tiles([int(table.game.wall[136 - 5])])
