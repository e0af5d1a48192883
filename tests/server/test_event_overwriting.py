"""Two organisers change the same setting: who has not seen the other's change is told so."""

from server.clubs import Gathering, refused


def test_nicknames_that_somebody_else_has_changed_are_not_taken_back(gathering: Gathering) -> None:
    path, entry = f"{gathering.path}/entries/{gathering.entries[0]}/names", gathering.players[0]
    read = gathering.organiser.get(path)["version"]
    mine = entry.http.patch(path, json={"nicknames": [{"site": "tenhou", "name": "mine"}], "version": read})
    assert mine.status_code == 200
    late = {"real_name": "R", "nicknames": [], "version": read}
    assert refused(gathering.organiser, "PATCH", path, **late) == (409, "names_moved_on")
    now = gathering.organiser.get(path)
    assert (now["real_name"], now["nicknames"]) == ("", [{"site": "tenhou", "name": "mine"}])
    gathering.organiser.http.patch(
        path, json={"real_name": "R", "version": now["version"]}
    ).raise_for_status()
    assert gathering.organiser.get(path)["nicknames"] == now["nicknames"]
