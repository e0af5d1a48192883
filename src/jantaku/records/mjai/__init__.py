"""mjai, the event messages exchanged by riichi programs: read, write and follow them."""

from jantaku.records.mjai.actions import action_from_mjai, action_to_mjai
from jantaku.records.mjai.follower import Follower
from jantaku.records.mjai.read import parse_mjai
from jantaku.records.mjai.write import MjaiEncoder, dumps_mjai, to_mjai

__all__ = [
    "Follower",
    "MjaiEncoder",
    "action_from_mjai",
    "action_to_mjai",
    "dumps_mjai",
    "parse_mjai",
    "to_mjai",
]
