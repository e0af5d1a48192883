// The layout of a river: three rows, whose tiles overlap if there are too many for a row.
import type { RiverTile } from "$generated/wire";
import { SIDEWAYS } from "../tiles/meldLayout";

interface Laid {
  sideways: boolean;
}

const ROW = 6;
const ROWS = 3;
const ROOM = 6.4; // how wide a row may be, in tiles
const MOST_LAST = 10; // tiles of the last row; with more, half of each would be covered

/** The tiles that still lie there. The riichi tile lies sideways, or the next one if it was called. */
export function laidTiles(river: readonly RiverTile[]): (RiverTile & Laid & { key: number })[] {
  let turn = false;
  return river.flatMap((tile, key) => {
    turn ||= tile.riichi;
    if (tile.called) return [];
    const sideways = turn;
    turn = false;
    return [{ ...tile, sideways, key }];
  });
}

/** The rows of a river: six tiles each and the rest in the last row; very long rivers are split evenly. */
export function rowsOf<Tile extends Laid>(laid: readonly Tile[]): Tile[][] {
  const most = (ROWS - 1) * ROW;
  const row = laid.length > most + MOST_LAST ? Math.ceil(laid.length / ROWS) : ROW;
  return [laid.slice(0, row), laid.slice(row, 2 * row), laid.slice(2 * row)];
}

/** How much of a tile the next one in the row covers, in tile widths. */
export function lapOf(row: readonly Laid[]): number {
  if (row.length <= ROW) return 0;
  const wide = row.reduce((sum, tile) => sum + (tile.sideways ? SIDEWAYS : 1), 0);
  return Math.max(0, wide - ROOM) / (row.length - 1);
}
