// Actions in words.
import { t } from "../lib/words.svelte";
import type { Action } from "./choices";

/** "Pon", "Open riichi", "End the game"; `discard` is the word for a plain discard. */
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
