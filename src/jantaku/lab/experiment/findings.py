"""Summarises a comparison in sentences: what changes, what does not, and what bots do not respond to."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from jantaku.lab.experiment.estimates import Estimate
from jantaku.lab.experiment.names import Own, own_of, yaku_label
from jantaku.lab.experiment.rows import ComparedRow, effect_size, kind_of, row_label, value_words
from jantaku.lab.experiment.tried_changes import TriedChange, tried_changes
from jantaku.rules import Ruleset
from jantaku.rules.sheet import label, worth_in_words
from jantaku.terms import listed, text

MAX_CHANGES: Final = 6  # changes mentioned
DERIVED: Final = ("points", "place", "seat")  # groups that change with the rules even if play does not
STABLE: Final = ("win", "deal_in", "draw", "riichi", "call", "mean_win")  # mentioned if unchanged


def findings(rows: Sequence[ComparedRow], before: Ruleset, after: Ruleset) -> list[str]:
    """Return the sentences in the current language; none if nothing could be compared."""
    own = own_of((before, after))
    compared = [row for row in rows if row.change is not None]
    in_one = _yaku_in_one(before, after)
    return [
        *_changed(compared, own, in_one),
        *_unchanged(compared, own),
        *_unanswered(rows, before, after, own),
    ]


def _yaku_in_one(before: Ruleset, after: Ruleset) -> set[str]:
    """Return the ids of the yaku that only one of the rulesets has."""
    counted = [
        {name for name, yaku in each.yaku.items() if yaku.closed or yaku.open} for each in (before, after)
    ]
    return counted[0] ^ counted[1]


def _changed(rows: Sequence[ComparedRow], own: Own, in_one: Collection[str]) -> Iterator[str]:
    """Yield the largest clear differences, those that follow from the rules alone last.

    Yaku that only one ruleset has do not indicate a change of play, so they get a separate sentence.
    """
    clear = sorted((row for row in rows if row.clear), key=lambda row: (_is_derived(row), -effect_size(row)))
    new = [row for row in clear if row.group == "share" and _is_in_one(row)]
    new += [row for row in rows if row.group == "share" and row.name in in_one and row not in new]
    others = [row for row in clear if row not in new]
    for row in others[:MAX_CHANGES]:
        yield text("lab.finding.changed", label=row_label(row.group, row.name, own), **_values(row))
    if new:
        yield text("lab.finding.new", yaku=listed(_share(row, own) for row in new[:MAX_CHANGES]))
    more = len(others[MAX_CHANGES:]) + len(new[MAX_CHANGES:])
    if more:
        yield text("lab.finding.more", count=more)


def _is_in_one(row: ComparedRow) -> bool:
    """Return whether the quantity is 0 under one of the rulesets."""
    return 0 in [estimate.value for estimate in (row.before, row.after) if estimate]


def _is_derived(row: ComparedRow) -> bool:
    """Return whether the row depends directly on the rules: points of yaku, and final points (uma, oka)."""
    return row.group in DERIVED or (row.group == "mean" and "final" in row.name)


def _unchanged(rows: Sequence[ComparedRow], own: Own) -> Iterator[str]:
    same = [row for row in rows if row.group in {"rate", "mean"} and row.name in STABLE and not row.clear]
    if same:
        yield text("lab.finding.same", labels=listed(row_label(row.group, row.name, own) for row in same))


def _unanswered(rows: Sequence[ComparedRow], before: Ruleset, after: Ruleset, own: Own) -> Iterator[str]:
    """Yield the changes that bots do not respond to, according to ``tried_changes`` or this comparison."""
    clear = {row[:2] for row in rows if row.clear}
    known = list(tried_changes(before, after))
    for change in known:
        if not change.answered and change.row not in clear:
            yield _not_answered(change, own)
    shares = {row.name: row for row in rows if row.group == "share"}
    changed = dict.fromkeys(path.split(".")[1] for path in before.differences(after) if path[:5] == "yaku.")
    never, unmoved, in_one = [], [], _yaku_in_one(before, after)
    for name in (name for name in changed if name not in {each.yaku for each in known}):
        row = shares.get(name)
        if row is not None and row.change is not None and name in in_one:
            continue  # already mentioned by ``_changed``
        if row is None:
            never.append(yaku_label(name, own))
        elif not row.clear:
            unmoved.append(_from_to(name, row, own))
    if unmoved:
        yield text("lab.finding.unmoved", yaku=listed(unmoved))
    if never:
        yield text("lab.finding.never", yaku=listed(never))


def _not_answered(change: TriedChange, own: Own) -> str:
    """Return the sentence that bots do not respond to a change, with the values of the trial."""
    kind = kind_of(*change.row)
    before, after = (
        value_words(Estimate(value, value, value), kind) for value in (change.before, change.after)
    )
    values = {"label": row_label(*change.row, own), "before": before, "after": after, "games": change.games}
    if not change.yaku:
        return text("lab.finding.not_answered", option=label(change.path), **values)
    worth = worth_in_words(change.worth)
    return text("lab.finding.not_aimed", yaku=yaku_label(change.yaku, own), worth=worth, **values)


def _share(row: ComparedRow, own: Own) -> str:
    """Return the name of a yaku that only one ruleset has, with its share there."""
    share = max(
        (estimate for estimate in (row.before, row.after) if estimate), key=lambda estimate: estimate.value
    )
    return f"{yaku_label(row.name, own)} {value_words(share, row.kind)}"


def _from_to(yaku: str, row: ComparedRow, own: Own) -> str:
    return text("lab.finding.from_to", yaku=yaku_label(yaku, own), **_values(row))


def _values(row: ComparedRow) -> dict[str, str]:
    """Return the formatted values before and after, as placeholders of a sentence."""
    return {"before": value_words(row.before, row.kind), "after": value_words(row.after, row.kind)}
