"""Names of our options in other programs, for suggestions about unknown names in a rules file."""

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

MAX_MATCHES: Final = 3  # no suggestion for a name shared by more options than this
# Affixes by which programs mark a rule as on or off
BEFORE: Final = re.compile(r"^(?:have|has|is|with|enable|disable|allow|use|no)(?=[_\s-]|[A-Z])")
AFTER: Final = re.compile(
    r"[_\s-](?:ari|nashi|enabled|disabled|allowed)$|(?:あり|なし|アリ|ナシ|有り|無し|있음|없음)$"
)
PARTS: Final = re.compile(r"[・·()（）,]")


def plain(name: str) -> str:
    """Normalise a name by removing case, spaces, punctuation, and affixes that mean on or off.

    >>> plain("withKuitan"), plain("has_open_tanyao"), plain("クイタンあり"), plain("have_toutiao")
    ('kuitan', 'opentanyao', 'クイタン', 'toutiao')
    """
    whole = unicodedata.normalize("NFKC", name).strip()
    bare = AFTER.sub("", BEFORE.sub("", whole)) or whole
    return re.sub(r"[\W_]", "", bare).casefold()


def options_called(name: str, sections: Mapping[str, Collection[str]]) -> list[str]:
    """Return the options (``section.option``) that other programs or our labels call ``name``."""
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
    return {name: paths for name, paths in known.items() if len(paths) <= MAX_MATCHES}


def _labels(path: str) -> Iterator[str]:
    """Yield the label in each language, whole and in parts: “アガリやめ・テンパイやめ” is two names."""
    for language in LANGUAGES:
        label = terms.text(f"options.{path}.label", language)
        yield from (label, *PARTS.split(label))
