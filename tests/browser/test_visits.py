"""Commentators, votes to end a game, uploaded logs, and the drill."""

import gzip
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from browser.contexts import expect
from browser.parlour import Guest, against_bots, seat_four, slow_in_a_browser
from jantaku import terms
from jantaku.game import Game
from jantaku.records.native.game_file import dumps
from jantaku.records.tenhou6 import dumps_tenhou
from jantaku.rules import load
from server.databases import rows

pytestmark = slow_in_a_browser
LOG = "2010110100gm-00a9-0000-de3472e8.mjlog"
DOWN = ".board .strip .hand i, .board .strip .hand use[href^='#tile-back']"
UP = ".board .strip .hand use[href^='#tile-front']"
HAND = ".board .strip .hand"
WORDS = terms.table("web", "en")


def test_all_hands_are_shown_to_a_referee_only(guest: Callable[..., Guest], data: Path) -> None:
    player, referee, other = guest("Aki"), guest("Rin", "desktop"), guest("Sena", "desktop")
    rows(data, "UPDATE people SET role = 'referee' WHERE name = 'Rin'")
    table = against_bots(player, spectators=True, spectator_delay_s=0, private=False)
    watch = f"a[href='/t/{table}?watch=1']"
    watch_all = f"a[href='/t/{table}?watch=1&all=1']"
    for watcher in (referee, other):
        watcher.page.goto("/")
        watcher.page.click(watch)
        watcher.page.wait_for_selector(".board .strip .hand")
    assert referee.page.locator(UP).count() == other.page.locator(UP).count() == 0
    referee.page.goto("/")
    referee.page.click(watch_all)
    referee.page.locator(UP).nth(12).wait_for(state="attached")
    expect(referee.page.locator(HAND)).to_have_count(4)
    expect(referee.page.locator(HAND, has=referee.page.locator("use[href^='#tile-front']"))).to_have_count(4)
    assert referee.page.locator(DOWN).count() == 0
    assert other.page.locator(watch_all).count() == 0
    other.page.goto(referee.page.url)
    other.page.wait_for_selector(".board .strip .hand")
    assert other.page.locator(UP).count() == 0


def test_four_players_vote_to_end_the_game(guest: Callable[..., Guest]) -> None:
    players = seat_four(guest)
    for count, (player, language) in enumerate(zip(players, ("en", "en", "ja", "ko"), strict=True), 1):
        player.page.click("button.menu")
        abort = terms.table("web", language)["menu"]["abort"]
        player.page.locator(".sheet button", has_text=abort).click()
        if count < 4:
            player.page.locator(".sheet button[aria-pressed=true]", has_text=f"({count})").wait_for()
    for player, language in zip(players, ("en", "en", "ja", "ko"), strict=True):
        aborted = terms.table("web", language)["result"]["aborted"]
        player.page.keyboard.press("Escape")
        player.page.locator("text=" + aborted).wait_for()


def played() -> Game:
    """A game of one hand, by chance."""
    random = Random(3)
    game = Game(load("standard").with_changes({"match.length": "east"}), bytes(32))
    while not any(event.type in ("won", "hand_drawn") for event in game.events):
        game.play(game.to_act[0], random.choice(game.legal(game.to_act[0])))
    return game


def open_log(player: Guest, name: str, content: bytes) -> None:
    """Upload it on the page of games, as from a disk."""
    page = player.page
    page.goto("/games")
    page.set_input_files("input[type=file]", {"name": name, "mimeType": "", "buffer": content})
    page.wait_for_url("**/u/*")
    page.wait_for_selector(".replay .moment p")


@pytest.mark.parametrize("kind", ["own", "tenhou"])
@pytest.mark.parametrize("packed", [False, True])
def test_plain_and_compressed_logs_are_replayed(guest: Callable[..., Guest], kind: str, packed: bool) -> None:
    player = guest()
    game = played()
    text = dumps(game) if kind == "own" else dumps_tenhou(game, ["Aki", "Bo", "Cho", "Dan"])
    content = text.encode()
    open_log(player, "game.json.gz" if packed else "game.json", gzip.compress(content) if packed else content)
    player.page.keyboard.press("ArrowRight")
    player.page.wait_for_selector(".replay .river .tile")


def test_a_log_without_names_calls_the_seats_by_their_winds(guest: Callable[..., Guest]) -> None:
    player = guest(language="ko")
    open_log(player, "game.json", dumps(played()).encode())
    chosen = player.page.locator("select", has=player.page.locator("option", has_text="북"))
    chosen.select_option("남")
    player.page.locator(".plate.below .name", has_text="남").wait_for()


def test_a_compressed_tenhou_log_is_replayed(guest: Callable[..., Guest], shared_data: Path) -> None:
    log = shared_data / "tenhou-logs" / LOG
    if not log.is_file():
        pytest.skip(f"no log at {log}")
    open_log(guest(language="ja"), LOG, gzip.compress(log.read_bytes()))


def test_a_damaged_log_is_refused_with_a_message(guest: Callable[..., Guest]) -> None:
    player = guest()
    player.expect_fault("400")  # the upload is refused
    for content in (b"\x1f\x8b broken", b"no log at all"):
        player.page.goto("/games")
        player.page.set_input_files("input[type=file]", {"name": "x.gz", "mimeType": "", "buffer": content})
        notice = player.page.locator(".notices p span")
        notice.first.wait_for()
        assert len(notice.first.inner_text()) > 20
        assert "TypeError" not in notice.first.inner_text()


def drilled(page: Any) -> int:
    """The points of the drill's hand."""
    seed = int(page.url.rsplit("seed=", 1)[1])
    answer = page.request.get(f"/api/drill?rules=standard&seed={seed}").json()
    return int(answer["answer"]["score"]["points"])


def test_the_drill_counts_right_and_wrong_answers(guest: Callable[..., Guest]) -> None:
    page = guest().page
    page.goto("/drill?rules=standard&seed=5")
    page.wait_for_selector(".choices button")
    page.locator(".choices button", has_text=f"{drilled(page):,}").first.click()
    page.locator("[role=status]", has_text=WORDS["drill"]["right"]).wait_for()
    page.locator("[role=status]", has_text="1 of 1").wait_for()
    expect(page.locator(".choices .right")).to_have_count(1)
    page.wait_for_selector(".explanation")
    page.locator("[role=status] button.primary").click()
    page.wait_for_selector(".choices button:not(:disabled)")
    points = drilled(page)
    wrong = next(
        button for button in page.locator(".choices button").all() if button.inner_text() != f"{points:,}"
    )
    wrong.click()
    page.locator("[role=status]", has_text=f"{points:,}").wait_for()
    page.locator("[role=status]", has_text="1 of 2").wait_for()
    expect(page.locator(".choices .wrong")).to_have_count(1)
    expect(page.locator(".choices .right")).to_have_count(1)
