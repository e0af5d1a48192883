"""What others call our options, so that the hint for an unknown name in a rules file leads to ours."""

import re
import tomllib
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Final

from jantaku import terms
from jantaku.terms import LANGUAGES

MOST: Final = 3  # options that share a name; more would be no hint
# What programs write around the name of a rule to say that it is on or off
BEFORE: Final = re.compile(r"^(?:have|has|is|with|enable|disable|allow|use|no)(?=[_\s-]|[A-Z])")
AFTER: Final = re.compile(
    r"[_\s-](?:ari|nashi|enabled|disabled|allowed)$|(?:あり|なし|アリ|ナシ|有り|無し|있음|없음)$"
)
PARTS: Final = re.compile(r"[・·()（）,]")


def plain(name: str) -> str:
    """A name without case, spaces and signs, and without the words around it that say on or off.

    >>> plain("withKuitan"), plain("has_open_tanyao"), plain("クイタンあり"), plain("have_toutiao")
    ('kuitan', 'opentanyao', 'クイタン', 'toutiao')
    """
    whole = unicodedata.normalize("NFKC", name).strip()
    bare = AFTER.sub("", BEFORE.sub("", whole)) or whole
    return re.sub(r"[\W_]", "", bare).casefold()


def called(name: str, sections: Mapping[str, Collection[str]]) -> list[str]:
    """The options (``section.option``) that others call so, of the options of each section."""
    return _known(tuple((section, tuple(names)) for section, names in sections.items())).get(plain(name), [])


@cache
def _known(sections: tuple[tuple[str, tuple[str, ...]], ...]) -> dict[str, list[str]]:
    known = defaultdict[str, list[str]](list)
    others = tomllib.loads(resources.files(__package__).joinpath("other_names.toml").read_text("utf-8"))
    for section, options in sections:
        for option in options:
            path = f"{section}.{option}"
            names = {option, *others[section][option].split(", "), *_labels(path)}
            for name in {plain(name) for name in names} - {""}:
                known[name].append(path)
    return {name: paths for name, paths in known.items() if len(paths) <= MOST}


def _labels(path: str) -> Iterator[str]:
    """The label in each language, whole and in parts: “アガリやめ・テンパイやめ” is two names."""
    for language in LANGUAGES:
        label = terms.text(f"options.{path}.label", language)
        yield from (label, *PARTS.split(label))
