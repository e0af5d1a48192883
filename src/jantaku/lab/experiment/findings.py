"""What a comparison says in a few sentences: what changes, what does not, and what these bots cannot tell."""

from collections.abc import Iterator, Sequence
from typing import Final

from jantaku.lab.experiment.names import Local, local_of, made_name
from jantaku.lab.experiment.rows import ComparedRow, clarity, row_label, value_words
from jantaku.rules import Ruleset
from jantaku.terms import listed, text

MOST: Final = 4  # changes that are told
PLAIN: Final = ("win", "deal_in", "draw", "riichi", "call", "mean_win")  # told if they do not change


def findings(rows: Sequence[ComparedRow], before: Ruleset, after: Ruleset) -> list[str]:
    """The sentences, in the current language; none while nothing has been compared."""
    local = local_of((before, after))
    compared = [row for row in rows if row.change is not None]
    return [*_changed(compared, local), *_same(compared, local), *_unanswered(rows, before, after, local)]


def _changed(rows: Sequence[ComparedRow], local: Local) -> Iterator[str]:
    """The clearest differences; a yaku's points follow from its value, so they are told last."""
    clear = sorted((row for row in rows if row.clear), key=lambda row: (row.group == "points", -clarity(row)))
    for row in clear[:MOST]:
        yield text("lab.finding.changed", label=row_label(row.group, row.name, local), **_values(row))
    if len(clear) > MOST:
        yield text("lab.finding.more", count=len(clear) - MOST)


def _same(rows: Sequence[ComparedRow], local: Local) -> Iterator[str]:
    same = [row for row in rows if row.group in {"rate", "mean"} and row.name in PLAIN and not row.clear]
    if same:
        yield text("lab.finding.same", labels=listed(row_label(row.group, row.name, local) for row in same))


def _unanswered(rows: Sequence[ComparedRow], before: Ruleset, after: Ruleset, local: Local) -> Iterator[str]:
    """The yaku whose value was changed and which the bots make as often as before."""
    shares = {row.name: row for row in rows if row.group == "share"}
    changed = dict.fromkeys(path.split(".")[1] for path in before.differences(after) if path[:5] == "yaku.")
    for name in changed:
        row = shares.get(name)
        if row is None:
            yield text("lab.finding.never", yaku=made_name(name, local))
        elif not row.clear:
            yield text("lab.finding.unmoved", yaku=made_name(name, local), **_values(row))


def _values(row: ComparedRow) -> dict[str, str]:
    """The values before and after, as the sentences have them."""
    return {"before": value_words(row.before, row.kind), "after": value_words(row.after, row.kind)}
