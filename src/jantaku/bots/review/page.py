"""Reviews as one self-contained HTML page without scripts, for phones, desktops and paper."""

import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from jantaku import __version__, terms
from jantaku.bots.review.curve import Curve, curve_svg, time_of
from jantaku.bots.review.model import Outcome, Review
from jantaku.bots.review.moments import (
    Moment,
    hands_of,
    moments,
    short_hand_name,
    turning_points,
)
from jantaku.bots.review.words import loss_text, percent, sentences
from jantaku.errors import NotationError
from jantaku.game import Game
from jantaku.game.action_words import action_text
from jantaku.game.events import GameEnded, HandStarted
from jantaku.game.picture import view_svg
from jantaku.pages import page, style
from jantaku.rules.sheet import ruleset_name
from jantaku.seats import hand_name
from jantaku.svg.drawing import MARKS, Piece, meld_pieces, row_svg
from jantaku.svg.shared_tiles import SharedTiles
from jantaku.terms import TILE_MARKS, Language, counted, signed, text
from jantaku.tiles import NORTH, format_tiles, parse_tiles

COSTLIEST: Final = 3
_HAND_PX, _WORD_PX = 40, 20  # width of a tile in a hand and in a sentence
_TILES: Final = re.compile("{}([0-9mpszr]{{1,64}}){}".format(*TILE_MARKS))
_SIGNS: Final = {"played": "✕", "best": "✓"}
assert _SIGNS.keys() == MARKS.keys()


def review_page(game: Game, names: Sequence[str], reviews: Sequence[Review], language: Language) -> str:
    """Return the reviews of seats of one game as an HTML file; seats without a name get a number.

    The file makes no requests. All texts are escaped, because names can come from anyone.
    """
    with terms.using(language), terms.with_pictures():
        return _Page(game, names, reviews).html(language)


def _words(key: str, **values: object) -> str:
    return text(f"review.report.{key}", None, **values)


class _Page:
    """The page while it is written; ``tiles`` has the drawings that its pictures share."""

    def __init__(self, game: Game, names: Sequence[str], reviews: Sequence[Review]) -> None:
        self.game, self.reviews = game, reviews
        self.tiles = SharedTiles()
        given = [*names, *[""] * len(game.seats)]
        # a name must not look like tiles in a sentence
        self.names = [
            given[seat].translate(dict.fromkeys(map(ord, TILE_MARKS)))
            or text("drawn_table.seat", None, seat=seat)
            for seat in game.seats
        ]
        self.hands = hands_of(game)
        self.starts = [i for i, event in enumerate(game.events) if isinstance(event, HandStarted)]

    def html(self, language: Language) -> str:
        seats = "".join(f"<section>{''.join(self._seat(review))}</section>" for review in self.reviews)
        judges = terms.listed(dict.fromkeys(review.judge for review in self.reviews))
        about = _words("about", rules=ruleset_name(self.game.rules), judge=judges)
        title = _words("title")
        body = (
            f"<header><h1>{escape(title)}</h1>{self._results()}"
            f'<p class="soft">{escape(about)}</p></header><main>{seats}</main>'
            f'<footer class="mark">Jantaku {escape(__version__)} · '
            f"{escape(self.game.rules.fingerprint)}</footer>{self.tiles.symbols()}"
        )
        whole = f"{title}: {terms.listed(self.names)}"
        return page(whole, language, style(__package__, "page.css"), body)

    def _results(self) -> str:
        """Return a table with a row for each player, by place."""
        ended = next((event for event in self.game.events if isinstance(event, GameEnded)), None)
        by_seat = {review.seat: review for review in self.reviews}
        heads = ["player", *(["place"] if ended else []), "score", *(["final"] if ended else [])]
        heads += ["mistakes", "cost", *(["luck"] if ended else [])]
        seats = sorted(self.game.seats, key=lambda seat: ended.places[seat] if ended else 0)
        rows = []
        for seat in seats:
            review = by_seat.get(seat)
            name = escape(self.names[seat])
            cells = {
                "player": f'<a href="#seat-{seat}">{name}</a>' if review else name,
                "place": str(ended.places[seat]) if ended else "",
                "score": counted(self.game.scores[seat]),
                "final": signed(round(ended.final[seat])) if ended else "",
                "mistakes": str(len(review.mistakes)) if review else "",
                "cost": counted(round(review.cost)) if review else "",
                "luck": signed(round(review.luck)) if review and review.luck is not None else "",
            }
            rows.append([cells[head] for head in heads])
        return f'<div class="results">{_table([_words(head) for head in heads], rows)}</div>'

    def _seat(self, review: Review) -> Iterator[str]:
        mistakes = moments(self.game, review)
        heading = _words("heading", name=self.names[review.seat], mistakes=len(mistakes))
        yield f'<h2 id="seat-{review.seat}">{escape(heading)}</h2>'
        if review.progress < 1:
            yield f'<p class="note">{escape(_words("partial", progress=percent(review.progress, 0)))}</p>'
        if review.result is None:
            yield f"<p>{escape(_words('unfinished', cost=counted(round(review.cost))))}</p>"
        same = sum(one.verdict == "same" for one in review.decisions)
        yield f'<p class="soft">{escape(_words("agreement", same=same, count=len(review.decisions)))}</p>'
        yield from self._curve(review)
        if not mistakes:
            yield f"<p>{escape(_words('none'))}</p>"
        ids = {moment.decision.step: f"m-{review.seat}-{moment.decision.step}" for moment in mistakes}
        costliest = sorted(mistakes, key=lambda moment: -moment.decision.loss)[:COSTLIEST]
        if len(mistakes) > 1:
            cards = "".join(
                f'<li><a href="#{ids[moment.decision.step]}">{self._title(moment)}</a>'
                f"{self._choice(moment)}</li>"
                for moment in costliest
            )
            yield f'<h3>{escape(_words("costliest"))}</h3><ol class="costliest">{cards}</ol>'
        if mistakes:
            yield f"<h3>{escape(_words('in_order'))}</h3>"
        for moment in mistakes:
            yield f'<article id="{ids[moment.decision.step]}">{"".join(self._moment(moment))}</article>'
        yield from self._unclear(review)

    def _curve(self, review: Review) -> Iterator[str]:
        if len(review.chances) < 2:
            return
        points = turning_points(self.game, review)
        end = len(self.game.events)
        curve = Curve(
            [row[review.seat] for row in review.chances],
            [short_hand_name(hand, len(self.game.seats)) for hand in self.hands],
            [(time_of(one.event, self.starts, end), one.loss) for one in review.mistakes],
            [point.hand for point in points],
        )
        places = "".join(
            f'<li class="place-{place}">{escape(_words("nth", place=place))}</li>'
            for place in range(1, len(self.game.seats) + 1)
        )
        turning = "".join(
            "<li>"
            + escape(
                _words(
                    "turning",
                    hand=self._hand(point.hand),
                    points=signed(point.points),
                    before=f"{point.before:.1f}",
                    after=f"{point.after:.1f}",
                )
            )
            + "</li>"
            for point in points
        )
        title = _words("chances")
        yield (
            f"<h3>{escape(title)}</h3><figure>{curve_svg(curve, title)}"
            f'<ul class="places">{places}</ul><figcaption class="soft">{escape(_words("chances_about"))}'
            f"</figcaption></figure>{f'<ol class=turning>{turning}</ol>' if turning else ''}"
        )

    def _hand(self, index: int) -> str:
        hand = self.hands[index]
        return hand_name(hand.number, hand.honba, len(self.game.seats))

    def _title(self, moment: Moment) -> str:
        kind = text(f"review.kinds.{moment.decision.mistake}")
        return (
            f"{escape(moment.name)} · {escape(kind)} "
            f'<span class="loss">{escape(loss_text(moment.decision))}</span>'
        )

    def _moment(self, moment: Moment) -> Iterator[str]:
        decision, view = moment.decision, moment.view
        yield f"<h4>{self._title(moment)}</h4>"
        if view.offered is not None:
            owner = self.names[view.offered.owner]
            tile = format_tiles([view.offered.tile])
            offered = terms.with_tiles("review.report.offered", None, {"name": owner, "tile": tile})
            yield f"<p>{self._sentence(offered)}</p>"
        yield self._own_hand(moment)
        yield self._choice(moment)
        reasons = sentences(decision, self.game.rules)
        yield _list([self._sentence(one) for one in reasons], "reasons")
        known = [one.sentence(self.names[one.opponent]) for one in moment.safety]
        yield '<div class="two"><div>'
        if decision.compared is not None:
            yield self._numbers(decision.compared.played, decision.compared.best)
        if known:
            yield f"<h5>{escape(_words('safety'))}</h5>"
            yield _list([self._sentence(one) for one in known], "safety")
        yield f'</div><div class="seen">{view_svg(view, self.names, self.tiles)}</div></div>'

    def _own_hand(self, moment: Moment) -> str:
        """Draw the hand of the seat with both actions marked."""
        view, marks = moment.view, moment.marks
        held = [Piece(tile, marks=marks[i]) for i, tile in enumerate(view.hand)]
        drawn = [] if view.drawn is None else [Piece(view.drawn, marks=marks[-1])]
        norths = [Piece(NORTH)] * view.kita[view.seat]
        groups = [held, drawn, *map(meld_pieces, view.melds[view.seat]), norths]
        title = escape(format_tiles(view.own.tiles))
        return row_svg([group for group in groups if group], title=title, size=_HAND_PX, shared=self.tiles)

    def _choice(self, moment: Moment) -> str:
        """Return both actions with their signs."""
        both = {"played": ("played", moment.decision.played), "best": ("better", moment.decision.best)}
        parts = (
            f'<span class="{sign}"><b>{_SIGNS[sign]} {escape(_words(key))}</b> '
            f"{self._sentence(action_text(action))}</span>"
            for sign, (key, action) in both.items()
        )
        return f'<p class="choice">{" ".join(parts)}</p>'

    def _numbers(self, played: Outcome, best: Outcome) -> str:
        shares, values = ("win", "deal_in", "draw"), ("mean_win", "mean_deal_in")
        rows = []
        for name in ("win", "mean_win", "deal_in", "mean_deal_in", "draw", "points", "final"):
            both = getattr(played, name), getattr(best, name)
            write = percent if name in shares else _points if name in values else _change
            rows.append([escape(text(f"review.numbers.{name}")), *map(write, both)])
        for place, both in enumerate(zip(played.places, best.places, strict=True), 1):
            rows.append([escape(_words("nth", place=place)), *map(percent, both)])
        heads = ("", f"✕ {_words('played')}", f"✓ {_words('better')}")
        return _table(heads, rows)

    def _unclear(self, review: Review) -> Iterator[str]:
        found = moments(self.game, review, "unclear")
        if not found:
            return
        about = f'<p class="soft">{escape(_words("unclear_about"))}</p>'
        items = "".join(f"<li>{escape(moment.name)} {self._choice(moment)}</li>" for moment in found)
        yield f'<h3>{escape(_words("unclear"))}</h3>{about}<ul class="unclear">{items}</ul>'

    def _sentence(self, sentence: str) -> str:
        """Return a sentence as HTML, with the marked tiles as pictures."""
        parts = _TILES.split(sentence)
        return "".join(self._in_line(part) if i % 2 else escape(part) for i, part in enumerate(parts))

    def _in_line(self, notation: str) -> str:
        try:
            pieces = [Piece(tile) for tile in parse_tiles(notation)]
        except NotationError:
            return escape(notation)
        picture = row_svg([pieces], title=escape(notation), size=_WORD_PX, shared=self.tiles)
        return f'<span class="tiles">{picture}</span>'


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table; ``heads`` are plain text, the cells of ``rows`` HTML."""
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in heads)
    body = "".join(
        f'<tr><th scope="row">{row[0]}</th>{"".join(f"<td>{cell}</td>" for cell in row[1:])}</tr>'
        for row in rows
    )
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _list(items: Sequence[str], kind: str) -> str:
    return f'<ul class="{kind}">{"".join(f"<li>{item}</li>" for item in items)}</ul>' if items else ""


def _points(points: float) -> str:
    return counted(round(points))


def _change(points: float) -> str:
    return signed(round(points))
