// The tiles of an action.
import type { Action } from "../table/choices";

export function tilesTextOf(action: Action): string {
  return "tile" in action ? action.tile : "tiles" in action ? action.tiles : "";
}
