"""A season on a phone: created from a template, ranked over its events, and its finalists entered."""

import re
from typing import Any, Final

from browser.contexts import expect
from browser.parlour import Guest, MakeGuest, slow_in_a_browser

pytestmark = slow_in_a_browser
NAMES: Final = ("가온", "나래", "다온", "라온")
SCORES: Final = (45000, 35000, 25000, 15000)


class Year:
    """An organiser's phone and a season; its games are entered by HTTP."""

    def __init__(self, player: Guest) -> None:
        self.player, self.page = player.register("시즌 주최자"), player.page

    def play(self, event: str, players: tuple[str, ...], game: str) -> None:
        """Enter a game between people without accounts."""
        listed = [{"name": name, "id": name} for name in NAMES]
        self.player.post(f"events/{event}/entries/list", {"entries": listed})
        stage = self.player.get(f"events/{event}")["stages"][0]["id"]
        body = {"id": game, "stage": stage, "players": players, "scores": SCORES}
        self.player.post(f"events/{event}/games", body)

    def region(self, key: str) -> Any:
        return self.page.get_by_role("region", name=self.player.say(key), exact=True)

    def save(self) -> None:
        """Save the form, answer the question, and wait until it is saved."""
        self.player.press("season.form.save")
        self.player.confirm_question()
        expect(self.player.button("season.form.save")).to_have_count(0)


def create_from_template(year: Year) -> list[str]:
    """Go from the page of events to seasons and create one; return its events."""
    player, page = year.player, year.page
    page.goto("/events")
    player.link_to("/seasons").click()
    player.link("season.open").click()
    create = player.button("season.new.create")
    expect(page.get_by_role("radio").first).to_be_checked()
    player.check()
    expect(create).to_be_disabled()  # disabled until rules are chosen
    player.field("season.new.rules").select_option("bgm-2025")
    create.click()
    player.see("season.year.empty")
    cards = year.region("season.part.title").get_by_role("heading", level=3).get_by_role("link")
    expect(cards).to_have_count(4)
    return [str(card.get_attribute("href")).rpartition("/")[2] for card in cards.all()]


def change_qualification(year: Year) -> None:
    """Let two players qualify for the final, and change whether the trial counts."""
    player, page = year.player, year.page
    player.link("season.edit").click()
    player.field("season.form.cut").fill("2")
    player.box("season.form.name").fill("겨울 시즌")
    counts = player.toggle("season.form.ranked")
    counts.first.click()
    player.press("season.form.down", name="프리시즌 이벤트 대회")
    player.check()
    year.save()
    expect(page.get_by_role("heading", level=3)).to_have_text(
        ["1. 전반기", "2. 프리시즌 이벤트 대회", "3. 후반기", "4. 왕중왕전"], use_inner_text=True
    )
    counts.nth(1).click()
    year.save()
    player.link("season.form.done").click()
    page.get_by_role("heading", name="겨울 시즌").wait_for()


def see_ranking(year: Year) -> None:
    """The ranking shows the points of all players and the cut; a row expands to show the player's events."""
    player, ranking = year.player, year.region("season.year.title")
    rows = ranking.get_by_role("listitem").filter(has_text=re.compile("온|나래|2명"))
    wanted = ("가온", "다온", player.say("season.year.cut", count=2), "나래", "라온")
    expect(rows).to_have_count(len(wanted))
    for row, text in zip(rows.all(), wanted, strict=True):
        expect(row).to_contain_text(text)
    own = rows.nth(3)
    own.get_by_text("나래").click()
    parts = own.get_by_role("listitem").filter(has=year.page.get_by_role("link"))
    expect(parts.get_by_role("link")).to_have_text(["전반기", "후반기"])
    texts = [*parts.all_inner_texts(), own.inner_text().split(parts.first.inner_text())[0]]
    points = [float(re.findall(r"[−+]?\d+\.\d", text)[-1].replace("−", "-")) for text in texts]
    assert round(sum(points[:-1]), 1) == points[-1]
    player.check()


def change_counting_rules(year: Year) -> None:
    """Set the minimum number of games and the share carried into the final, which the page then states."""
    player = year.player
    player.link("season.edit").click()
    player.field("season.form.min_games").fill("2")
    player.field("season.form.brings").last.fill("50")
    player.check()
    year.save()
    player.link("season.form.done").click()
    rules = year.region("season.counts.title").get_by_role("listitem")
    expect(rules).to_have_count(3)
    expect(rules.nth(1)).to_have_text(player.say("season.counts.min_games", count=2))
    player.check()


def enter_finalists(year: Year, final: str) -> None:
    """Confirm the names of the best two and enter them into the final."""
    player = year.player
    player.press("season.finalists.enter", count=2)
    expect(player.sheet).to_contain_text("가온, 다온")
    player.confirm_question()
    player.see("season.finalists.entered", names="가온, 다온")
    entries = player.get(f"events/{final}/entries")["entries"]
    assert sorted(entry["name"] for entry in entries) == ["가온", "다온"]
    rows = player.get(f"events/{final}/standings")["stages"][0]["standings"]
    assert all(row["carried"] > 0 for row in rows)


def separate_and_merge_people(year: Year) -> None:
    """Separate two entries of one person, then merge them again."""
    player, page = year.player, year.page
    player.heading("season.people.title").click()
    people = page.get_by_role("listitem").filter(has=player.field("season.people.same_as"))

    def fold(name: str) -> Any:
        return people.filter(
            has_text=re.compile(rf"^\s*{re.escape(name)}(?! \()")
        )  # other people's menus contain this name too

    fold("가온").get_by_text("가온").first.click()
    player.button("season.people.separate_in", fold("가온"), part="후반기").click()
    player.confirm_question()
    other = fold("가온 (2)")
    other.get_by_text("가온 (2)").first.click()
    player.field("season.people.same_as", other).select_option(label="가온")
    player.confirm_question()
    expect(page.get_by_text("가온 (2)")).to_have_count(0)


def create_from_events(year: Year, event: str) -> None:
    """Create a season from existing events, which has a ranking at once."""
    player, page = year.player, year.page
    page.goto("/seasons/new")
    page.get_by_role("radio").last.check()
    player.box("season.form.name").fill("나의 시즌")
    page.get_by_role("combobox", name=player.say("season.form.event")).select_option(event)
    player.press("season.new.create")
    player.row("가온", year.region("season.year.title")).first.wait_for()
    player.see("season.year.no_cut")


def see_hidden_ranking(player: Guest, season: str, year: Year, event: str) -> None:
    """The player is told that the ranking is hidden, and because of which event.

    The organiser still sees the ranking, with a note that players cannot.
    """
    year.player.send("PATCH", f"events/{event}", {"hidden_standings": True})
    player.expect_fault("403")
    player.page.goto(f"/events/{event}")
    player.link("event.season", season="").first.click()
    player.see("season.year.hidden", parts="전반기")
    expect(player.page.get_by_role("heading", level=2, name=player.say("season.people.title"))).to_have_count(
        0
    )
    year.page.goto(season)
    year.player.see("season.year.kept", parts="전반기")


def test_a_season_from_its_template_to_the_final(stranger: MakeGuest) -> None:
    year, player = Year(stranger(language="ko")), stranger("desktop", "ko")
    _, first, second, final = create_from_template(year)
    season = year.page.url
    year.play(first, NAMES, "first-game")
    year.play(second, ("다온", "가온", "나래", "라온"), "second-game")
    change_qualification(year)
    see_ranking(year)
    change_counting_rules(year)
    enter_finalists(year, final)
    separate_and_merge_people(year)
    create_from_events(year, second)
    see_hidden_ranking(player, season, year, first)
