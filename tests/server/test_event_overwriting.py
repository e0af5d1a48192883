"""Two organisers change the same setting: who has not seen the other's change is told so."""

import pytest

from server.clubs import Gathering, refused

HOOK = {"url": "https://one.invalid/", "kinds": ["start"]}
OTHER = {"url": "https://two.invalid/", "kinds": ["start", "penalty"]}


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


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_a_webhook_that_somebody_else_has_set_is_not_replaced(gathering: Gathering, method: str) -> None:
    organiser, path = gathering.organiser, f"{gathering.path}/webhook"
    read = organiser.get(path)["version"]
    first = organiser.http.put(path, json={**HOOK, "version": read}).json()
    assert first["version"] == organiser.get(path)["version"] != read
    if method == "PUT":
        assert refused(organiser, "PUT", path, **OTHER, version=read) == (409, "webhook_moved_on")
    else:
        assert refused(organiser, "DELETE", f"{path}?version={read}") == (409, "webhook_moved_on")
    assert organiser.get(path)["host"] == "one.invalid"
    assert organiser.http.put(path, json={**OTHER, "version": first["version"]}).status_code == 200
    again = organiser.get(path)["version"]
    assert organiser.http.delete(f"{path}?version={again}").status_code == 200
    assert organiser.get(path) == {"host": None, "kinds": [], "version": read, "deliveries": []}
