"""Every step of the recorder on a small phone and on one on its side, in Korean and Japanese."""

from collections.abc import Callable
from typing import Any

import pytest

from browser.fitting import misfits
from browser.parlour import Guest, slow_in_a_browser
from browser.recorder_requests import FROM_THE_RECORDER
from browser.recording import ENTER, NAMES, Hands, Recording, cell
from browser.visits import Sent
from jantaku import terms

pytestmark = slow_in_a_browser


class Steps:
    """Goes through the recorder and notes what does not fit a small phone, or a phone on its side."""

    def __init__(self, recording: Recording, sizes: tuple[str, ...] = ("small", "landscape")) -> None:
        self.recording, self.page, self.sizes = recording, recording.page, sizes
        self.words: Any = terms.table("recorder", recording.player.language)
        self.wrong: list[str] = []

    def look(self, step: str) -> None:
        """Check what is shown in each size; the last size stays."""
        for size in self.sizes:
            self.recording.player.resize(size)
            self.recording.player.still()
            self.wrong += [f"{step}, {size}: {misfit}" for misfit in misfits(self.page)]

    def press(self, word: str) -> None:
        self.page.get_by_role("button", name=self.words[word], exact=True).first.click()

    def close(self) -> None:
        self.page.keyboard.press("Escape")
        self.page.wait_for_selector(".sheet", state="detached")

    def start(self) -> None:
        """A game of four players, started on the page."""
        page = self.page
        page.goto(self.recording.home)
        for seat, name in enumerate(NAMES):
            page.locator(".seats select").nth(seat).select_option(name)
        self.look("start")
        page.click("form button.primary")
        page.wait_for_selector("[data-seat='0']")
        self.recording.id = page.url.rsplit("/", 1)[1]
        self.look("table")

    def enter(self) -> None:
        """Each step of entering a hand."""
        page = self.page
        page.click("[data-seat='0'] .slot")
        self.look("riichi")
        Hands(page).drag(1, 0)
        self.look("grid")
        self.press("by_tiles")
        page.wait_for_selector(".palette, .tiles button")
        self.look("tiles")
        self.press("by_grid")
        page.click(cell(3, 40))
        page.wait_for_selector("[data-what='calls']")
        self.look("payment")
        page.click(ENTER)
        self.recording.sent(1)

    def other_ends(self) -> None:
        """A draw, an abortive draw, a foul, without entering them."""
        self.press("draw")
        self.look("draw")
        self.page.locator(".kinds button").last.click()
        self.look("abort")
        self.close()
        self.press("foul")
        self.page.click(".sheet .seats button")
        self.page.click(".fouls button >> nth=0")
        self.look("foul")
        self.close()

    def around(self) -> None:
        """The menu, the invitation, the hands, one of them."""
        page = self.page
        self.press("menu")
        page.fill(".sheet form input", "?")
        self.look("menu")
        self.press("call")
        page.wait_for_selector(".sheet", state="detached")
        self.press("menu")
        page.get_by_role("switch").click()
        self.press("others")
        page.wait_for_selector(".share img")
        self.look("others")
        self.close()
        self.look("turned")
        page.click("button.listed")
        self.look("hands")
        page.click(".sheet ol button")
        self.look("hand")
        page.locator(".sheet .row .button").first.click()
        self.press("history")
        page.wait_for_selector(".sheet ol li")
        self.look("history")
        self.close()
        page.click("button.listed")
        page.click(".sheet ol button")
        self.correction()

    def correction(self) -> None:
        """An earlier hand is changed, and while there is no network somebody else enters one."""
        page, recording = self.page, self.recording
        self.press("edit")
        self.look("correction")
        self.close()
        self.look("correcting")
        self.press("cancel")
        recording.player.context.set_offline(True)
        Hands(page).drag(3, 2)
        page.click(cell(1, 30))
        page.click(ENTER)
        page.wait_for_selector(".badge")
        body = {
            "id": "their-hand",
            "follows": recording.view()["head"],
            "hand": {"end": "draw", "tenpai": [0]},
        }
        recording.player.post(f"{recording.path}/hands", body)
        recording.player.context.set_offline(False)
        page.evaluate("window.dispatchEvent(new Event('online'))")
        page.wait_for_selector(".conflict")
        self.look("conflict")
        page.click(".conflict .button >> nth=0")
        page.wait_for_selector(".badge", state="detached")

    def end(self) -> None:
        """The last hand, and everybody confirms."""
        page, recording = self.page, self.recording
        self.close()  # before the game is over: its end opens a sheet by itself
        bust = {"end": "ron", "from": 1, "wins": [{"seat": 0, "yakuman": 2}]}
        last = {"id": "last-hand", "follows": recording.view()["head"], "hand": bust}
        recording.player.post(f"{recording.path}/hands", last)
        page.wait_for_selector(".sheet li .place")
        self.look("end")
        page.locator(".sheet li .button").first.click()
        page.wait_for_selector(".sheet .done")


@pytest.mark.parametrize("language", ["ko", pytest.param("ja", marks=pytest.mark.long)])
def test_every_step_fits_a_small_phone_and_one_on_its_side(
    stranger: Callable[..., Guest], language: str
) -> None:
    recording = Recording(stranger(language=language), ("김수한무거북이", "Bartholomew", "さとう", "이"))
    recording.expect_no_network()
    steps, sent = Steps(recording), Sent()
    sent.listen(recording.player)
    steps.start()
    steps.enter()
    steps.other_ends()
    steps.around()
    steps.end()
    assert steps.wrong == []
    assert sent.names >= FROM_THE_RECORDER
