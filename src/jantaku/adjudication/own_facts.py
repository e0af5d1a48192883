"""The facts of a reading against which the conditions of custom yaku are tested."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from jantaku.adjudication.reading_view import ReadingView
from jantaku.adjudication.win_records import SITUATION
from jantaku.hand import WIND_NAMES, MeldType
from jantaku.reading import Strict
from jantaku.rules import Ruleset
from jantaku.rules.own import read
from jantaku.rules.own.condition_sentences import Named, part_texts
from jantaku.rules.own.meaning import ReadingFacts, holds, nearest_choice
from jantaku.rules.worths import worths
from jantaku.terms import Language
from jantaku.tiles import DRAGONS, EAST, NORTH, RED, counts, next_kind
from jantaku.win import Win

_WORDS: Final = {"kan_discard", "discarder_riichi"} | (SITUATION.keys() - {"tsumo"})
_RIICHI: Final = {
    None: (),
    "riichi": ("riichi",),
    "double": ("riichi", "double_riichi"),
    "open": ("riichi", "open_riichi"),
    "double_open": ("riichi", "double_riichi", "open_riichi"),
}


def facts_of(view: ReadingView, win: Win, rules: Ruleset, yaku: Collection[str]) -> ReadingFacts:
    """Collect the facts of one reading of a win; ``yaku`` are the ids of its yaku under the rules."""
    tiles = (*win.hand.all_tiles, win.tile)
    held = tuple(counts(tiles))
    runs = [(part.tiles[0], part.melded) for part in view.sets if part.kind == "run"]
    others = [part for part in view.sets if part.kind != "run"]
    kan = 5 if rules.dora.kan_dora else 1
    return ReadingFacts(
        counts=held,
        runs=tuple(int(first) for first, _ in runs),
        own_runs=tuple(int(first) for first, melded in runs if not melded),
        triplets=frozenset(int(other.tiles[0]) for other in others),
        concealed=frozenset(int(other.tiles[0]) for other in others if other.concealed),
        quads=frozenset(int(other.tiles[0]) for other in others if other.kind == "quad"),
        pairs=frozenset(map(int, view.pairs)),
        win=int(win.tile.kind),
        seat=int(EAST) + WIND_NAMES.index(win.seat),
        round=int(EAST) + WIND_NAMES.index(win.round),
        valued=_valued(rules),
        reds=tuple(int(tile.kind) for tile in tiles if tile >= RED),
        numbers={
            "melds": len(win.hand.melds),
            "honba": win.honba,
            "streak": win.dealer_streak,
            "kita": win.kita,
            "dora": _dora(win.dora[:kan], held, win, rules),
            "ura": _ura(win, held, rules),
            **{name: value for name in ("turn", "score") if (value := getattr(win, name)) is not None},
        },
        discarded=None if win.discarded is None else frozenset(int(tile.kind) for tile in win.discarded),
        words=frozenset(_words(view, win)),
        yaku=frozenset(yaku),
    )


def _words(view: ReadingView, win: Win) -> Iterable[str]:
    """Yield the words of the condition language that are true of the win."""
    yield from (word for word in _WORDS if getattr(win, word))
    yield from _RIICHI[win.riichi]
    yield view.form
    yield view.wait
    if win.tsumo:
        yield "tsumo"
    if all(meld.type is MeldType.ANKAN for meld in win.hand.melds):
        yield "closed"


def _valued(rules: Ruleset) -> frozenset[int]:
    north = any(worth is not False for worth in worths(rules, "yakuhai_north"))
    return frozenset(map(int, DRAGONS)) | ({int(NORTH)} if north else set())


def _dora(indicators: Sequence[int], held: Sequence[int], win: Win, rules: Ruleset) -> int:
    """Count the dora of the hand."""
    kinds = [next_kind(tile, rules.tiles.man) for tile in indicators]
    return sum(held[kind] + (win.kita if kind == NORTH else 0) for kind in kinds)


def _ura(win: Win, held: Sequence[int], rules: Ruleset) -> int:
    if not rules.dora.ura or win.riichi is None:
        return 0
    return _dora(win.ura[: 5 if rules.dora.kan_ura else 1], held, win, rules)


@dataclass(frozen=True)
class ConditionPart(Strict):
    """A part of a condition: its source text, a sentence, and whether the hand meets it.

    ``holds`` is ``None`` if the part has not been tested.
    """

    text: str
    words: str
    holds: bool | None = None


def parts_of(condition: str, facts: ReadingFacts, language: Language, named: Named) -> list[ConditionPart]:
    """Return the parts of a condition, all of which must hold, and whether each does.

    Letters of the condition have the values that come nearest to meeting it.
    """
    tree = read(condition)
    letters, sentences = nearest_choice(tree, facts), part_texts(tree, language, named=named)
    return [
        ConditionPart(tree.said(node), words, holds(node, facts, letters))
        for node, words in zip(tree.parts, sentences, strict=True)
    ]
