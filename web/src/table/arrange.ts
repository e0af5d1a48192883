// The order in which a player keeps the tiles of the hand, where they sort it themselves.
import type { Tile } from "../tiles/notation";

/** The tiles in their former order; what is new stands at the end, what is gone leaves no gap. */
export function rearranged(before: readonly Tile[], tiles: readonly Tile[]): Tile[] {
  const left = [...tiles];
  const kept = before.filter((tile) => {
    const at = left.indexOf(tile);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return [...kept, ...left];
}

/** The tiles with the one at `from` put where `to` is. */
export function movedTo(tiles: readonly Tile[], from: number, to: number): Tile[] {
  const next = [...tiles];
  const [tile] = next.splice(from, 1);
  if (tile !== undefined) next.splice(to, 0, tile);
  return next;
}
