"""Fields for numbers on a phone: digits alone open the keypad, and no field lacks a minus that it needs."""

from collections.abc import Callable

from browser.parlour import Guest, slow_in_a_browser

pytestmark = slow_in_a_browser
# The fields whose keypad does not fit what may be typed: the keypad of digits of an iPhone has no minus
MISFITS = """() => [...document.querySelectorAll('input[type=number], input.numbers')].flatMap((field) => {
  const digits = ['numeric', 'decimal'].includes(field.inputMode);
  const below = field.type === 'number' ? field.min === '' || Number(field.min) < 0 : true;
  const turns = field.parentElement.querySelector('button[aria-label]') !== null;
  const fits = below ? !digits || turns : digits;
  return fits ? [] : [field.closest('label, td, li')?.innerText || field.outerHTML];
})"""
DESK = ("people", "games", "rounds", "referee", "print", "settings")


def test_every_field_for_numbers_opens_the_keypad_that_it_needs(stranger: Callable[..., Guest]) -> None:
    player = stranger()
    page = player.page
    player.post("register", {"name": "keypads", "password": "correct horse", "language": "en"})
    made = {"name": {"en": "Keypads"}, "stages": [{"id": "main", "kind": "rounds"}]}
    event = player.post("events", made)["id"]
    player.post(
        f"events/{event}/entries/list",
        {"entries": [{"name": name, "id": f"p{name}"} for name in "ABCDEFGH"]},
    )
    seen = 0
    for address in (
        *(f"/desk/{event}/{tab}" for tab in DESK),
        *("/calc", "/edit/standard", "/seasons/new", "/desk/new"),
    ):
        page.goto(address)
        page.locator("main :is(h1, h2)").first.wait_for()
        player.still()
        for details in page.locator("details:not([open]) > summary").all():
            if details.is_visible():
                details.click()
        player.still()
        seen += page.locator("input[type=number]").count()
        assert page.evaluate(MISFITS) == [], address
    assert seen > 20
