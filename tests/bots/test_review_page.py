"""Reviews as a page: complete in every language, self-contained, small, and safe with any names."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

import pytest

from jantaku import terms
from jantaku.bots.review import Review
from jantaku.bots.review.moments import moments, turning_points
from jantaku.bots.review.page import review_page
from jantaku.bots.review.reviewer import TURNING
from jantaku.game import Chi, Discard, Game, Pon
from jantaku.rules import load
from support.playing import played
from support.record_games import game_of
from support.reviews import reasons, review_of

STEPS = 120
VOID = {"meta"}
NAMES = ("Mina", "卓也", "민수", "Eve")
GAMES = {
    "finished": ("tenhou", 3, None),
    "unfinished": ("tenhou", 3, STEPS),
    "three": ("mahjongsoul-3", 4, STEPS),
    "first hand": ("m-league", 1, 20),
}


@dataclass
class Element:
    """An element of a page."""

    tag: str
    attributes: dict[str, str]
    children: "list[Element | str]" = field(default_factory=list)

    def all(self, tag: str = "", kind: str = "") -> Iterator["Element"]:
        """Yield the elements inside with this tag and class."""
        for child in self.children:
            if isinstance(child, Element):
                if tag in ("", child.tag) and (not kind or kind in child.attributes.get("class", "").split()):
                    yield child
                yield from child.all(tag, kind)

    @property
    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text for child in self.children)


class Tree(HTMLParser):
    """Parses a page and checks that all elements are closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open = [Element("", {})]
        self.feed(html)
        self.close()
        assert len(self.open) == 1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            last = self.open[-1].children[-1]
            assert isinstance(last, Element)
            self.open.append(last)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def parsed(game: Game, *reviews: Review, language: terms.Language = "en", names: object = NAMES) -> Element:
    return Tree(review_page(game, names, reviews, language)).open[0]  # type: ignore[arg-type]


@pytest.mark.parametrize("language", terms.LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_a_page_shows_every_mistake_in_order(name: str, language: terms.Language) -> None:
    game = game_of(*GAMES[name])
    verdicts = ("mistake", "same", "unclear", "sound", "same", "same")
    review = review_of(game, 1, verdicts)  # type: ignore[arg-type]
    page = parsed(game, review, language=language)
    steps = [int(one.attributes["id"].rpartition("-")[2]) for one in page.all("article")]
    assert steps == sorted(one.step for one in review.mistakes)
    costliest = [link.attributes["href"] for part in page.all("ol", "costliest") for link in part.all("a")]
    assert costliest == [f"#m-1-{one.step}" for one in review.mistakes[:3]] or len(steps) < 2
    for article in page.all("article"):
        assert len([*article.all("ul", "reasons")]) == 1
        assert len([*article.all("tr")]) == 8 + len(game.seats)
        assert any("viewbox" in svg.attributes for svg in article.all("svg"))
    (unclear,) = page.all("ul", "unclear")
    assert len([*unclear.all("li")]) == sum(one.verdict == "unclear" for one in review.decisions)
    assert not re.search(r"[{}⟦⟧]", page.text.replace(next(page.all("style")).text, ""))


def test_a_page_loads_nothing_and_its_links_lead_somewhere() -> None:
    game = game_of(*GAMES["finished"])
    page = parsed(game, review_of(game, 0), review_of(game, 2))
    ids = [one.attributes["id"] for one in page.all() if "id" in one.attributes]
    links = [one.attributes["href"] for one in page.all() if "href" in one.attributes]
    assert len(ids) == len({*ids})
    assert {link.removeprefix("#") for link in links} <= {*ids}
    assert not {*("script", "link", "img", "iframe", "object")} & {one.tag for one in page.all()}
    assert not [name for one in page.all() for name in one.attributes if name.startswith(("on", "src"))]
    assert "url(" not in next(page.all("style")).text


def test_a_page_of_a_whole_game_stays_below_a_megabyte() -> None:
    game = game_of(*GAMES["finished"])
    review = review_of(game, 0, ("mistake", "same", "same", "sound"))
    assert len(review.mistakes) > 25
    assert len(review_page(game, NAMES, [review], "ko").encode()) < 1_000_000


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", '"><img src=x onerror=1>', "⟦1m⟧", "⟦x⟧&amp;", ""]
)
def test_names_are_text(name: str) -> None:
    game = game_of(*GAMES["unfinished"])
    page, plain = (parsed(game, review_of(game, 0), names=(one,) * 4) for one in (name, "Mina"))
    shown = re.sub("[⟦⟧]", "", name) or "Seat 0"
    assert shown in next(page.all("h2")).text
    assert [one.tag for one in page.all()] == [one.tag for one in plain.all()]


def test_a_game_without_mistakes_says_so() -> None:
    game = game_of(*GAMES["unfinished"])
    page = parsed(game, review_of(game, 0, ("same",)))
    assert not [*page.all("article")]
    assert terms.text("review.report.none", "en") in page.text
    assert not [*page.all("ul", "unclear")]


def test_an_own_yaku_is_called_by_its_name() -> None:
    own = {"name": {"en": "Our <hand>"}, "when": "runs == 4", "closed": 2}
    rules = load({"extends": "standard", "yaku": {"our_hand": own}})
    game = played(rules, 2, 30)
    page = parsed(game, review_of(game, game.moves[0][1], ("mistake",), why=reasons("our_hand")))
    assert "Our <hand>" in next(page.all("ul", "reasons")).text


def test_both_choices_are_marked_on_different_tiles() -> None:
    game = game_of(*GAMES["finished"])
    seen = set()
    for moment in (one for seat in game.seats for one in moments(game, review_of(game, seat, ("mistake",)))):
        view, decision = moment.view, moment.decision
        held = [*view.hand, *(() if view.drawn is None else (view.drawn,))]
        assert len(moment.marks) == len(held)
        for name, action in (("played", decision.played), ("best", decision.best)):
            marked = [tile for tile, marks in zip(held, moment.marks, strict=True) if name in marks]
            if isinstance(action, Discard):
                assert marked == [action.tile]
                assert not action.drawn or name in moment.marks[-1]
            elif isinstance(action, Chi):
                assert sorted(marked) == sorted(action.tiles)
            elif isinstance(action, Pon):
                assert len(marked) == 2
            seen.add(type(action))
    assert {Discard, Chi, Pon} <= seen


def test_turning_points_are_the_hands_that_moved_the_expected_place() -> None:
    game = game_of(*GAMES["finished"])
    review = review_of(game, 0)
    points = turning_points(game, review)
    assert points
    assert points == sorted(points)
    assert all(abs(point.after - point.before) >= TURNING for point in points)
    assert sum(point.points for point in points) <= 100_000
