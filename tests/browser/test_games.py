"""Whole games with bots, three-player games, results, replays and reviews, and logs from other sites."""

import gzip
import re
import sys
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from browser.contexts import Contexts, expect
from browser.parlour import EAST, Guest, MakeGuest, against_bots, serving, slow_in_a_browser
from jantaku.bots import bot, play
from jantaku.game import Game
from jantaku.records import formats
from jantaku.server.settings import NO_PAUSES, Program
from server.parlour import SHORT, Person

pytestmark = slow_in_a_browser
LOG: Final = "2010110100gm-00a9-0000-de3472e8.mjlog"
# Win, otherwise set a north aside, otherwise pass, otherwise discard the rightmost tile
PLAYS: Final = """() => {
  const { onward, claim, discards } = window.atTable;
  (onward() ?? claim('win') ?? claim('kita') ?? claim('pass') ?? discards().at(-1))?.click();
}"""


@cache
def played() -> Game:
    """Return a game between bots, one of which plays carelessly."""
    players = [bot("efficient", 3), *(bot("standard", seed) for seed in range(3))]
    return play(Game("standard", seed=3), players)


def game_text() -> str:
    return formats.dumps(played(), "jantaku")


def assert_seat(player: Guest, name: str) -> None:
    """Assert that a replay is shown from the seat of this player."""
    expect(player.field("web.replay.seat").locator("option:checked")).to_have_text(name)


def test_an_east_game_with_bots_its_replay_statistics_and_rematch(guest: MakeGuest) -> None:
    player = guest("Mina", language="ko")
    page = player.page
    page.emulate_media(reduced_motion="reduce")
    page.goto("/profile")
    player.see("profile.none")
    table = against_bots(player, EAST, spectator_delay_s=0)
    page.goto("/rules")
    player.link("web.lobby.back").first.click()  # every page has a link to the running game
    player.tiles.first.wait_for()
    player.finish()
    page.evaluate("window.clearInterval(window.hurry)")
    expect(player.heading("web.result.title")).to_be_focused()
    assert sorted(page.locator("ol").first.get_by_role("strong").all_inner_texts())
    player.fold("web.result.parts").click()
    player.check()
    hands = player.heading("web.result.hands").locator("xpath=following-sibling::*[1]").get_by_role("link")
    last = hands.last.inner_text()
    player.fold("web.result.download").click()
    with page.expect_download() as download:
        page.get_by_role("button", name=player.say("web.result.format.mjai"), exact=True).click()
    assert download.value.suggested_filename.endswith(".mjson")
    hands.last.click()
    expect(player.field("web.replay.hand").locator("option:checked")).to_contain_text(last.split(" · ")[0])
    assert_seat(player, "Mina")
    page.go_back()
    player.link("web.result.review").click()
    expect(player.sheet.filter(has_text=player.say("learn.review.title", player="Mina"))).to_be_visible()
    page.goto("/profile")
    expect(page.get_by_role("definition").first).to_have_text("1")
    player.check("phone", "desktop", "phone")
    for name in ("file_json", "file_csv"):
        with page.expect_download() as download:
            player.link(f"profile.{name}").click()
        assert download.value.suggested_filename.startswith("jantaku-profile.")
    player.toggle("profile.show").check()
    player.link("profile.show_link").click()
    expect(player.heading("profile.title_of", name="Mina")).to_be_visible()
    player.sit_down(table)
    player.press("web.result.rematch")
    player.tiles.first.wait_for()


def test_norths_can_be_set_aside_in_a_three_player_game(guest: MakeGuest) -> None:
    player = guest(language="ko")
    page = player.page
    page.emulate_media(reduced_motion="reduce")
    page.goto("/")
    player.field("web.new.rules").select_option("standard-3")
    player.press("web.lobby.play")
    player.tiles.first.wait_for()
    against_bots(player, 'extends = "standard-3"\n[match]\nlength = "east"\n')
    result, norths = (
        player.heading("web.result.title"),
        player.say("web.table.kita_of", player="Mina", count=1),
    )
    aside = False
    player.at_table()
    while not result.count():
        page.evaluate(PLAYS)
        page.wait_for_timeout(15)
        aside |= page.get_by_role("img", name=norths).count() > 0
        assert "undefined" not in page.get_by_role("main").inner_text()
    assert aside
    expect(page.locator("ol").first.get_by_role("listitem")).to_have_count(3)
    player.link("web.result.replay").click()
    assert_seat(player, "Mina")
    expect(player.field("web.replay.seat").locator("option")).to_have_count(3)


def with_mistakes(answer: dict[str, Any], progress: float) -> dict[str, Any]:
    """Turn three undecided discards of a first review into mistakes, as deep rollouts could."""
    answer = deepcopy(answer)
    review, why = answer["review"], answer["why"]
    undecided = (
        one for one in review["decisions"] if one["verdict"] == "unclear" and one["kind"] == "discard"
    )
    figures = {"win": 0.2, "mean_win": 5200.0, "deal_in": 0.1, "mean_deal_in": 5800.0, "draw": 0.2}
    outcome = figures | {"points": 0.0, "final": 0.0, "places": [0.25] * 4}
    for loss, decision in zip((420.0, 1170.0, 650.0), undecided, strict=False):
        interval = {"low": loss / 2, "high": 2 * loss, "deals": 512}
        compared = interval | {"loss": loss, "played": outcome, "best": outcome}
        decision |= {"verdict": "mistake", "mistake": "efficiency", "compared": compared}
        why[str(decision["step"])] = ["16 tiles improve the hand instead of 12."]
    return {"review": review | {"progress": progress}, "why": why}


def test_a_review_asks_first_and_then_explains(guest: MakeGuest) -> None:
    player = guest()
    page = player.page
    sent = player.post("uploads", {"name": "game.json", "text": game_text()})
    first = player.get(f"uploads/{sent['id']}/review?seat=0")
    rounds = iter((0.3, 1.0))
    page.route("**/review?*", lambda route: route.fulfill(json=with_mistakes(first, next(rounds))))
    page.goto(f"/u/{sent['id']}?seat=0")
    player.press("learn.review.open")
    losses = player.sheet.get_by_role("listitem").get_by_role("button")
    expect(losses).to_have_count(3)
    expect(losses.first).to_contain_text("1,170")
    player.choice("learn.review.all_places", player.sheet).check()
    player.check("phone", "desktop", "phone")
    player.press("learn.review.walk", count=3)
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    own = player.tiles
    assert own.count() >= 2
    player.check("phone", "desktop", "phone")
    own.first.click()
    expect(own.first).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("2")
    expect(own.nth(1)).to_have_attribute("aria-pressed", "true")
    player.press("learn.review.answer")
    moment = page.get_by_role("region", name=player.say("learn.review.moment"))
    expect(moment).to_contain_text("16 tiles improve the hand instead of 12.")
    expect(moment.get_by_role("status")).to_be_focused()
    player.fold("learn.review.numbers").click()
    expect(moment.get_by_role("row")).to_have_count(10)
    player.check("phone", "desktop", "phone")
    player.press("learn.review.after")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    player.press("learn.review.show_me")
    expect(moment).to_contain_text("650")
    page.keyboard.press("ArrowLeft")
    expect(moment).to_contain_text("1,170")
    player.press("learn.review.overview")
    expect(player.sheet.get_by_role("progressbar")).to_have_count(
        0
    )  # a later request has got the whole review
    player.press("learn.review.resume")
    player.press("learn.review.show_me")
    player.press("learn.review.in_replay")
    expect(moment).to_contain_text("420")
    player.check()
    player.press("web.lab.which_short")
    player.link("learn.review.calculator").click()
    page.wait_for_url("**/calc?hand=*")
    page.go_back()
    player.press("web.lab.which_short")
    player.press("learn.review.what_if")
    page.wait_for_url("**/t/*")
    player.tiles.first.wait_for()


def test_the_judge_of_ones_own_seat_can_be_chosen(tmp_path: Path, contexts: Contexts) -> None:
    path = Path(__file__).parents[1] / "bots" / "mortal_shape.py"
    ours = Program("Ours", f"mjai:lines:{sys.executable} {path} {{seat}}")
    with serving(tmp_path, programs=(ours, Program("Broken", "mjai:false")), pauses=NO_PAUSES) as url:
        mina = Person(url, "Mina")
        table, line = mina.start(rules=mina.post("/api/rules", toml=SHORT)["id"])
        line.finish()
        player = Guest(contexts, url).become(mina)
        player.page.goto(f"/g/{mina.get(f'/api/tables/{table}')['result']['record']}?review")
        judge = player.field("learn.review.judge")
        strong = player.say("web.bot.name.strong")
        expect(judge.locator("option")).to_have_text([strong, "Ours", "Broken"])
        judge.select_option("Ours")
        moments = player.fold("learn.review.unclear", count="").or_(player.heading("learn.review.largest"))
        expect(moments.first).to_be_visible()
        player.check()
        player.expect_fault("400")
        judge.select_option("Broken")
        expect(player.sheet).to_contain_text(player.say("errors.causes.program_ended"))
        judge.select_option(strong)
        expect(moments.first).to_be_visible()
        own = player.field("web.replay.seat", player.sheet)
        own.select_option(index=1)
        expect(judge).to_have_count(0)
        assert player.faults == []


def choose_files(page: Any, *files: tuple[str, bytes]) -> None:
    page.goto("/games")
    buffers = [{"name": name, "mimeType": "", "buffer": content} for name, content in files]
    page.set_input_files("input[type=file]", buffers)


def test_logs_can_be_chosen_compressed_pasted_and_listed(guest: MakeGuest) -> None:
    player = guest(viewport="desktop")
    page, names = player.page, ["Aki", "Bo", "Cho", "Dan"]
    tenhou = formats.dumps(played(), "tenhou", names)
    choose_files(page, ("packed.json.gz", gzip.compress(tenhou.encode())))
    player.see("web.games.who")
    player.check("phone", "desktop")
    player.sheet.get_by_role("button", name="Cho").press("Enter")
    page.wait_for_url("**/u/*")
    expect(player.sheet.get_by_label(player.say("web.replay.seat"))).to_have_value("2")
    page.goto("/games")
    page.get_by_role("link", name="packed.json.gz").click()
    assert_seat(player, "Cho")
    before = page.url
    page.keyboard.press("ArrowRight")
    page.wait_for_function("before => location.href !== before", arg=before)
    page.goto("/games")
    player.fold("web.games.paste").click()
    field = player.field("web.games.paste_about")
    field.fill("https://tenhou.net/0/?log=2011020417gm-00a9-0000-b67fcaa3&tw=1")
    expect(player.link("web.games.tenhou_file")).to_have_attribute("href", re.compile("2011020417gm"))
    field.fill("https://game.maj-soul.com/1/?paipu=201129-19398ca4-e825-40d6-9ee5-a5f8175dcb50_a924963243")
    player.see("web.games.from_mahjongsoul")
    field.fill(tenhou)
    player.press("web.games.read")
    page.wait_for_url("**/u/*seat=2*")


def paste(page: Any, text: str) -> None:
    """Paste a text with the focus on no field."""
    page.evaluate(
        """text => {
          const clipboardData = new DataTransfer();
          clipboardData.setData('text/plain', text);
          document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
        }""",
        text,
    )


def test_a_log_pasted_on_the_page_opens_the_review(guest: MakeGuest) -> None:
    player = guest("Bo")
    page = player.page
    page.goto("/games")
    player.button("web.games.read").or_(player.fold("web.games.paste")).first.wait_for()
    paste(page, "https://tenhou.net/0/?log=2011020417gm-00a9-0000-b67fcaa3&tw=1")
    expect(player.link("web.games.tenhou_file")).to_be_visible()
    paste(page, formats.dumps(played(), "mjai", ["Aki", "Bo", "Cho", "Dan"]))
    page.wait_for_url("**/u/*seat=1*")  # the seat with one's own name


def test_several_logs_are_read_and_the_others_explained(guest: MakeGuest) -> None:
    player = guest()
    page = player.page
    player.expect_fault("400")
    one, two = (formats.dumps(played(), name) for name in ("mjai", "tenhou"))
    files = (
        ("one.mjson", one.encode()),
        ("broken.gz", b"\x1f\x8b broken"),
        ("none.txt", b"no log at all"),
        ("two.json", two.encode()),
    )
    choose_files(page, *files)
    player.see("web.games.read_count", count=2)
    for name in ("one.mjson", "two.json"):
        expect(page.get_by_role("link", name=name)).to_be_visible()
    problems = page.get_by_role("alert").get_by_role("listitem")
    expect(problems.nth(0)).to_contain_text("broken.gz " + player.say("web.games.damaged"))
    expect(problems.nth(1)).to_contain_text("none.txt")
    assert "TypeError" not in problems.nth(1).inner_text()
    player.check("phone", "desktop")


def test_a_tenhou_log_is_replayed(guest: MakeGuest, shared_data: Path) -> None:
    log = shared_data / "tenhou-logs" / LOG
    if not log.is_file():
        pytest.skip(f"no log at {log}")
    player = guest(language="ja")
    choose_files(player.page, (LOG, log.read_bytes()))
    player.link("web.games.who_none").click()
    player.page.wait_for_url("**/u/*")
    player.page.goto(player.page.url.split("?")[0] + "?at=60&seat=2")
    player.see_discards(5)
