// The tile order in a hand that the player sorts manually.
import type { Tile } from "$domain/tiles/notation";

/** Keep the previous order of the tiles; new ones go to the end. */
export function rearranged(before: readonly Tile[], tiles: readonly Tile[]): Tile[] {
  const left = [...tiles];
  const kept = before.filter((tile) => {
    const at = left.indexOf(tile);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return [...kept, ...left];
}

export function movedTo(tiles: readonly Tile[], from: number, to: number): Tile[] {
  const next = [...tiles];
  const [tile] = next.splice(from, 1);
  if (tile !== undefined) next.splice(to, 0, tile);
  return next;
}
