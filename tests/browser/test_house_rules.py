"""The operator's own rules in a real Chromium: lists, sheet, and the name of an own yaku at the table."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from browser.contexts import Contexts
from browser.parlour import Guest, serving, slow_in_a_browser
from jantaku import terms
from jantaku.cli.serve import read_house_rules

pytestmark = slow_in_a_browser


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("club")
    own = '[yaku.aisatsu]\nclosed = 1\nopen = 1\nwhen = "runs >= 0"\nname = { ko = "인사" }\n'
    (folder / "club.toml").write_text(f'name = {{ ko = "우리 모임" }}\n{own}', "utf-8")
    with serving(folder, house_rules=tuple(read_house_rules([folder]))) as url:
        yield url


def test_house_rules_have_a_group_of_their_own(club: str, contexts: Contexts) -> None:
    with closing(Guest(contexts, club, language="ko").enter("Mina")) as player:
        page = player.page
        house = terms.text("web.rules.house", "ko")
        page.goto("/rules")
        page.locator("section", has=page.locator("h2", has_text=house)).locator(
            "a", has_text="우리 모임"
        ).click()
        for address in ("/new", "/calc", "/drill"):
            page.goto(address)
            page.locator(f"optgroup[label='{house}'] option[value=club]").first.wait_for(state="attached")
        page.goto("/edit/club")
        page.locator("select.input option[value=m-league]").first.wait_for(state="attached")
        assert page.locator("option[value=club]").count() == 0
        assert player.faults == []


def test_an_own_yaku_is_named_at_the_table(club: str, contexts: Contexts) -> None:
    with closing(Guest(contexts, club, language="ko").enter("Mina")) as player:
        table = player.table("club", 3)
        player.post(f"tables/{table}/start", {})
        player.sit_down(table)
        player.page.wait_for_selector(".tile-button")
        player.hurry(until=".sheet .win")
        player.page.get_by_text("인사").first.wait_for()
        assert player.faults == []
