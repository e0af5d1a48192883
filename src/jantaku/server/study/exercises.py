"""Exercises: a question with its choices, the right ones and why. This module asks about hands and words.

Every exercise follows from a kind, a seed and a ruleset. ``positions`` asks about moments of a game.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final, Literal

from jantaku import terms
from jantaku.adjudication.analysis import waits
from jantaku.adjudication.explain import explain
from jantaku.adjudication.explanation import Explanation
from jantaku.adjudication.requests import ManTiles
from jantaku.adjudication.score import Score, score
from jantaku.bots import bot
from jantaku.errors import JantakuError
from jantaku.game import Game
from jantaku.game.events import Won
from jantaku.game.view import View, waits_of
from jantaku.hand import WIND_NAMES, Hand, Meld, Wind
from jantaku.rules import Ruleset
from jantaku.seats import seat_at, seat_wind
from jantaku.server.errors import ServerError
from jantaku.tiles import COPIES, HONOURS, Tile, format_tiles, kinds_of
from jantaku.win import RARE, Win
from jantaku.wire import Wire

SeededKind = Literal[
    "discard", "safe", "can_win", "furiten", "waits", "chinitsu", "points", "han_fu", "payments", "words"
]
MAX_SEED: Final = 1 << 31
MAX_GAMES: Final = 60  # bot games searched for one exercise
CHOICES: Final = 4
MAX_PASSED: Final = 4  # wins to skip at most, so that hands come from any round
# Values of real hands, so that wrong answers are plausible
POINTS: Final = (
    *(1000, 1300, 1500, 1600, 2000, 2300, 2600, 2900, 3200, 3900, 4500, 5200, 5800, 6400, 7700, 8000, 9600),
    *(11600, 12000, 16000, 18000, 24000, 32000, 36000, 48000, 64000, 96000),
)
FU: Final = (20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110)
SUIT: Final = 9
# Circumstances of a win on which only rare yaku and rules depend
_NOT_SHOWN: Final[dict[str, Any]] = {
    **dict.fromkeys(("riichi_tile", "kan_discard", "discarder_riichi", "furiten", "final_hand"), False),
    **dict.fromkeys(("pao", "wareme", "turn", "score", "discarded"), None),
    "dealer_streak": 0,
}


class Choice(Wire):
    """A possible answer: a ``tile`` or a text. ``why`` says why it is right or wrong."""

    text: str = ""
    tile: str = ""
    why: str = ""


class ShownHand(Wire):
    """A hand to draw: a won one, with its winning tile, or one of 13 tiles."""

    tiles: str
    win: str = ""
    melds: tuple[Meld, ...] = ()
    kita: int = 0
    dora: str = ""
    ura: str = ""


class Exercise(Wire):
    """A question about a ``hand`` or the table in ``view``; texts mark tiles that are drawn (``⟦123m⟧``).

    ``id`` is the seed, the date of a puzzle of the day, or the id of a card. ``man``: as in ``RulesRef``.
    ``right``: the indices of the right choices, of which there is one unless ``several``. ``why`` and
    ``explanation`` explain the answer.
    """

    kind: SeededKind | Literal["mistake"]
    id: str
    rules: str
    man: ManTiles
    question: str
    facts: list[str]
    hand: ShownHand | None = None
    view: View | None = None
    choices: list[Choice]
    several: bool = False
    right: list[int]
    why: tuple[str, ...] = ()
    explanation: Explanation | None = None


Maker = Callable[[Ruleset, int], Exercise]


def chance(seed: int) -> Random:
    """Return a source of repeatable choices."""
    return Random(seed)  # noqa: S311  (nothing secret)


def words(key: str, **values: object) -> str:
    """Return a text of the table ``practice`` with drawn tiles."""
    return terms.with_tiles(f"practice.{key}", None, values)


def player(wind: Wind) -> str:
    """Return the name of a seat by its wind."""
    return terms.text(f"explain.seat.{wind}")


def winds(round_: Wind, seat: Wind) -> str:
    """Return the round and the seat as a fact."""
    wind = {name: terms.text(f"tiles.winds.{name}") for name in WIND_NAMES}
    return words("facts.winds", round=wind[round_], seat=wind[seat])


def sticks(honba: int, deposits: int) -> Iterator[str]:
    """Yield honba and deposits as facts, if there are any."""
    if honba:
        yield words("facts.honba", count=honba)
    if deposits:
        yield words("facts.deposits", count=deposits)


def found(candidates: Iterable[Exercise]) -> Exercise:
    """Return the first exercise; raises ``no_exercise`` if there is none."""
    for exercise in candidates:
        return exercise
    raise ServerError("no_exercise")


def games(rules: Ruleset, seed: int) -> Iterator[Game]:
    """Yield new games whose deals follow from the seed."""
    for number in range(MAX_GAMES):
        yield Game(rules, seed * MAX_GAMES + number)


def _scores(rules: Ruleset, seed: int) -> Iterator[Score]:
    """Yield the wins of bot games in order."""
    for game in games(rules, seed):
        chooser = bot("efficient", seed)
        while not game.is_over:
            seat = game.to_act[0]
            for event in game.play(seat, chooser.choose(game, seat)):
                if isinstance(event, Won) and isinstance(event.score, Score):
                    yield event.score


def _won(rules: Ruleset, seed: int, fits: Callable[[Score], bool] = lambda _: True) -> Score:
    """Return a win that fits and whose value follows from what is shown; raises ``no_exercise``."""
    passed = chance(seed).randrange(MAX_PASSED)
    for one in _scores(rules, seed):
        if fits(one) and _follows_from_shown(one):
            if passed == 0:
                return one
            passed -= 1
    raise ServerError("no_exercise")


def _follows_from_shown(scored: Score) -> bool:
    """Whether a win has the same value without the circumstances that an exercise does not show."""
    try:
        shown = score(replace(scored.win, **_NOT_SHOWN), scored.rules)
    except JantakuError:  # the win is impossible without them
        return False
    return (shown.han, shown.fu, shown.payments) == (scored.han, scored.fu, scored.payments)


def _discarder(scored: Score) -> Iterator[str]:
    """Yield the discarder of a ron as a fact."""
    win, seats = scored.win, len(scored.payments)
    if win.source is not None:
        wind = WIND_NAMES[seat_at(WIND_NAMES.index(win.seat), win.source, seats)]
        yield words("facts.discarder", player=player(wind))


def _facts(win: Win) -> list[str]:
    facts = [terms.text(f"web.call.{'tsumo' if win.tsumo else 'ron'}"), winds(win.round, win.seat)]
    if win.riichi:
        facts.append(terms.text(f"web.calc.riichi.{win.riichi}"))
    flags = terms.table("web", terms.current())["calc"]["flag"]
    return facts + [flags[name] for name in RARE if name in flags and getattr(win, name)]


def _about_win(
    kind: SeededKind, rules: Ruleset, seed: int, scored: Score, right: str, others: Sequence[str]
) -> Exercise:
    """Ask about a win: ``right`` is the right choice among ``others``, in this order if it is one of them."""
    win = scored.win
    texts = list(others) if right in others else _shuffled([right, *others], seed)
    shown = ShownHand(
        tiles=format_tiles(win.hand.tiles),
        win=format_tiles([win.tile]),
        melds=win.hand.melds,
        kita=win.kita,
        dora=format_tiles(win.dora, sort=False),
        ura=format_tiles(win.ura, sort=False),
    )
    return Exercise(
        kind=kind,
        id=str(seed),
        rules=rules.id,
        man=rules.tiles.man,
        question=words(f"ask.{kind}"),
        facts=_facts(win)
        + ([*_discarder(scored), *sticks(win.honba, win.deposits)] if kind == "payments" else []),
        hand=shown,
        choices=[Choice(text=text) for text in texts],
        right=[texts.index(right)],
        explanation=explain(scored, terms.current()),
    )


def _shuffled(items: Sequence[Any], seed: int) -> list[Any]:
    return chance(seed).sample(items, len(items))


def points(rules: Ruleset, seed: int) -> Exercise:
    """Ask for the points of a win."""
    scored = _won(rules, seed)
    worth = scored.points
    near = sorted(set(POINTS) - {worth}, key=lambda value: abs(value / max(worth, 1) - 1))
    others = _shuffled(near[: CHOICES + 1], seed)[: CHOICES - 1]
    texts = [terms.counted(value) for value in sorted([worth, *others])]
    return _about_win("points", rules, seed, scored, terms.counted(worth), texts)


def han_fu(rules: Ruleset, seed: int) -> Exercise:
    """Ask for the han and fu of a win below mangan."""
    scored = _won(rules, seed, lambda one: one.limit is None and one.fu in FU)
    assert scored.han is not None
    assert scored.fu is not None
    place = FU.index(scored.fu)
    fu = [FU[at] for at in (place - 1, place, place + 1) if 0 <= at < len(FU)]
    pairs = [(han, each) for han in range(max(1, scored.han - 1), scored.han + 2) for each in fu]
    right = (scored.han, scored.fu)
    pairs.remove(right)
    texts = [
        terms.text("explain.value.han_fu", han=han, fu=each)
        for han, each in sorted([right, *_shuffled(pairs, seed)[: CHOICES - 1]])
    ]
    return _about_win(
        "han_fu", rules, seed, scored, terms.text("explain.value.han_fu", han=right[0], fu=right[1]), texts
    )


def payments(rules: Ruleset, seed: int) -> Exercise:
    """Ask who pays what for a win."""
    scored = _won(rules, seed)
    right = _paid(scored.payments)
    wrong = [text for text in dict.fromkeys(map(_paid, _mistaken(scored, seed))) if text != right]
    return _about_win("payments", rules, seed, scored, right, wrong[: CHOICES - 1])


def _paid(moved: Mapping[Wind, int]) -> str:
    """Write the points that move, in seat order."""
    return " · ".join(
        f"{terms.text(f'tiles.winds.{wind}')}\u00a0{terms.signed(amount)}"
        for wind, amount in moved.items()
        if amount
    )


def _mistaken(scored: Score, seed: int) -> Iterator[Mapping[Wind, int]]:
    """Yield payments after usual mistakes: the wrong sticks, the wrong seat, one han too many or too few."""
    win, seats = scored.win, len(scored.payments)
    changes: list[dict[str, Any]] = [
        {"honba": 0 if win.honba else 1},
        {"deposits": 0 if win.deposits else 1, "laid": 0},
        *({"seat": wind} for wind in WIND_NAMES[:seats] if (wind == "east") != (win.seat == "east")),
    ]
    for change in _shuffled(changes, seed):
        try:
            yield score(replace(win, **change), scored.rules).payments
        except JantakuError:  # the changed win is not possible
            continue
    for factor in (2, 0.5, 4, 0.25):
        yield {wind: round(amount * factor / 100) * 100 for wind, amount in scored.payments.items()}


def tile_choices(reasons: Mapping[int, str]) -> list[Choice]:
    """Return a choice for each kind, with the reason why it is right or wrong."""
    return [Choice(tile=format_tiles([Tile(kind)]), why=why) for kind, why in reasons.items()]


def _about_waits(
    kind: SeededKind, rules: Ruleset, seed: int, hand: Hand, kita: int, asked: Sequence[int]
) -> Exercise:
    """Ask for the waits of a hand among the kinds ``asked``."""
    rows = waits(hand, (), rules.tiles.man, kita, rules.draw.wait_in_melds)
    forms = terms.table("cli", terms.current())["wait_form"]
    why = {
        row.tile: words("why.wait", forms=terms.listed(forms[form] for form in row.forms), left=row.left)
        for row in rows
    }
    return Exercise(
        kind=kind,
        id=str(seed),
        rules=rules.id,
        man=rules.tiles.man,
        question=words("ask.waits"),
        facts=[],
        hand=ShownHand(tiles=format_tiles(hand.tiles), melds=hand.melds, kita=kita),
        choices=tile_choices({each: why.get(Tile(each), "") for each in asked}),
        several=True,
        right=[i for i, each in enumerate(asked) if Tile(each) in why],
    )


def wait_exercise(rules: Ruleset, seed: int) -> Exercise:
    """Ask for the waits of a hand of a bot game, which has at least two."""
    return found(_waiting(rules, seed))


def _waiting(rules: Ruleset, seed: int) -> Iterator[Exercise]:
    passed, kinds = chance(seed).randrange(MAX_PASSED), set(map(int, kinds_of(rules.tiles.man)))
    for game in games(rules, seed):
        chooser = bot("efficient", seed)
        while not game.is_over:
            seat = game.to_act[0]
            game.play(seat, chooser.choose(game, seat))
            waited = [int(tile) for tile in waits_of(game.record, seat)]
            view = game.view(seat) if len(waited) > 1 and not game.is_over else None
            if view is None or len(view.own.all_tiles) % 3 != 1 or view.drawn is not None:
                continue
            if passed:
                passed -= 1
                continue
            held = {int(tile.kind) for tile in view.hand}
            suits = {kind // SUIT for kind in waited if kind < HONOURS}
            asked = {kind for kind in kinds if kind < HONOURS and kind // SUIT in suits}
            asked |= {kind for kind in held.union(waited) if kind >= HONOURS}
            yield _about_waits("waits", rules, seed, view.own, view.kita[seat], sorted(asked))


def chinitsu(rules: Ruleset, seed: int) -> Exercise:
    """Ask for the waits of a hand of one suit, which has at least three."""
    random, kinds = chance(seed), set(kinds_of(rules.tiles.man))
    suits = [suit for suit in range(3) if kinds >= set(range(SUIT * suit, SUIT * suit + SUIT))]
    if not suits:
        raise ServerError("no_exercise")
    suit = random.choice(suits)
    asked = list(range(SUIT * suit, SUIT * suit + SUIT))
    while True:
        hand = Hand(tuple(Tile(kind) for kind in sorted(random.sample(asked * COPIES, 13))))
        if len(waits(hand)) > 2:
            return _about_waits("chinitsu", rules, seed, hand, 0, asked)


def basic_terms(rules: Ruleset, seed: int) -> Exercise:
    """Ask for the meaning of one of the ten basic terms."""
    ten = terms.table("guide", terms.current())["ten"]["words"]
    names = list(ten)
    asked = names[seed % len(names)]
    others = _shuffled([name for name in names if name != asked], seed)
    offered = _shuffled([asked, *others[: CHOICES - 1]], seed)
    return Exercise(
        kind="words",
        id=str(seed),
        rules=rules.id,
        man=rules.tiles.man,
        question=words("ask.words", word=ten[asked]["name"]),
        facts=[],
        choices=[
            Choice(text=ten[name]["meaning"], why=words("why.term", word=ten[name]["name"]))
            for name in offered
        ],
        right=[offered.index(asked)],
        why=(" · ".join([ten[asked]["name"], *ten[asked]["also"]]),),
    )


def wind_of(view: View, seat: int) -> Wind:
    """Return the wind of a seat."""
    return seat_wind(seat, view.dealer, len(view.scores))


MAKERS: Final[dict[str, Maker]] = {
    "waits": wait_exercise,
    "chinitsu": chinitsu,
    "points": points,
    "han_fu": han_fu,
    "payments": payments,
    "words": basic_terms,
}
