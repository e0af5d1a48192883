"""Preparation for tests of the lab's processes."""

from jantaku.lab.chunks import ChunkPlan, play_chunk
from jantaku.lab.discards import HandQuestion, SeatPosition, known_position
from jantaku.lab.discards.play import play_deals
from jantaku.rules import load


def compile_lab() -> None:
    """Compile or load the functions of lab workers, so that no test waits for compilation."""
    rules = load("standard")
    play_chunk(ChunkPlan(rules, ("standard",) * 4, 1), 0, 1)
    position = known_position(SeatPosition.parse("234m567p34567s99p 8s"), rules)
    play_deals(HandQuestion(position, 2), 0, 1)
