"""A game under rules with chips and yakitori: the recorder asks for the chips, and its end shows both."""

from collections.abc import Callable

from browser.contexts import expect
from browser.parlour import Guest, requires_axe, serious_faults, slow_in_a_browser
from browser.recording import ENTER, WORDS, Hands, Recording, cell

pytestmark = slow_in_a_browser
TOML = """extends = "standard"
name = { en = "Chips" }
[match]
length = "east"
yakitori = 3000
[chips]
value = 1000
"""


@requires_axe
def test_chips_are_entered_and_the_end_shows_them(stranger: Callable[..., Guest]) -> None:
    phone = stranger()
    recording = Recording(phone, toml=TOML)
    recording.start("chips")
    page, hands = recording.page, Hands(recording.page)
    hands.drag(3, 1)
    hands.tap(cell(1, 30))
    chips = page.get_by_role("group", name=WORDS["chips"], exact=True)
    chips.get_by_role("button", name="2", exact=True).tap()
    expect(page.locator(".sheet")).to_contain_text("Park +2 · Lee −2")
    assert serious_faults(phone) == []
    hands.tap(ENTER)
    assert recording.sent(1)[0]["chips"] == [0, 2, 0, -2]

    hands.drag(1, 2)  # without a word about chips there are none
    hands.tap(cell(1, 30))
    hands.tap(ENTER)
    assert recording.sent(2)[1]["chips"] == [0, 0, 0, 0]
    bust = {"end": "ron", "from": 3, "wins": [{"seat": 0, "yakuman": 1}]}
    head = recording.view()["head"]
    phone.post(f"{recording.path}/hands", {"id": "last-hand", "follows": head, "hand": bust})
    sheet = page.locator(".sheet")
    expect(sheet).to_contain_text("Chips: Kim +10 · Park +2 · Lee −12")
    expect(sheet).to_contain_text("Yakitori: Kim +3,000 · Park +3,000 · Sato +3,000 · Lee −9,000")
    assert serious_faults(phone) == []
