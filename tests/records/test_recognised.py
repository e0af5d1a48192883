"""Format detection: variants of every format, truncated, compressed and wrapped files, and other files."""

import contextlib
import gzip
import json
from collections.abc import Callable
from functools import cache
from urllib.parse import quote

import pytest

from jantaku import terms
from jantaku.errors import RecordError
from jantaku.game import Game
from jantaku.kernels._jit import COMPILED
from jantaku.records import formats
from jantaku.records.sniff import Content, content_of
from jantaku.terms import LANGUAGES
from support.majiang_writer import majiang_of
from support.record_games import comparable_events, game_of, without_mark

KINDS = [row.name for row in formats.FORMATS]
PRINTED_JSON = ("tenhou", "majiang")


@cache
def _game() -> Game:
    return game_of("tenhou", 3, 60)


@cache
def _text(name: str, *, marked: bool = True) -> str:
    if name == "majiang":
        return json.dumps(majiang_of(_game(), list("ABCD")), ensure_ascii=False)
    text = formats.dumps(_game(), name)
    if marked or name not in ("mjai", "tenhou", "mjlog"):
        return text
    return without_mark(text)


def _lines(text: str) -> list[object]:
    return [json.loads(line) for line in text.splitlines()]


VARIANTS: dict[str, Callable[[str], bytes]] = {
    "plain": lambda text: text.encode(),
    "byte order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "UTF-16": lambda text: text.encode("utf-16"),
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "blank lines": lambda text: ("\n\n  " + text + "\n\n").encode(),
    "blank end": lambda text: (text + "\n  \n\n").encode(),
    "gzip": lambda text: gzip.compress(text.encode()),
    "gzip of CRLF": lambda text: gzip.compress(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()),
}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", KINDS)
def test_variants_are_read_as_the_same_record(name: str, variant: str) -> None:
    if name == "jantaku" and variant == "blank lines":
        pytest.skip("errors of game files refer to line numbers")
    read = formats.parse_record(VARIANTS[variant](_text(name)))
    assert read.format == name
    assert comparable_events(read.game) == comparable_events(_game())


@pytest.mark.parametrize("name", [name for name in KINDS if name not in ("mjlog", "compact", "jantaku")])
def test_a_record_in_an_array_is_the_same_record(name: str) -> None:
    rows = _lines(_text(name)) if name == "mjai" else [json.loads(_text(name))]
    for text in (json.dumps(rows), json.dumps(rows, indent=2), json.dumps(rows, ensure_ascii=False)):
        read = formats.parse_record(text.encode())
        assert read.format == name
        assert comparable_events(read.game) == comparable_events(_game())


@pytest.mark.parametrize("name", PRINTED_JSON)
def test_pretty_printed_json_is_the_same_record(name: str) -> None:
    for indent in (None, 1, 4):
        text = json.dumps(json.loads(_text(name)), indent=indent)
        assert formats.parse_record(text.encode()).format == name


@pytest.mark.parametrize("marked", [True, False])
@pytest.mark.parametrize("name", KINDS)
def test_a_truncated_record_is_not_mistaken_for_another_format(name: str, marked: bool) -> None:
    """A cut record is detected as its own format or none; reading it gives a game or a ``RecordError``."""
    data = _text(name, marked=marked).encode()
    for end in sorted({*range(0, 400, 13), *range(0, len(data), max(1, len(data) // 50))}):
        content = Content(data[:end])
        kind = formats.format_in(content)
        assert kind is None or kind.name == name, (end, kind)
        with contextlib.suppress(RecordError):  # any other exception fails the test
            formats.read_content(content)


@pytest.mark.parametrize("name", KINDS)
def test_lines_from_the_middle_are_not_mistaken_for_another_format(name: str) -> None:
    lines = _text(name).splitlines(keepends=True)
    for first in range(1, min(len(lines), 40)):
        content = content_of("".join(lines[first:]).encode())
        kind = formats.format_in(content)
        assert kind is None or kind.name == name


NONE = {
    "empty": "",
    "spaces": "  \n ",
    "a word": "hello",
    "a long word": "c" * 500,
    "prose": "East 1, 25000 points each.\nThen somebody won.",
    "GeoJSON": '{"type": "FeatureCollection", "features": []}',
    "a log of a program": '{"type": "info", "log": "started"}',
    "lines of logs": '{"type":"request","log":["a","b"]}\n{"type":"request","log":["c"]}',
    "text in log": '{"log": "a", "name": ["A"]}',
    "a log of objects": '{"log": [{"a": 1}], "player": 3}',
    "an event": '{"jantaku_event": 1, "players": [], "stages": []}',
    "requests": '{"id": 1, "hand": "234m567p345678s9p", "win": "9p"}',
    "a list of lists": "[[1, 2], [3, 4]]",
    "strings": '["type", "log", "jantaku"]',
    "null": "null",
    "a number": "12",
    "a page": "<!DOCTYPE html><html><body><a href='/'>GO</a></body></html>",
    "a picture": "<svg xmlns='http://www.w3.org/2000/svg'><g/></svg>",
    "a table": "seat,points\n0,25000\n1,25000\n",
    "an address": "name@example.org",
    "deep": "[" * 5000,
    "base85": "NoisyText",
}


@pytest.mark.parametrize("name", NONE)
def test_other_files_have_an_unknown_format(name: str) -> None:
    for data in (NONE[name].encode(), b"\xef\xbb\xbf" + NONE[name].encode()):
        assert formats.format_in(content_of(data)) is None
        with pytest.raises(RecordError) as caught:
            formats.parse_record(data, path="file")
        assert caught.value.code == "unknown_format"


LOG = "2010081709gm-00a9-0000-fe3371ad"
SOUL = "221020-2f8e4a91-5a52-4d8c-8c0e-1f6c3b6a4f3e"
ADDRESSES = {
    f"http://tenhou.net/0/?log={LOG}&tw=2": "link_tenhou",
    f"https://tenhou.net/3/?log={LOG}&tw=0&ts=5": "link_tenhou",
    f"https://tenhou.net/6/?log={LOG}": "link_tenhou",
    f"tenhou.net/0/?log={LOG}": "link_tenhou",
    f"https://tenhou.net/5/mjlog2json.cgi?{LOG}": "link_tenhou",
    LOG: "link_tenhou",
    f"East room, 3rd\nhttps://tenhou.net/0/?log={LOG}&tw=1\n": "link_tenhou",
    f"[InternetShortcut]\r\nURL=https://tenhou.net/0/?log={LOG}&tw=1\r\n": "link_tenhou",
    f"<?xml version='1.0'?><plist><dict><string>tenhou.net/0/?log={LOG}</string></dict>": "link_tenhou",
    f"https://game.mahjongsoul.com/?paipu={SOUL}_a12345678": "link_mahjongsoul",
    f"https://mahjongsoul.game.yo-star.com/?paipu={SOUL}_a1_2": "link_mahjongsoul",
    f"https://game.maj-soul.com/1/?paipu=jllmok-{SOUL}": "link_mahjongsoul",
    SOUL: "link_mahjongsoul",
    "https://example.org/game.json": "link_only",
    "https://kobalab.net/majiang/paipu.html": "link_only",
    "https://tenhou.net/6/#json=": "link_only",
}


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bare_url_gives_an_error_that_says_what_to_download(address: str, language: terms.Language) -> None:
    for data in (
        address.encode(),
        b"\xef\xbb\xbf" + address.encode() + b"\r\n",
        gzip.compress(address.encode()),
    ):
        with terms.using(language), pytest.raises(RecordError) as caught:
            formats.parse_record(data, path="file")
        assert caught.value.code == ADDRESSES[address]
        with terms.using(language):
            assert (LOG in caught.value.message()) == (caught.value.code == "link_tenhou")


SOUL_JSON = {
    "a download": {
        "head": {"uuid": SOUL, "accounts": []},
        "data": {"name": ".lq.GameDetailRecords", "data": {}},
    },
    "records": [{"name": ".lq.RecordNewRound", "data": {"chang": 0, "ju": 0, "tiles0": []}}],
    "short names": {"head": {}, "data": [{"name": "RecordDiscardTile", "data": {"seat": 1, "tile": "1m"}}]},
    "actions": [{"name": "ActionNewRound", "data": {"chang": 0, "liqibang": 0}}],
    "a version": {"version": 210715, "actions": [{"result": {"name": ".lq.RecordNewRound", "data": {}}}]},
    "with a log": {"log": [{"name": ".lq.RecordDealTile", "data": {"seat": 0}}]},
}


@pytest.mark.parametrize("name", SOUL_JSON)
def test_mahjong_souls_own_records_are_recognised(name: str) -> None:
    for text in (
        json.dumps(SOUL_JSON[name]),
        json.dumps(SOUL_JSON[name], indent=1),
        json.dumps(SOUL_JSON[name])[:-3],
    ):
        with pytest.raises(RecordError) as caught:
            formats.parse_record(text.encode(), path="file")
        assert caught.value.code == "mahjongsoul_record"


def test_mahjong_souls_binary_records_are_recognised() -> None:
    with pytest.raises(RecordError) as caught:
        formats.parse_record(b"\n\x15.lq.GameDetailRecords\x12\xff\x01\n\x80", path="file")
    assert caught.value.code == "mahjongsoul_record"


def _link(text: str, form: str) -> str:
    packed = json.dumps(json.loads(text), ensure_ascii=False, separators=(",", ":"))
    if form == "quotes":  # browsers escape only these characters
        return packed.replace('"', "%22").replace(" ", "%20")
    return quote(packed) if form == "quoted" else packed


@pytest.mark.parametrize("form", ["plain", "quoted", "quotes"])
@pytest.mark.parametrize(
    "address",
    [
        "https://tenhou.net/6/#json={}",
        "http://tenhou.net/5/#json={}",
        "https://tenhou.net/6/#json={}&ts=3",
        "https://tenhou.net/6/#json={}&ts=3&tw=1",
        "https://tenhou.net/6/#ts=3&json={}",
        "https://tenhou.net/6/?tw=2#json={}&ts=0",
        "\n  https://tenhou.net/6/#json={}&tw=1  \r\n",
        "East 1: https://tenhou.net/6/#json={}&ts=0",
        "A log from yesterday:\n\n" + "." * 300 + "\nhttps://tenhou.net/6/#json={}&ts=0",
    ],
)
def test_a_viewer_url_may_have_other_parts(address: str, form: str) -> None:
    text = address.format(_link(_text("tenhou"), form))
    read = formats.parse_record(text.encode())
    assert read.format == "tenhou"
    assert comparable_events(read.game) == comparable_events(_game())


@pytest.mark.skipif(not COMPILED, reason="a whole game")
def test_urls_of_single_hands_are_joined_to_one_game() -> None:
    game = game_of("tenhou", 3)
    data = json.loads(formats.dumps(game, "tenhou"))
    rows = [{**data, "log": [hand]} for hand in data["log"]]
    text = "\n".join(
        f"https://tenhou.net/6/#json={quote(json.dumps(row))}&ts={i}" for i, row in enumerate(rows)
    )
    assert comparable_events(formats.parse_record(text.encode()).game) == comparable_events(game)
