"""The characters on the tiles, as brush strokes in a square of 100 by 100."""

from functools import cache
from typing import Final

from jantaku.svg.brush import path, read_strokes

# A character, its brush width, and its strokes
_GLYPHS: Final[dict[str, tuple[float, str]]] = {
    "一": (15, """
        heng 6,54 94,48
    """),
    "二": (14, """
        heng 22,28 80,24; heng 6,80 94,75
    """),
    "三": (13, """
        heng 16,18 84,14; heng 24,50 77,46; heng 5,86 95,81
    """),
    "四": (12, """
        shu 14,20 19,88; heng 12,22 88,19; shu 86,20 81,88; heng 19,82 80,80; pie 40,22 41,50 28,62;
        wan 59,22 59,44; wan 59,44 59,58 75,58
    """),
    "五": (13, """
        heng 16,16 84,12; pie 52,14 48,50 38,84; heng 20,48 76,44; shu 74,44 69,84; heng 4,88 96,84
    """),
    "六": (14, """
        dian 44,4 58,24; heng 6,39 94,34; pie 40,50 36,74 8,94; dian 58,52 74,66 90,92
    """),
    "七": (14, """
        heng 4,50 92,37; shu 44,8 44,70; wan 44,70 44,88 64,88; wan 64,88 88,87; gou 89,88 95,66
    """),
    "八": (15, """
        pie 38,16 38,58 6,90; na 52,10 60,60 97,90
    """),
    "九": (14, """
        heng 12,36 70,31; pie 42,6 46,64 6,94; wan 67,32 66,56 66,74; wan 66,74 67,88 84,88;
        gou 88,89 97,66
    """),
    "萬": (9.5, """
        heng 6,15 94,13; shu 32,3 35,27; shu 68,3 64,27; shu 24,31 27,60; heng 24,33 77,31;
        shu 76,32 73,60; heng 27,46 74,45; heng 27,59 74,58; shu 50,32 50,84; shu 12,68 13,99;
        heng 12,69 89,67; shu 87,68 87,94; gou 87,97 73,91; heng 28,87 62,81; dian 58,74 71,90
    """),
    "東": (10.5, """
        heng 10,18 90,15; zhen 50,2 50,99; shu 23,31 26,65; heng 23,33 79,31; shu 77,32 74,65;
        heng 26,48 75,46; heng 26,62 75,61; pie 47,63 34,82 5,93; na 53,62 66,82 97,93
    """),
    "南": (10, """
        heng 10,18 90,15; shu 50,3 50,36; shu 14,36 14,98; heng 14,38 88,35; shu 86,36 86,91;
        gou 86,95 71,89; dian 34,44 43,57; pie 67,43 64,52 57,59; heng 29,62 71,60; heng 25,77 75,75;
        zhen 50,60 50,97
    """),
    "西": (11, """
        heng 5,16 95,12; shu 13,37 18,95; heng 13,39 88,36; shu 86,37 82,95; heng 18,88 82,87;
        pie 40,16 40,58 26,69; wan 60,15 60,52; wan 60,52 60,68 77,66
    """),
    "北": (12.5, """
        shu 36,6 36,94; heng 8,37 36,34; na 4,82 20,78 36,66; shu 61,4 61,74; wan 61,74 61,88 75,88;
        wan 75,88 90,87; gou 91,88 96,64; pie 93,26 82,40 62,48
    """),
    "發": (8.5, """
        heng 12,12 42,9; pie 42,10 34,36 4,48; dian 14,22 28,34; na 55,4 64,32 97,46;
        pie 78,3 72,12 62,18; pie 93,14 86,24 75,30; heng 13,50 45,48; shu 44,49 42,63;
        heng 18,63 43,61; shu 19,63 15,79; heng 16,77 46,75; pie 45,76 46,92 38,98; gou 38,97 22,90;
        pie 60,49 60,64 49,72; heng 60,50 81,48; wan 80,49 79,60; wan 79,60 80,67 96,64;
        heng 51,76 87,74; pie 85,75 76,92 46,99; na 57,78 70,92 97,99
    """),
    "中": (13, """
        shu 13,28 17,70; heng 13,30 88,27; shu 86,28 83,70; heng 17,66 83,64; zhen 50,2 50,100
    """),
}  # fmt: skip
NUMERALS: Final = "一二三四五六七八九"


@cache
def glyph(character: str) -> str:
    """The path data of a character in a square of 100 by 100."""
    brush, strokes = _GLYPHS[character]
    return path(read_strokes(strokes), brush)
