"""Scenarios for every option: hands whose outcome depends on the option's value."""

from dataclasses import fields

from jantaku.rules.options import SECTIONS
from support.options.deals import Scenario
from support.options.endings import ENDINGS
from support.options.fouls import FOULS
from support.options.play import PLAY
from support.options.three import THREE_PLAYERS
from support.options.wins import WINS

SCENARIOS: dict[str, list[Scenario]] = {**PLAY, **WINS, **ENDINGS, **FOULS, **THREE_PLAYERS}
AT_THE_TABLE = (
    "too_many_tiles", "too_few_tiles", "call_with_wrong_count", "late_pickup", "never_picked_up",
    "wrong_draw_in_riichi", "revealing_tiles", "looking_at_hand", "moving_seat", "collapsing_wall",
    "misconduct",
)  # fmt: skip


def names_in(section: str) -> list[str]:
    """Return the options of a section."""
    return [item.name for item in fields(SECTIONS[section])]


SHEET, CLOCK, MELDS = "rule sheet", "clock", "melds of the browser"
NOT_PLAYED: dict[str, str] = {
    "match.sticks": SHEET,
    "calls.ankan_display": MELDS,
    **{f"clock.{name}": CLOCK for name in names_in("clock")},
    **{f"event.{name}": SHEET for name in names_in("event")},
    **{f"fouls.{name}": SHEET for name in AT_THE_TABLE},
}
"""Options without effect on a hand, with the feature that uses each."""

SAME_RECORD: dict[str, list[tuple[str, str]]] = {
    "dora.minkan_reveal": [("'before_draw'", "'before_discard'")],
}
"""Values that change only the order of events; ``test_order_of_events`` tests them."""
