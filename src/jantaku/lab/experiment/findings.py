"""What a comparison says in a few sentences: what changes, what does not, and what these bots cannot tell."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from jantaku.lab.experiment.estimates import Estimate
from jantaku.lab.experiment.names import Own, made_name, own_of
from jantaku.lab.experiment.rows import ComparedRow, kind_of, row_label, size, value_words
from jantaku.lab.experiment.tried_changes import TriedChange, tried
from jantaku.rules import Ruleset
from jantaku.rules.sheet import label, worth_in_words
from jantaku.terms import listed, text

MOST: Final = 6  # changes that are told
FOLLOWING: Final = ("points", "place", "seat")
PLAIN: Final = ("win", "deal_in", "draw", "riichi", "call", "mean_win")  # told if they do not change


def findings(rows: Sequence[ComparedRow], before: Ruleset, after: Ruleset) -> list[str]:
    """The sentences, in the current language; none while nothing has been compared."""
    own = own_of((before, after))
    compared = [row for row in rows if row.change is not None]
    one = _in_one_of(before, after)
    return [
        *_changed(compared, own, one),
        *_same(compared, own),
        *_unanswered(rows, before, after, own),
    ]


def _in_one_of(before: Ruleset, after: Ruleset) -> set[str]:
    """The yaku that only one of the rulesets has, by their ids."""
    counted = [
        {name for name, yaku in each.yaku.items() if yaku.closed or yaku.open} for each in (before, after)
    ]
    return counted[0] ^ counted[1]


def _changed(rows: Sequence[ComparedRow], own: Own, one: Collection[str]) -> Iterator[str]:
    """The largest clear differences; what follows from the rules alone, even if play stays the same, last.

    Yaku that only one ruleset has are no change of play: they have a sentence of their own.
    """
    clear = sorted((row for row in rows if row.clear), key=lambda row: (_follows(row), -size(row)))
    new = [row for row in clear if row.group == "share" and _in_one(row)]
    new += [row for row in rows if row.group == "share" and row.name in one and row not in new]
    others = [row for row in clear if row not in new]
    for row in others[:MOST]:
        yield text("lab.finding.changed", label=row_label(row.group, row.name, own), **_values(row))
    if new:
        yield text("lab.finding.new", yaku=listed(_share(row, own) for row in new[:MOST]))
    left = len(others[MOST:]) + len(new[MOST:])
    if left:
        yield text("lab.finding.more", count=left)


def _in_one(row: ComparedRow) -> bool:
    """Whether only one of the rulesets has any of it."""
    return 0 in [estimate.value for estimate in (row.before, row.after) if estimate]


def _follows(row: ComparedRow) -> bool:
    """Whether a row follows from values in the rules: points of yaku, and final points from uma and oka."""
    return row.group in FOLLOWING or (row.group == "mean" and "final" in row.name)


def _same(rows: Sequence[ComparedRow], own: Own) -> Iterator[str]:
    same = [row for row in rows if row.group in {"rate", "mean"} and row.name in PLAIN and not row.clear]
    if same:
        yield text("lab.finding.same", labels=listed(row_label(row.group, row.name, own) for row in same))


def _unanswered(rows: Sequence[ComparedRow], before: Ruleset, after: Ruleset, own: Own) -> Iterator[str]:
    """What was changed and the bots do not answer to, from the table of answers or as seen here."""
    clear = {row[:2] for row in rows if row.clear}
    known = list(tried(before, after))
    for change in known:
        if not change.answered and change.row not in clear:
            yield _known(change, own)
    shares = {row.name: row for row in rows if row.group == "share"}
    changed = dict.fromkeys(path.split(".")[1] for path in before.differences(after) if path[:5] == "yaku.")
    never, unmoved, one = [], [], _in_one_of(before, after)
    for name in (name for name in changed if name not in {each.yaku for each in known}):
        row = shares.get(name)
        if row is not None and row.change is not None and name in one:
            continue  # told among those that only one of the rulesets has
        if row is None:
            never.append(made_name(name, own))
        elif not row.clear:
            unmoved.append(_from_to(name, row, own))
    if unmoved:
        yield text("lab.finding.unmoved", yaku=listed(unmoved))
    if never:
        yield text("lab.finding.never", yaku=listed(never))


def _known(tried: TriedChange, own: Own) -> str:
    """That bots do not answer to a change, with what was found where it was tried."""
    kind = kind_of(*tried.row)
    before, after = (
        value_words(Estimate(value, value, value), kind) for value in (tried.before, tried.after)
    )
    values = {"label": row_label(*tried.row, own), "before": before, "after": after, "games": tried.games}
    if not tried.yaku:
        return text("lab.finding.not_answered", option=label(tried.path), **values)
    worth = worth_in_words(tried.worth)
    return text("lab.finding.not_aimed", yaku=made_name(tried.yaku, own), worth=worth, **values)


def _share(row: ComparedRow, own: Own) -> str:
    """A yaku that one ruleset has, and its share there."""
    share = max(
        (estimate for estimate in (row.before, row.after) if estimate), key=lambda estimate: estimate.value
    )
    return f"{made_name(row.name, own)} {value_words(share, row.kind)}"


def _from_to(yaku: str, row: ComparedRow, own: Own) -> str:
    return text("lab.finding.from_to", yaku=made_name(yaku, own), **_values(row))


def _values(row: ComparedRow) -> dict[str, str]:
    """The values before and after, as the sentences have them."""
    return {"before": value_words(row.before, row.kind), "after": value_words(row.after, row.kind)}
