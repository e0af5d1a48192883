"""Near misses: yaku that a hand almost has or that do not count, with the reason."""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Final

from jantaku.adjudication.arithmetic import limit_yaku_alone
from jantaku.adjudication.explanation import NearMiss
from jantaku.adjudication.explanation_words import Words
from jantaku.adjudication.masks import yaku_in
from jantaku.adjudication.near_shapes import ALWAYS, WITHOUT_YAKU, Shape
from jantaku.adjudication.own_facts import parts_of
from jantaku.adjudication.reading_view import reading_view
from jantaku.adjudication.reading_yaku import ReadingYaku, packed_reading, reading_yaku
from jantaku.adjudication.score import Score, value_rows
from jantaku.kernels import win as layout
from jantaku.kernels.reading import (
    ROW,
    PackedReading,
)
from jantaku.kernels.yaku import yaku_mask
from jantaku.rules import Ruleset
from jantaku.rules.catalogue import LIMIT_HAN, YAKUMAN, catalogue
from jantaku.rules.gates import gate_open
from jantaku.rules.own_yaku import naming
from jantaku.rules.worths import conditions, worth_in, worths
from jantaku.tiles import HONOURS, RED, counts

MAX_ROWS: Final = 6
UNLISTED: Final = 99  # rank of a near miss that is left out
Miss = tuple[int, str, str]  # rank (lowest first), yaku, reason
_yaku_mask: Callable[..., int] = yaku_mask  # kernels are untyped


def counts_at_all(rules: Ruleset, yaku: str, closed: bool) -> bool:
    """Return whether the ruleset counts the yaku in a hand that is closed (or, if not ``closed``, open)."""
    return worth_in(rules, yaku, closed) is not False


class NearMissSearch:
    """The search for the near misses of one win.

    ``error`` is the code of the ``HandError`` if the hand may not win, otherwise empty.
    """

    def __init__(self, score: Score, words: Words, error: str = "") -> None:
        self.score, self.words, self.error = score, words, error
        self.rules, self.win = score.rules, score.win
        self.closed = self.win.hand.is_closed
        self.counted = [yaku for _, yaku, _ in score.counted()]

    @cached_property
    def masks(self) -> PackedReading:
        """The scored reading in the form the yaku predicates take."""
        return packed_reading(self.win, self.rules, self.score.reading)

    @cached_property
    def shape_yaku(self) -> list[str]:
        """Every yaku whose pattern the hand has, whether or not the rules count it."""
        return [*yaku_in(int(_yaku_mask(self.masks))), *self.reading_yaku.own]

    @cached_property
    def reading_yaku(self) -> ReadingYaku:
        """The facts of the scored reading and the custom yaku it meets."""
        return reading_yaku(self.win, self.rules, self.score.reading)

    def is_worth_listing(self, yaku: str) -> bool:
        """Return whether to list a yaku; for a yakuman hand, list only other yakuman."""
        value = self.rules.yaku[yaku]
        return not self.score.yakuman or bool({value.closed, value.open} & set(YAKUMAN))

    def misses(self) -> Iterator[Miss]:
        """Yield all near misses, unordered; a yaku may occur more than once."""
        if self.error == "not_complete":
            yield from self._seven_pairs()
            return
        yield from self._not_counted()
        if self.rules.calls.sakizuke == "atozuke" and not self.error:
            yield from self._other_readings()
        yield from self._shapes()
        yield from self._own()

    def _own(self) -> Iterator[Miss]:
        """Yield custom yaku with at least half their conditions met, listing those met and those missing."""
        named = naming(self.rules.own_yaku, self.words.language)
        for yaku in self.rules.own_yaku:
            if yaku.id in self.counted or not self.is_worth_listing(yaku.id):
                continue
            if not counts_at_all(self.rules, yaku.id, self.closed):
                continue
            parts = parts_of(yaku.condition, self.reading_yaku.facts, self.words.language, named)
            missing = [part.words for part in parts if not part.holds]
            met = [part.words for part in parts if part.holds]
            if missing and len(met) >= len(missing):
                listed = self.words("separator").join
                yield 20, yaku.id, self.words("near.own", missing=listed(missing), held=listed(met))

    def _not_counted(self) -> Iterator[Miss]:
        """Yield yaku whose pattern the hand has but which do not count."""
        dropped = []
        for yaku in self.shape_yaku:
            reason = None
            if yaku not in self.counted:
                reason = self._reason(yaku)
            elif self.error == "no_yaku":
                reason = self._no_win_with(yaku)
            if reason and self.is_worth_listing(yaku):
                yield reason[0], yaku, reason[1]
            elif reason is None and yaku not in self.counted:
                dropped.append(yaku)
        if dropped:
            yield from self._dropped(dropped)

    def _reason(self, yaku: str) -> tuple[int, str] | None:
        """Return rank and reason if a yaku does not count; ``None`` if only a higher value overrides it."""
        value, words = self.rules.yaku[yaku], self.words
        replacing = [other for other in self.counted if yaku in self.rules.yaku[other].replaces]
        gate, offered = self._shut_gate(yaku), value.closed if self.closed else value.open
        forms = [catalogue()[other].form_of for other in replacing if other in catalogue()]
        if "=" in gate or yaku in forms:  # do not list a special form that does not apply
            return UNLISTED, ""
        if gate and offered is not False:
            return 5, words("near.option_off", label=words.option(gate), path=gate)
        if offered is False and not self.closed and value.closed is not False:
            return 6, words("near.closed_only")
        if offered is False:
            return 50, words("near.not_used")
        if replacing:
            return 40, words("near.replaced", other=words.yaku(replacing[0]))
        failing = next((o for o in conditions(self.rules, yaku) if self._condition_fails(o)), None)
        return (7, words(f"only.{failing}")) if failing else self._needed(yaku)

    def _needed(self, yaku: str) -> tuple[int, str] | None:
        """Return why a yaku required by this one does not count; ``None`` if all of them count."""
        needs = catalogue()[yaku].needs if yaku in catalogue() else ()
        missing = (name for name in needs if worths(self.rules, name) == (False, False))
        return next((self._reason(name) for name in missing), None)

    def _shut_gate(self, yaku: str) -> str:
        """Return the path of the option that excludes the yaku from this hand, ``""`` if there is none."""
        entry = catalogue().get(yaku)
        gates = (entry.gate, "" if self.closed else entry.open_gate) if entry else ()
        return next((gate for gate in gates if not gate_open(gate, self.rules)), "")

    def _condition_fails(self, only: str) -> bool:
        suits = {kind // 9 for kind in range(HONOURS) if self.masks.kinds >> kind & 1}
        return {
            "tsumo": not self.win.tsumo,
            "man": not suits <= {0},
            "pin": not suits <= {1},
            "hatsu": not self.masks.kinds >> HONOURS + 5 & 1,
            "not_furiten": self.win.furiten,
        }.get(only, False)

    def _no_win_with(self, yaku: str) -> tuple[int, str]:
        """Return why a yaku that counts is not enough to win."""
        if not self.rules.yaku[yaku].minimum:
            return 0, self.words("near.no_minimum")
        path = "calls.sakizuke"
        return 0, self.words("near.not_fixed", label=self.words.option(path), path=path)

    def _dropped(self, yaku: list[str]) -> Iterator[Miss]:
        """Yield the yaku that a yakuman or a limit overrides, in one row if possible."""
        alone = limit_yaku_alone(self.score)
        if self.score.yakuman:
            yield 45, ",".join(yaku), self.words("near.swallowed")
        elif alone:
            yield 45, ",".join(yaku), self.words("near.limit_alone", other=self.words.yaku(alone))
        else:
            for name in yaku:
                worth = worth_in(self.rules, name, self.closed)
                if worth in LIMIT_HAN:
                    limit = self.words(f"limit.{worth}")
                    yield 41, name, self.words("near.limit_less", limit=limit)

    def _other_readings(self) -> Iterator[Miss]:
        """Yield yaku of other readings, which are worth no more than the scored one."""
        rows = value_rows(self.win, self.rules)
        mine = list(self.score.reading)
        others = [row.tolist() for row in rows if not row[layout.ERROR]]
        others = [row for row in others if row[layout.READING : layout.READING + ROW] != mine]
        for row in sorted(others, key=lambda row: -row[layout.BASE]):
            for yaku in yaku_in(row[layout.YAKU]):
                if yaku not in self.shape_yaku and self.is_worth_listing(yaku):
                    yield 28, yaku, self._reading_text(row)

    def _reading_text(self, row: list[int]) -> str:
        words = self.words
        view = reading_view(row[layout.READING : layout.READING + ROW], self.win)
        mine = reading_view(self.score.reading, self.win)
        sets = [words.tiles(s.tiles) for s in view.sets]
        reading = " ".join([*sets, *(words.tiles((p, p)) for p in view.pairs)])
        value = words.value(row[layout.HAN], row[layout.FU])
        if row[layout.YAKUMAN]:
            value = words.yakuman(row[layout.YAKUMAN])
        if (view.sets, view.pairs) == (mine.sets, mine.pairs):
            wait = words(f"wait.{view.wait}")
            return words("near.other_reading_wait", reading=reading, wait=wait, value=value)
        return words("near.other_reading", reading=reading, value=value)

    def _shapes(self) -> Iterator[Miss]:
        """Yield yaku with one missing condition."""
        view = reading_view(self.score.reading, self.win)
        shape = Shape(self.masks, view, self.win.tile.kind, self.words)
        table = (*WITHOUT_YAKU, *ALWAYS) if self.error in ("no_yaku", "two_han_minimum") else ALWAYS
        for yaku, rank, test in table:
            # An open hand may be the one missing condition, so the value in a closed hand decides
            here = counts_at_all(self.rules, yaku, self.closed)
            known = here or self.rules.yaku[yaku].open is False
            if yaku in self.shape_yaku or not known or not counts_at_all(self.rules, yaku, True):
                continue
            if self.is_worth_listing(yaku) and (detail := test(shape)):
                miss = self.words.yaku(yaku, "miss")
                yield rank, yaku, self.words("near.detail", miss=miss, detail=detail)

    def _seven_pairs(self) -> Iterator[Miss]:
        """Yield chiitoitsu if the hand is seven pairs of which two are identical."""
        if self.win.hand.melds or not counts_at_all(self.rules, "chiitoitsu", True):
            return
        held = counts((*self.win.hand.tiles, self.win.tile))
        fours = [kind for kind, count in enumerate(held) if count == 4]
        if fours and all(count % 2 == 0 for count in held):
            detail = self.words("detail.four_alike", tile=self.words.tile(fours[0] % RED))
            miss = self.words.yaku("chiitoitsu", "miss")
            yield 0, "chiitoitsu", self.words("near.detail", miss=miss, detail=detail)


def near_misses(score: Score, words: Words, error: str = "") -> tuple[NearMiss, ...]:
    """Return up to six yaku that the hand does not have, the most instructive first.

    A row may cover several yaku: its ``id`` then joins theirs with commas.
    """
    rows: dict[str, NearMiss] = {}
    for rank, yaku, why in sorted(NearMissSearch(score, words, error).misses(), key=lambda row: row[0]):
        if rank < UNLISTED:
            name = words("separator").join(words.yaku(part) for part in yaku.split(","))
            rows.setdefault(yaku, NearMiss(yaku, name, why))
    return tuple(rows.values())[:MAX_ROWS]
