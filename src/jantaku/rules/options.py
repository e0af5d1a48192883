"""Every option of a ruleset: its name, type, values, default and source, each in one place.

A section of a rules file is a frozen dataclass here and an option is one of its fields. The words
(label and meaning in each language) stand in ``terms/options.*.toml`` under the same key. The JSON
schema, the printed rule sheet, the checker and the record that compiled code reads are all made from
these classes. The ``lines`` of a field point at the numbered rule inventory the option comes from; an
empty string marks common practice on which the sources are silent.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal

POINTS: Final = 1_000_000  # the most that a setting may move
FOUL_DEPOSIT: Final = 1000  # points that a foul of the cost ``deposit_1000`` lays on the table (202)
FoulCost = Literal["none", "chombo", "dead_hand", "deposit_1000", "noten_at_draw", "expulsion"]


def _option(
    default: Any,
    lines: str = "",
    *,
    low: int | None = None,
    high: int | None = None,
    most: int = 0,
    step: int = 1,
) -> Any:
    """``low`` and ``high`` bound the number, or each number in a list or table of ``most`` entries.

    It must be a multiple of ``step``.
    """
    metadata = {"lines": lines, "low": low, "high": high, "most": most, "step": step}
    if isinstance(default, dict):
        return field(default_factory=lambda: MappingProxyType(default), metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, kw_only=True)
class MatchOptions:
    """How long a game is and how it is counted at the end."""

    players: Literal[4] = _option(4, "50")
    length: Literal["east", "hanchan", "full"] = _option("hanchan", "410")
    start_points: int = _option(25000, "400-401", low=1000, high=1_000_000, step=100)
    return_points: int = _option(30000, "400", low=1000, high=1_000_000)
    oka: Literal["derived", "none"] | int = _option("derived", "403", low=0, high=POINTS)
    uma: tuple[int, ...] = _option(
        (20000, 10000, -10000, -20000), "404-405,409", low=-POINTS, high=POINTS, most=4
    )
    floating_uma: tuple[tuple[int, ...], ...] = _option((), low=-POINTS, high=POINTS, most=4)
    tie: Literal["seat_order", "share"] = _option("seat_order")
    final_rounding: Literal["none", "nearest_1000", "five_down_six_up"] = _option("none")
    sticks: Mapping[str, int] = _option(
        {"10000": 1, "5000": 2, "1000": 4, "100": 10}, "407", low=0, high=1000, most=12
    )


@dataclass(frozen=True, kw_only=True)
class TilesOptions:
    """Which tiles are in the set."""

    red: Mapping[str, int] = _option({"5m": 1, "5p": 1, "5s": 1}, "45-46,116", low=0, high=4, most=27)


@dataclass(frozen=True, kw_only=True)
class DoraOptions:
    """Which dora there are and when an indicator is turned."""

    kan_dora: bool = _option(True, "105,114")
    ura: bool = _option(True, "105,115")
    kan_ura: bool = _option(True, "105,115")
    ankan_reveal: Literal["at_once", "after_discard"] = _option("at_once", "102-104")
    minkan_reveal: Literal["before_draw", "before_discard", "after_discard"] = _option(
        "before_draw", "97-99,102-106"
    )
    delayed_dora_counts_for_ron: bool = _option(False, "106")


@dataclass(frozen=True, kw_only=True)
class CallsOptions:
    """What may be called and what may not be discarded after it."""

    kuitan: bool = _option(True, "276,315")
    kuikae: Literal["forbidden", "suji_allowed", "allowed"] = _option("forbidden", "85-90")
    sakizuke: Literal["atozuke", "kanzen"] = _option("atozuke", "92,314,454")
    ankan_display: Literal["outer_down", "inner_down", "all_down"] = _option("outer_down", "437")
    kan_limit_one_player: bool = _option(True, "107-109")


@dataclass(frozen=True, kw_only=True)
class RiichiOptions:
    """Declaring riichi and what follows from it."""

    deposit: int = _option(1000, "122,136", low=0, high=100_000, step=100)
    needs_points: bool = _option(True, "126")
    draws_left: int = _option(1, "127-128", low=0, high=17)
    short_wall: Literal["forbidden", "foul"] = _option("forbidden", "127-128")
    ankan: Literal["never", "same_waits", "same_structure"] = _option("same_structure", "130-133")
    furiten_allowed: bool = _option(True, "134,163")
    exhausted_wait: Literal["allowed", "refused", "foul"] = _option("allowed", "127")
    double: bool = _option(True, "140-142")
    double_broken_by_ankan: bool = _option(True, "141")
    ippatsu: bool = _option(True, "143-146,308")
    ippatsu_broken_by_ankan: bool = _option(True, "144")
    open: bool = _option(False, "148-150")
    open_han: int = _option(2, "151", low=1, high=13)
    open_deal_in: Literal["normal", "yakuman"] = _option("normal", "151")
    sticks_to: Literal["any_winner", "riichi_winner"] = _option("any_winner", "136-138")
    stick_when_declaration_is_ronned: Literal["kept", "paid"] = _option("kept", "139")


@dataclass(frozen=True, kw_only=True)
class FuritenOptions:
    """How long a passed win bars ron."""

    temporary_until: Literal["own_draw", "own_draw_or_call"] = _option("own_draw", "159-160")
    riichi_permanent: bool = _option(True, "165")


@dataclass(frozen=True, kw_only=True)
class WinOptions:
    """Who may win, and who takes what lies on the table."""

    multiple_ron: Literal[
        "head_bump", "all", "double_triple_draw", "nearest_two", "head_bump_triple_draw"
    ] = _option("double_triple_draw", "233,253-259")
    deposits_to: Literal["nearest", "split"] = _option("nearest", "258")
    honba_to: Literal["nearest", "each"] = _option("nearest", "258")
    two_han_from_honba: int = _option(0, "250,386", low=0, high=99)
    kokushi_on_ankan: bool = _option(False, "120-121,368")
    suukantsu_by_kan: bool = _option(False, "362")


@dataclass(frozen=True, kw_only=True)
class ScoreOptions:
    """From han and fu to points."""

    one_han_20_fu: bool = _option(True, "270")
    zero_han_win: Literal["none", "counted"] = _option("none", "271-272")
    double_wind_pair_fu: Literal[2, 4] = _option(4)
    rinshan_tsumo_fu: bool = _option(True)
    kiriage_mangan: bool = _option(False)
    kazoe: Literal["yakuman", "sanbaiman"] = _option("yakuman", "118,266")
    multiple_yakuman: bool = _option(True, "378")
    limit_yaku: Literal["at_least", "adds", "caps"] = _option("at_least", "344")
    honba_value: int = _option(300, "248", low=0, high=100_000, step=100)


@dataclass(frozen=True, kw_only=True)
class DrawOptions:
    """Hands that end without a win."""

    noten_payment: int = _option(3000, "220", low=0, high=100_000, step=100)
    kyuushu_kyuuhai: bool = _option(True, "229-230")
    suufuu_renda: bool = _option(True, "231")
    suucha_riichi: bool = _option(True, "232")
    suukansanra: bool = _option(True, "227-228")
    sanchahou: bool = _option(True, "233")
    suukansanra_at: Literal["after_discard", "at_once"] = _option("after_discard", "225,227")
    suucha_riichi_noten: Literal["chombo", "none"] = _option("chombo", "153,187")
    dealer_after_abort: Literal["stays", "passes"] = _option("stays", "236-237")
    dealer_after_triple_ron: Literal["stays", "passes_if_dealer_dealt_in", "passes"] = _option("stays", "238")
    honba_after_abort: Literal["adds", "keeps"] = _option("adds", "234,239")
    nagashi_mangan: Literal["off", "as_draw", "as_win"] = _option("as_draw", "304-305,342,353")
    nagashi_needs_closed: bool = _option(False, "304-305")


@dataclass(frozen=True, kw_only=True)
class DealOptions:
    """When the dealer stays."""

    renchan: Literal["tenpai", "agari", "none"] = _option("tenpai", "244-246,249")
    paarenchan: Literal["off", "from_eighth", "every_eighth"] = _option("off", "251,384-385")


@dataclass(frozen=True, kw_only=True)
class EndOptions:
    """When the game ends and what happens to what is left on the table."""

    tobi: Literal["off", "below_zero", "zero_or_below"] = _option("below_zero", "415")
    dealer_stop: Literal["off", "optional", "forced"] = _option("optional", "412")
    dealer_stop_points: int = _option(0, low=0, high=1_000_000)
    extension: Literal["none", "sudden_death"] = _option("none")
    extension_target: int = _option(30000, low=0, high=1_000_000)
    leftover_deposits: Literal["first", "nobody", "riichi_owner"] = _option("first", "138,222,414")


@dataclass(frozen=True, kw_only=True)
class PaoOptions:
    """Liability of the player whose tile made a yakuman certain."""

    yakuman: tuple[str, ...] = _option(("daisangen", "daisuushii"), "394,396,398", most=64)
    tsumo: Literal["all", "equal_shares"] = _option("all", "394,399")
    ron: Literal["half", "equal_shares"] = _option("half", "395,399")
    scope: Literal["that_yakuman_only", "whole_hand"] = _option("that_yakuman_only", "394-399")
    honba: Literal["discarder", "liable"] = _option("discarder", "399")
    rinshan_after_daiminkan: Literal["normal", "feeder_pays"] = _option("normal", "320,397")


@dataclass(frozen=True, kw_only=True)
class FoulsOptions:
    """Whether illegal acts are refused or happen and cost, and what each costs."""

    mode: Literal["prevent", "penalise"] = _option("prevent", "166-207")
    chombo: Literal["mangan", "flat", "to_each", "deduct"] = _option("mangan", "167-170")
    chombo_points: int = _option(3000, "168-170", low=0, high=100_000, step=100)
    false_win_shown: FoulCost = _option("chombo", "173")
    false_win_called: FoulCost = _option("dead_hand", "182,197")
    false_win_in_riichi: FoulCost = _option("dead_hand", "200")
    furiten_ron: FoulCost = _option("chombo", "162,174")
    noten_riichi: FoulCost = _option("chombo", "135,175")
    illegal_riichi_ankan: FoulCost = _option("chombo", "133,176")
    genbutsu_kuikae: FoulCost = _option("chombo", "89,177")
    suji_kuikae: FoulCost = _option("dead_hand", "90,195")
    late_riichi: FoulCost = _option("dead_hand", "128,194")
    exhausted_riichi: FoulCost = _option("dead_hand", "127")
    wrong_meld: FoulCost = _option("dead_hand", "191")
    call_slip: FoulCost = _option("deposit_1000", "202-204")
    acting_dead: FoulCost = _option("chombo", "181,201")
    too_many_tiles: FoulCost = _option("dead_hand", "192,198")
    too_few_tiles: FoulCost = _option("dead_hand", "193,198")
    call_with_wrong_count: FoulCost = _option("chombo", "183")
    late_pickup: FoulCost = _option("dead_hand", "83,196")
    never_picked_up: FoulCost = _option("dead_hand", "84,185")
    wrong_draw_in_riichi: FoulCost = _option("none", "199")
    revealing_tiles: FoulCost = _option("chombo", "184")
    looking_at_hand: FoulCost = _option("chombo", "178")
    moving_seat: FoulCost = _option("chombo", "179")
    collapsing_wall: FoulCost = _option("chombo", "180")
    misconduct: FoulCost = _option("expulsion", "188,207")


@dataclass(frozen=True, kw_only=True)
class ClockOptions:
    """Time to think, in seconds."""

    claim_window_s: int = _option(3, "76,428-430", low=0, high=600)
    turn_s: int = _option(5, low=0, high=3600)
    bank_s: int = _option(20, low=0, high=36000)


@dataclass(frozen=True, kw_only=True)
class EventOptions:
    """The competition the rules are written for."""

    format: Literal["individual", "team"] = _option("individual", "416-420")
    days: int = _option(0, "420", low=0, high=366)
    finalists: int = _option(0, "419", low=0, high=10_000)


SECTIONS: dict[str, type] = {
    "match": MatchOptions,
    "tiles": TilesOptions,
    "dora": DoraOptions,
    "calls": CallsOptions,
    "riichi": RiichiOptions,
    "furiten": FuritenOptions,
    "win": WinOptions,
    "score": ScoreOptions,
    "draw": DrawOptions,
    "deal": DealOptions,
    "end": EndOptions,
    "pao": PaoOptions,
    "fouls": FoulsOptions,
    "clock": ClockOptions,
    "event": EventOptions,
}
