"""``jantaku score``: score and explain one hand, or answer a stream of JSON-lines requests."""

import sys
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from jantaku.cli.command import RULES, AsJson, Jsonl, one_of, panel_option
from jantaku.cli.console import open_file, out, printed, refuse_unused, rules_finder, rules_named
from jantaku.errors import HandError, RequestError, RulesError
from jantaku.fields import choice
from jantaku.hand import SOURCES, WIND_NAMES, Meld, MeldType, Source, typed_meld
from jantaku.rules import Ruleset
from jantaku.rules.yaku_names import find_yaku
from jantaku.seats import sources_of
from jantaku.win import COUNTS, RARE, RiichiKind, Win

MAY_NOT_WIN = 1
WINDS = "east|south|west|north"
STREAM_OPTIONS = {"hand", "rules", "jsonl"}  # valid with --jsonl; the rest is part of the requests

Parameters = Mapping[str, Any]


Melds = Annotated[list[str] | None, panel_option("melds", metavar="TILES[@SOURCE]")]


def score(  # noqa: PLR0913, PLR0917  (each is an option; they are read from the context)
    context: typer.Context,
    hand: Annotated[list[str] | None, typer.Argument(metavar="TILES | FILE")] = None,
    chi: Melds = None,
    pon: Melds = None,
    ankan: Melds = None,
    daiminkan: Melds = None,
    kakan: Melds = None,
    tsumo: Annotated[bool, panel_option("situation", "--tsumo")] = False,
    ron: Annotated[bool, panel_option("situation", "--ron")] = False,
    source: Annotated[str | None, one_of("left|across|right", "--from", panel="situation")] = None,
    riichi: Annotated[bool, panel_option("situation", "--riichi")] = False,
    double_riichi: Annotated[bool, panel_option("situation", "--double-riichi")] = False,
    open_riichi: Annotated[bool, panel_option("situation", "--open-riichi")] = False,
    ippatsu: Annotated[bool, panel_option("situation", "--ippatsu")] = False,
    last_tile: Annotated[bool, panel_option("situation", "--last-tile")] = False,
    rinshan: Annotated[bool, panel_option("situation", "--rinshan")] = False,
    chankan: Annotated[bool, panel_option("situation", "--chankan")] = False,
    first_turn: Annotated[bool, panel_option("situation", "--first-turn")] = False,
    riichi_tile: Annotated[bool, panel_option("situation", "--riichi-tile")] = False,
    kan_discard: Annotated[bool, panel_option("situation", "--kan-discard")] = False,
    discarder_riichi: Annotated[bool, panel_option("situation", "--discarder-riichi")] = False,
    furiten: Annotated[bool, panel_option("situation", "--furiten")] = False,
    final_hand: Annotated[bool, panel_option("situation", "--final-hand")] = False,
    round_wind: Annotated[str, panel_option("table", "--round", metavar=WINDS)] = "east",
    seat: Annotated[str, panel_option("table", metavar=WINDS)] = "south",
    dora: Annotated[list[str] | None, panel_option("table", metavar="TILES")] = None,
    ura: Annotated[list[str] | None, panel_option("table", metavar="TILES")] = None,
    honba: Annotated[int, panel_option("table", metavar="N")] = 0,
    deposits: Annotated[int, panel_option("table", metavar="N")] = 0,
    laid: Annotated[int, panel_option("table", metavar="N")] = 0,
    dealer_streak: Annotated[int, panel_option("table", metavar="N")] = 0,
    kita: Annotated[int, panel_option("table", metavar="N")] = 0,
    wareme: Annotated[str | None, panel_option("table", metavar=WINDS)] = None,
    pao: Annotated[list[str] | None, panel_option("table", metavar="YAKU=SOURCE")] = None,
    rules: Annotated[str, RULES] = "standard",
    as_json: AsJson = False,
    brief: Annotated[bool, typer.Option("--brief")] = False,
    jsonl: Jsonl = False,
) -> int:
    """Score one hand, or every request of a stream."""
    given, ruleset = context.params, rules_named(rules)
    if jsonl:
        from jantaku.adjudication.jsonl import answer

        refuse_unused(context, given.keys() - STREAM_OPTIONS, "--jsonl")
        respond = partial(answer, default_rules=ruleset, find=rules_finder(rules, ruleset))
        return answer_files(hand or [], respond)
    if brief:
        refuse_unused(context, ("as_json",), "--brief")
    if not hand:
        raise RequestError("no_hand", field="TILES")
    win = win_from_options(given)
    _check_sources(win, ruleset)
    return _show(win, ruleset, as_json=as_json, brief=brief)


def _show(win: Win, rules: Ruleset, *, as_json: bool, brief: bool) -> int:
    """Print the score of a win or why it may not win: as JSON, in one line, or explained."""
    from jantaku.adjudication.explain import explain, explain_failure
    from jantaku.adjudication.score import score as adjudicate
    from jantaku.cli.explanation import explained, summary

    try:
        result = adjudicate(win, rules)
    except HandError as error:
        if brief:
            out().print(error.message(), soft_wrap=True)
            return MAY_NOT_WIN
        code, explanation = MAY_NOT_WIN, explain_failure(win, rules, error)
        data: dict[str, Any] = {"error": {"code": error.code, "message": error.message()}}
    else:
        if brief:
            out().print(summary(result), soft_wrap=True)
            return 0
        code, explanation, data = 0, explain(result), result.to_dict()
    if not printed(lambda: {**data, "explanation": explanation.to_dict()}, as_json, indent=2):
        out().print(explained(explanation, win))
    return code


def _check_sources(win: Win, rules: Ruleset) -> None:
    """Raise ``RulesError`` for the source ``across`` in a three-player game.

    Stored data may use it for the last player (``seats.turns_to``); on the command line it is a mistake.
    """
    sources = {"--from": win.source} | {f"--{meld.type}": meld.source for meld in win.hand.melds}
    for path, source in (*sources.items(), *(("--pao", source) for source in (win.pao or {}).values())):
        if source is not None and source not in sources_of(len(rules.seats)):
            raise RulesError("source_not_in_rules", path=path, players=len(rules.seats), source=source)


def win_from_options(given: Parameters) -> Win:
    """Build the win described by the command's options."""
    situation = {name: given[name] for name in (*RARE, *COUNTS)}
    if given["tsumo"] and given["ron"]:
        raise RequestError("tsumo_or_ron", field="--tsumo, --ron")
    if given["source"] is not None:
        situation["source"] = choice(given["source"], "--from", SOURCES)
    if given["wareme"] is not None:
        situation["wareme"] = choice(given["wareme"], "--wareme", WIND_NAMES)
    return Win.parse(
        " ".join(given["hand"]),
        melds_from_options(given),
        dora=" ".join(given["dora"] or []),
        ura=" ".join(given["ura"] or []),
        tsumo=given["tsumo"],
        round=choice(given["round_wind"], "--round", WIND_NAMES),
        seat=choice(given["seat"], "--seat", WIND_NAMES),
        riichi=_riichi(given),
        pao=_liable_players(given["pao"] or []),
        **situation,
    )


def melds_from_options(given: Parameters) -> list[Meld]:
    """Parse the melds given by the options."""
    return [typed_meld(kind, text, f"--{kind}") for kind in MeldType for text in given[kind.value] or []]


def _riichi(given: Parameters) -> RiichiKind | None:
    if given["open_riichi"]:
        return "double_open" if given["double_riichi"] else "open"
    if given["double_riichi"]:
        return "double"
    return "riichi" if given["riichi"] else None


def _liable_players(texts: Iterable[str]) -> dict[str, Source]:
    liable_players: dict[str, Source] = {}
    for text in texts:
        name, equals, source = text.partition("=")
        if not equals:
            raise RequestError("pao_syntax", field="--pao", value=text)
        yaku = find_yaku(name)
        if liable_players.setdefault(yaku, choice(source, "--pao", SOURCES)) != source:
            raise RequestError("pao_twice", field="--pao", yaku=yaku)
    return liable_players


def answer_files(names: list[str], respond: Any) -> int:
    """Write one answer per request line, flushing each."""
    from jantaku.adjudication.jsonl import answer_lines

    cast("Any", sys.stdout).reconfigure(encoding="utf-8")
    for name in names or ["-"]:
        if name == "-" and sys.stdin is None:  # the caller has closed standard input
            raise RequestError("missing_field", field="FILE")
        stream = sys.stdin.buffer if name == "-" else open_file(Path(name))
        with stream:
            for line in answer_lines(stream, respond):
                sys.stdout.write(line + "\n")
                sys.stdout.flush()
    return 0
