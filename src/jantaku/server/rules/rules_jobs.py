"""Heavy work on rulesets, in worker processes."""

from base64 import b64decode
from collections.abc import Mapping
from typing import Any

from jantaku.errors import JantakuError, RequestError, no_choice
from jantaku.rules import Ruleset
from jantaku.server.edge.work import apart, playing_job
from jantaku.server.rules.rules_names import rules_name
from jantaku.server.rules.rules_pages import checked, parsed
from jantaku.terms import Language

Data = dict[str, Any]


def check_rules(toml: str, language: Language) -> Data:
    """Check the text of a rules file and return ``Checked`` as data."""
    return checked(toml, language).model_dump()


def read_rules(toml: str) -> Data:
    """The whole ruleset of a rules file as data that ``load`` reads; raises ``RulesError``."""
    return parsed(toml).to_dict()


@playing_job
def write_booklet(rules: Ruleset, wanted: Mapping[str, str], language: Language) -> bytes:
    """Write the booklet of a ruleset; ``wanted`` is a ``BookletBody`` as data."""
    from jantaku.booklet import FORMATS, PAPERS, Cover, booklet, one_page, read_logo

    try:
        logo = read_logo(b64decode(wanted["logo"], validate=True)) if wanted["logo"] else None
    except ValueError as error:
        if isinstance(error, JantakuError):
            raise
        raise RequestError("logo_type", field="logo") from error
    cover = Cover(wanted["club"], wanted["date"], logo, rules_name(rules, language))
    known = wanted["known"]
    made = one_page(rules, known, language, cover) if known else booklet(rules, language, cover)
    write, paper = FORMATS[wanted["format"]].write, PAPERS[wanted["paper"]]
    if wanted["format"] == "pdf":  # its library keeps the last ten, 40 MB each
        return apart(write, made, paper, None)
    return write(made, paper, None)


@playing_job
def list_yaku(rules: Ruleset, language: Language) -> Data:
    """The yaku of a ruleset with examples: ``YakuGuide`` as data."""
    from jantaku.server.rules.yaku_guide import yaku_guide

    return yaku_guide(rules, language)


@playing_job
def list_gallery(language: Language) -> Data:
    """The parts that rules can take in, with examples: ``Gallery`` as data."""
    from jantaku.server.rules.gallery_page import gallery_page

    return gallery_page(language)


@playing_job
def try_own_yaku(toml: str, yaku: str, hand: Mapping[str, Any] | None, language: Language) -> Data:
    """Try an own yaku of a rules file: ``OwnTried`` as data."""
    from jantaku.server.rules.own_yaku import tried_yaku

    return tried_yaku(toml, yaku, hand, language)


@playing_job
def play_own_yaku(toml: str, yaku: str) -> Data:
    """Let bots play with an own yaku of a rules file: ``OwnPlayed`` as data."""
    from dataclasses import asdict

    from jantaku.lab.yaku_frequency import play_with

    rules = parsed(toml)
    if all(own.id != yaku for own in rules.own_yaku):
        raise no_choice("yaku", yaku, [own.id for own in rules.own_yaku])
    return asdict(play_with(rules, yaku))
