// How far a hand is from a win, in words.
import { t } from "../words.svelte";

export function shantenWords(shanten: number): string {
  return shanten < 0 ? t("calc.complete") : shanten === 0 ? t("calc.tenpai") : t("table.shanten", { count: shanten });
}
