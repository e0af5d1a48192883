"""Someone at a page who presses and types like a person, and counts both."""

import os
from pathlib import Path
from typing import Any

from browser.parlour import Guest
from browser.test_desk import button
from server.clubs import PASSWORD

TAP_S, KEY_S = 2.45, 0.28


class Hand:
    """Presses and types like a person, and counts both."""

    def __init__(self, guest: Guest, name: str = "") -> None:
        self.guest, self.page = guest, guest.page
        if name:
            guest.post("register", {"name": name, "password": PASSWORD})
        self.taps = self.keys = 0
        self.steps: list[tuple[str, int, int]] = []

    def step(self, name: str, most: int) -> None:
        """The step is done; it may not have needed more taps than so many."""
        assert self.taps <= most, name
        self.steps.append((name, self.taps, self.keys))
        self.taps = self.keys = 0

    def tap(self, found: Any) -> None:
        found.click()
        self.taps += 1

    def press(self, name: str, within: Any = None) -> None:
        self.tap(button(within or self.page, name).first)

    def type(self, found: Any, text: str) -> None:
        self.tap(found)
        found.fill(text)
        self.keys += len(text)

    def paste(self, found: Any, text: str) -> None:
        self.tap(found)
        found.fill(text)
        self.keys += 2

    def choose(self, found: Any, value: str) -> None:
        found.select_option(value)
        self.taps += 2

    def tab(self, name: str) -> None:
        self.tap(self.page.locator(f"nav.tabs a[href$='/{name}']"))
        self.page.locator(f"nav.tabs a[href$='/{name}'][aria-current]").wait_for()

    def show(self, title: str) -> None:
        told = os.environ.get("JANTAKU_TAPS")
        if not told:
            return
        with Path(told).open("a", encoding="utf-8") as file:
            for name, taps, keys in self.steps:
                minutes = (taps * TAP_S + keys * KEY_S) / 60
                file.write(f"| {title} | {name} | {taps} | {keys} | {minutes:.1f} |\n")
