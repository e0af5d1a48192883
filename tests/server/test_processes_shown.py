"""The administrator, and no one else, sees the processes of the site and what is slow there."""

from contextlib import closing
from pathlib import Path

import pytest

from jantaku.server.play.process_bodies import ProcessInfo, SlowTable
from jantaku.server.play.processes_here import UNKNOWN, _info_of
from jantaku.server.run import prepare
from server.parlour import Person, open_server, quick, simplest
from server.sites import of_one_process

SLOW = SlowTable(table="t", action_ms=1.5, longest_action_ms=2.0)


def test_a_process_of_a_later_version_may_say_more() -> None:
    info = ProcessInfo(**dict(UNKNOWN) | {"id": "a", "role": "all", "slowest": (SLOW,)})
    said = info.model_dump(mode="json")
    assert _info_of(said | {"later": 1}) == _info_of(said) == _info_of(info) == info
    assert not _info_of({"id": "a", "role": "all"}).answers


@of_one_process
@pytest.mark.slow
def test_who_sees_the_processes(tmp_path: Path) -> None:
    settings = quick(tmp_path)
    token = prepare(settings, admin=False)
    with open_server(settings) as url, closing(Person(url)) as admin, closing(Person(url, "Mina")) as mina:
        admin.post("/api/enter", token=token)
        assert mina.http.get("/api/processes").status_code == 403
        mina.post("/api/register", name="mina", password="a long password", language="en")
        assert mina.http.get("/api/processes").status_code == 403
        assert Person(url).http.get("/api/processes").status_code == 401
        table = mina.table(bots=3, sit=True)["id"]
        (before,) = admin.get("/api/processes")["processes"]
        assert (before["role"], before["tables"], before["playing"], before["slowest"]) == ("all", 1, 0, [])
        line = mina.socket(table)
        mina.post(f"/api/tables/{table}/start")
        asked = line.asked()
        assert asked is not None
        line.act(simplest(asked))
        (after,) = admin.get("/api/processes")["processes"]
        assert (after["playing"], after["sockets"], after["slowest"][0]["table"]) == (1, 1, table)
        assert 0 < after["slowest"][0]["action_ms"] <= after["slowest"][0]["longest_action_ms"]
        assert 0 < after["commit_ms"] <= after["longest_commit_ms"]
