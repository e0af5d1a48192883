"""Writing Tenhou logs: round trips, the structure other programs expect, and rules."""

import contextlib
import re
from xml.etree import ElementTree

import pytest

from jantaku.errors import RecordError
from jantaku.kernels._jit import COMPILED
from jantaku.records import formats
from jantaku.records.mjlog import decode_meld
from jantaku.records.mjlog.meld_code import encode_meld
from jantaku.records.mjlog.write import dumps_mjlog, hundreds
from support.record_games import game_of

STEPS = None if COMPILED else 60


def test_the_structure_matches_tenhou_logs() -> None:
    """All tags are children of the root; apart from documented extensions, all names are Tenhou's."""
    root = ElementTree.fromstring(dumps_mjlog(game_of("tenhou", 3, STEPS)))
    assert (root.tag, root.get("ver")) == ("mjloggm", "2.3")
    assert [child.tag for child in root][:4] == ["GO", "UN", "TAIKYOKU", "INIT"]
    known = {
        "GO": {"type", "lobby", "jantaku"}, "UN": {"n0", "n1", "n2", "n3", "dan", "rate", "sx"},
        "TAIKYOKU": {"oya"}, "INIT": {"seed", "ten", "oya", "hai0", "hai1", "hai2", "hai3"},
        "N": {"who", "m"}, "REACH": {"who", "step", "ten"}, "DORA": {"hai"},
        "AGARI": {"ba", "hai", "m", "machi", "ten", "yaku", "yakuman", "doraHai", "doraHaiUra", "who",
                  "fromWho", "paoWho", "sc", "owari"},
        "RYUUKYOKU": {"type", "ba", "sc", "hai0", "hai1", "hai2", "hai3", "owari"},
    }  # fmt: skip
    for child in root:
        assert len(child) == 0
        assert re.fullmatch(r"[T-WD-G]\d{1,3}", child.tag) or set(child.keys()) <= known[child.tag]


def test_every_meld_round_trips_through_its_number() -> None:
    """A kakan's number also encodes the tile claimed by its pon, which the meld does not contain."""
    melds = set()
    for code in range(1 << 16):
        with contextlib.suppress(ValueError):
            melds.add(decode_meld(code, 2))
    assert len(melds) == 21 * 64 * 3 * 4 + 34 * (4 * 3 * 4 + 4 * 4 + 4 * 3 + 1)
    for meld in melds:
        for claimed in meld.tiles[:3]:
            assert decode_meld(encode_meld(meld, claimed), 2) == meld


def test_points_that_are_not_whole_hundreds_have_decimals() -> None:
    assert [hundreds(points) for points in (25000, -700, 0, 12345, -50)] == [
        "250",
        "-7",
        "0",
        "123.45",
        "-0.50",
    ]


def test_tampering_with_a_log_of_jantaku_is_reported() -> None:
    text = dumps_mjlog(game_of("tenhou", 3, 60))
    changed = re.sub(r'ten="250,250', 'ten="251,250', text, count=1)
    with pytest.raises(RecordError):
        formats.parse_record(changed.encode())
