"""A pasted link to a log: fetched by the server where its owner allows it, else told how to get the file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from browser.contexts import Contexts
from browser.parlour import Guest, serving, slow_in_a_browser
from jantaku import terms
from jantaku.server.settings import Outside
from server.test_fetched_logs import HERE, site

pytestmark = slow_in_a_browser
WORDS = terms.table("web", "en")["games"]
__all__ = ["site"]


@pytest.fixture
def player(contexts: Contexts, tmp_path: Path) -> Iterator[Guest]:
    with serving(tmp_path, outside=Outside(log_hosts=(HERE,)), webhook_hosts=(HERE,)) as url:
        guest = Guest(contexts, url, fresh=True).enter("Mina")
        yield guest
        guest.close()
        assert guest.faults == []


def test_a_pasted_link_is_fetched_where_it_may_be(player: Guest, site: str) -> None:
    page = player.page
    page.goto("/games")
    page.get_by_text(WORDS["paste"]).click()
    page.fill("textarea", "https://example.org/log")
    page.get_by_text(WORDS["from_link"]).wait_for()
    page.fill("textarea", f"{site}/log")
    page.get_by_role("button", name=WORDS["fetch"]).click()
    page.wait_for_url("**/u/*")
    page.wait_for_selector(".replay .centre")
