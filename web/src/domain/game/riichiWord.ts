// What a seat has declared, in words.
import { t } from "../words.svelte";
import type { SeatState } from "./tableState";

/** "Riichi", "Open riichi"; empty without one. */
export function riichiWord(riichi: SeatState["riichi"]): string {
  return riichi ? t(`calc.riichi.${riichi}`) : "";
}

export function isOpen(riichi: SeatState["riichi"]): boolean {
  return riichi === "open" || riichi === "double_open";
}
