"""A season on a phone: opened from a template, ranked over its events, its best entered into the final."""

from collections.abc import Callable
from typing import Any, Final

from browser.contexts import expect, filled
from browser.parlour import AXE, Guest, serious_faults, slow_in_a_browser
from browser.test_pages import SHOWN, untranslated
from jantaku import terms
from server.parlour import PASSWORD

pytestmark = slow_in_a_browser
WORDS: Final = terms.table("season", "ko")
NARROW: Final = "() => document.documentElement.scrollWidth <= window.innerWidth"
NAMES: Final = ("가온", "나래", "다온", "라온")
SCORES: Final = (45000, 35000, 25000, 15000)


class Year:
    """An organiser's phone, and a season whose events get their games behind the pages."""

    def __init__(self, player: Guest) -> None:
        self.player, self.page = player, player.page

    def button(self, name: str) -> Any:
        """A button by its label."""
        return self.page.get_by_role("button", name=name, exact=True)

    def check(self) -> None:
        """The page fits the phone, speaks Korean, and has no serious fault."""
        if AXE.is_file():
            assert serious_faults(self.player) == []
        assert self.page.evaluate(NARROW), self.page.url
        assert untranslated(self.page.evaluate(SHOWN)) == set()

    def play(self, event: str, players: tuple[str, ...], game: str) -> None:
        """Enter one game of people without accounts into an event."""
        listed = [{"name": name, "id": name} for name in NAMES]
        self.player.post(f"events/{event}/entries/list", {"entries": listed})
        stage = self.player.page.request.get(f"/api/events/{event}").json()["stages"][0]["id"]
        body = {"id": game, "stage": stage, "players": players, "scores": SCORES}
        self.player.post(f"events/{event}/games", body)

    def parts(self) -> list[str]:
        """The ids of the season's events."""
        cards = self.page.locator("section[aria-labelledby=parts] h3 a")
        expect(cards).to_have_count(4)
        return [str(card.get_attribute("href")).rpartition("/")[2] for card in cards.all()]


def open_from_the_template(year: Year) -> list[str]:
    """Find seasons from the events, and open one; returns its events."""
    page = year.page
    page.goto("/events")
    page.locator("a.button[href='/seasons']").click()
    page.get_by_role("link", name=WORDS["open"]).click()
    page.locator("input[value=bgm-2025-season]:checked").wait_for()
    year.check()
    expect(year.button(WORDS["new"]["create"])).to_be_disabled()  # until somebody has chosen the rules
    page.get_by_label(WORDS["new"]["rules"]).select_option("bgm-2025")
    year.button(WORDS["new"]["create"]).click()
    page.get_by_text(WORDS["year"]["empty"]).wait_for()
    return year.parts()


def change_it(year: Year) -> None:
    """Two go to the final; the trial counts, after a question, and does not count again."""
    page = year.page
    page.get_by_role("link", name=WORDS["edit"]).click()
    page.locator("input[name=cut]").fill("2")
    page.get_by_label(WORDS["form"]["name"], exact=True).fill("겨울 시즌")
    counts = page.get_by_role("switch", name=WORDS["form"]["ranked"])
    counts.first.click()
    page.get_by_role("button", name=WORDS["form"]["down"].format(name="프리시즌 이벤트 대회")).click()
    year.check()
    year.button(WORDS["form"]["save"]).click()
    page.locator(".sure").click()
    page.locator(".dock").wait_for(state="detached")
    expect(page.locator("form h3")).to_have_text(
        ["1. 전반기", "2. 프리시즌 이벤트 대회", "3. 후반기", "4. 왕중왕전"], use_inner_text=True
    )
    counts.nth(1).click()
    year.button(WORDS["form"]["save"]).click()
    page.locator(".sure").click()
    page.locator(".dock").wait_for(state="detached")
    page.get_by_role("link", name=WORDS["form"]["done"]).click()
    page.locator("h1", has_text="겨울 시즌").wait_for()


def see_the_year(year: Year) -> None:
    """Everybody's points with the line of the cut; a row opens to the events they come from."""
    page = year.page
    rows = page.locator("section[aria-labelledby=year] summary .name, section[aria-labelledby=year] .cut")
    expect(rows).to_have_text(["가온", "다온", filled(WORDS["year"]["cut"], count=2), "나래", "라온"])
    page.locator("summary", has_text="나래").click()
    within = page.locator("details[open] .within")
    expect(within.locator("li.row a")).to_have_text(["전반기", "후반기"])
    points = [text.replace("+", "") for text in within.locator("li.row b").all_inner_texts()]
    total = page.locator("summary", has_text="나래").locator(".sum").inner_text()
    plain = [float(text.replace("−", "-").replace("+", "")) for text in (*points, total)]
    assert round(sum(plain[:-1]), 1) == plain[-1]
    year.check()


def count_by_rules(year: Year) -> None:
    """Fewest games and what the best bring into the final are rules, and stand on the page."""
    page = year.page
    page.get_by_role("link", name=WORDS["edit"]).click()
    page.fill("input[name=min_games]", "2")
    page.get_by_label(WORDS["form"]["brings"]).last.fill("50")
    year.check()
    year.button(WORDS["form"]["save"]).click()
    page.locator(".sure").click()
    page.locator(".dock").wait_for(state="detached")
    page.get_by_role("link", name=WORDS["form"]["done"]).click()
    rules = page.locator("section[aria-labelledby=year-rules] li")
    expect(rules).to_have_count(3)
    expect(rules.nth(1)).to_have_text(filled(WORDS["counts"]["min_games"], count=2))
    year.check()


def enter_the_best(year: Year, final: str) -> None:
    """The two best enter the event of the final, once the organiser has seen their names."""
    page = year.page
    year.button(filled(WORDS["finalists"]["enter"], count=2)).click()
    page.locator(".sheet p", has_text="가온, 다온").wait_for()
    page.locator(".sure").click()
    page.get_by_text(WORDS["finalists"]["entered"].format(names="가온, 다온")).wait_for()
    entries = page.request.get(f"/api/events/{final}/entries").json()["entries"]
    assert sorted(entry["name"] for entry in entries) == ["가온", "다온"]
    rows = page.request.get(f"/api/events/{final}/standings").json()["stages"][0]["standings"]
    assert all(row["carried"] > 0 for row in rows)


def say_who_is_who(year: Year) -> None:
    """A person of two events is separated, and made one again."""
    page, words = year.page, WORDS["people"]
    page.locator("summary", has_text=words["title"]).click()
    page.locator("li details select").first.wait_for(state="attached")
    page.locator("li details:has(select) summary", has_text="가온").last.click()
    page.get_by_role("button", name=words["separate_in"].format(part="후반기")).locator(
        "visible=true"
    ).click()
    page.locator(".sure").click()
    other = page.locator("li summary", has_text="가온 (2)").last
    other.click()
    other.locator("xpath=..").locator("select").select_option(label="가온")
    page.locator(".sure").click()
    expect(page.locator("li summary", has_text="가온 (2)")).to_have_count(0)


def bring_events_together(year: Year, event: str) -> None:
    """A season of one's own events has its ranking at once."""
    page = year.page
    page.goto("/seasons/new")
    page.locator("input[value=own]").check()
    page.fill("input[name=name]", "나의 시즌")
    page.locator("select").select_option(event)
    year.button(WORDS["new"]["create"]).click()
    page.locator("summary", has_text="가온").wait_for()
    page.get_by_text(WORDS["year"]["no_cut"]).wait_for()


def see_it_hidden(player: Guest, season: str, year: Year, event: str) -> None:
    """A player reads in which event the standings are hidden; the organiser that only they see the year."""
    answer = year.page.request.patch(f"/api/events/{event}", data={"hidden_standings": True})
    assert answer.ok
    player.expect_fault("403")
    player.page.goto(f"/events/{event}")
    player.page.locator("a.season").first.click()
    player.page.get_by_text(WORDS["year"]["hidden"].format(parts="전반기")).wait_for()
    expect(player.page.locator("details")).to_have_count(0)
    year.page.goto(season)
    year.page.get_by_text(WORDS["year"]["kept"].format(parts="전반기")).wait_for()


def test_a_season_from_its_template_to_the_final(stranger: Callable[..., Guest]) -> None:
    organiser, player = stranger(language="ko"), stranger("desktop", "ko")
    organiser.post("register", {"name": "시즌 주최자", "password": PASSWORD})
    year = Year(organiser)
    _, first, second, final = open_from_the_template(year)
    season = year.page.url
    year.play(first, NAMES, "first-game")
    year.play(second, ("다온", "가온", "나래", "라온"), "second-game")
    change_it(year)
    see_the_year(year)
    count_by_rules(year)
    enter_the_best(year, final)
    say_who_is_who(year)
    bring_events_together(year, second)
    see_it_hidden(player, season, year, first)
