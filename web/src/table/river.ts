// How a river lies: three rows, whose tiles are laid over each other where there are too many for a row.
import { SIDEWAYS } from "../tiles/melds";

interface Laid {
  sideways: boolean;
}

const ROW = 6;
const ROWS = 3;
const ROOM = 6.4; // how wide a row may be, in tiles
const MOST_LAST = 10; // tiles of the last row: of more, each would be covered by half

/** The rows of a river: six tiles each and the rest in the last one; of very many, as many in each row. */
export function rowsOf<Tile extends Laid>(laid: readonly Tile[]): Tile[][] {
  const most = (ROWS - 1) * ROW;
  const row = laid.length > most + MOST_LAST ? Math.ceil(laid.length / ROWS) : ROW;
  return [laid.slice(0, row), laid.slice(row, 2 * row), laid.slice(2 * row)];
}

/** How much of a tile the next one of the row covers, in tiles. */
export function lapOf(row: readonly Laid[]): number {
  if (row.length <= ROW) return 0;
  const wide = row.reduce((sum, tile) => sum + (tile.sideways ? SIDEWAYS : 1), 0);
  return Math.max(0, wide - ROOM) / (row.length - 1);
}
