"""Forged ``X-Forwarded-For``: nobody escapes the limits of their address by what they write into it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from server.parlour import LOOSE, Person, open_server, quick
from server.sites import of_one_process

BURST = 5
LIMITS = replace(LOOSE, requests_per_s=0.001, request_burst=BURST)
Forged = Callable[[int], list[str]]
ALIKE: dict[str, Forged] = {
    "a hop before": lambda i: [f"203.0.113.{i}, 198.51.100.7"],
    "a header before": lambda i: [f"203.0.113.{i}", "198.51.100.7"],
    "many hops": lambda i: [f"{', '.join(['192.0.2.1'] * 50)}, garbage{i}, ::1, 198.51.100.7, 127.0.0.1"],
    "a port": lambda i: [f"198.51.100.7:{5000 + i}"],
    "mapped": lambda i: [("198.51.100.7", "::ffff:198.51.100.7", "[::ffff:c633:6407]:80")[i % 3]],
    "one /64": lambda i: [f"2001:db8:1:2:{i}::1"],
    "one /64 in brackets": lambda i: [f"[2001:DB8:1:2::{i}%eth0]:{i}"],
    "nothing": lambda i: ["," * i],
}


def statuses(url: str, forged: Forged) -> list[int]:
    """What requests are answered whose header is another one each time."""
    person = Person(url)
    asked = []
    for i in range(2 * BURST):
        headers = [("X-Forwarded-For", value) for value in forged(i)]
        asked.append(person.http.get("/api/events", headers=headers).status_code)
    return asked


@of_one_process
@pytest.mark.parametrize("forged", ALIKE.values(), ids=ALIKE)
def test_what_a_client_writes_before_its_proxy_makes_it_nobody_else(tmp_path: Path, forged: Forged) -> None:
    with open_server(quick(tmp_path, limits=LIMITS, public_url="http://localhost")) as url:
        assert statuses(url, forged) == [200] * BURST + [429] * BURST
        assert statuses(url, lambda i: [f"2001:db8:{i:x}::1"]) == [200] * 2 * BURST


@of_one_process
def test_without_a_proxy_the_header_says_nothing(tmp_path: Path) -> None:
    with open_server(quick(tmp_path, limits=LIMITS)) as url:
        assert statuses(url, lambda i: [f"203.0.113.{i}"]) == [200] * BURST + [429] * BURST


@of_one_process
def test_a_peer_that_is_no_trusted_proxy_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "192.0.2.10")
    with open_server(quick(tmp_path, limits=LIMITS, public_url="http://localhost")) as url:
        assert statuses(url, lambda i: [f"203.0.113.{i}"]) == [200] * BURST + [429] * BURST
