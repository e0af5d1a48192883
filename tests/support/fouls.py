"""The cost of each foul according to the sources, for tests of settlement and of the recorder."""

from typing import Any, Final

DEAD, VOID, FREE, NOTEN, SLIP = "dead_hand", "chombo", "none", "noten_at_draw", "deposit_1000"
EXPELLED: Final = "expulsion"  # the penalty is chombo, and the offender leaves the game
ENDS_HAND: Final = (VOID, EXPELLED)
INVENTORY: Final[dict[str, dict[str, str]]] = {
    # 002, statements 173–207
    "bgm-2025": {
        "false_win_called": DEAD, "too_few_tiles": DEAD, "too_many_tiles": DEAD, "wrong_draw_in_riichi": DEAD,
        "false_win_in_riichi": DEAD, "false_win_shown": VOID, "call_with_wrong_count": VOID,
        "revealing_tiles": VOID, "looking_at_hand": VOID, "noten_riichi": VOID, "furiten_ron": VOID,
        "illegal_riichi_ankan": VOID, "never_picked_up": VOID, "call_slip": FREE, "misconduct": EXPELLED,
    },
    # 003, statement 83
    "mahjongtime": {"late_pickup": DEAD, "never_picked_up": DEAD},
    # 000, statements 173–181, 191–195, 202
    "standard": {
        "false_win_shown": VOID, "furiten_ron": VOID, "noten_riichi": VOID, "illegal_riichi_ankan": VOID,
        "genbutsu_kuikae": VOID, "looking_at_hand": VOID, "moving_seat": VOID, "collapsing_wall": VOID,
        "acting_dead": VOID, "wrong_meld": DEAD, "too_many_tiles": DEAD, "too_few_tiles": DEAD,
        "late_riichi": DEAD, "suji_kuikae": DEAD, "call_slip": SLIP,
    },
}  # fmt: skip
DRAW: Final[dict[str, Any]] = {"end": "draw", "tenpai": [2, 3]}
OFFENDER: Final = 2
"""The seat that commits the foul; ``DRAW`` is the hand with the foul unless the foul ends the hand."""


def fouled(foul: str, cost: str, **hand: Any) -> dict[str, Any]:
    """Return an entered hand with a foul of the offender."""
    return (
        ({"end": "foul"} if cost in ENDS_HAND else DRAW)
        | hand
        | {"fouls": [{"seat": OFFENDER, "foul": foul}]}
    )


def paid(preset: str, cost: str) -> tuple[int, ...]:
    """Return the payments of that hand: a non-dealer's chombo, or a draw in which the offender is noten."""
    chombo = (3000, 3000, -9000, 3000) if preset == "bgm-2025" else (4000, 2000, -8000, 2000)
    return {
        VOID: chombo,
        EXPELLED: chombo,
        DEAD: (-1000, -1000, -1000, 3000),
        NOTEN: (-1000, -1000, -1000, 3000),
        SLIP: (-1500, -1500, 500, 1500),
        FREE: (-1500, -1500, 1500, 1500),
    }[cost]
