"""Games over real sockets: whole games, fouls, explanations, clocks."""

from pathlib import Path

import pytest

from jantaku.kernels._jit import COMPILED
from server.parlour import Person, discards, hang_up, open_server, quick, seated, simplest


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="a whole game takes long uncompiled")
def test_a_whole_game_against_bots_ends_with_a_result(person: Person) -> None:
    rules = person.post("/api/rules", toml='extends = "tenhou"\n[match]\nlength = "east"\n')["id"]
    table = person.table(bots=3, rules=rules)
    person.post(f"/api/tables/{table['id']}/start")
    line = person.socket(table["id"])
    while (own := line.asked()) is not None:
        assert line.act(simplest(own))["type"] == "ack"
    scene = person.get(f"/api/tables/{table['id']}")
    assert scene["status"] == "finished"
    assert sum(scene["result"]["final"]) == 0
    record = scene["result"]["record"]
    for kind in ("jantaku", "mjai", "tenhou", "mjlog", "compact"):
        answer = person.http.get(f"/api/games/{record}/record", params={"format": kind})
        assert answer.status_code == 200
        upload = person.post("/api/uploads", text=answer.text, name=kind, rules=rules)
        whole = person.get(f"/api/uploads/{upload['id']}/replay")
        assert whole["hands"]
    moment = person.get(f"/api/games/{record}/replay/5")
    assert len(moment["seats"]) == 4
    assert record in [game["id"] for game in person.get("/api/games", mine=True)["games"]]
    line.close()


@pytest.mark.slow
def test_a_foul_is_paid_publicly_and_survives_a_restart(tmp_path: Path) -> None:
    """A false win under rules that penalise it: chombo and a replayed hand, also after a restart."""
    settings = quick(tmp_path)
    with open_server(settings) as url:
        people = [Person(url, name) for name in ("Mina", "Jun", "Kaito", "Seo")]
        rules = people[0].post("/api/rules", toml='extends = "bgm-2025"\n[fouls]\nmode = "penalise"\n')["id"]
        table, lines = seated(people, rules=rules)
        watcher = people[0].socket(table["id"], watch=True)
        own = lines[0].own
        assert own is not None
        foul = {"type": "foul", "act": "win_shown"}
        assert foul in own["fouls"]
        assert foul not in own["legal"]
        assert lines[1].act(foul, ask=lines[1].seq)["type"] == "error"
        assert lines[0].act(foul)["type"] == "ack"
        for line in [*lines, watcher]:
            while "points_moved" not in (by_type := {event["type"]: event for event in line.events()}):
                line.next()
            assert by_type["fouled"] == {
                "type": "fouled", "seat": 0, "foul": "false_win_shown", "cost": "chombo"
            }  # fmt: skip
            assert by_type["points_moved"]["deltas"] == [-9000, 3000, 3000, 3000]
            assert by_type["hand_drawn"]["kind"] == "voided"
        scores, seq = by_type["points_moved"]["scores"], lines[2].seq
        hang_up([*lines, watcher])
        cookies = [dict(person.http.cookies) for person in people]
    with open_server(settings) as url:
        again = [Person(url) for _ in people]
        for one, cookie in zip(again, cookies, strict=True):
            one.http.cookies.update(cookie)
        lines = [person.socket(table["id"]) for person in again]
        for seat, line in enumerate(lines):
            sync = line.until("sync")
            moved = [event["scores"] for event in sync["events"] if event["type"] == "points_moved"]
            assert [sync["view"]["scores"], *moved][-1] == scores
            while line.seq < seq or line.own is None:
                line.next()
            assert (line.own["ask"] is not None) == (seat == 0)
        for line in lines:
            line.ask(type="abort", agree=True)
        game = again[0].get(f"/api/tables/{table['id']}")["result"]["record"]
        events = again[0].get(f"/api/games/{game}/replay")["events"]
        assert [event["seat"] for event in events if event["type"] == "fouled"] == [0]
        hang_up(lines)
        for one in [*people, *again]:
            one.close()


def test_why_and_hints_reach_only_the_asking_seat(person: Person) -> None:
    table = person.table(bots=3)
    person.post(f"/api/tables/{table['id']}/start")
    line = person.socket(table["id"], language="ja")
    line.asked()
    reason = line.ask(type="why", what="ron")
    assert reason["type"] == "reason"
    assert reason["text"]
    hints = line.ask(type="hints")
    assert hints["type"] == "hints"
    assert hints["discards"]
    line.close()


@pytest.mark.parametrize("options", [{"rated": True}, {"hints": False}])
def test_rated_tables_and_those_without_hints_give_none(person: Person, options: dict[str, bool]) -> None:
    table = person.table(bots=3, options=options)
    person.post(f"/api/tables/{table['id']}/start")
    line = person.socket(table["id"])
    line.asked()
    assert line.ask(type="hints")["code"] == "no_hints"
    line.close()


def test_a_running_game_cannot_be_replayed(person: Person) -> None:
    table = person.table(bots=3)
    started = person.post(f"/api/tables/{table['id']}/start")
    assert started["result"] is None
    assert person.get("/api/games")["games"] == [] or all(
        game["table"] != table["id"] for game in person.get("/api/games")["games"]
    )


@pytest.mark.slow
def test_no_clock_waits_and_a_clock_does_not(tmp_path: Path) -> None:
    """With no turn time, the server discards for the seat."""
    toml = 'extends = "standard"\n[clock]\nturn_s = 0\nbank_s = 0\nclaim_window_s = 0\n'
    with open_server(quick(tmp_path, grace_s=1e6)) as url:
        mina, jun = Person(url, "Mina"), Person(url, "Jun")
        rules = mina.post("/api/rules", toml=toml)["id"]
        without, table = [
            person.table(bots=3, rules=rules, options={"clock": clock})["id"]
            for person, clock in ((jun, False), (mina, True))
        ]
        waiting, line = jun.socket(without), mina.socket(table)
        jun.post(f"/api/tables/{without}/start")
        waiting.asked()
        mina.post(f"/api/tables/{table}/start")
        line.until(
            "update",
            lambda message: discards(message, 0),
        )
        waiting.send(type="ping", id="p")
        while (message := waiting.next())["type"] != "pong":
            assert message["type"] != "update"
        hang_up([waiting, line])
        jun.close()
        mina.close()
