// Penalties that the rules of the event already know, so that a referee only chooses.
export type Cost = "chombo" | "dead_hand" | "deposit_1000" | "noten_at_draw" | "expulsion";

export interface Preset {
  foul: string;
  cost: Cost;
  /** What is taken off after the game; 0 for a warning, and for what is paid at the table. */
  points: number;
}

const MANGAN = 8000;
const DEPOSIT = 1000;

interface Fouls {
  chombo?: string;
  chombo_points?: number;
  [foul: string]: unknown;
}

/** What a chombo costs, as a penalty after the game. */
export function chomboPoints({ chombo = "mangan", chombo_points: points = 0 }: Fouls, seats: number): number {
  if (chombo === "mangan") return MANGAN;
  return chombo === "to_each" ? points * (seats - 1) : points;
}

/** The fouls that cost something under the rules, whose options are `tree`. */
export function presets(tree: { [section: string]: unknown }, seats: number): Preset[] {
  const { mode: _mode, chombo: _chombo, chombo_points: _points, ...fouls } = (tree["fouls"] ?? {}) as Fouls;
  const points: Partial<Record<Cost, number>> = {
    chombo: -chomboPoints((tree["fouls"] ?? {}) as Fouls, seats),
    deposit_1000: -DEPOSIT,
  };
  return Object.entries(fouls)
    .filter(([, cost]) => typeof cost === "string" && cost !== "none")
    .map(([foul, cost]) => ({ foul, cost: cost as Cost, points: points[cost as Cost] ?? 0 }));
}
