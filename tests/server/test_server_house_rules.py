"""Rules files of the person who runs the server: offered everywhere, and never loaded from outside."""

import json
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from jantaku.cli.serve import read_house_rules
from jantaku.errors import RequestError
from jantaku.rules import load, preset_names
from jantaku.terms import LANGUAGES
from server.parlour import IMPORTS, Line, Message, Person, open_server, quick, simplest

CODE = '''
from jantaku.rules.local import yaku


@yaku("aisatsu", closed=1, open=1, name={{"en": "Greeting", "ja": "挨拶", "ko": "인사"}})
def aisatsu(b):
    """Every complete hand has it."""
    return b.runs >= 0
{more}
'''
CLUB = (
    'extends = "standard"\nname = { en = "Our club" }\n[local]\nfile = "own.py"\n[match]\nlength = "east"\n'
)
TRAP = "import pathlib\npathlib.Path({mark!r}).touch()\n"
WIN = {"hand": "123m456p789s1122z", "win": "1z", "by": "tsumo"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "own.py").write_text(CODE.format(more=""), "utf-8")
    (folder / "club.toml").write_text(CLUB, "utf-8")
    return folder


@contextmanager
def parlour(data: Path, *files: Path, **changes: Any) -> Iterator[str]:
    """A server with these rules files; bots that win."""
    rules = read_house_rules(files)
    with open_server(quick(data, house_rules=rules, bot="standard", **changes)) as url:
        yield url


@contextmanager
def mina_at(url: str, cookies: dict[str, str] | None = None) -> Iterator[Person]:
    with closing(Person(url, None if cookies else "Mina")) as person:
        person.http.cookies.update(cookies or {})
        yield person


def playing(mina: Person, hands: int) -> tuple[Message, Line]:
    """A table under the club's rules with three bots, played until so many hands are over."""
    table = mina.table(rules="club")
    line = mina.socket(table["id"])
    mina.post(f"/api/tables/{table['id']}/start")
    play(line, hands)
    return table, line


def play(line: Line, hands: int) -> None:
    """Play on, winning where possible; many ``hands`` mean: to the end of the game."""
    while sum(event["type"] == "hand_started" for event in line.events()) <= hands:
        own = line.asked()
        if own is None:
            return
        wins = [action for action in own["legal"] if action["type"] in ("ron", "tsumo")]
        line.act(wins[0] if wins else simplest(own))


def won(line: Line) -> list[dict[str, Any]]:
    return [event["score"]["yaku"] for event in line.events() if event["type"] == "won"]


def test_house_rules_are_offered_like_presets(tmp_path: Path, folder: Path) -> None:
    with parlour(tmp_path, folder) as url, mina_at(url) as mina:
        rows = mina.get("/api/rules")["rules"]
        assert [row["id"] for row in rows] == ["club", *preset_names()]
        assert [row["id"] for row in rows if row["house"]] == ["club"]
        assert rows[0]["name"] == "Our club"
        page = mina.get("/api/rules/club", lang="ko")
        assert page["local"] == ["인사"]
        assert [row["closed"] for row in page["yaku"] if row["id"] == "aisatsu"] == ["1판"]
        assert mina.get(f"/api/rules/{rows[0]['fingerprint']}")["id"] == "club"
        assert mina.get("/api/terms/ja", tables="local_yaku")["local_yaku"]["aisatsu"]["name"] == "挨拶"
        assert any(row["path"] == "yaku.aisatsu" for row in mina.get("/api/rules/club/diff")["rows"])
        copy = mina.post("/api/rules/check", toml=page["toml"])
        assert copy["ok"]
        assert "aisatsu" not in page["toml"]
        assert "aisatsu" not in page["tree"]["yaku"]


def test_the_calculator_and_the_drill_count_the_local_yaku(tmp_path: Path, folder: Path) -> None:
    with parlour(tmp_path, folder) as url, mina_at(url) as mina:
        assert mina.post("/api/score", **WIN, rules="club")["yaku"]["aisatsu"] == 1
        assert "aisatsu" not in mina.post("/api/score", **WIN, rules="standard")["yaku"]
        assert "Greeting" in mina.post("/api/explain", **WIN, rules="club")["text"]
        drill = mina.get("/api/drill", rules="club", seed=3)
        assert drill["answer"]["score"]["yaku"]["aisatsu"] == 1


@pytest.mark.slow
def test_a_whole_game_counts_the_local_yaku(tmp_path: Path, folder: Path) -> None:
    """The game, its record and an upload of the record, which a worker process replays with the code."""
    with parlour(tmp_path, folder) as url, mina_at(url) as mina:
        table, line = playing(mina, 99)
        yaku = won(line)
        assert yaku
        assert all(row["aisatsu"] == 1 for row in yaku)
        row = mina.get("/api/games", mine=True)["games"][0]
        assert (row["rules"], row["rules_name"], row["missing"]) == ("club", "Our club", [])
        assert (
            row["fingerprint"] == table["rules"]["fingerprint"] == read_house_rules([folder])[0].fingerprint
        )
        replay = mina.get(f"/api/games/{row['id']}/replay")
        assert replay["follows_rules"]
        record = mina.http.get(f"/api/games/{row['id']}/record").text
        upload = mina.post("/api/uploads", name="log", text=record)["id"]
        uploaded = mina.get(f"/api/uploads/{upload}/replay")
        assert uploaded["events"] == replay["events"]
        cookies = dict(mina.http.cookies)
    with parlour(tmp_path) as url, mina_at(url, cookies) as mina:
        refused = mina.http.get(f"/api/uploads/{upload}/replay")
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "rules_code_missing")
        shown = mina.get(f"/api/games/{row['id']}/replay")
        assert (shown["follows_rules"], shown["game"]["missing"]) == (False, ["aisatsu"])
        assert shown["game"]["rules_name"] == "Our club"
        assert shown["events"] == replay["events"]
        for step in range(0, len(shown["steps"]) + 1, 50):
            mina.get(f"/api/games/{row['id']}/replay/{step}")
        refused = mina.http.get(f"/api/games/{row['id']}/record")
        assert (refused.status_code, refused.json()["error"]["code"]) == (400, "record_as_recorded")


@pytest.mark.slow
@pytest.mark.parametrize("hands", [0, 1])
def test_a_game_waits_for_its_rules_file(tmp_path: Path, folder: Path, hands: int) -> None:
    with parlour(tmp_path, folder) as url, mina_at(url) as mina:
        table, line = playing(mina, hands)
        own = line.asked()
        line.close()
        cookies = dict(mina.http.cookies)
    address = f"/api/tables/{table['id']}"
    with parlour(tmp_path) as url, mina_at(url, cookies) as mina:
        answer = mina.get(address)
        assert (answer["stopped"], answer["missing"]) == (True, ["aisatsu"])
        assert answer["rules"] == table["rules"]
        assert "club" not in [row["id"] for row in mina.get("/api/rules")["rules"]]
        line = mina.socket(table["id"])
        sync = line.until("sync")
        assert sync["game"] == 1
        line.send(type="act", game=1, ask=1, action={"type": "pass"}, id="x")
        assert line.until("error")["code"] == "rules_code_missing"
        line.close()
        assert mina.http.post("/api/tables", json={"rules": "club"}).json()["error"]["code"] == "no_rules"
    changed = folder.parent / "changed"
    shutil.copytree(folder, changed)
    (changed / "own.py").write_text(CODE.format(more="# edited"), "utf-8")
    with parlour(tmp_path, changed) as url, mina_at(url, cookies) as mina:
        assert mina.get(address)["missing"] == ["aisatsu"], "other code is not the code of this game"
    (folder / "club.toml").write_text(CLUB + "[yaku.aisatsu]\nclosed = 3\n", "utf-8")
    with parlour(tmp_path, folder) as url, mina_at(url, cookies) as mina:
        answer = mina.get(address)
        assert (answer["stopped"], answer["missing"]) == (False, [])
        line = mina.socket(table["id"])
        line.until("sync")
        assert own is None or line.own == own
        play(line, 99)
        assert all(row["aisatsu"] == 1 for row in won(line)), "a game keeps the rules it began with"


@pytest.mark.slow
def test_a_waiting_table_cannot_begin_without_the_code(tmp_path: Path, folder: Path) -> None:
    with parlour(tmp_path, folder) as url, mina_at(url) as mina:
        table = mina.table(rules="club")
        cookies = dict(mina.http.cookies)
    with parlour(tmp_path) as url, mina_at(url, cookies) as mina:
        refused = mina.http.post(f"/api/tables/{table['id']}/start", json={})
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "rules_code_missing")
        assert mina.get(f"/api/tables/{table['id']}")["status"] == "waiting"


@pytest.mark.slow
def test_nothing_from_the_network_loads_code(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rules, uploads and names that point at files; the traps would leave a mark if anything ran them."""
    mark = tmp_path / "ran"
    monkeypatch.chdir(folder)
    with parlour(tmp_path, folder) as url, mina_at(url) as mina:
        for name in ("own.py", "trap.py"):
            (folder / name).write_text(CODE.format(more="") + TRAP.format(mark=str(mark)), "utf-8")
        (folder / "trap.toml").write_text(CLUB.replace("own.py", "trap.py"), "utf-8")
        for file in ("own.py", "trap.py", str(folder / "trap.py"), "../rules/trap.py"):
            for head in ("", 'extends = "standard"\n', 'extends = "club"\n'):
                body = {"toml": f"{head}[local]\nfile = {json.dumps(file)}\n"}
                assert mina.http.post("/api/rules", json=body).status_code == 400
                assert not mina.post("/api/rules/check", **body)["ok"]
            local = {"local": {"file": file}}
            for rules in (local, {"extends": "club", **local}, {"local": [{"id": "aisatsu"}]}):
                assert "error" in mina.post("/api/score", **WIN, rules=rules)
                assert "error" in mina.post("/api/explain", **WIN, rules=rules)["answer"]
        paths = (
            "club.toml",
            "trap",
            "trap.toml",
            "./club",
            "../rules/club",
            str(folder / "trap.toml"),
            "own.py",
        )
        for name in paths:
            assert mina.http.get(f"/api/rules/{name.replace('/', '%2F')}").status_code in (404, 422)
            assert mina.http.post("/api/tables", json={"rules": name}).status_code in (404, 422)
            assert mina.http.get("/api/drill", params={"rules": name}).status_code in (404, 422)
            assert "error" in mina.post("/api/score", **WIN, rules=name)
            assert not mina.post("/api/rules/check", toml=f"extends = {json.dumps(name)}\n")["ok"]
            log = {"jantaku": 2, "rules": name, "fingerprint": "0" * 16, "ruleset": {"extends": name}}
            for text in (json.dumps(log) + "\n{}\n", f'"fingerprint": "{name[:16]}"'):
                upload = {"name": name[:40], "text": text, "rules": name[:64]}
                assert mina.http.post("/api/uploads", json=upload).status_code == 400
        assert mina.post("/api/score", **WIN, rules="club")["yaku"]["aisatsu"] == 1
        assert mina.http.delete("/api/rules/club").status_code == 403
    assert not mark.exists()
    read_house_rules([folder / "trap.toml"])  # the trap works: it runs where the operator names it
    assert mark.exists()


def refused(*paths: Path) -> RequestError:
    with pytest.raises(RequestError) as caught:
        read_house_rules(paths)
    for language in LANGUAGES:
        said = caught.value.message(language)
        assert "\n" not in said
        assert "{" not in said
        assert str(paths[-1]) in said
    return caught.value


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("tenhou", 'extends = "standard"\n', "house_rules_preset"),
        ("options", "", "house_rules_name"),
        ("0123456789abcdef", "", "house_rules_name"),
        ("our club", "", "house_rules_name"),
        ("x" * 41, "", "house_rules_name"),
        ("club", "[match]\nlength = 3\nsize = 1\n", "house_rules_wrong"),
        ("club", "[match", "house_rules_wrong"),
        ("club", '[local]\nfile = "missing.py"\n', "house_rules_wrong"),
        ("club", '[local]\nfile = "broken.py"\n', "house_rules_wrong"),
    ],
)
def test_a_wrong_rules_file_is_refused_in_one_line(tmp_path: Path, name: str, text: str, code: str) -> None:
    path = tmp_path / f"{name}.toml"
    path.write_text(text, "utf-8")
    (tmp_path / "broken.py").write_text("1 / 0", "utf-8")
    assert refused(path).code == code


def test_another_process_gets_the_code_with_the_settings(tmp_path: Path, folder: Path) -> None:
    """The server that stands in while compiling, and workers, are processes of their own."""
    settings = quick(tmp_path, house_rules=read_house_rules([folder]))
    (folder / "own.py").unlink()
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).house_rules[0].fingerprint)"
    variables = os.environ | {"PYTHONPATH": IMPORTS}
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=pickle.dumps(settings),
        capture_output=True,
        check=True,
        env=variables,
    )
    assert done.stdout.decode().strip() == settings.house_rules[0].fingerprint


def test_files_and_folders_that_cannot_be_offered(tmp_path: Path, folder: Path) -> None:
    assert refused(tmp_path / "nowhere.toml").code == "house_rules_wrong"
    assert refused(tmp_path).code == "house_rules_none"
    other = tmp_path / "Club.toml"
    other.write_text("", "utf-8")
    assert refused(folder, other).code == "house_rules_twice"


def test_a_file_named_twice_is_offered_once(folder: Path) -> None:
    (folder / "저녁.toml").write_text('extends = "club.toml"\n', "utf-8")
    changed = read_house_rules([folder, folder / "club.toml"])
    assert [rules.id for rules in changed] == ["club", "저녁"]
    assert [yaku.id for yaku in changed[1].local] == ["aisatsu"]


@pytest.mark.slow
def test_rules_without_local_yaku_outlive_their_file(tmp_path: Path) -> None:
    file = tmp_path / "short.toml"
    file.write_text('[match]\nlength = "east"\n', "utf-8")
    with parlour(tmp_path, file) as url, mina_at(url) as mina:
        table = mina.table(rules="short")
        cookies = dict(mina.http.cookies)
    with parlour(tmp_path) as url, mina_at(url, cookies) as mina:
        mina.post(f"/api/tables/{table['id']}/start")
        assert mina.get(f"/api/tables/{table['id']}")["rules"]["fingerprint"] == table["rules"]["fingerprint"]
    assert load("standard").fingerprint != table["rules"]["fingerprint"]


def test_the_same_rules_under_another_id_keep_their_fingerprint() -> None:
    rules = load("standard").with_changes({"riichi.ippatsu": False})
    shown = rules.under("another")
    assert (shown.id, rules.under(rules.id)) == ("another", rules)
    assert vars(shown)["fingerprint"] == rules.fingerprint  # known at once, not worked out for each row
    assert load(shown.to_dict()).fingerprint == rules.fingerprint
