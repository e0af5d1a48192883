"""A page enlarged to twice its size, as a window of 640 × 400, and what its figures are called."""

import re
from collections.abc import Callable

from browser.contexts import expect, filled
from browser.parlour import Guest, slow_in_a_browser
from browser.puppet import Puppet
from jantaku import terms

pytestmark = slow_in_a_browser
ENGLISH = terms.table("web", "en")
ZOOMED = {"width": 640, "height": 400}
MEET = """([one, other]) => {
  const boxes = (name) => [...document.querySelectorAll(name)].map((found) => found.getBoundingClientRect());
  return boxes(one).some((a) => boxes(other).some((b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1));
}"""


def test_the_automatic_answers_lie_over_no_hand_and_counts_have_names(guest: Callable[..., Guest]) -> None:
    player = guest(viewport="desktop")
    page = player.page
    puppet = Puppet(player)
    puppet.show(wall_left=64, honba=2, deposits=1)
    for key, count in (("honba_count", 2), ("deposit_count", 1)):
        name = filled(ENGLISH["table"][key], count=count)
        assert page.get_by_role("img", name=name, exact=True).count() == 1
    assert page.get_by_role("img", name=re.compile("64")).count() == 1
    for size in (ZOOMED, {"width": 844, "height": 390}, {"width": 568, "height": 320}):
        page.set_viewport_size(size)
        player.still()
        for other in (".strip.above .tile", ".plate", ".menu"):
            assert not page.evaluate(MEET, [".automatic button", other]), (size, other)


def test_the_notice_without_a_network_goes_when_it_is_back(guest: Callable[..., Guest]) -> None:
    player = guest()
    page = player.page
    page.goto("/games")
    mine = page.get_by_role("button", name=ENGLISH["games"]["all"], exact=True)
    mine.wait_for()
    player.context.set_offline(True)
    mine.click()
    page.get_by_role("button", name=ENGLISH["games"]["mine"], exact=True).click()
    notice = page.locator(".notices", has_text=ENGLISH["error"]["offline"])
    expect(notice.locator("p")).to_have_count(1)
    page.wait_for_timeout(6500)  # it says how things are, and stays as long as they are so
    expect(notice.locator("p")).to_have_count(1)
    player.context.set_offline(False)
    expect(page.locator(".notices p")).to_have_count(0)
