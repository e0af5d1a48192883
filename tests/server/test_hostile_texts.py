"""Logs whose texts are far too long, or that nobody can write: nothing large is kept or breaks later."""

import base64
import json
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from jantaku.errors import JantakuError
from jantaku.records import formats
from jantaku.records.most_moves import most_moves
from jantaku.rules import load
from jantaku.server.archive.logs import KeptLog, read_log
from jantaku.server.archive.replay import ReplayGame
from server.parlour import Person, open_server, quick
from server.test_server_uploads import game_of

LONG = "x" * 300_000
LONE = "\ud800"
TURNING = "a\u202e\u200b\n\u0000b"  # turns what follows, is not seen, or breaks lines
Path_ = tuple[Any, ...]


@cache
def written(name: str) -> str:
    return formats.dumps(game_of(60), name, ["Mina", "Ken", "Aoi", "Rei"])


def changed(tree: Any, text: str, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """The tree with one of its texts, or one of its keys, replaced: once for each kind of place."""
    pairs = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in list(pairs):
        here = (*path, key if isinstance(tree, dict) else 0)
        wholes: list[tuple[Path_, Any]] = [(here, text)] if isinstance(value, str) else []
        wholes += changed(value, text, here)
        for spot, new in wholes:
            yield (
                spot,
                ({**tree, key: new} if isinstance(tree, dict) else [*tree[:key], new, *tree[key + 1 :]]),
            )
    if isinstance(tree, dict):
        yield (*path, "another"), {**tree, "another": text}


def once_each(tree: Any, text: str) -> list[Any]:
    """One changed tree for each place, whatever its number in a list."""
    return list({str(spot): new for spot, new in changed(tree, text)}.values())


def lines(text: str, hostile: str) -> list[str]:
    rows = [json.loads(line) for line in text.splitlines()]
    kinds = {str(row.get("type", sorted(row))) if isinstance(row, dict) else "act": row for row in rows}
    return [
        "\n".join(json.dumps(new if entry is row else entry) for entry in rows)
        for row in kinds.values()
        for new in once_each(row, hostile)
    ]


def whole(text: str, hostile: str) -> list[str]:
    return [json.dumps(new) for new in once_each(json.loads(text), hostile)]


def xml(text: str, hostile: str) -> list[str]:
    said = {LONG: LONG, LONE: "&#xD800;", TURNING: "a%E2%80%AE%00%0Ab"}[hostile]
    return [text.replace("Mina", said, 1), text.replace('type="', f'{said}="1" type="', 1)] + [
        text.replace(f'{key}="', f'{key}="{said}', 1)
        for key in ("n1", "ver", "lobby", "dan", "jantaku", "sx")
    ]


def packed(text: str, hostile: str) -> list[str]:
    data = zlib.decompress(base64.b85decode(text.strip()))
    size = int.from_bytes(data[:2], "little")
    texts = []
    for new in once_each(json.loads(data[2 : 2 + size]), hostile if hostile == LONE else LONG[:50_000]):
        head = json.dumps(new).encode()
        whole_ = (len(head) % 65536).to_bytes(2, "little") + head + data[2 + size :]
        texts.append(base64.b85encode(zlib.compress(whole_)).decode())
    return texts


WAYS: dict[str, Callable[[str, str], list[str]]] = {
    "mjai": lines,
    "jantaku": lines,
    "tenhou": whole,
    "mjlog": xml,
    "compact": packed,
}


def read(text: str) -> str | None:
    """What is kept of a log; nothing if it is refused, in few words."""
    try:
        return read_log("log", text, None)
    except JantakuError as error:
        said = error.message("ko")
    assert len(said.encode()) < 20_000
    return None


@pytest.mark.slow
@pytest.mark.parametrize("hostile", [LONG, LONE, TURNING], ids=["long", "lone surrogate", "turning"])
@pytest.mark.parametrize("name", WAYS)
def test_no_text_of_a_log_is_kept_at_length_or_breaks_it_later(name: str, hostile: str) -> None:
    usual = len(read_log("log", written(name), None))
    taken = 0
    for text in WAYS[name](written(name), hostile):
        kept = read(text)
        if kept is None:
            continue
        taken += 1
        assert len(kept) < usual + 2000
        kept_log = KeptLog.parse(kept)
        assert max(map(len, kept_log.names), default=0) <= 64
        game = kept_log.recorded().game
        assert "".join((*kept_log.names, game.rules.id)).isprintable()
        json.dumps([event.to_dict() for event in ReplayGame(game, kept_log.names).game.events]).encode()
        for other in formats.BY_NAME:
            formats.dumps(game, other, kept_log.names).encode()
    assert bool(taken) == (hostile != LONE)


@pytest.mark.slow
def test_texts_that_people_write_turn_no_others(tmp_path: Path) -> None:
    with open_server(quick(tmp_path)) as url, closing(Person(url)) as mina:
        mina.post("/api/register", name="Mina", password="a long password", language="en")
        mina.post("/api/uploads", text=written("tenhou"), name=TURNING)
        words, stage = {"en": TURNING}, {"id": "league", "name": {"en": TURNING}}
        event = mina.post("/api/events", name={"en": "Mina"}, about=words, rules="standard", stages=[stage])
        shown = [mina.get("/api/uploads")["uploads"][0]["name"], event["about"]["en"]]
        assert [*shown, event["stages"][0]["name"]["en"]] == ["a\nb"] * 3


def test_a_compact_log_with_a_lone_surrogate_is_refused_at_the_door(tmp_path: Path) -> None:
    bad = packed(written("compact"), LONE)
    with open_server(quick(tmp_path)) as url, closing(Person(url, "Mina")) as mina:
        for text in bad[:3]:
            answer = mina.http.post("/api/uploads", json={"text": text})
            assert answer.status_code == 400, answer.text


def test_a_log_has_no_more_actions_than_its_rules_can_need(monkeypatch: pytest.MonkeyPatch) -> None:
    log = written("compact")
    monkeypatch.setattr("jantaku.records.most_moves.most_moves", lambda _: 59)
    with pytest.raises(JantakuError) as refused:
        read_log("log", log, None)
    assert refused.value.code == "record_long"
    for rules in ("standard", "tenhou", "mahjongsoul-3"):
        assert 500 < most_moves(load(rules)) < 5000
