// Actions in words, and the tiles they involve.
import { t } from "../words.svelte";
import { NORTH } from "../tiles/notation";
import type { Action } from "./choices";
import type { SeatState } from "./tableState";

/** The name of an action: "Pon", "Open riichi", "End the game"; `discard` is the word for a plain discard. */
export function actionWord(action: Action, discard: string): string {
  switch (action.type) {
    case "discard":
      if (action.riichi) return t(action.riichi === "open" ? "call.open_riichi" : "call.riichi");
      return discard;
    case "foul":
      return t(`foul.${action.act}`);
    case "end_game":
    case "play_on":
      return t(`end.${action.type}`);
    default:
      return t(`call.${action.type}`);
  }
}

export function tilesTextOf(action: Action): string {
  if (action.type === "kita") return NORTH;
  return "tile" in action ? action.tile : "tiles" in action ? action.tiles : "";
}

/** "Riichi" or "Open riichi"; empty if not in riichi. */
export function riichiWord(riichi: SeatState["riichi"]): string {
  return riichi ? t(`calc.riichi.${riichi}`) : "";
}
