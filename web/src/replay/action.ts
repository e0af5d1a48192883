// The tiles of an action.
import type { Action } from "../table/choices";
import { NORTH } from "../table/kita";

export function tilesTextOf(action: Action): string {
  if (action.type === "kita") return NORTH;
  return "tile" in action ? action.tile : "tiles" in action ? action.tiles : "";
}
