"""A yaku made from forms in Korean on a phone: tried, played by bots, won at a table, explained and kept."""

import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect
from typer.testing import CliRunner

from browser.parlour import ONE_WIN, Guest, slow_in_a_browser
from jantaku import terms
from jantaku.cli.app import app
from jantaku.rules.rules_files import load_file

pytestmark = slow_in_a_browser
NAME = "어떻게든 화료"


def word(key: str) -> str:
    return terms.text(f"web.{key}", "ko")


def test_a_yaku_made_from_forms_is_played_and_kept(guest: Callable[..., Guest], tmp_path: Path) -> None:
    player = guest(language="ko", viewport="phone")
    page = player.page
    page.set_default_timeout(120_000)  # the server tries every change of the condition, and bots play
    page.goto(f"/edit/{player.rules(ONE_WIN)}")
    page.wait_for_selector("details")
    # The forms: tsumo or ron, so that whoever wins has it
    page.get_by_text(word("editor.own.title"), exact=True).first.click()
    page.get_by_role("button", name=word("editor.own.new"), exact=True).click()
    page.get_by_label(word("editor.own.name"), exact=True).fill(NAME)
    for side in ("closed", "open"):
        page.get_by_label(f"{NAME} {word(f'rules.{side}')}", exact=True).select_option("2")
    for circumstance in ("tsumo", "ron"):
        page.get_by_role("button", name=f"+ {word('editor.own.form.circumstance')}", exact=True).click()
        said = terms.text(f"own.word.{circumstance}", "ko")
        page.locator("[data-form=circumstance]").get_by_role("button", name=said, exact=True).click()
        page.locator(".parts li").filter(has_text=said).wait_for()
    page.get_by_role("group", name=word("editor.own.joined")).get_by_text(
        word("editor.own.joiner.or"), exact=True
    ).click()
    page.locator("[data-hands=having] li").first.wait_for()
    page.locator(".own").get_by_role("button", name=word("editor.own.play").format(games=128)).click()
    expect(page.locator("[data-played]")).not_to_have_attribute("data-played", "0")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    with page.expect_download() as download:
        page.get_by_role("button", name=word("editor.download"), exact=True).click()
    download.value.save_as(tmp_path / "own.toml")
    page.click(".bar button.primary")
    page.wait_for_url("**/rules/*")
    rules = page.url.rsplit("/", 1)[-1].partition("?")[0]
    # The sheet says what differs from the preset, the booklet shows the yaku
    page.get_by_text(NAME).first.wait_for()
    booklet = page.request.get(f"/api/rules/{rules}/booklet?format=md&language=ko").text()
    assert NAME in booklet
    # A table with bots: the win shows it, the stored game tells it
    table = player.table(rules, 3)
    player.post(f"tables/{table}/start", {})
    player.sit_down(table)
    page.wait_for_selector(".tile-button")
    player.hurry(until=".sheet .win")
    page.locator(".sheet .win").get_by_text(NAME).first.wait_for()
    player.finish()
    games = page.request.get("/api/games?mine=true").json()
    page.goto(f"/g/{games['games'][0]['id']}")
    page.wait_for_selector(".river", state="attached")
    assert player.faults == []
    # The same file scores the hand
    made = load_file(tmp_path / "own.toml")
    own = made.own_yaku[0].id
    request = {"hand": "234m567p34567s99p", "win": "8s", "by": "ron"}
    scored = CliRunner().invoke(
        app, ["score", "--jsonl", "--rules", str(tmp_path / "own.toml")], input=json.dumps(request) + "\n"
    )
    assert json.loads(scored.stdout.splitlines()[-1])["yaku"][own] == 2


PAIR = """extends = "standard"
[yaku.first]
name.ko = "먼저 만든 역"
closed = 2
open = 1
when = 'only("1579s7z")'
[yaku.second]
name.ko = "나중 역"
closed = 3
when = "tsumo"
"""


def test_another_own_yaku_is_offered_and_said_by_its_name(guest: Callable[..., Guest]) -> None:
    player = guest(language="ko", viewport="phone")
    page = player.page
    page.set_default_timeout(60_000)
    page.goto(f"/edit/{player.rules(PAIR)}")
    page.get_by_text(word("editor.own.title"), exact=True).first.click()
    page.locator("details summary", has_text="나중 역").last.click()
    page.get_by_role("button", name=f"+ {word('editor.own.form.yaku')}", exact=True).click()
    offered = page.locator("[data-form=yaku] select")
    assert "나중 역" not in offered.inner_text()
    offered.select_option(label="먼저 만든 역")
    page.locator(".parts li", has_text="먼저 만든 역").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
