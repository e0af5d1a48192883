"""Yaku that depend on how the hand was won."""

from jantaku.kernels import bits
from jantaku.kernels._jit import kernel
from jantaku.kernels.win import (
    AFTER_KAN,
    DISCARDER_IN_RIICHI,
    IN_DOUBLE_RIICHI,
    IN_OPEN_RIICHI,
    IN_RIICHI,
    LAST_TILE,
    ONE_SHOT,
    RIICHI_TILE,
    ROBBING_KAN,
    TSUMO,
)


@kernel
def riichi(b):
    return b.flags & IN_RIICHI != 0


@kernel
def double_riichi(b):
    return b.flags & IN_DOUBLE_RIICHI != 0


@kernel
def open_riichi(b):
    return b.flags & IN_OPEN_RIICHI != 0


@kernel
def double_open_riichi(b):
    return b.flags & IN_OPEN_RIICHI != 0 and b.flags & IN_DOUBLE_RIICHI != 0


@kernel
def open_riichi_deal_in(b):
    return b.flags & (IN_OPEN_RIICHI | TSUMO | DISCARDER_IN_RIICHI) == IN_OPEN_RIICHI


@kernel
def ippatsu(b):
    return b.flags & ONE_SHOT != 0


@kernel
def menzen_tsumo(b):
    return b.closed != 0 and b.flags & TSUMO != 0


@kernel
def haitei(b):
    return b.flags & (LAST_TILE | TSUMO | AFTER_KAN) == LAST_TILE | TSUMO


@kernel
def houtei(b):
    return b.flags & (LAST_TILE | TSUMO | ROBBING_KAN) == LAST_TILE


@kernel
def rinshan_kaihou(b):
    return b.flags & AFTER_KAN != 0


@kernel
def chankan(b):
    return b.flags & ROBBING_KAN != 0


@kernel
def tsubame_gaeshi(b):
    return b.flags & RIICHI_TILE != 0


@kernel
def by_situation(b):
    """Return the yaku of this module that the reading has, as a mask of ``kernels.bits``."""
    mask = 0
    mask |= int(riichi(b)) << bits.RIICHI
    mask |= int(double_riichi(b)) << bits.DOUBLE_RIICHI
    mask |= int(open_riichi(b)) << bits.OPEN_RIICHI
    mask |= int(double_open_riichi(b)) << bits.DOUBLE_OPEN_RIICHI
    mask |= int(open_riichi_deal_in(b)) << bits.OPEN_RIICHI_DEAL_IN
    mask |= int(ippatsu(b)) << bits.IPPATSU
    mask |= int(menzen_tsumo(b)) << bits.MENZEN_TSUMO
    mask |= int(haitei(b)) << bits.HAITEI
    mask |= int(houtei(b)) << bits.HOUTEI
    mask |= int(rinshan_kaihou(b)) << bits.RINSHAN_KAIHOU
    mask |= int(chankan(b)) << bits.CHANKAN
    mask |= int(tsubame_gaeshi(b)) << bits.TSUBAME_GAESHI
    return mask
