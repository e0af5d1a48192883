"""Two people at different gateways finish their game although the process that owns the table is killed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from browser.contexts import Contexts, expect
from browser.parlour import ONE_WIN, Guest, slow_in_a_browser
from server.parlour import Process
from server.postgres_cluster import Cluster
from server.sites import Site, owner_of

pytestmark = slow_in_a_browser


@pytest.fixture
def site(tmp_path: Path, cluster: Cluster) -> Iterator[Site]:
    site = Site(tmp_path, cluster, "browsers")
    try:
        site.begin(gateways=2, owners=2)
        yield site
    finally:
        site.close()


def kill(process: Process, among: list[Process]) -> None:
    among.remove(process)
    process.kill()


def test_a_game_through_two_gateways_survives_the_death_of_its_owner(site: Site, contexts: Contexts) -> None:
    ann, ben = (
        Guest(contexts, gateway.url, "phone", fresh=True).enter(name)
        for gateway, name in zip(site.gateways, ("Ann", "Ben"), strict=True)
    )
    for guest in (ann, ben):
        for fault in ("net::ERR", "WebSocket", "503", "502"):
            guest.expect_fault(fault)
    table = ann.table(ann.rules(ONE_WIN), 2, draw_seats=False)
    ben.post(f"tables/{table}/join", {})
    for guest in (ann, ben):
        guest.sit_down(table)
        guest.see("web.room.you")
    ann.post(f"tables/{table}/start", {})
    for guest in (ann, ben):
        guest.tiles.first.wait_for()
    kill(owner_of(site), site.owners)
    for guest in (ann, ben):
        guest.hurry(50)
    for guest in (ann, ben):
        expect(guest.heading("web.result.title")).to_be_visible(timeout=120_000)
        guest.close()
    assert [fault for person in (ann, ben) for fault in person.faults] == []
