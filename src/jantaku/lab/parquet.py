"""Writes simulated hands and games to Parquet with Polars, in bounded memory."""

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from jantaku.errors import RequestError, file_errors
from jantaku.game.ending import DRAWS
from jantaku.kernels.engine.state import NO_SEAT, RUNNING, WON
from jantaku.lab.chunks import Chunk, ChunkPlan

if TYPE_CHECKING:
    import polars

_ENDED: Final = {RUNNING: "running", WON: "won"} | DRAWS
ENDED: Final = tuple(_ENDED[number] for number in sorted(_ENDED))
_PART_ROWS: Final = 200_000
_PLAIN: Final = ("hand", "number", "honba", "deposits", "turns", "discards")
_BY_SEAT: Final = (
    ("score", "scores"),
    ("delta", "delta"),
    ("riichi", "riichi"),
    ("calls", "calls"),
    ("points", "points"),
    ("han", "han"),
    ("fu", "fu"),
    ("yakuman", "yakuman"),
    ("dora", "dora"),
    ("red_dora", "red_dora"),
    ("ura_dora", "ura_dora"),
    ("kita", "kita"),
    ("kan_han", "kan_han"),
    ("yaku", "yaku"),
)
_MASKS: Final = (("won", "winners"), ("tenpai", "tenpai"), ("nagashi", "nagashi"))


def polars_library() -> Any:
    """Import Polars; raise ``RequestError`` if it is not installed."""
    try:
        import polars  # noqa: PLC0415  (an extra)
    except ImportError as error:
        raise RequestError("missing_extra", field="polars", extra="lab") from error
    return polars


def hands_table(chunk: Chunk) -> "polars.DataFrame":
    """Return a data frame with one row per hand; docs/environments.md describes the columns."""
    pl, rows = polars_library(), chunk.hands
    columns: dict[str, Any] = {"game": rows["game"].astype(np.int64) + chunk.first}
    columns |= {name: rows[name] for name in _PLAIN}
    columns["dealer"] = (rows["number"] % len(chunk.seats)).astype(np.uint8)
    columns["ended"] = pl.Series(np.array(ENDED)[rows["ended"]], dtype=pl.Enum(ENDED))
    discarder = rows["discarder"]
    columns["discarder"] = pl.Series(discarder).replace(NO_SEAT, None)
    for name, field in _BY_SEAT:
        columns |= {f"{name}_{seat}": rows[field][:, seat] for seat in chunk.seats}
    if chunk.own_yaku:
        columns |= {
            f"own_yaku_{seat}": _own(rows["own_yaku"][:, seat], chunk.own_yaku) for seat in chunk.seats
        }
    for name, field in _MASKS:
        columns |= {f"{name}_{seat}": (rows[field] >> seat & 1).astype(np.bool_) for seat in chunk.seats}
    table: polars.DataFrame = pl.DataFrame(columns)
    return table


def _own(masks: Any, ids: tuple[str, ...]) -> Any:
    """Return a column with the list of custom yaku ids of each hand."""
    pl = polars_library()
    made = [[name for bit, name in enumerate(ids) if mask >> bit & 1] for mask in masks.tolist()]
    return pl.Series(made, dtype=pl.List(pl.Enum(ids)))


def games_table(chunk: Chunk, plan: ChunkPlan) -> "polars.DataFrame":
    """Return a data frame with one row per game; docs/environments.md describes the columns."""
    pl, rows = polars_library(), chunk.games
    numbers = np.arange(chunk.first, chunk.first + len(rows))
    seated = chunk.seated
    columns: dict[str, Any] = {"game": numbers, "hands": rows["hands"], "decisions": rows["decisions"]}
    for seat in chunk.seats:
        columns[f"player_{seat}"] = seated[:, seat].astype(np.uint8)
        columns[f"bot_{seat}"] = np.array(plan.bots)[seated[:, seat]]
        columns[f"score_{seat}"] = rows["scores"][:, seat]
        columns[f"final_{seat}"] = rows["final"][:, seat]
        columns[f"place_{seat}"] = rows["place"][:, seat]
    table: polars.DataFrame = pl.DataFrame(columns)
    return table


class ParquetWriter:
    """Writes ``FILE.parquet`` (hands) and ``FILE-games.parquet``.

    Parts are stored in a folder next to the file. Only ``finish`` merges them into the final
    files. Raises ``RecordError`` if the folder is not writable.
    """

    def __init__(self, path: Path, plan: ChunkPlan) -> None:
        self._pl, self._plan = polars_library(), plan
        self.path, self.games_path = path, path.with_name(f"{path.stem}-games{path.suffix}")
        self._waiting: dict[Path, list[Any]] = {self.path: [], self.games_path: []}
        self._parts: dict[Path, list[Path]] = {self.path: [], self.games_path: []}
        self._rows = 0
        with file_errors(path, writing=True):
            self._folder = Path(tempfile.mkdtemp(prefix=f".{path.stem}-", dir=path.parent))

    def add(self, chunk: Chunk) -> None:
        """Add the next chunk."""
        self._waiting[self.path].append(hands_table(chunk))
        self._waiting[self.games_path].append(games_table(chunk, self._plan))
        self._rows += len(chunk.hands)
        if self._rows >= _PART_ROWS:
            self._flush()

    def _flush(self) -> None:
        for path, tables in self._waiting.items():
            if not tables:
                continue
            parts = self._parts[path]
            part = self._folder / f"{path.stem}-{len(parts)}.parquet"
            self._pl.concat(tables).write_parquet(part)
            parts.append(part)
            tables.clear()
        self._rows = 0

    def finish(self) -> None:
        """Merge the parts into one file each, under their final names."""
        with file_errors(self.path, writing=True):
            self._flush()
            for path, parts in self._parts.items():
                if parts:
                    whole = self._folder / "whole.parquet"
                    self._pl.scan_parquet(parts).sink_parquet(whole)
                    whole.replace(path)
        shutil.rmtree(self._folder, ignore_errors=True)
