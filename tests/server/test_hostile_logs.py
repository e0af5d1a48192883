"""Logs with texts that are too long or cannot be encoded: nothing large is stored, nothing fails later."""

import base64
import json
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from jantaku.errors import JantakuError
from jantaku.records import formats
from jantaku.records.move_limit import max_moves
from jantaku.rules import load
from jantaku.server.archive.logs import StoredLog, read_log
from jantaku.server.archive.replay import ReplayGame
from server.parlour import PASSWORD, Person
from server.test_archive import game_of

LONG = "x" * 300_000
LONE = "\ud800"
BIDI = "a\u202e\u200b\n\u0000b"  # characters that reverse the text, are invisible or break the line
Place = tuple[Any, ...]


@cache
def log(name: str) -> str:
    return formats.dumps(game_of(60), name, ["Mina", "Ken", "Aoi", "Rei"])


def changed(tree: Any, text: str, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Yield copies of the tree in which one text or key is replaced, one for each place."""
    pairs = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in list(pairs):
        here = (*place, key if isinstance(tree, dict) else 0)
        wholes: list[tuple[Place, Any]] = [(here, text)] if isinstance(value, str) else []
        for spot, new in (*wholes, *changed(value, text, here)):
            yield spot, {**tree, key: new} if isinstance(tree, dict) else [*tree[:key], new, *tree[key + 1 :]]
    if isinstance(tree, dict):
        yield (*place, "another"), {**tree, "another": text}


def one_change_per_place(tree: Any, text: str) -> list[Any]:
    """Return one changed tree per place, treating all items of a list as the same place."""
    return list({str(spot): new for spot, new in changed(tree, text)}.values())


def lines(text: str, hostile: str) -> list[str]:
    rows = [json.loads(line) for line in text.splitlines()]
    kinds = {str(row.get("type", sorted(row))) if isinstance(row, dict) else "act": row for row in rows}
    return [
        "\n".join(json.dumps(new if entry is row else entry) for entry in rows)
        for row in kinds.values()
        for new in one_change_per_place(row, hostile)
    ]


def tree(text: str, hostile: str) -> list[str]:
    return [json.dumps(new) for new in one_change_per_place(json.loads(text), hostile)]


def xml(text: str, hostile: str) -> list[str]:
    word = {LONG: LONG, LONE: "&#xD800;", BIDI: "a%E2%80%AE%00%0Ab"}[hostile]
    keys = ("n1", "ver", "lobby", "dan", "jantaku", "sx")
    return [
        text.replace("Mina", word, 1),
        text.replace('type="', f'{word}="1" type="', 1),
        *(text.replace(f'{key}="', f'{key}="{word}', 1) for key in keys),
    ]


def packed(text: str, hostile: str) -> list[str]:
    data = zlib.decompress(base64.b85decode(text.strip()))
    size, texts = int.from_bytes(data[:2], "little"), []
    for new in one_change_per_place(
        json.loads(data[2 : 2 + size]), hostile if hostile == LONE else LONG[:50_000]
    ):
        head = json.dumps(new).encode()
        whole = (len(head) % 65536).to_bytes(2, "little") + head + data[2 + size :]
        texts.append(base64.b85encode(zlib.compress(whole)).decode())
    return texts


WAYS: dict[str, Callable[[str, str], list[str]]] = {
    "mjai": lines, "jantaku": lines, "tenhou": tree, "mjlog": xml, "compact": packed,
}  # fmt: skip


def stored(text: str) -> str | None:
    """Return the stored data of a log, or ``None`` if the log is refused with a short message."""
    try:
        return read_log("log", text, None)
    except JantakuError as error:
        refusal = error.message("ko")
    assert len(refusal.encode()) < 20_000
    return None


@pytest.mark.slow
@pytest.mark.parametrize("hostile", [LONG, LONE, BIDI], ids=["long", "lone surrogate", "bidirectional"])
@pytest.mark.parametrize("name", WAYS)
def test_hostile_texts_in_a_log_are_shortened_or_refused(name: str, hostile: str) -> None:
    usual = len(read_log("log", log(name), None))
    texts = [text for text in map(stored, WAYS[name](log(name), hostile)) if text is not None]
    for text in texts:
        assert len(text) < usual + 2000
        read = StoredLog.parse(text)
        assert max(map(len, read.names), default=0) <= 64
        game = read.recorded().game
        assert "".join((*read.names, game.rules.id)).isprintable()
        json.dumps([event.to_dict() for event in ReplayGame(game, read.names).game.events]).encode()
        for other in formats.BY_NAME:
            formats.dumps(game, other, read.names).encode()
    assert bool(texts) == (hostile != LONE)


@pytest.mark.slow
def test_user_texts_contain_no_bidirectional_or_invisible_characters(url: str) -> None:
    mina = Person(url, "Turner", PASSWORD)
    mina.post("/api/uploads", text=log("tenhou"), name=BIDI)
    stage = {"id": "league", "name": BIDI}
    event = mina.post("/api/events", name="Mina", about=BIDI, rules="standard", stages=[stage])
    shown = [mina.get("/api/uploads")["uploads"][0]["name"], event["about"]]
    assert [*shown, event["stages"][0]["name"]] == ["a\nb"] * 3


def test_a_compact_log_with_a_lone_surrogate_is_refused(person: Person) -> None:
    for text in packed(log("compact"), LONE)[:3]:
        assert person.send("POST", "/api/uploads", text=text).status_code == 400


def test_a_log_has_no_more_actions_than_its_rules_can_need(monkeypatch: pytest.MonkeyPatch) -> None:
    text = log("compact")
    monkeypatch.setattr("jantaku.records.move_limit.max_moves", lambda _: 59)
    with pytest.raises(JantakuError) as refused:
        read_log("log", text, None)
    assert refused.value.code == "record_long"
    for rules in ("standard", "tenhou", "mahjongsoul-3"):
        assert 500 < max_moves(load(rules)) < 5000
