// The tile set of a game and the size of its wall.
import { MAN_KINDS } from "$generated/sets";
import { kindOf, type Tile } from "./notation";

export type ManTiles = keyof typeof MAN_KINDS;

export interface TileSet {
  /** The number of tiles in the live wall after the deal. */
  wall: number;
  /** The number of dead-wall tiles that can replace kans and norths set aside. */
  replacements: number;
  man: ManTiles;
}

export const USUAL_SET: TileSet = { wall: 0, replacements: 4, man: "all" };
const MAN = 9;

export function manOf(tree: Record<string, unknown>): ManTiles {
  const man = (tree["tiles"] as { man?: string } | undefined)?.man ?? "all";
  return man in MAN_KINDS ? (man as ManTiles) : "all";
}

export function hasKind(man: ManTiles, kind: number): boolean {
  return kind >= MAN || (MAN_KINDS[man] as readonly number[]).includes(kind);
}

/** The dora for an indicator; the order skips man tiles that the set lacks. */
export function doraOf(indicator: Tile, man: ManTiles = "all"): number {
  const kind = kindOf(indicator);
  const ring: readonly number[] = MAN_KINDS[man];
  if (ring.includes(kind)) return ring[(ring.indexOf(kind) + 1) % ring.length] ?? kind;
  if (kind < 27) return kind - (kind % 9) + ((kind + 1) % 9);
  return kind < 31 ? 27 + ((kind - 26) % 4) : 31 + ((kind - 30) % 3);
}
