// The hands that are laid open on the table when a hand ends.
import { sorted, tilesOf, type Tile } from "../tiles/notation";
import type { Outcome, Seat } from "./tableState";

export interface Opened {
  seat: Seat;
  tiles: Tile[];
  /** The tile that completes it; null at a draw. */
  winning: Tile | null;
  /** What a hand waits for at a draw. */
  waits: Tile[];
}

/** How long an opened hand is with its rim, in widths of a tile. */
export function lengthOf({ tiles, winning }: Opened): number {
  return tiles.length + (winning ? 1.4 : 0) + 0.6;
}

/** Winners' hands, or the tenpai hands of a draw with their waits. */
export function openedHands({ wins, draw }: Outcome): Opened[] {
  const won = wins.map(({ seat, hand, tile }) => ({ seat, tiles: sorted(tilesOf(hand)), winning: tile, waits: [] }));
  const shown = (draw?.hands ?? []).flatMap((text, seat) => {
    return text
      ? [{ seat, tiles: sorted(tilesOf(text)), winning: null, waits: tilesOf(draw?.waits?.[seat] ?? "") }]
      : [];
  });
  return [...won, ...shown];
}
