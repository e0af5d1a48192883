"""Rulesets: listed, as a sheet, compared, checked, saved, and the option table for the editor."""

import asyncio
import dataclasses
import tomllib
from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from jantaku import terms
from jantaku.errors import RulesError, RulesFileError
from jantaku.rules import Ruleset, load, preset_names
from jantaku.rules.schema import schema
from jantaku.rules.sheet import in_words, label, sheet, worth_in_words, worths, yaku_name
from jantaku.server.api import (
    Checked,
    Diff,
    DiffRow,
    Done,
    Invite,
    RulesList,
    RulesPage,
    RulesProblem,
    RulesRow,
    SavedRules,
    TomlBody,
)
from jantaku.server.deps import Person, Place, Tongue, Whoever
from jantaku.server.links import base_of_links, only_here, qr_code
from jantaku.server.rules_names import rules_name
from jantaku.server.rules_toml import changes_as_toml

router = APIRouter(prefix="/api/rules", tags=["rules"])
Name = Annotated[str, Path(max_length=64)]


def _row(rules: Ruleset, language: terms.Language, *, own: bool) -> RulesRow:
    return RulesRow(
        id=rules.id,
        name=rules_name(rules, language),
        about=rules.about.get(language, ""),
        fingerprint=rules.fingerprint,
        own=own,
    )


def page(rules: Ruleset, toml: str, language: terms.Language) -> RulesPage:
    """A ruleset in words, as data and as TOML."""
    found = sheet(rules, language)
    return RulesPage(
        id=rules.id,
        extends=rules.id if rules.id in preset_names() else _parent(toml),
        name=rules_name(rules, language),
        about=found.about,
        fingerprint=found.fingerprint,
        sections=[dataclasses.asdict(section) for section in found.sections],
        yaku=[dataclasses.asdict(row) for row in found.yaku],
        tree=rules.to_dict(),
        toml=toml or changes_as_toml(rules),
    )


def _parent(toml: str) -> str:
    return str(tomllib.loads(toml).get("extends", "standard"))


def parsed(toml: str) -> Ruleset:
    """The ruleset of a rules file's text, without running anybody's code."""
    try:
        data = tomllib.loads(toml)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise RulesError("not_toml", path="TOML", reason=str(error)) from error
    rules = load(data)
    return dataclasses.replace(rules, id=rules.fingerprint)


def _problems(error: RulesError, language: terms.Language) -> Iterator[RulesProblem]:
    for one in error.problems if isinstance(error, RulesFileError) else [error]:
        yield RulesProblem(path=one.path, code=one.code, message=_in_words(one, language))


def _in_words(problem: RulesError, language: terms.Language) -> str:
    """What is wrong, the option called by its name."""
    try:
        called = terms.text("server.rules.option", language, label=label(problem.path, language))
    except (KeyError, ValueError):
        return problem.message(language)
    return terms.with_tiles(f"errors.{problem.code}", language, problem.details | {"path": called})


@router.get("")
async def presets(place: Place, who: Whoever, tongue: Tongue) -> RulesList:
    """The rules I have saved, then the presets."""
    saved = [] if who is None else await place.services.rulebooks.of_person(who.id)
    own = [_row(rules, tongue, own=True) for rules in saved]
    return RulesList(rules=own + [_row(load(name), tongue, own=False) for name in preset_names()])


@router.get("/options")
async def options(tongue: Tongue) -> dict[str, Any]:
    """The option table as a JSON Schema, in words."""
    with terms.using(tongue):
        return schema(tongue)


@router.post("/check")
async def check(tongue: Tongue, body: TomlBody) -> Checked:
    """Whether a rules file is right, and what is wrong with it."""
    try:
        rules = await asyncio.to_thread(parsed, body.toml)
    except RulesError as error:
        return Checked(ok=False, problems=list(_problems(error, tongue)))
    shown = page(rules, body.toml, tongue).model_dump()
    return Checked(ok=True, problems=[], fingerprint=rules.fingerprint, sheet=shown)


@router.post("")
async def save(request: Request, place: Place, who: Person, body: TomlBody) -> SavedRules:
    """Save a rules file under its fingerprint, to be used at tables at once."""
    rules = await asyncio.to_thread(parsed, body.toml)
    most = place.services.settings.limits.rules_of_one
    saved = await place.services.rulebooks.save(rules, body.toml, who.id, most)
    base = base_of_links(request, place.services.settings)
    return SavedRules(id=saved, url=f"{base}/rules/{saved}")


@router.get("/{name}")
async def one(place: Place, tongue: Tongue, name: Name) -> RulesPage:
    """One ruleset in words."""
    rules = await place.services.rulebooks.find(name)
    toml = "" if name in preset_names() else await place.services.rulebooks.toml(name)
    return page(rules, toml, tongue)


@router.delete("/{name}")
async def delete(place: Place, who: Person, name: Name) -> Done:
    """Delete rules I have saved; tables and games under them keep their copy."""
    await place.services.rulebooks.delete(name, who.id)
    return Done()


@router.get("/{name}/invite")
async def invite(request: Request, place: Place, name: Name) -> Invite:
    """The link of a ruleset, as others can open it."""
    await place.services.rulebooks.find(name)
    base = base_of_links(request, place.services.settings)
    return Invite(url=f"{base}/rules/{name}", only_here=only_here(base))


@router.get("/{name}/qr.svg", response_class=Response)
async def qr(request: Request, place: Place, name: Name) -> Response:
    """That link as a QR code."""
    link = await invite(request, place, name)
    return Response(qr_code(link.url), media_type="image/svg+xml")


@router.get("/{name}/diff")
async def diff(
    place: Place,
    tongue: Tongue,
    name: Name,
    other: Annotated[str, Query(alias="with", max_length=64)] = "standard",
) -> Diff:
    """Where two rulesets differ."""
    first = await place.services.rulebooks.find(name)
    second = await place.services.rulebooks.find(other)
    names = [rules_name(rules, tongue) for rules in (first, second)]
    rows = list(_diff_rows(first, second, tongue))
    return Diff(first=first.id, second=second.id, names=names, rows=rows)


def _diff_rows(first: Ruleset, second: Ruleset, language: terms.Language) -> Iterator[DiffRow]:
    """Each option that differs; one row says what a yaku is worth closed and open."""
    worth_told = set()
    for path, (mine, theirs) in first.differences(second).items():
        section, name, *setting = path.split(".")
        if section == "yaku" and setting[0] in ("closed", "open"):
            said = [_worth(rules, name, language) for rules in (first, second)]
            if name not in worth_told and said[0] != said[1]:
                called = yaku_name(name, language, first)
                yield DiffRow(path=f"yaku.{name}", label=called, first=said[0], second=said[1])
            worth_told.add(name)
        else:
            words = (in_words(path, mine, language), in_words(path, theirs, language))
            yield DiffRow(path=path, label=label(path, language), first=words[0], second=words[1])


def _worth(rules: Ruleset, yaku: str, language: terms.Language) -> str:
    return " / ".join(worth_in_words(worth, language) for worth in worths(rules, yaku))
