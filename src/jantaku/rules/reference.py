"""Generate the site's page of all options and yaku from the same tables as the code."""

import dataclasses
from collections.abc import Iterator
from typing import Any

from jantaku import terms
from jantaku.rules.catalogue import YakuEntry, catalogue
from jantaku.rules.check import choices_of, describe, hints
from jantaku.rules.elsewhere import SOURCES, RuleElsewhere, elsewhere
from jantaku.rules.gallery import GalleryPart, gallery
from jantaku.rules.inventory import statements_about
from jantaku.rules.inventory_page import links
from jantaku.rules.markdown import table
from jantaku.rules.options import SECTIONS
from jantaku.rules.ruleset import load, preset_names
from jantaku.rules.sentences import about_option, define_yaku
from jantaku.rules.sheet import in_words, ruleset_name, worth_in_words
from jantaku.rules.yaku_names import yaku_name
from jantaku.terms import Language

INTRODUCTION = """\
# The rules file

Write a rules file in TOML. It names its parent and has only the differences:

```toml
extends = "standard"

[name]
en = "Friday club"

[riichi]
ippatsu = false

[yaku.sankantsu]
closed = 8
open = 8
```

`jantaku rules check FILE` lists the problems of a file, `jantaku rules show FILE` prints it as a rule
sheet, `jantaku rules diff A B` compares two rulesets, and `jantaku rules schema` prints a JSON Schema
with which editors complete and explain options.

Besides the sections below a file may have `extends` (a preset, or a file in the same folder), `[name]`
and `[about]` (texts in `en`, `ja`, `ko`).

Options that would contradict the file are adjusted unless it sets them itself:

| a file sets | adjusted |
| --- | --- |
| `match.start_points` | `match.sticks` add up to them; `match.return_points` are at least as many |
| `match.players` | `match.uma` keeps first and last place, with 0 between; no `match.floating_uma` |
| `win.multiple_ron` | `draw.sanchahou` is on for a value that ends in `triple_draw`, off for the others |
| `draw.sanchahou` | `win.multiple_ron` is the nearest value that fits |
| `dora.ura = false`, `dora.kan_dora = false` | `dora.kan_ura = false` |
| `draw.suukansanra = false` | `calls.kan_limit_one_player = true` |
| `tiles.man` | `tiles.red` without the kinds that the set lacks |
| the value of a yakuman for an open hand | `pao.yakuman` without yaku that are no longer yakuman |

`jantaku rules check` prints the adjustments. It also reports settings without effect; they are not errors,
and the command exits with code 0.

The numbers in the last column link to the statements of the [rule inventory](inventory.md) that the
option or yaku decides. A dash marks common practice that the sources do not mention.
"""


def reference(language: Language = "en") -> str:
    """Return the reference as Markdown."""
    with terms.using(language):
        parts = [INTRODUCTION, *_presets(), *_sections(), *_yaku(), *_gallery(), *_elsewhere()]
    return "\n".join(parts)


def _presets() -> Iterator[str]:
    yield "## Presets\n"
    presets = [load(name) for name in preset_names()]
    rows = [(f"`{r.id}`", ruleset_name(r), r.about.get(terms.current(), "")) for r in presets]
    yield table(("preset", "name", "about"), rows)


def _sections() -> Iterator[str]:
    for name, section in SECTIONS.items():
        words = terms.table("options", terms.current())[name]
        yield f"## `[{name}]` {words['label']}\n\n{words['about']}\n"
        rows = [_option_row(name, item, section) for item in dataclasses.fields(section)]
        yield table(("option", "values", "default", "meaning", "source"), rows)


def _option_row(section: str, item: dataclasses.Field[Any], owner: type) -> tuple[str, ...]:
    path, hint = f"{section}.{item.name}", hints(owner)[item.name]
    words = terms.table("options", terms.current())[section][item.name]
    default = getattr(owner(), item.name)
    meaning = f"**{words['label']}.** {about_option(path)}"
    name = f'<a id="{path}"></a>`{item.name}`'
    return (
        name,
        _values(path, hint, item),
        f"`{terms.literal(default)}`",
        meaning,
        links(statements_about(path)),
    )


def _values(path: str, hint: Any, item: dataclasses.Field[Any]) -> str:
    choices, bounds = choices_of(hint), item.metadata
    values = [f"`{terms.literal(c)}` {in_words(path, c)}" for c in choices if isinstance(c, str)]
    if bounds["low"] is not None:
        step = f", a multiple of {bounds['step']}" if bounds["step"] != 1 else ""
        values.append(f"integer, {bounds['low']:,} to {bounds['high']:,}{step}")
    if values:
        return "<br>".join(values)
    simple = (True, False) if hint is bool else choices
    return " · ".join(f"`{terms.literal(choice)}`" for choice in simple) or str(describe(hint))


def _yaku() -> Iterator[str]:
    words = terms.table("options", terms.current())["yaku"]
    yield f"## `[yaku.ID]` {words['label']}\n"
    rows = [(f"`{name}`", about["about"]) for name, about in words.items() if isinstance(about, dict)]
    yield table(("setting", "meaning"), rows)
    yield "Values under the standard rules:\n"
    columns = ("id", "name", "Japanese", "Korean", "closed", "open", "definition", "remarks", "source")
    yield table(columns, (_yaku_row(entry) for entry in catalogue().values()))


def _yaku_row(entry: YakuEntry) -> tuple[str, ...]:
    value = entry.value
    worths = (worth_in_words(value.closed), worth_in_words(value.open))
    names = (
        f"{yaku_name(entry.id, tongue)} ({terms.text(f'yaku.{entry.id}.reading', tongue)})"
        for tongue in ("en", "ja", "ko")
    )
    path = f"yaku.{entry.id}"
    name, sources = f'<a id="{path}"></a>`{entry.id}`', links(statements_about(path))
    return name, *names, *worths, define_yaku(entry.id), _remarks(entry), sources


def _gallery() -> Iterator[str]:
    yield "## The gallery\n"
    yield "Custom yaku and house rules for your rules file: `jantaku rules gallery ID` prints the lines.\n"
    yield table(("id", "name", "kanji", "what it is", "source"), map(_gallery_row, gallery().values()))


def _gallery_row(part: GalleryPart) -> tuple[str, ...]:
    source = f"[{part.source.split('/')[2]}]({part.source})" if part.source else links(part.statements)
    return f"`{part.id}`", part.name["en"], part.name["ja"], part.about["en"], source


def _elsewhere() -> Iterator[str]:
    where = ", ".join(f"[{name}]({address})" for name, address in SOURCES.items())
    yield f"## Rules of other programs\n\nRules of {where} and others, and their equivalents here.\n"
    rows = (
        (rule.name, rule.where, "yes" if rule.has else "no", _has(rule) or rule.why_not)
        for rule in elsewhere()
    )
    yield table(("rule", "where", "supported", "equivalent, or reason"), rows)


def _has(rule: RuleElsewhere) -> str:
    return ", ".join(f"`{name}`" if kind == "option" else f"{kind} `{name}`" for kind, name in rule.parts())


def _remarks(entry: YakuEntry) -> str:
    """Return the remarks of a yaku: its gates, dependencies and further conditions."""
    replaced = ", ".join(f"`{name}`" for name in entry.value.replaces)
    remarks = (
        (entry.gate, f"exists if `{entry.gate}`"),
        (entry.open_gate, f"open if `{entry.open_gate}`"),
        (
            entry.han_from,
            f"han from `{entry.han_from}`" + f" + {entry.han_plus}" * bool(entry.han_plus),
        ),
        (entry.form_of, f"reported as `{entry.form_of}`"),
        (entry.needs, "needs " + ", ".join(f"`{name}`" for name in entry.needs)),
        (replaced, f"replaces {replaced}"),
        (not entry.value.minimum, "does not count towards the minimum"),
        (entry.value.only != "none", in_words(f"yaku.{entry.id}.only", entry.value.only)),
    )
    return "; ".join(text for applies, text in remarks if applies)
