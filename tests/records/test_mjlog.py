"""Reading Tenhou's logs: meld numbers, the order of steps, and invalid files."""

import gzip
from pathlib import Path

import pytest

from jantaku import terms
from jantaku.errors import RecordError
from jantaku.records import mjlog
from jantaku.records.mjlog import (
    Drawn,
    LogDiscard,
    LogDoraTurned,
    LogDraw,
    LogRiichi,
    LogRiichiAccepted,
    LogWon,
    decode_meld,
)
from jantaku.records.mjlog.parsing import MAX_BYTES
from jantaku.tiles import format_tiles

DEALT = " ".join(f'hai{seat}="{",".join(str(4 * i + seat) for i in range(13))}"' for seat in range(4))
GO = '<GO type="169" lobby="0"/>'
INIT = f'<INIT seed="3,1,2,0,5,52" ten="250,240,260,250" oya="3" {DEALT}/>'


def log(*tags: str) -> bytes:
    return f'<mjloggm ver="2.3">{"".join(tags)}</mjloggm>'.encode()


# Codes from recorded games, checked with Tenhou's viewer
@pytest.mark.parametrize(
    ("code", "seat", "kind", "tiles", "called", "source"),
    [
        (6367, 1, "chi", (11, 14, 17), 11, 0),
        (48169, 2, "pon", (124, 126, 127), 126, 3),
        (49674, 2, "pon", (129, 130, 131), 130, 0),
        (28722, 1, "kakan", (72, 73, 74, 75), 73, 3),
        (27139, 3, "daiminkan", (104, 105, 106, 107), 106, 2),
        (31744, 0, "ankan", (124, 125, 126, 127), None, 0),
    ],
)
def test_melds(
    code: int, seat: int, kind: str, tiles: tuple[int, ...], called: int | None, source: int
) -> None:
    meld = decode_meld(code, seat)
    assert (meld.kind, sorted(meld.tiles), meld.called) == (kind, list(tiles), called)
    assert meld.source == source


@pytest.mark.parametrize("code", [-1, 1 << 16, 63 << 10 | 4, 34 * 3 << 9 | 8, 136 << 8, 1 << 5])
def test_invalid_meld_numbers_are_refused(code: int) -> None:
    with pytest.raises(ValueError, match=str(code)):
        decode_meld(code, 0)


def test_steps() -> None:
    record = mjlog.parse(
        log(
            "<SHUFFLE/>",
            GO,
            '<UN n0="%E6%9D%B1" n1="b" n2="c" n3="d"/>',
            INIT,
            "<W60/>",
            '<REACH who="3" step="1"/>',
            "<G16/>",
            '<REACH who="3" ten="250,240,260,240" step="2"/>',
            '<BYE who="2"/>',
            '<DORA hai="99"/>',
            '<RYUUKYOKU type="nm" ba="1,3" sc="250,-10,240,30,260,-10,240,-10" hai1="0,4"/>',
            '<AGARI ba="1,0" hai="0,4" machi="4" ten="30,1000,0" yaku="8,1" doraHai="52" who="1"'
            ' fromWho="2" paoWho="3" m="28722" sc="250,0,240,10,260,-10,250,0"'
            ' owari="250,15.0,250,5.0,250,-5.5,250,-15.0"/>',
        )
    )
    assert record.names == ("東", "b", "c", "d")
    assert (record.red_fives, record.kuitan, record.hanchan) == (True, True, True)
    (hand,) = record.hands
    assert (hand.number, hand.honba, hand.deposits, hand.dealer, hand.dora) == (3, 1, 2, 3, 52)
    assert hand.scores == (25000, 24000, 26000, 25000)
    *steps, drawn, won = hand.steps
    stands = LogRiichiAccepted(3, (25000, 24000, 26000, 24000))
    assert steps == [LogDraw(3, 60), LogRiichi(3), LogDiscard(3, 16), stands, LogDoraTurned(99)]
    assert isinstance(drawn, Drawn)
    assert (drawn.kind, drawn.shown) == ("nm", (None, (0, 4), None, None))
    assert isinstance(won, LogWon)
    assert (won.seat, won.source, won.liable, won.yaku, won.ura) == (1, 2, 3, ((8, 1),), ())
    assert won.settlement.change == (0, 1000, -1000, 0)
    assert won.settlement.final == ((25000,) * 4, (15000, 5000, -5500, -15000))


def test_red_fives_are_a_flag_of_the_table_type() -> None:
    with_red, without = (mjlog.parse(log(f'<GO type="{flags}"/>')) for flags in (0x09, 0x0F))
    assert format_tiles([with_red.tile(tile) for tile in (16, 17, 52, 88)]) == "05m0p0s"
    assert format_tiles([without.tile(tile) for tile in (16, 17, 52, 88)]) == "55m5p5s"
    assert not without.kuitan


def test_a_log_without_a_file_is_called_the_log() -> None:
    with pytest.raises(RecordError) as refused:
        mjlog.parse("<svg/>")
    for language in terms.LANGUAGES:
        assert terms.text("errors.kinds.the_log", language) in refused.value.message(language)


def test_gzip_and_unknown_tags(tmp_path: Path) -> None:
    data = log(GO, INIT, '<CHAT text="hi"/>', "<Z9/>", "<D/>")
    path = tmp_path / "a.mjlog"
    path.write_bytes(gzip.compress(data))
    assert mjlog.read(path) == mjlog.parse(data, str(path))
    assert mjlog.read(path).hands[0].steps == ()


BOMB = b'<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><mjloggm>&b;</mjloggm>'
ENTITY = b"<mjloggm>&b;</mjloggm>"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "mjlog_not_xml"),
        (b"{}", "mjlog_not_xml"),
        (b"\xff\xfe\x00", "mjlog_not_xml"),
        (b"<mjloggm><GO type=", "mjlog_not_xml"),
        (ENTITY, "mjlog_not_xml"),
        (BOMB, "mjlog_doctype"),
        (gzip.compress(log(GO, INIT), mtime=0)[:12], "mjlog_bad_gzip"),
        (b"\x1f\x8bnonsense", "mjlog_bad_gzip"),
        (gzip.compress(b" " * (MAX_BYTES + 1), mtime=0), "mjlog_too_large"),
        (b" " * (MAX_BYTES + 1), "mjlog_too_large"),
        (b"<svg/>", "mjlog_not_tenhou"),
        (log('<GO type="x"/>'), "mjlog_no_rules"),
        (log(GO, INIT.replace('oya="3"', 'oya="4"')), "mjlog_bad_tag"),
        (log(GO, INIT, "<T136/>"), "mjlog_bad_tag"),
        (log(GO, INIT, '<DORA hai=""/>'), "mjlog_bad_tag"),
        (log(GO, INIT, '<N who="4" m="31744"/>'), "mjlog_bad_tag"),
        (log(GO, INIT, '<N who="1"/>'), "mjlog_bad_tag"),
        (log(GO, INIT, '<REACH who="1" step="3"/>'), "mjlog_bad_tag"),
        (log(GO, INIT, '<RYUUKYOKU type="x" ba="0,0" sc="0,0,0,0,0,0,0,0"/>'), "mjlog_bad_tag"),
        (log(GO, INIT, '<RYUUKYOKU ba="0,0" sc="1,2" />'), "mjlog_bad_tag"),
        (
            log(GO, INIT, '<RYUUKYOKU ba="0,0" sc="0,0,0,0,0,0,0,0" owari="0,inf,0,0,0,0,0,0"/>'),
            "mjlog_bad_tag",
        ),
        (log(GO, INIT.replace(DEALT, 'hai0="1"')), "mjlog_bad_tag"),
    ],
)
def test_broken_files(data: bytes, code: str) -> None:
    with pytest.raises(RecordError) as caught:
        mjlog.parse(data, "a.mjlog")
    assert caught.value.code == code
    for language in terms.LANGUAGES:
        text = caught.value.message(language)
        assert "a.mjlog" in text
        assert "{" not in text


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(RecordError) as caught:
        mjlog.read(tmp_path / "none.mjlog")
    assert caught.value.code == "unreadable_file"
