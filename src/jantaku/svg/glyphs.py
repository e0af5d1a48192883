"""The characters on the tiles, as brush strokes in a square of 100 by 100."""

from functools import cache
from typing import Final

from jantaku.svg.brush import FINE, path, read_strokes

# A character, its brush width, and its strokes
_GLYPHS: Final[dict[str, tuple[float, str]]] = {
    "一": (17, """
        heng 6,55 94,49
    """),
    "二": (15.5, """
        heng 20,26 80,21; heng 6,83 94,78
    """),
    "三": (14, """
        heng 16,16 84,11; heng 23,51 77,46; heng 5,90 95,85
    """),
    "四": (13, """
        shu 13,18 18,92; jian 13,19 87,16; zhe 87,18 82,93; duan 18,84 82,83; pie 40,18 41,48 27,63;
        wan 59,18 59,46; wan 59,46 59,60 75,60
    """),
    "五": (14, """
        heng 14,14 80,9; pie 48,14 46,52 36,86; heng 17,48 75,44; zhe 74,45 69,85;
        heng 4,90 96,86
    """),
    "六": (14.5, """
        dian 42,2 58,21; heng 5,38 95,33; pie 38,52 32,76 7,97; dian 58,54 88,92
    """),
    "七": (14.5, """
        heng 4,50 94,37; shu 45,5 45,66; wan 45,64 45,89 64,89; wan 64,89 86,89; gou 88,90 95,64
    """),
    "八": (15.5, """
        pie 37,14 38,58 5,93; na 53,8 60,62 97,92
    """),
    "九": (14.5, """
        heng 9,38 70,33; pie 43,4 47,64 5,96; zhe 69,34 67,66; wan 67,64 67,90 84,90;
        gou 88,91 97,66
    """),
    "萬": (9.2, """
        heng 5,15 95,12; shu 31,2 34,27; shu 69,2 65,27; shu 23,32 26,61; jian 24,33 77,32;
        zhe 76,33 73,61; duan 26,46 74,45; duan 26,58 74,57; zhe 50,32 50,86; shu 11,68 12,100;
        jian 12,69 89,68; zhe 88,69 88,96; gou 88,98 76,91; duan 29,89 58,83; dian 56,73 68,92
    """),
    "東": (11, """
        heng 8,17 92,14; zhen 50,1 50,98; shu 22,31 25,66; jian 23,32 78,31; zhe 77,32 74,66;
        duan 25,47 75,46; duan 26,62 74,61; pie 45,66 32,84 4,95; na 53,63 68,84 98,94
    """),
    "南": (11, """
        heng 9,17 91,14; shu 50,2 50,34; shu 13,36 13,100; jian 13,37 88,36; zhe 87,37 87,94;
        gou 87,95 71,88; dian 33,44 42,57; pie 67,43 64,52 57,60; duan 29,62 71,61; duan 25,78 75,77;
        zhen 50,58 50,98
    """),
    "西": (11.5, """
        heng 5,15 95,11; shu 12,37 17,98; jian 13,38 88,37; zhe 87,38 83,98; duan 17,89 83,88;
        pie 40,15 40,56 25,70; wan 60,14 60,54; wan 60,54 60,70 79,69
    """),
    "北": (13, """
        shu 36,4 36,98; duan 7,38 36,36; pie 6,86 22,80 40,66; shu 62,4 62,74; wan 62,72 62,90 76,90;
        wan 76,90 88,90; gou 91,90 97,64; pie 93,24 84,40 62,49
    """),
    "發": (8.9, """
        duan 13,13 42,11; pie 42,12 34,37 4,50; dian 15,24 28,36; na 54,5 64,34 97,48;
        pie 76,3 71,13 61,19; pie 93,14 86,24 75,31; duan 13,53 44,51; zhe 43,52 42,65;
        duan 17,65 42,64; shu 19,65 15,79; duan 16,79 46,78; pie 45,79 46,92 38,99; gou 39,98 21,91;
        pie 61,52 61,63 49,72; duan 61,52 79,51; wan 78,53 77,66 89,66; gou 89,67 98,58;
        duan 52,79 87,78; pie 85,79 76,93 46,100; na 57,81 70,93 97,100
    """),
    "中": (13.5, """
        shu 13,27 17,74; jian 13,29 88,28; zhe 87,29 83,74; duan 17,66 83,65; zhen 50,1 50,97
    """),
}  # fmt: skip
NUMERALS: Final = "一二三四五六七八九"
SQUARE: Final = 100 * FINE


@cache
def glyph(character: str) -> str:
    """Return the path data of a character in a square of ``SQUARE`` by ``SQUARE``."""
    brush, strokes = _GLYPHS[character]
    return path(read_strokes(strokes), brush)
