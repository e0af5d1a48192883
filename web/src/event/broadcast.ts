// A broadcast: which table is shown, and the places of its seats.
import type { Broadcast, CastTable } from "../generated/wire";

/** The table that was asked for by its id, its number, or the first that is not over. */
export function tableOf({ tables }: Pick<Broadcast, "tables">, wanted: string): CastTable | null {
  const asked = wanted ? tables.filter(({ id, label }) => id === wanted || label === wanted) : tables;
  return asked.find(({ over }) => !over) ?? asked[0] ?? null;
}

/** The seats in the order of their points, for a small list: their places by seat, shared where points are equal. */
export function placesOf({ seats }: Pick<CastTable, "seats">): number[] {
  return seats.map(({ score }) => 1 + seats.filter((other) => other.score > score).length);
}
