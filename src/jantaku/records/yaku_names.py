"""Find yaku by the names in records: Tenhou's, Mahjong Soul's, and Jantaku's in every language."""

import re
import unicodedata
from functools import cache
from typing import Final

from jantaku import terms
from jantaku.rules.catalogue import catalogue

AMONG_DORA: Final = {"kita": "dora", "kan_han": "dora"}  # Tenhou counts norths set aside as dora
_SPACES: Final = re.compile(r"[\W_]+")
# Spellings of Tenhou, Mahjong Soul and its converters that are missing from the term tables
_SPELLINGS: Final[dict[str, tuple[str, ...]]] = {
    "dora": ("ドラ", "Dora", "도라", "宝牌"),
    "ura_dora": ("裏ドラ", "Ura Dora", "Uradora", "뒷도라", "우라도라", "里宝牌"),
    "kita": ("抜きドラ", "Nuki Dora", "Kita", "북도라", "빼기 도라", "拔北宝牌", "北ドラ"),
    "red_dora": ("赤ドラ", "Red Five", "Aka Dora", "Red Dora", "적도라", "赤宝牌"),
    "seat_wind": (
        *("自風", "自風 東", "自風 南", "自風 西", "自風 北"),
        *("役牌:自風牌", "役牌 自風牌", "門風牌", "Seat Wind"),
    ),
    "round_wind": (
        *("場風", "場風 東", "場風 南", "場風 西", "場風 北"),
        *("役牌:場風牌", "役牌 場風牌", "Prevalent Wind", "Round Wind"),
    ),
    "yakuhai_haku": ("役牌 白", "役牌:白", "White Dragon", "Haku"),
    "yakuhai_hatsu": ("役牌 發", "役牌:發", "役牌 発", "Green Dragon", "Hatsu"),
    "yakuhai_chun": ("役牌 中", "役牌:中", "Red Dragon", "Chun"),
    "menzen_tsumo": ("門前清自摸和", "Fully Concealed Hand", "Menzen Tsumo", "Tsumo"),
    "tanyao": ("断幺九", "断么九", "断ヤオ九", "All Simples"),
    "iipeikou": ("一盃口", "Pure Double Sequence"),
    "haitei": ("海底摸月", "海底撈月", "Under the Sea"),
    "houtei": ("河底撈魚", "Under the River"),
    "rinshan_kaihou": ("嶺上開花", "After a Kan"),
    "chankan": ("槍槓", "搶槓", "Robbing a Kan"),
    "double_riichi": ("両立直", "ダブル立直", "Double Riichi"),
    "chanta": ("混全帯幺九", "混全帯么九", "Half Outside Hand"),
    "junchan": ("純全帯幺九", "純全帯么九", "Fully Outside Hand"),
    "ittsuu": ("一気通貫", "Pure Straight"),
    "sanshoku_doujun": ("三色同順", "Mixed Triple Sequence"),
    "sanshoku_doukou": ("三色同刻", "Triple Triplets"),
    "sankantsu": ("三槓子", "Three Quads"),
    "toitoi": ("対々和", "対対和", "All Triplets"),
    "sanankou": ("三暗刻", "Three Concealed Triplets"),
    "shousangen": ("小三元", "Little Three Dragons"),
    "honroutou": ("混老頭", "All Terminals and Honors"),
    "chiitoitsu": ("七対子", "Seven Pairs"),
    "honitsu": ("混一色", "Half Flush"),
    "ryanpeikou": ("二盃口", "Twice Pure Double Sequence"),
    "chinitsu": ("清一色", "Full Flush"),
    "suuankou": ("四暗刻", "Four Concealed Triplets"),
    "suuankou_tanki": ("四暗刻単騎", "Single-wait Four Concealed Triplets"),
    "kokushi_musou": ("国士無双", "Thirteen Orphans"),
    "kokushi_juusanmen": ("国士無双１３面", "国士無双十三面待ち", "Thirteen-wait Thirteen Orphans"),
    "chuuren_poutou": ("九蓮宝燈", "九連宝燈", "Nine Gates"),
    "junsei_chuuren": ("純正九蓮宝燈", "純正九連宝燈", "True Nine Gates"),
    "daisuushii": ("大四喜", "Four Big Winds"),
    "shousuushii": ("小四喜", "Four Little Winds"),
    "daisangen": ("大三元", "Big Three Dragons"),
    "tsuuiisou": ("字一色", "All Honors"),
    "ryuuiisou": ("緑一色", "All Green"),
    "chinroutou": ("清老頭", "All Terminals"),
    "suukantsu": ("四槓子", "Four Quads"),
    "tenhou": ("天和", "Blessing of Heaven"),
    "chiihou": ("地和", "Blessing of Earth"),
}
# Special forms that a score lists under the id of their base yakuman
FORMS: Final = {
    "suuankou_tanki": "suuankou",
    "kokushi_juusanmen": "kokushi_musou",
    "junsei_chuuren": "chuuren_poutou",
}


def _folded(name: str) -> str:
    return _SPACES.sub("", unicodedata.normalize("NFKC", name).casefold())


@cache
def _names() -> dict[str, str]:
    names: dict[str, str] = {}
    for yaku, spelt in _SPELLINGS.items():
        names |= {_folded(name): yaku for name in spelt}
    for yaku in catalogue():
        for language in terms.LANGUAGES:
            entry = terms.table("yaku", language)[yaku]
            for name in (yaku, entry["name"], entry["reading"], *entry["aliases"]):
                names.setdefault(_folded(name), yaku)
    return names


def yaku_of(name: str) -> str | None:
    """Return the id of a yaku or kind of dora by its name in a record; ``None`` for an unknown name.

    >>> yaku_of("役牌:場風牌"), yaku_of("Ura Dora"), yaku_of("自風 南"), yaku_of("?")
    ('round_wind', 'ura_dora', 'seat_wind', None)
    """
    return _names().get(_folded(name))
