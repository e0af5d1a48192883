"""Files of rules with yaku in Python, for the tests of local yaku."""

from pathlib import Path

from support.scoring import full

HEAD = "from jantaku.kernels.masks import FIRSTS, DRAGONS\nfrom jantaku.rules.local import yaku\n"


BRIDGE = """
@yaku("kinmonkyou", closed={closed}, open={open}, name={{"ja": "金門橋"}}{more})
def kinmonkyou(b):
    return b.runs & b.runs >> 2 & b.runs >> 4 & b.runs >> 6 & FIRSTS != 0
"""


CLOSED = full({"hand": "12334556778m99p", "win": "9m"})
OPEN = full({"hand": "34556778m99p", "win": "9m", "melds": [{"type": "chi", "tiles": "123m"}]})
MARK = '@yaku("own", closed=1, name={"en": "Own"})\n'
EXAMPLE = '{"hand": "123345567789m1s", "win": "1s"}'


def write(folder: Path, code: str, rules: str = "") -> Path:
    (folder / "own.py").write_text(HEAD + code, "utf-8")
    path = folder / "club.toml"
    path.write_text('extends = "standard"\n[local]\nfile = "own.py"\n' + rules, "utf-8")
    return path


def bridge(closed: object = 2, opened: object = 1, more: str = "") -> str:
    return BRIDGE.format(closed=repr(closed), open=repr(opened), more=more)
