"""Routes of rulesets, custom yaku and term tables."""

import asyncio
from functools import cache
from typing import Annotated, Final

from fastapi import Depends, Path, Query, Request, Response
from starlette.responses import JSONResponse

from jantaku import terms
from jantaku.lab.yaku_frequency import PlayedYaku
from jantaku.rules import load, preset_names
from jantaku.rules.own import MAX_TEXT
from jantaku.rules.own.word_list import words_listed
from jantaku.rules.schema import schema
from jantaku.server.edge.bodies import Done, Invite, router_of
from jantaku.server.edge.limits import Principal
from jantaku.server.edge.pages import base_of_links, invite_to, qr_page
from jantaku.server.edge.protocol import LanguageCode
from jantaku.server.people.auth_dependencies import (
    InjectedServices,
    OptionalUser,
    Person,
    Requester,
    RequestLanguage,
    limit_stored_body,
)
from jantaku.server.rules import bodies, pages
from jantaku.server.rules.bodies import RulesSchema, TermTree
from jantaku.server.rules.pages import diff_rows, page, row, rules_name, saved_row
from jantaku.server.rules.yaku import gallery_page, play_own_yaku, try_own_yaku, yaku_guide

router = router_of("/api/rules", "rules")
Name = Annotated[str, Path(max_length=64)]
MEDIA_TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "pdf": "application/pdf",
    "md": "text/markdown; charset=utf-8",
}
MAX_GUIDES: Final = 64  # of 40 kB each
# the most recent ones, because the players of a table request the same guide
_guides: dict[tuple[str, ...], bodies.YakuGuide] = {}
_galleries: dict[str, bodies.Gallery] = {}  # by language
PAGE_POLICY: Final = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def booklet_query(
    format_: Annotated[bodies.BookletFormat, Query(alias="format")] = "html",
    paper: bodies.BookletPaper = "a4",
    club: bodies.ShortText = "",
    date: bodies.ShortText = "",
    known: bodies.ShortText = "",
) -> bodies.BookletBody:
    """Read the booklet's parameters from the query."""
    return bodies.BookletBody(format=format_, paper=paper, club=club, date=date, known=known)


@router.get("")
async def presets(
    services: InjectedServices, who: OptionalUser, language: RequestLanguage
) -> bodies.RulesList:
    """List my saved rules, the house rules, then the presets."""
    own = []
    if who is not None:
        own = [saved_row(rules, language) for rules in await services.rulesets.of_person(who.id)]
    house = [row(rules, language, house=True) for rules in services.rulesets.house.values()]
    return bodies.RulesList(rules=own + house + [row(load(name), language) for name in preset_names()])


@router.get("/options", response_model=RulesSchema)
async def options(language: RequestLanguage) -> Response:
    """Return the options of a rules file as a JSON Schema with texts."""
    with terms.using(language):
        return JSONResponse(schema(language))  # static data needs no validation on every request


@router.get("/gallery")
async def gallery(services: InjectedServices, language: RequestLanguage, asker: Requester) -> bodies.Gallery:
    """List custom yaku and house rules that can be added to a rules file."""
    if language not in _galleries:
        _galleries[language] = await services.workers.run(asker, gallery_page, language)
    return _galleries[language]


@router.post("/check")
async def check(
    services: InjectedServices, language: RequestLanguage, asker: Requester, body: bodies.TomlBody
) -> bodies.Checked:
    """Check a rules file and list its errors."""
    checked: bodies.Checked = await services.workers.run(asker, pages.check_rules, body.toml, language)
    return checked


@router.get("/own/words")
async def own_words(language: RequestLanguage) -> bodies.OwnWords:
    """Return the vocabulary of the conditions of custom yaku."""
    return bodies.OwnWords(words=words_listed(language), most=MAX_TEXT)


@router.post("/own/try")
async def try_own(
    services: InjectedServices, language: RequestLanguage, asker: Requester, body: bodies.OwnYakuBody
) -> bodies.OwnTried:
    """Describe a custom yaku of a rules file, with hands that have it and hands that narrowly miss it."""
    hand = body.hand.model_dump(by_alias=True) if body.hand else None
    tried: bodies.OwnTried = await services.workers.run(
        asker, try_own_yaku, body.toml, body.yaku, hand, language
    )
    return tried


@router.post("/own/play")
async def play_own(
    services: InjectedServices, _: Person, asker: Requester, body: bodies.OwnPlayBody
) -> PlayedYaku:
    """Measure how often bots win with a custom yaku, and suggest its han."""
    played: PlayedYaku = await services.workers.run(asker, play_own_yaku, body.toml, body.yaku)
    return played


@router.post("", dependencies=[Depends(limit_stored_body)])
async def save(
    request: Request, services: InjectedServices, asker: Requester, who: Person, body: bodies.TomlBody
) -> bodies.SavedRules:
    """Save a rules file under its fingerprint; tables can use it immediately."""
    loaded = load(await services.workers.run(asker, pages.read_rules, body.toml))
    rules = loaded.under(loaded.fingerprint)
    saved = await services.rulesets.save(rules, body.toml, who.id, services.settings.limits)
    base = base_of_links(request, services.settings)
    return bodies.SavedRules(id=saved, url=f"{base}/rules/{saved}")


@router.get("/{name}")
async def one(
    services: InjectedServices, language: RequestLanguage, asker: Requester, name: Name
) -> bodies.RulesPage:
    """Return one ruleset in words."""
    rules = await services.rulesets.find(name)
    toml = "" if name in preset_names() else await services.rulesets.toml(name)
    async with services.rules_pages.turn(asker):
        return await asyncio.to_thread(page, rules, toml, language)


@router.delete("/{name}")
async def delete(services: InjectedServices, who: Person, name: Name) -> Done:
    """Delete rules that I have saved. Tables and games that use them keep a copy."""
    await services.rulesets.delete(name, who.id)
    return Done()


@router.get("/{name}/invite")
async def invite(request: Request, services: InjectedServices, name: Name) -> Invite:
    """Return the link that shares a ruleset with other people."""
    await services.rulesets.find(name)
    return invite_to(request, services.settings, f"/rules/{name}")


@router.get("/{name}/qr.svg", response_class=Response)
async def qr(request: Request, services: InjectedServices, name: Name) -> Response:
    """Return the ruleset's link as a QR code."""
    return qr_page(await invite(request, services, name))


@router.get("/{name}/booklet", response_class=Response)
async def booklet(
    services: InjectedServices,
    language: RequestLanguage,
    asker: Requester,
    name: Name,
    wanted: Annotated[bodies.BookletBody, Depends(booklet_query)],
) -> Response:
    """Write the rules as a booklet for players."""
    return await _booklet_response(services, language, asker, name, wanted)


@router.post("/{name}/booklet", response_class=Response)
async def booklet_with_logo(
    services: InjectedServices,
    language: RequestLanguage,
    asker: Requester,
    name: Name,
    body: bodies.BookletBody,
) -> Response:
    """Write the rules as a booklet with a logo on the first page."""
    return await _booklet_response(services, language, asker, name, body)


async def _booklet_response(
    services: InjectedServices,
    language: terms.Language,
    asker: Principal,
    name: str,
    wanted: bodies.BookletBody,
) -> Response:
    rules = await services.rulesets.find(name)
    made = await services.workers.run(asker, pages.write_booklet, rules, wanted.model_dump(), language)
    file = f"jantaku-{rules.fingerprint}.{language}.{wanted.format}"
    shown = "inline" if wanted.format == "html" else "attachment"
    headers = {"content-disposition": f'{shown}; filename="{file}"', "content-security-policy": PAGE_POLICY}
    return Response(made, media_type=MEDIA_TYPES[wanted.format], headers=headers)


@router.get("/{name}/yaku")
async def yaku(
    services: InjectedServices, language: RequestLanguage, asker: Requester, name: Name
) -> bodies.YakuGuide:
    """List all yaku of the rules with example hands."""
    rules = await services.rulesets.find(name)
    words = [
        (own.id, sorted((part, *texts.items()) for part, texts in own.words.items()))
        for own in rules.own_yaku
    ]
    key = (rules.id, rules.fingerprint, str(words), language)  # the fingerprint does not cover the words
    if key not in _guides:
        made = await services.workers.run(asker, yaku_guide, rules, language)
        if len(_guides) >= MAX_GUIDES:
            del _guides[next(iter(_guides))]
        _guides[key] = made
    return _guides[key]


@router.get("/{name}/diff")
async def diff(
    services: InjectedServices,
    language: RequestLanguage,
    asker: Requester,
    name: Name,
    other: Annotated[str, Query(alias="with", max_length=64)] = "standard",
) -> bodies.Diff:
    """List the differences between two rulesets."""
    first = await services.rulesets.find(name)
    second = await services.rulesets.find(other)
    names = [rules_name(rules, language) for rules in (first, second)]
    async with services.rules_pages.turn(asker):
        rows = await asyncio.to_thread(diff_rows, first, second, language)
    return bodies.Diff(first=first.id, second=second.id, names=names, rows=rows)


words_router = router_of("/api", "words")
AN_HOUR = "public, max-age=3600"
SENT_AS: Final = {"drawn_table": "table"}  # names in the API that differ from the file's name


@cache
def _tables() -> dict[str, str]:
    """Map the API names of the term tables to their file names."""
    return {SENT_AS.get(name, name): name for name in terms.names()}


@words_router.get("/terms/{language}", response_model=dict[str, TermTree])
async def words(
    language: LanguageCode,
    tables: Annotated[str, Query(max_length=200, pattern=r"^[a-z,_]*$")] = "",
) -> Response:
    """Return all term tables in one language, or only the named ones."""
    known = [*_tables()]
    wanted = [name for name in tables.split(",") if name in known] if tables else known
    texts = {name: terms.table(_tables()[name], language) for name in wanted}
    # static data needs no validation on every request
    return JSONResponse(texts, headers={"cache-control": AN_HOUR})
