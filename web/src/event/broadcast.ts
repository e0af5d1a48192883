// A broadcast: which table is shown, and what stands beside its hands.
import type { Broadcast, CastTable } from "../generated/wire";
import { t } from "../lib/words.svelte";

/** The table that was asked for by its id, its number, or the first that is not over. */
export function tableOf({ tables }: Pick<Broadcast, "tables">, wanted: string): CastTable | null {
  const asked = wanted ? tables.filter(({ id, label }) => id === wanted || label === wanted) : tables;
  return asked.find(({ over }) => !over) ?? asked[0] ?? null;
}

/** How far a hand is from winning, in words. */
export function shantenText(shanten: number): string {
  return shanten > 0 ? t("event.cast.shanten", { count: shanten }) : t(shanten === 0 ? "event.cast.tenpai" : "event.cast.complete");
}

/** A chance as a percentage; empty if there is none. */
export function chanceText(chance: number | null): string {
  return chance === null ? "" : `${Math.round(chance * 100)}%`;
}

/** The seats in the order of their points, for a small list: their places by seat, shared where points are equal. */
export function placesOf({ seats }: Pick<CastTable, "seats">): number[] {
  return seats.map(({ score }) => 1 + seats.filter((other) => other.score > score).length);
}
