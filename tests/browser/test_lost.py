"""Addresses with a damaged or unknown id say that there is no such thing, and lead on to what there is."""

from collections.abc import Callable

import pytest

from browser.parlour import Guest, slow_in_a_browser

pytestmark = slow_in_a_browser
DAMAGED = ("nosuchid", "..%2f..%2f", "%E0%A4%A", "%00", "a%20b%2fc", "x" * 150)
ADDRESSES = (
    "/t/{}", "/g/{}", "/u/{}", "/events/{}", "/events/{}/games/g1", "/seasons/{}", "/desk/{}", "/people/{}",
    "/numbers/{}", "/record/{}", "/record/{}/g1", "/screen/{}",
    "/rules/{}", "/edit/{}", "/lab/{}", "/{}",
)  # fmt: skip
INSIDE = ("/events/{event}/games/{}", "/events/{event}/players/{}", "/record/{event}/{}")
# What the page says that it lacks, and where its links lead
SAID = """() => {
  const alerts = [...document.querySelectorAll('[role=alert]:not(.notices *)')];
  const said = alerts.map((one) => one.innerText.trim()).filter(Boolean).join(' ');
  const ways = [...document.querySelectorAll(':is(main, .screen, body) a.button, main a')];
  return said && ways.some((one) => one.checkVisibility()) ? said : null;
}"""


def lost(player: Guest, address: str) -> str:
    player.page.goto(address)
    return str(player.page.wait_for_function(SAID, timeout=10_000).json_value())


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_of_nothing_says_so(guest: Callable[..., Guest], address: str) -> None:
    player = guest("Lost")
    player.expect_fault("Failed to load resource")
    for damaged in DAMAGED:
        said = lost(player, address.format(damaged))
        assert not {"longer", "Connecting", "network"} & {*said.replace("…", "").split()}, (damaged, said)


@pytest.mark.parametrize("address", INSIDE)
def test_so_does_one_inside_of_an_event(guest: Callable[..., Guest], address: str) -> None:
    player = guest("Lost")
    player.expect_fault("Failed to load resource")
    player.post("register", {"name": f"Org {abs(hash(address)) % 10**6}", "password": "a long password"})
    event = player.post("events", {"name": {"en": "Cup"}})["id"]
    for damaged in DAMAGED:
        assert lost(player, address.format(damaged, event=event))
