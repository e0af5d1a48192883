"""The report of an event from the server: its days, its language, and whom hidden standings keep from it."""

import pytest

from server.clubs import BUST, Gathering, refused
from server.clubs import Table as Played


@pytest.mark.slow
def test_a_report_follows_the_games(gathering: Gathering) -> None:
    path = f"{gathering.path}/report"
    empty = gathering.organiser.get(path)
    assert (empty["days"], [section["kind"] for section in empty["sections"]]) == ([], ["numbers"])
    table = Played(gathering, "report")
    table.enter(BUST)
    gathering.referee.post(f"{table.path}/confirm", head=table.head, everybody=True)
    answer = gathering.players[0].get(path, zone="Asia/Seoul", lang="ko")
    assert [section["kind"] for section in answer["sections"]][:2] == ["standings", "best"]
    assert answer["markdown"].startswith("# ")
    (day,) = answer["days"]
    assert gathering.players[0].get(path, zone="Asia/Seoul", day=day)["day"] == day
    for unknown in ("../../etc/passwd", "Seoul", "", "localtime", "asia/seoul"):
        for page in (path, f"{gathering.path}/export"):
            answer = gathering.organiser.http.get(page, params={"zone": unknown, "lang": "ko"})
            assert (answer.status_code, answer.json()["error"]["field"]) == (422, "zone")
    for wrong in ("1999-01-01", "9999-99-99"):
        assert refused(gathering.organiser, "GET", f"{path}?day={wrong}") == (404, "no_day")
    for wrong in ("today", "2026-11-1", "2026-11-111", day + "%0a"):
        assert refused(gathering.organiser, "GET", f"{path}?day={wrong}")[0] in (400, 422)


@pytest.mark.slow
def test_a_hidden_report_is_for_the_staff(gathering: Gathering) -> None:
    gathering.organiser.http.patch(gathering.path, json={"hidden_standings": True}).raise_for_status()
    path = f"{gathering.path}/report"
    assert refused(gathering.players[0], "GET", path) == (403, "standings_hidden")
    assert gathering.recorder.get(path)["title"]
