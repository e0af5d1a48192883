"""The administrator sees what fills the disk, by kind and by person, in three languages."""

import re
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import pytest

from jantaku.records.native.game_file import dumps
from jantaku.server.run import prepare
from server.parlour import LOOSE, Person, open_server, quick
from server.sites import of_one_process
from server.test_server_uploads import game_of

RULES = 'extends = "tenhou"\n[about]\nen = "{}"\n'


@of_one_process
@pytest.mark.slow
def test_what_fills_the_disk_is_seen_by_kind_and_person(tmp_path: Path) -> None:
    settings = quick(tmp_path)
    token = prepare(settings, admin=False)
    with open_server(settings) as url, closing(Person(url)) as admin, closing(Person(url, "Mina")) as mina:
        admin.post("/api/enter", token=token)
        assert mina.http.get("/api/disk").status_code == 403
        assert Person(url).http.get("/api/disk").status_code == 401
        before = admin.get("/api/disk")
        for seed in range(3):
            mina.post("/api/uploads", text=dumps(game_of(400, seed)))
        mina.post("/api/rules", toml=RULES.format("x" * 1500))
        disk = admin.get("/api/disk")
        kinds = {kind["kind"]: kind["bytes"] for kind in disk["kinds"]}
        assert sum(kinds.values()) == disk["bytes"] >= before["bytes"]
        (hers,) = [person for person in disk["people"] if person["id"] == mina.id]
        mine = {kind["kind"]: kind["bytes"] for kind in hers["kinds"]}
        assert mine["uploads"] == kinds["uploads"] > 10_000
        assert mine["rulesets"] > 3000
        assert (hers["name"], hers["bytes"]) == ("Mina", sum(mine.values()))
        assert disk["people"][0]["bytes"] == max(person["bytes"] for person in disk["people"])
        for language, script in (("ko", "[가-힣]"), ("ja", "[ぁ-んァ-ヶ一-龠]"), ("en", "[a-z]")):
            names = [kind["name"] for kind in admin.get("/api/disk", lang=language)["kinds"]]
            assert all(re.search(script, name) for name in names)
        mina.table(bots=3)
        assert {kind["kind"] for kind in admin.get("/api/disk")["kinds"]} == kinds.keys()


@pytest.mark.slow
def test_a_person_fills_no_disk_with_the_log_of_an_event(tmp_path: Path) -> None:
    """What changes of it is kept for good, so it is limited: by person, and by address if it is much."""
    limits = replace(LOOSE, kept_bytes_of_one=40_000, kept_bytes_per_day=60_000)
    with open_server(quick(tmp_path, limits=limits)) as url, ExitStack() as stack:
        one, other, third = (stack.enter_context(closing(Person(url))) for _ in range(3))

        def accepted(who: Person, name: str, letters: int) -> int:
            """How many of ten changes are; the others are refused and change nothing."""
            who.post("/api/register", name=name, password="a long password", language="en")
            event = f"/api/events/{who.post('/api/events', name={'en': name}, rules='standard')['id']}"
            answers = [who.http.patch(event, json={"about": {"en": str(i) * letters}}) for i in range(10)]
            count = sum(answer.status_code == 200 for answer in answers)
            codes = [answer.json()["error"]["code"] for answer in answers[count:]]
            assert codes == ["too_much_kept_there"] * (10 - count)
            assert who.get(event)["about"]["en"] == str(count - 1) * letters
            return count

        assert 4 <= accepted(one, "Mina", 4000) <= 6
        assert accepted(other, "Sori", 4000) <= 4
        assert accepted(third, "Yuki", 90) == 10


@pytest.mark.slow
def test_events_that_are_handed_on_fill_no_disk(tmp_path: Path) -> None:
    """Whoever leaves an event to another organiser may open one more, but not without end."""
    limits = replace(LOOSE, kept_bytes_of_one=40_000, events_of_one=2)
    with open_server(quick(tmp_path, limits=limits)) as url, ExitStack() as stack:
        one, other = (stack.enter_context(closing(Person(url))) for _ in range(2))
        for who, name in ((one, "Mina"), (other, "Sori")):
            who.id = who.post("/api/register", name=name, password="a long password", language="en")["id"]
        new = {"name": {"en": "Cup"}, "rules": "standard", "about": {"en": "x" * 4000}}
        codes = []
        for _ in range(12):
            answer = one.http.post("/api/events", json=new)
            if answer.status_code != 200:
                codes.append(answer.json()["error"]["code"])
                continue
            event = f"/api/events/{answer.json()['id']}"
            one.post(f"{event}/staff", name="Sori", role="organiser")
            assert one.http.delete(f"{event}/staff/{one.id}").status_code == 200
        assert set(codes) == {"too_much_kept_there"}
        assert 2 <= len(codes) <= 5
