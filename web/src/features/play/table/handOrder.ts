// The tile order in a hand that the player sorts manually.
import type { Tile } from "$domain/tiles/notation";

/** Keep the previous order of the tiles; new ones go to the end. */
export function rearranged(before: readonly Tile[], tiles: readonly Tile[]): Tile[] {
  const added = [...tiles];
  const remaining = before.filter((tile) => {
    const at = added.indexOf(tile);
    if (at >= 0) added.splice(at, 1);
    return at >= 0;
  });
  return [...remaining, ...added];
}

export function movedTo(tiles: readonly Tile[], from: number, to: number): Tile[] {
  const next = [...tiles];
  const [tile] = next.splice(from, 1);
  if (tile !== undefined) next.splice(to, 0, tile);
  return next;
}
