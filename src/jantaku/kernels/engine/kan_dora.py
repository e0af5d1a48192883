"""Timing of kan dora: when the dora indicator of a kan is turned (inventory 97–103)."""

from jantaku.kernels._jit import kernel
from jantaku.kernels.rules import choice

ANKAN_AT_ONCE = choice("dora.ankan_reveal", "at_once")
MINKAN_AFTER_DISCARD = choice("dora.minkan_reveal", "after_discard")


@kernel
def turn_for_kan(game, concealed, rules):
    """Turn the indicator of a kan, or schedule it for after the discard."""
    if not rules.dora.kan_dora:
        return
    if concealed:
        waits = rules.dora.ankan_reveal != ANKAN_AT_ONCE
    else:
        waits = rules.dora.minkan_reveal == MINKAN_AFTER_DISCARD
    game.indicators += int(not waits)
    game.after_discard += int(waits)


@kernel
def turn_pending(game):
    """Turn the indicators scheduled for after the discard."""
    game.indicators += game.after_discard
    game.after_discard = 0
